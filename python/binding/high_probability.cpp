// HighProbabilityBound: a bound on the regret of one run, for any learner that draws its arms.

#include "hearsay/learner/high_probability.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/graph/files.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/regularizer.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// The bound with the checks that a learner would make of the feedback.
class CheckedBound {
 public:
  CheckedBound(std::size_t arms, double noise_bound, double confidence)
      : arms_(arms),
        checker_(arms, noise_bound, OutOfRange::count, Information::side_observations),
        bound_(arms, noise_bound, confidence) {}

  void add(const py::object& probabilities, std::size_t arm, const py::object& graph,
           const py::object& observations) {
    const py::array_t<double> drawn_from = real_array(probabilities, "probabilities", 1);
    const std::vector<double> p(drawn_from.data(), drawn_from.data() + drawn_from.size());
    if (p.size() != arms_ || !are_probabilities(p)) {
      throw py::value_error(
          fmt::format("probabilities: expected one for each of {} arms, with a sum of 1", arms_));
    }
    if (arm >= arms_ || !(p[arm] > 0)) {
      throw py::value_error(
          fmt::format("arm: is {}, expected one that has a positive probability", arm));
    }
    std::vector<Observation> seen;
    read_observations(observations, arms_, seen);
    const Graph& shown = graphs_.of(graph);
    const Feedback feedback{static_cast<Arm>(arm), seen};
    checker_.check(shown, feedback);
    bound_.add(p, shown, feedback);
  }

  RegretBound bound() const { return bound_.bound(); }

 private:
  std::size_t arms_;
  FeedbackChecker checker_;
  HighProbabilityBound bound_;
  GraphMemory graphs_;
};

CheckedBound make(std::size_t arms, double noise_bound, double confidence) {
  if (arms < 1 || arms > GraphReadOptions::kMostArms) {
    throw py::value_error(fmt::format("arms: is {}, expected a number from 1 to {}", arms,
                                      GraphReadOptions::kMostArms));
  }
  if (!(noise_bound >= 0 && noise_bound <= kUnboundedNoise)) {
    throw py::value_error(fmt::format("noise_bound: is {}, expected a number from 0 to {}",
                                      noise_bound, kUnboundedNoise));
  }
  return {arms, noise_bound, confidence};
}

}  // namespace

void register_high_probability(py::module_& module) {
  constexpr const char* kInit = R"(__init__(self, arms, noise_bound=1.0, confidence=0.95)
--

``confidence``: the probability, in (0, 1), with which the bound holds in all rounds at once.
)";
  constexpr const char* kAdd = R"(add(self, probabilities, arm, graph, observations)
--

Adds a round whose ``arm`` was drawn from these ``probabilities``. ``graph`` and ``observations`` are as in Learner.observe: row =
played. Rounds may come late and in any order; ``bound.conditions`` says what the bound requires in that case.
)";
  py::class_<CheckedBound>(
      module, "HighProbabilityBound",
      R"(A bound on the regret of a run itself, not on the mean regret, that holds with high probability (docs/learners.md, Theorem 5).

It can be computed for any learner that draws its arms from known probabilities, also one of your own.

>>> learner = Learner("exp3-ivx", arms=2, seed=1)
>>> graph = Graph([[1, 0.5], [0.5, 1]])
>>> regret = HighProbabilityBound(arms=2, noise_bound=1.0, confidence=0.95)
>>> for _ in range(100):
...     probabilities = learner.probabilities
...     decision = learner.choose()
...     learner.observe(decision, graph, [0.25, 0.25])
...     regret.add(probabilities, decision.arm, graph, [0.25, 0.25])
>>> regret.bound.name, regret.bound.value > 0
('high_probability', True)
)")
      .def(py::init([](const py::object& arms, const py::object& noise_bound,
                       const py::object& confidence) {
             try {
               return make(arms.cast<std::size_t>(), noise_bound.cast<double>(),
                           confidence.cast<double>());
             } catch (const py::cast_error&) {
               refuse_call("HighProbabilityBound",
                           "($self, arms, noise_bound=1.0, confidence=0.95)",
                           py::args(py::make_tuple(py::none(), arms, noise_bound, confidence)), {});
             }
           }),
           py::arg("arms"), py::arg("noise_bound") = 1.0, py::arg("confidence") = 0.95, kInit)
      .def("add", &CheckedBound::add, py::arg("probabilities"), py::arg("arm"), py::arg("graph"),
           py::arg("observations"), kAdd)
      .def_property_readonly("bound", &CheckedBound::bound,
                             "A RegretBound named high_probability.");
  refuse_unmade<CheckedBound>();
}

}  // namespace hearsay::python
