"""Writes log.jsonl and pairs.csv, invented data for the examples of `hearsay evaluate --help` and others."""

import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).parent
random.seed(1)

# 300 rounds of a policy with fixed probabilities. Neighbours show each other with weight 0.6, others with 0.3.
arms = ["north", "east", "south", "west"]
means = {"north": 40, "east": 55, "south": 70, "west": 50}
probabilities = [0.4, 0.3, 0.1, 0.2]
weights = {(i, j): 0.3 if (i - j) % 4 == 2 else 0.6 for i in range(4) for j in range(4) if i != j}
problem = {
    "names": arms,
    "outcome": {"kind": "reward", "low": 0, "high": 100},
    "graph": {"arcs": [[arms[i], arms[j], weight] for (i, j), weight in weights.items()]},
}
lines = [{"hearsay_log": 1, "problem": problem}]
for number in range(1, 301):
    rewards = {arm: min(max(random.gauss(means[arm], 10), 0), 100) for arm in arms}
    played = random.choices(range(4), probabilities)[0]
    lines.append(
        {"decision": number, "arm": arms[played], "probability": probabilities[played], "probabilities": probabilities}
    )
    readings = {}
    for seen, arm in enumerate(arms):
        if seen != played:
            weight = weights[played, seen]
            readings[arm] = round(rewards[arm] + 100 * (1 - weight) / weight * random.uniform(-0.5, 0.5), 1)
    lines.append({"feedback": number, "outcome": round(rewards[arms[played]], 1), "readings": readings})
(HERE / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

# Sensors along a line: the further one is from another, the noisier its reading of what the other measures.
rows = ["played,seen,reading,outcome,distance"]
for _ in range(400):
    played, seen = random.sample(range(5), 2)
    distance = abs(played - seen)
    outcome = random.random()
    reading = 0.1 + 0.9 * outcome + random.uniform(-1, 1) * 0.1 * math.sqrt(distance)
    rows.append(f"{played},{seen},{reading:.4f},{outcome:.4f},{distance}")
(HERE / "pairs.csv").write_text("\n".join(rows) + "\n")
