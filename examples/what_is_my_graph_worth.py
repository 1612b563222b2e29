"""What is my graph worth? Effective numbers of arms, and how many weak arcs one can do without."""

import hearsay
import numpy
from matplotlib import pyplot

# Sixty sensors in a square: playing one (row) shows another (column), the better the nearer it is.
rng = numpy.random.default_rng(3)
places = rng.uniform(size=(60, 2))
distances = numpy.linalg.norm(places[:, None] - places, axis=2)
weights = 1 / (1 + (2 * distances) ** 2)

star = hearsay.effective_independence(weights)
steady = hearsay.effective_independence(weights, noise_bound=0.5)
print(f"60 arms count as alpha* = {star.value:.2f}, under noise of at most 0.5 as {steady.value:.2f}")

thresholds = numpy.linspace(0.12, 1, 45)
alpha = numpy.array([hearsay.independence_number(weights, eps).value for eps in thresholds])
costs = {
    "alpha*": (alpha / thresholds**2, star),
    "alpha^R, R = 0.5": (alpha * (1 + (0.5 * (1 - thresholds) / thresholds) ** 2), steady),
}

# Thinning: without the arcs weaker than a threshold, what are the others worth?
thinned = [numpy.where(weights >= eps, weights, 0) for eps in thresholds]
kept = numpy.array([(each > 0).mean() for each in thinned])
worth = numpy.array([hearsay.effective_independence(each).value for each in thinned])

figure = pyplot.figure(figsize=(10, 4.2), layout="constrained")
left, right = figure.subplots(1, 2)
for name, (cost, best) in costs.items():
    (line,) = left.plot(thresholds, cost, label=name)
    left.plot(best.threshold, best.value, "o", color=line.get_color())
    left.annotate(
        f"{best.value:.1f}", (best.threshold, best.value), (0, -15), textcoords="offset points", ha="center"
    )
left.set(xlabel="threshold", ylabel="arms they count as", xlim=(0, 1), ylim=(0, 62))
left.set_title("60 arms count as the least of the curve", loc="left", fontsize=10)
left.legend(frameon=False, loc="upper center")

right.axhline(star.value, color="0.6", ls=":")
right.plot(kept, worth, color="C2")
free = kept[worth <= star.value * (1 + 1e-12)].min()
right.plot(free, star.value, "o", color="C2")
right.annotate(
    f"with {free:.0%} of the arcs\nas good as with all", (free, star.value), (10, 22), textcoords="offset points",
    arrowprops={"arrowstyle": "-", "color": "0.6"},
)
right.set(xlabel="share of the pairs that keep their arc", ylabel="alpha* of what is left", xlim=(0, 1), ylim=(0, 62))
right.set_title("Thinning: the weaker arcs go first", loc="left", fontsize=10)
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)
figure.savefig("what_is_my_graph_worth.png", dpi=150)
