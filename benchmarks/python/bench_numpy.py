"""Compares the package with numpy. The two sides of a comparison are timed alternately; the medians of the times and
of the ratios are printed.

    PYTHONPATH=build/dev/python /usr/bin/python3 benchmarks/python/bench_numpy.py [--repeats N]

loop      choose and observe in a Python loop, exp3-wix on the paper's 5 x 5 grid, compared with exp3-wix in careful
          numpy: python/tests/wix_in_numpy.py, which the tests compare with the core
simulate  the paper's comparison, 135 cells of 10 runs, on one thread and on all cores, compared with one run in numpy,
          whose environment draws losses and noise round by round; and with one run in numpy that draws all random
          numbers beforehand, which is the fastest numpy can do with one run at a time
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import hearsay
import numpy

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests"))
from wix_in_numpy import Wix  # noqa: E402

ARMS, ROUNDS, REPETITIONS = 25, 5000, 10
GRAPH = hearsay.make_graph("grid", side=5)
WEIGHTS = GRAPH.to_numpy()
PAPER = {"rate": ["adaptive", 0.01, 0.1], "exploration": 0}
LEARNERS = [{"learner": name, **PAPER} for name in ("exp3", "exp3-wix", "exp3-ivx")]
THRESHOLDS = [k / 20 for k in range(21)]
LEARNERS += [{"learner": name, "threshold": THRESHOLDS, **PAPER} for name in ("exp3-ixb", "exp3-ixt")]
CELLS = 3 * (1 + 1 + 1 + 21 + 21)

RNG = numpy.random.default_rng(1)
UNIFORMS = RNG.uniform(size=ROUNDS)
SHOWN = WEIGHTS * RNG.uniform(size=(ROUNDS, 1, ARMS)) + (1 - WEIGHTS) * RNG.uniform(-1, 1, (ROUNDS, 1, ARMS))


def loop_in_hearsay() -> None:
    learner = hearsay.Learner("exp3-wix", arms=ARMS, seed=1)
    for t in range(ROUNDS):
        decision = learner.choose()
        learner.observe(decision, GRAPH, SHOWN[t, decision.arm])


def loop_in_numpy() -> None:
    learner = Wix(WEIGHTS)
    for t in range(ROUNDS):
        arm = learner.choose(UNIFORMS[t])
        learner.observe(arm, SHOWN[t, arm])


def simulate(threads: int | None) -> None:
    hearsay.simulate(GRAPH, LEARNERS, rounds=ROUNDS, repetitions=REPETITIONS, threads=threads, progress=False)


def run_in_numpy() -> None:
    rng = numpy.random.default_rng(1)
    walks = rng.uniform(size=(20, ARMS))
    learner = Wix(WEIGHTS)
    suffered, arm_losses = 0.0, numpy.zeros(ARMS)
    for t in range(ROUNDS):
        losses = walks[t % 20]
        losses += 0.01 * rng.standard_normal(ARMS)
        numpy.clip(losses, 0, 1, out=losses)
        arm = learner.choose(rng.random())
        suffered += losses[arm]
        arm_losses += losses
        row = WEIGHTS[arm]
        learner.observe(arm, row * losses + (1 - row) * rng.uniform(-1, 1, ARMS))


def run_in_careful_numpy() -> None:
    rng = numpy.random.default_rng(1)
    walks = rng.uniform(size=(20, ARMS))
    losses = 0.01 * rng.standard_normal((ROUNDS // 20, 20, ARMS))
    for steps in losses:  # the walks are independent, so all of them take a step at once
        walks += steps
        walks.clip(0, 1, out=walks)
        steps[...] = walks
    losses = losses.reshape(ROUNDS, ARMS)
    uniforms, noise, rest = rng.uniform(size=ROUNDS), rng.uniform(-1, 1, (ROUNDS, ARMS)), 1 - WEIGHTS
    learner = Wix(WEIGHTS)
    arms = numpy.empty(ROUNDS, dtype=int)
    for t in range(ROUNDS):
        arms[t] = arm = learner.choose(uniforms[t])
        learner.observe(arm, WEIGHTS[arm] * losses[t] + rest[arm] * noise[t])
    losses[numpy.arange(ROUNDS), arms].cumsum(), losses.cumsum(0)


def microseconds(work: Callable[[], None], rounds: int) -> float:
    start = time.perf_counter()
    work()
    return 1e6 * (time.perf_counter() - start) / rounds


def compare(name: str, repeats: int, ours: Callable[[], None], rounds: int, theirs: Callable[[], None]) -> None:
    pairs = [(microseconds(ours, rounds), microseconds(theirs, ROUNDS)) for _ in range(repeats)]
    ratios = sorted(b / a for a, b in pairs)
    mine, others = (statistics.median(each) for each in zip(*pairs))
    print(
        f"{name:38} {mine:6.3f} us per round, numpy {others:6.2f} us: "
        f"{statistics.median(ratios):6.1f} times faster ({ratios[0]:.1f} to {ratios[-1]:.1f})",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares the speed of the package with numpy.")
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    compare("loop", repeats, loop_in_hearsay, ROUNDS, loop_in_numpy)
    all_rounds = CELLS * REPETITIONS * ROUNDS
    for cores, threads in (("one thread", 1), ("all cores", None)):
        for how, theirs in (("", run_in_numpy), (", careful numpy", run_in_careful_numpy)):
            compare(f"simulate, {cores}{how}", repeats, lambda: simulate(threads), all_rounds, theirs)


main()
