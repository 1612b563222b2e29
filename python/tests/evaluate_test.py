"""hearsay.evaluate, compared with the formulas in numpy and with the command."""

import csv
import io
import json
import math
import os
import re
import subprocess

import hearsay
import numpy
import pytest
from report_page import report_in

NAMES = ["a", "b", "c"]
WEIGHTS = numpy.array([[1, 0.5, 0], [0.25, 1, 0.5], [0, 0.75, 1]])
HEADER = {
    "hearsay_log": 1,
    "problem": {
        "names": NAMES,
        "outcome": {"kind": "reward", "low": -5, "high": 15},
        "graph": {
            "arcs": [
                [NAMES[i], NAMES[j], float(WEIGHTS[i, j])]
                for i in range(3)
                for j in range(3)
                if i != j and WEIGHTS[i, j] > 0
            ]
        },
    },
}


def records(rounds=60, seed=1):
    """A log of a fixed policy, the probabilities of its draws, and the arm, outcome and readings of every round."""
    random = numpy.random.default_rng(seed)
    probabilities = [0.5, 0.3, 0.2]
    log, seen = [HEADER], []
    for t in range(1, rounds + 1):
        arm = int(random.choice(3, p=probabilities))
        outcome = float(random.uniform(-5, 15))
        readings = {NAMES[j]: float(random.uniform(-5, 15)) for j in range(3) if j != arm and WEIGHTS[arm, j] > 0}
        log.append({"decision": t, "arm": NAMES[arm], "probability": probabilities[arm], "probabilities": probabilities})
        log.append({"feedback": t, "outcome": outcome, "readings": readings})
        seen.append((arm, outcome, readings))
    return log, numpy.array(probabilities), seen


def test_estimates_are_those_of_the_formulas():
    log, probabilities, seen = records()
    evaluation = hearsay.evaluate(log, noise_bound=1)
    with numpy.errstate(divide="ignore"):
        spread = 1 + ((1 - WEIGHTS) / WEIGHTS) ** 2  # (s^2 + (1 - s)^2 R^2) / s^2 at R = 1
    coverage = probabilities @ (1 / spread)
    own_sums = numpy.zeros((2, 3))
    side_sums = numpy.zeros((2, 3))
    for arm, outcome, readings in seen:
        own_sums[:, arm] += numpy.array([(15 - outcome) / 20, 1]) / probabilities[arm]
        for name, value in {**readings, NAMES[arm]: outcome}.items():
            j = NAMES.index(name)
            weight = 1 / spread[arm, j] / coverage[j]
            side_sums[:, j] += numpy.array([(15 - value) / 20, 1]) * weight
    rounds = len(seen)
    expected = {
        "ips": own_sums[0] / rounds,
        "snips": own_sums[0] / own_sums[1],
        "ivx": side_sums[0] / rounds,
        "snivx": side_sums[0] / side_sums[1],
    }
    assert evaluation.methods == list(expected)
    for method, losses in expected.items():
        for name, loss in zip(NAMES, losses):
            assert evaluation.by(method)[name].estimate == pytest.approx(15 - 20 * loss, rel=1e-12)
    assert evaluation.by("ivx")["b"].effective_rounds == pytest.approx(rounds * coverage[1], rel=1e-12)
    assert evaluation["b"] == evaluation.by("ivx")["b"]
    assert evaluation.logged.estimate == pytest.approx(numpy.mean([each[1] for each in seen]), rel=1e-12)
    best = max(each.estimate for each in evaluation.by("ivx").values())
    assert evaluation.regret().estimate == pytest.approx(best - evaluation.logged.estimate, rel=1e-9)


def test_gives_what_the_command_prints(tmp_path):
    log, _, _ = records()
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in log))
    program = os.environ["HEARSAY_PROGRAM"]
    call = [program, "evaluate", str(path), "--json", "--learner", "exp3", "--rate", "0.1", "--confidence", "0.9"]
    printed = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    learner = {"name": "exp3", "rate": 0.1}
    assert hearsay.evaluate(path, confidence=0.9, learner=learner).result == printed
    assert hearsay.evaluate(log, confidence=0.9, learner=learner).result == printed
    on_estimates = json.loads(subprocess.run([*call, "--play", "estimates"], check=True, capture_output=True).stdout)
    assert hearsay.evaluate(path, confidence=0.9, learner=learner, play="estimates").result == on_estimates
    assert on_estimates["learner"] != printed["learner"]
    del on_estimates["learner"], printed["learner"]
    assert on_estimates == printed


def test_tables_and_text():
    evaluation = hearsay.evaluate(records()[0], learner="exp3")
    table = evaluation.to_pandas()
    assert len(table) == 3 * 4
    assert set(table["method"]) == {"ips", "snips", "ivx", "snivx"}
    assert (table["low"] <= table["high"]).all()
    assert repr(evaluation).startswith("Evaluation(60 rounds, mean reward by ivx)\n")
    assert "logged policy" in repr(evaluation)
    assert evaluation.learner.rounds > 0
    assert evaluation.without_side_observations is None
    with pytest.raises(ValueError, match="method: is 'dr', expected one of ips, snips, ivx, snivx"):
        evaluation.by("dr")


