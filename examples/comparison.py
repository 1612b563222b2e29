"""The paper's comparison: total regret after 5000 rounds against the threshold of the learners that need one."""

import hearsay
from matplotlib import pyplot

paper = {"rate": 0.1, "exploration": 0}  # in the paper's experiments no learner explores
learners = [{"learner": name, **paper} for name in ("exp3", "exp3-wix")]
thresholds = [k / 20 for k in range(21)]
learners += [{"learner": name, "threshold": thresholds, **paper} for name in ("exp3-ixb", "exp3-ixt")]
result = hearsay.simulate({"family": "grid", "side": 5}, learners, rounds=5000, repetitions=10, points=1)

# A learner with a threshold is drawn as a curve, a learner without one as a horizontal line.
figure = pyplot.figure(figsize=(7, 4.5), layout="constrained")
ax = figure.subplots()
for label in dict.fromkeys(result["label"]):
    mine = result.where(result["label"] == label)
    x = mine["threshold"] if len(mine["round"]) > 1 else [0, 1]
    y, sd = (mine[key] if len(mine["round"]) > 1 else mine[key].repeat(2) for key in ("regret", "regret_sd"))
    (line,) = ax.plot(x, y, "-" if len(mine["round"]) > 1 else "--", label=label)
    ax.fill_between(x, y - sd, y + sd, color=line.get_color(), alpha=0.15, lw=0)
ax.set(xlabel="threshold", ylabel="total regret after 5,000 rounds", xlim=(0, 1), ylim=(0, None))
ax.set_title("Rate 0.1, mean and standard deviation of 10 runs", loc="left", fontsize=10)
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, ncols=2)
figure.savefig("comparison.png", dpi=150)
