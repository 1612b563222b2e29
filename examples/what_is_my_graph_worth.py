"""The effective independence number of your own graph, and how many of its weak arcs can be removed."""

import hearsay
import numpy
from matplotlib import pyplot

# Sixty sensors in a square. Playing one (row) shows the others (columns), nearer ones better.
rng = numpy.random.default_rng(3)
places = rng.uniform(size=(60, 2))
distances = numpy.linalg.norm(places[:, None] - places, axis=2)
weights = 1 / (1 + (2 * distances) ** 2)

star = hearsay.effective_independence(weights)
noisy = hearsay.effective_independence(weights, noise_bound=0.5)
print(f"60 arms: alpha* = {star.value:.2f}, alpha^R for noise of at most 0.5 = {noisy.value:.2f}")

thresholds = numpy.linspace(0.12, 1, 45)
alpha = numpy.array([hearsay.independence_number(weights, eps).value for eps in thresholds])
costs = {
    "alpha*": (alpha / thresholds**2, star),
    "alpha^R, R = 0.5": (alpha * (1 + (0.5 * (1 - thresholds) / thresholds) ** 2), noisy),
}

# Thinning removes the arcs below a threshold. alpha* of the remaining graph shows what that costs.
thinned = [numpy.where(weights >= eps, weights, 0) for eps in thresholds]
kept = numpy.array([(each > 0).mean() for each in thinned])
thinned_alpha = numpy.array([hearsay.effective_independence(each).value for each in thinned])

figure = pyplot.figure(figsize=(10, 4.2), layout="constrained")
left, right = figure.subplots(1, 2)
for name, (cost, best) in costs.items():
    (line,) = left.plot(thresholds, cost, label=name)
    left.plot(best.threshold, best.value, "o", color=line.get_color())
    left.annotate(
        f"{best.value:.1f}", (best.threshold, best.value), (0, -15), textcoords="offset points", ha="center"
    )
left.set(xlabel="threshold", ylabel="cost of the threshold", xlim=(0, 1), ylim=(0, 62))
left.set_title("The effective independence number is the least cost", loc="left", fontsize=10)
left.legend(frameon=False, loc="upper center")

right.axhline(star.value, color="0.6", ls=":")
right.plot(kept, thinned_alpha, color="C2")
free = kept[thinned_alpha <= star.value * (1 + 1e-12)].min()
right.plot(free, star.value, "o", color="C2")
right.annotate(
    f"with {free:.0%} of the arcs\nas good as with all", (free, star.value), (10, 22), textcoords="offset points",
    arrowprops={"arrowstyle": "-", "color": "0.6"},
)
right.set(xlabel="share of arcs kept", ylabel="alpha* of the thinned graph", xlim=(0, 1), ylim=(0, 62))
right.set_title("Thinning removes the weakest arcs first", loc="left", fontsize=10)
for ax in (left, right):
    ax.spines[["top", "right"]].set_visible(False)
figure.savefig("what_is_my_graph_worth.png", dpi=150)
