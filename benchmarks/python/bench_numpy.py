"""The package beside careful numpy, in one run on one core: ratios of medians.

    PYTHONPATH=build/dev/python /usr/bin/python3 benchmarks/python/bench_numpy.py [--repeats N]

loop      choose and observe in a Python loop, exp3-wix on the paper's 5 x 5 grid
simulate  a slice of the paper's comparison (one cell of each learner), against the same rounds in numpy, on one thread

The numpy is exp3-wix as python/tests/wix_in_numpy.py has it, which the tests hold the core to: no allocation that can
be avoided cheaply, the squares of the weights taken once. For `simulate` it also draws what the environment would
(losses by the same walks, noise), a round at a time, as a program in numpy must: the learner's next draw depends on it.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import hearsay
import numpy

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests"))
from wix_in_numpy import Wix  # noqa: E402

ARMS, ROUNDS = 25, 5000
GRAPH = hearsay.make_graph("grid", side=5)
WEIGHTS = GRAPH.to_numpy()
LEARNERS = [
    "exp3",
    "exp3-wix",
    "exp3-ivx",
    {"learner": "exp3-ixb", "threshold": 0.5},
    {"learner": "exp3-ixt", "threshold": 0.5},
]


def given_rounds(rounds: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Uniform numbers to draw by, and an observation of every arm for every arm played."""
    rng = numpy.random.default_rng(1)
    losses, noise = rng.uniform(size=(2, rounds, 1, ARMS))
    return rng.uniform(size=rounds), WEIGHTS * losses + (1 - WEIGHTS) * (2 * noise - 1)


def loop_in_hearsay(rounds: int, uniforms: numpy.ndarray, observations: numpy.ndarray) -> None:
    learner = hearsay.Learner("exp3-wix", arms=ARMS, seed=1)
    for t in range(rounds):
        decision = learner.choose()
        learner.observe(decision, GRAPH, observations[t, decision.arm])


def loop_in_numpy(rounds: int, uniforms: numpy.ndarray, observations: numpy.ndarray) -> None:
    learner = Wix(WEIGHTS)
    for t in range(rounds):
        arm = learner.choose(uniforms[t])
        learner.observe(arm, observations[t, arm])


def simulate_in_hearsay(repetitions: int) -> None:
    hearsay.simulate(GRAPH, LEARNERS, rounds=ROUNDS, repetitions=repetitions, threads=1, points=50)


def simulate_in_numpy(rounds: int) -> None:
    rng = numpy.random.default_rng(1)
    walks = rng.uniform(size=(20, ARMS))
    learner = Wix(WEIGHTS)
    suffered, of_arms = 0.0, numpy.zeros(ARMS)
    for t in range(rounds):
        losses = walks[t % 20]
        losses += 0.01 * rng.standard_normal(ARMS)
        numpy.clip(losses, 0, 1, out=losses)
        arm = learner.choose(rng.random())
        suffered += losses[arm]
        of_arms += losses
        row = WEIGHTS[arm]
        learner.observe(arm, row * losses + (1 - row) * rng.uniform(-1, 1, ARMS))


def seconds(work, repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


def report(name: str, ours: list[float], theirs: list[float], our_rounds: int, their_rounds: int) -> None:
    """In pairs, one after the other, so that what else the machine does weighs on both."""
    mine = [each / our_rounds * 1e6 for each in ours]
    others = [each / their_rounds * 1e6 for each in theirs]
    ratios = sorted(b / a for a, b in zip(mine, others))
    print(
        f"{name:9} hearsay {statistics.median(mine):7.3f} us a round, numpy {statistics.median(others):7.2f} us: "
        f"{statistics.median(ratios):6.1f} times (from {ratios[0]:.1f} to {ratios[-1]:.1f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="The package beside careful numpy.")
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats

    uniforms, observations = given_rounds(ROUNDS)
    pairs = [
        (seconds(lambda: loop_in_hearsay(ROUNDS, uniforms, observations), 1)[0],
         seconds(lambda: loop_in_numpy(ROUNDS, uniforms, observations), 1)[0])
        for _ in range(repeats)
    ]
    report("loop", [a for a, _ in pairs], [b for _, b in pairs], ROUNDS, ROUNDS)

    repetitions = 80
    pairs = [
        (seconds(lambda: simulate_in_hearsay(repetitions), 1)[0], seconds(lambda: simulate_in_numpy(ROUNDS), 1)[0])
        for _ in range(repeats)
    ]
    report(
        "simulate", [a for a, _ in pairs], [b for _, b in pairs], ROUNDS * repetitions * len(LEARNERS), ROUNDS
    )


main()
