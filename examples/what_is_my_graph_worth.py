"""What is my graph worth? Effective numbers of arms, and how many weak arcs one can do without."""

import hearsay
import numpy
from matplotlib import pyplot

# Sixty sensors in a square: playing one (row) shows another (column), the better the nearer it is.
rng = numpy.random.default_rng(3)
places = rng.uniform(size=(60, 2))
distances = numpy.linalg.norm(places[:, None] - places, axis=2)
weights = 1 / (1 + (6 * distances) ** 2)

star = hearsay.effective_independence(weights)
steady = hearsay.effective_independence(weights, noise_bound=0.5)
print(f"60 arms count as alpha* = {star.value:.2f}, under noise of at most 0.5 as {steady.value:.2f}")

thresholds = numpy.linspace(0.1, 1, 46)
alpha = numpy.array([hearsay.independence_number(weights, eps).value for eps in thresholds])
costs = {
    "alpha*: alpha(eps) / eps²": (alpha / thresholds**2, star),
    "alpha^R, R = 0.5: alpha(eps) (1 + R² ((1 - eps) / eps)²)": (
        alpha * (1 + (0.5 * (1 - thresholds) / thresholds) ** 2),
        steady,
    ),
}

# Thinning: without the arcs weaker than a threshold, what are the others worth?
thinned = [numpy.where(weights >= eps, weights, 0) for eps in thresholds]
kept = [(each > 0).mean() for each in thinned]
worth = [hearsay.effective_independence(each).value for each in thinned]

figure = pyplot.figure(figsize=(10, 4.2), layout="constrained")
left, right = figure.subplots(1, 2)
for name, (cost, best) in costs.items():
    (line,) = left.plot(thresholds, cost, label=name)
    left.plot(best.threshold, best.value, "o", color=line.get_color())
    left.annotate(f"{best.value:.1f}", (best.threshold, best.value), xytext=(0, -14), textcoords="offset points", ha="center")
left.set(xlabel="threshold eps", ylabel="arms it counts as", xlim=(0.1, 1), ylim=(0, 100))
left.set_title("60 arms count as the least of each curve", loc="left", fontsize=10)
left.legend(frameon=False)
right.plot(kept, worth, color="C2", marker=".")
right.axhline(star.value, color="0.6", ls=":")
right.annotate("all arcs", (1, star.value), xytext=(0, -12), textcoords="offset points", ha="right", color="0.4")
right.set(xlabel="share of the pairs that keep their arc", ylabel="alpha* of what is left", xlim=(0, 1), ylim=(0, 65))
right.set_title("Thinning: most weak arcs add nothing", loc="left", fontsize=10)
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)
figure.savefig("what_is_my_graph_worth.png", dpi=150)
