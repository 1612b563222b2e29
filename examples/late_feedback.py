"""A learner in your own loop, with feedback that arrives late and out of order."""

import heapq

import hearsay
import numpy
from matplotlib import pyplot

ROUNDS, ARMS = 4000, 16
graph = hearsay.make_graph("grid", side=4)  # weights[played, seen] decreases with the distance
weights = graph.to_numpy()
means = numpy.random.default_rng(1).uniform(0.3, 0.7, ARMS)


def regret_with_delay(mean_delay, seed):
    rng = numpy.random.default_rng(seed)
    learner = hearsay.Learner("exp3-wix", arms=ARMS, noise_bound=1.0, tuning="sharp", seed=seed)
    pending, regret = [], numpy.zeros(ROUNDS)
    for now in range(ROUNDS):
        decision = learner.choose()
        losses = (rng.uniform(size=ARMS) < means).astype(float)
        regret[now] = means[decision.arm] - means.min()

        # The observations are weight * loss + (1 - weight) * noise, and NaN for arms of weight 0, which are not seen.
        weight = weights[decision.arm]
        observations = numpy.where(weight > 0, weight * losses + (1 - weight) * rng.uniform(-1, 1, ARMS), numpy.nan)
        arrival = now + rng.exponential(mean_delay) if mean_delay else now
        heapq.heappush(pending, (arrival, decision.id, decision, observations))

        # Feedback belongs to its decision: the learner uses the probabilities with which that decision was drawn.
        while pending and pending[0][0] <= now:
            _, _, earlier, observations = heapq.heappop(pending)
            learner.observe(earlier, graph, observations)
    return regret.cumsum()


figure = pyplot.figure(figsize=(7, 4.5), layout="constrained")
ax = figure.subplots()
for delay in (0, 30, 300):
    curves = numpy.array([regret_with_delay(delay, seed) for seed in range(12)])
    (line,) = ax.plot(curves.mean(0), label=f"mean delay {delay} rounds" if delay else "no delay")
    error = curves.std(0, ddof=1) / len(curves) ** 0.5
    low, high = curves.mean(0) - error, curves.mean(0) + error
    ax.fill_between(range(ROUNDS), low, high, color=line.get_color(), alpha=0.2, lw=0)
ax.plot((means.mean() - means.min()) * numpy.arange(ROUNDS), color="0.6", ls=":", label="uniform play")
ax.set(xlabel="round", ylabel="regret", xlim=(0, ROUNDS), ylim=(0, 1.1 * high.max()))
ax.set_title("Late feedback: mean and standard error of 12 runs", loc="left", fontsize=10)
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False)
figure.savefig("late_feedback.png", dpi=150)
