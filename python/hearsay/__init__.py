"""Online learning with noisy side observations: Python bindings of the C++ library hearsay.

Weights are ``weights[played, seen]``: row = played. One round:

>>> import hearsay
>>> graph = hearsay.make_graph("grid", side=3)          # how well playing an arm shows each other arm
>>> learner = hearsay.Learner("exp3-wix", arms=9, noise_bound=1.0, seed=1)
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
    IndependenceNumber,
    Learner,
    effective_independence,
    independence_number,
    learner_parameters,
)
from hearsay import learners
from hearsay._core import version as __version__
from hearsay.experiment import run, simulate
from hearsay.graphs import make_graph, read_graph, write_graph
from hearsay.learners import *  # noqa: F403 (one class for each learner of the catalogue)
from hearsay.own import OwnEnvironment, OwnLearner
from hearsay.result import Result

__all__ = [
    "Certificate",
    "Decision",
    "EffectiveIndependence",
    "Graph",
    "IndependenceNumber",
    "Learner",
    "OwnEnvironment",
    "OwnLearner",
    "Result",
    "__version__",
    "effective_independence",
    "independence_number",
    "learner_parameters",
    "make_graph",
    "read_graph",
    "run",
    "simulate",
    "write_graph",
]
__all__ += learners.__all__
