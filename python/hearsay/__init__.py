"""Online learning with noisy side observations: Python bindings of the C++ library hearsay.

Weights are ``weights[played, seen]``: row = played. One round:

>>> import hearsay
>>> graph = hearsay.make_graph("grid", side=3)          # how well playing an arm shows each other arm
>>> learner = hearsay.Learner(arms=9, seed=1)            # without a name: exp3-ivc, which needs no parameters
>>> decision = learner.choose()                          # play decision.arm, suffer its loss
>>> weights = graph.to_numpy()[decision.arm]
>>> learner.observe(decision, graph, 0.5 * weights)      # observations of losses 0.5, without noise
>>> learner.certificate.regret_bound is not None         # a bound on the regret so far
True
"""

from hearsay._core import (
    Certificate,
    Decision,
    EffectiveIndependence,
    Graph,
    HighProbabilityBound,
    IndependenceNumber,
    Learner,
    RegretBound,
    effective_independence,
    graph_families,
    independence_number,
    learner_parameters,
    loss_kinds,
    noise_laws,
)
from hearsay import learners
from hearsay._core import version as __version__
from hearsay.calibration import Calibration, Correction, calibrate
from hearsay.evaluation import Estimate, Evaluation, evaluate
from hearsay.experiment import run, simulate
from hearsay.graphs import make_graph, read_graph, write_graph
from hearsay.learners import *  # noqa: F403 (one class for each learner of the catalogue)
from hearsay.own import OwnEnvironment, OwnLearner
from hearsay.problem import Choice, Problem, Segments
from hearsay.result import Comparison, Experiment, Result

__all__ = [
    "Calibration",
    "Certificate",
    "Choice",
    "Comparison",
    "Correction",
    "Decision",
    "EffectiveIndependence",
    "Estimate",
    "Evaluation",
    "Experiment",
    "Graph",
    "HighProbabilityBound",
    "IndependenceNumber",
    "Learner",
    "OwnEnvironment",
    "OwnLearner",
    "Problem",
    "RegretBound",
    "Result",
    "Segments",
    "__version__",
    "calibrate",
    "effective_independence",
    "evaluate",
    "graph_families",
    "independence_number",
    "learner_parameters",
    "loss_kinds",
    "make_graph",
    "noise_laws",
    "read_graph",
    "run",
    "simulate",
    "write_graph",
]
__all__ += learners.__all__