def test_a_log_without_probabilities_is_evaluated_by_own_outcomes_or_refused():
    log, _, _ = records()
    log = [{key: value for key, value in record.items() if key != "probabilities"} for record in log]
    evaluation = hearsay.evaluate(log)
    assert evaluation.methods == ["ips", "snips"]
    assert 'decision 1: has no "probabilities"' in evaluation.without_side_observations
    with pytest.raises(ValueError, match='records:3: decision 1: has no "probabilities", which side'):
        hearsay.evaluate(log, side_observations="required")
    assert hearsay.evaluate(log, side_observations="ignored").without_side_observations is None


def test_a_log_without_a_reading_is_evaluated_by_own_outcomes_unless_its_nulls_are_complete():
    log, _, _ = records()
    feedback = next(record for record in log if record.get("readings"))
    feedback["readings"] = dict.fromkeys(feedback["readings"])
    evaluation = hearsay.evaluate(log)
    assert evaluation.methods == ["ips", "snips"]
    assert "has a null for" in evaluation.without_side_observations
    assert "ivx" in hearsay.evaluate(log, nulls="complete").methods
    feedback["readings"] = {}
    assert "has no reading of" in hearsay.evaluate(log, nulls="complete").without_side_observations
    with pytest.raises(ValueError, match="nulls: is 'all'"):
        hearsay.evaluate(log, nulls="all")


def test_wrong_calls_are_refused():
    log, _, _ = records()
    with pytest.raises(FileNotFoundError):
        hearsay.evaluate("no-such-log.jsonl")
    with pytest.raises(ValueError, match="confidence: is 2"):
        hearsay.evaluate(log, confidence=2)
    with pytest.raises(ValueError, match="'exp4' is not known"):
        hearsay.evaluate(log, learner="exp4")
    with pytest.raises(TypeError, match="'rato' is not a parameter of a learner"):
        hearsay.evaluate(log, learner={"name": "exp3", "rato": 1})
    with pytest.raises(ValueError, match="play: is 'estimates', but there is no learner to play"):
        hearsay.evaluate(log, play="estimates")
    with pytest.raises(ValueError, match="play: is 'all', expected one of rejection, estimates"):
        hearsay.evaluate(log, learner="exp3", play="all")
    with pytest.raises(ValueError, match="learner: has no 'name'"):
        hearsay.evaluate(log, learner={"rate": 1})
    with pytest.raises(ValueError, match="no round has feedback"):
        hearsay.evaluate([HEADER])
    assert math.isfinite(hearsay.evaluate(log, bootstrap=0)["a"].estimate)


def test_the_report_and_the_notebook_have_the_estimates(tmp_path):
    log, _, _ = records()
    evaluation = hearsay.evaluate(log)
    evaluation.to_html(tmp_path / "evaluation.html")
    report = report_in(tmp_path / "evaluation.html")
    rows = list(csv.DictReader(io.StringIO(report["tables"][0]["text"])))
    assert len(rows) == len(NAMES) * len(evaluation.methods)
    for row in rows:
        estimate = evaluation.by(row["method"])[row["arm"]]
        assert (float(row["estimate"]), float(row["low"])) == (estimate.estimate, estimate.low)
    best = max(NAMES, key=lambda name: evaluation[name].estimate)
    assert rows[0]["arm"] == best
    # The report, the notebook and the text have the arms in the same order.
    order = list(dict.fromkeys(row["arm"] for row in rows))
    assert re.findall(r"<tr><td>(\w+)</td>", evaluation._repr_html_()) == order
    assert re.findall(r"^  (\w+): ", repr(evaluation), re.MULTILINE) == order
    # All rows have the same number of decimals.
    shown = re.findall(r"<td>([-\d,]+)\.?(\d*)</td>", evaluation._repr_html_())
    assert len(shown) == 3 * len(NAMES) and len({len(decimals) for _, decimals in shown}) == 1
    assert round(evaluation[best].estimate, len(shown[0][1])) == float(".".join(shown[0]))


def test_one_round_is_not_called_rounds():
    evaluation = hearsay.evaluate(
        [
            {"hearsay_log": 1, "problem": {"names": ["a", "b"]}},
            {"decision": 1, "arm": "a", "probability": 0.5},
            {"feedback": 1, "outcome": 0.25},
        ]
    )
    assert repr(evaluation).startswith("Evaluation(1 round, mean ")
    assert " over 1 round by " in evaluation._repr_html_()


def test_records_may_have_numbers_of_numpy():
    records = [
        {"hearsay_log": 1, "problem": {"names": ["a", "b"]}},
        {"decision": numpy.int64(1), "arm": "a", "probability": numpy.float32(0.5)},
        {"feedback": 1, "outcome": numpy.float64(0.25)},
    ]
    assert hearsay.evaluate(records).logged.estimate == 0.25
