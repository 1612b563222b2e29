// Learner, and what it gives: Decision, Certificate, RoundDetails.

#include "hearsay/learner/learner.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/base/fields.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/state.h"
#include "hearsay/graph/files.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/seeded_state.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

py::array_t<double> copy_of(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

// The arguments of Learner() that are not parameters of LearnerSpec.
struct LearnerArguments {
  std::size_t arms = 0;
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;

  static const FieldTable<LearnerArguments>& fields();
};

const FieldTable<LearnerArguments>& LearnerArguments::fields() {
  constexpr WholeRange kAny = {0, std::numeric_limits<std::uint64_t>::max()};
  static const FieldTable<LearnerArguments> table = {
      field("arms", &LearnerArguments::arms, WholeRange{1, GraphReadOptions::kMostArms},
            "the number of arms"),
      field("seed", &LearnerArguments::seed, kAny, "all draws follow from seed and stream"),
      field("stream", &LearnerArguments::stream, kAny,
            "learners of one seed and different streams draw independently"),
  };
  return table;
}

[[noreturn]] void refuse_keyword(const std::string& name) {
  std::vector<FieldInfo> fields;
  std::ranges::copy(LearnerArguments::fields().infos(), std::back_inserter(fields));
  std::ranges::copy(LearnerSpec::fields().infos(), std::back_inserter(fields));
  refuse_field(name, "a parameter of a learner", fields);
}

// The keyword arguments with their defaults; ... stands for one that must be given. Without a row
// they are those of Learner(), else those of the learner's own class.
py::dict keyword_arguments(const LearnerRow* row) {
  py::dict arguments;
  arguments["arms"] = py::ellipsis();
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    const FieldInfo& info = table.infos()[i];
    py::object fallback = to_python(info, table.get(LearnerSpec{}, i));
    if (row != nullptr && info.optional) {
      const auto taken = std::ranges::find(row->parameters, info.name, &LearnerParameter::name);
      if (taken == row->parameters.end()) {
        continue;
      }
      fallback = taken->required ? py::object(py::ellipsis()) : to_python(info, taken->fallback);
    }
    arguments[py::str(std::string(info.name))] = fallback;
  }
  arguments["seed"] = LearnerArguments{}.seed;
  arguments["stream"] = LearnerArguments{}.stream;
  return arguments;
}

// The docstring of Learner.__init__. Its first line is the signature, as inspect and help() read
// it.
std::string init_doc() {
  std::string signature = "__init__(self, name='', *";
  for (const auto& [name, fallback] : keyword_arguments(nullptr)) {
    signature += fmt::format(", {}", std::string(py::str(name)));
    if (!py::isinstance<py::ellipsis>(fallback)) {
      signature += fmt::format("={}", std::string(py::repr(fallback)));
    }
  }
  std::string doc = signature + ")\n--\n\n";
  doc +=
      "name: as hearsay list shows it; without one: exp3-ivc with tuning \"ada\" and noise "
      "\"learned\", which needs no parameter.\n";
  const auto describe = [&](const FieldInfo& info) {
    doc += fmt::format("{}: {} ({}).\n", info.name, info.summary, expected(info));
  };
  std::ranges::for_each(LearnerArguments::fields().infos(), describe);
  std::ranges::for_each(LearnerSpec::fields().infos(), describe);
  return doc;
}

// Different for every learner of this process and, almost certainly, of other processes.
std::uint64_t new_owner() {
  static std::atomic<std::uint64_t> next = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32U | 1U;
  }();
  return next++;
}

SeededLearner seeded(std::unique_ptr<Learner> learner, LearnerSpec spec,
                     const StreamNumbers& numbers, const Ownership& ownership) {
  return {std::move(spec),    numbers,   Stream(numbers.seed, Purpose::draw, numbers.stream),
          std::move(learner), ownership, {}};
}

// From the entropy of the machine. Files of experiments and JSON hold a number of 48 bits exactly.
std::uint64_t fresh_seed() {
  return py::module_::import("secrets").attr("randbits")(48).cast<std::uint64_t>();
}

SeededLearner make_seeded(const std::string& name, const py::kwargs& given) {
  LearnerSpec spec;
  LearnerArguments arguments;
  for (const auto& [key, value] : given) {
    const auto keyword = key.cast<std::string>();
    if (keyword == "seed" && value.is_none()) {
      arguments.seed = fresh_seed();
    } else if (!set_field(arguments, keyword, value) && !set_field(spec, keyword, value)) {
      refuse_keyword(keyword);
    }
  }
  if (!given.contains("arms")) {
    throw py::type_error(fmt::format("arms: is missing, expected {}",
                                     expected(LearnerArguments::fields().infos().front())));
  }
  spec.name = name;
  spec.arms = arguments.arms;
  spec = default_learner(std::move(spec));
  return seeded(make_learner(spec), with_defaults(spec), {arguments.seed, arguments.stream},
                {new_owner(), 0});
}

std::string save(const SeededLearner& self) {
  return write_seeded_state({self.numbers.seed, self.numbers.stream, self.learner->save()});
}

SeededLearner restore(const SeededState& state, const Ownership& ownership) {
  StateReader reader(state.learner, kLearnerState);
  return seeded(restore_learner(state.learner), read_spec(reader), {state.seed, state.stream},
                ownership);
}

// The parameters that a learner was made from, as a table of an experiment file has them.
py::dict parameters_of(const LearnerSpec& spec) {
  py::dict parameters;
  parameters["learner"] = spec.name;
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    const FieldValue value = table.get(spec, i);
    if (table.infos()[i].in_experiments && !std::holds_alternative<std::monostate>(value)) {
      parameters[py::str(std::string(table.infos()[i].name))] = value;
    }
  }
  return parameters;
}

// Throws ValueError if another learner made the decision.
const Decision& own_decision(const SeededLearner& self, const OwnedDecision& given) {
  const Ownership& ownership = self.ownership;
  if (given.owner != 0 && given.owner != ownership.owner &&
      given.decision.round > ownership.any_owner_through) {
    throw py::value_error(
        fmt::format("decision {} was made by another learner, or before reset(), expected one that "
                    "this learner made",
                    given.decision.round));
  }
  return given.decision;
}

void read_pairs(const py::dict& given, std::vector<Observation>& out) {
  for (const auto& [arm, value] : given) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(arm.ptr()));
    if (!index) {
      PyErr_Clear();
      throw py::type_error(fmt::format("observations: arm {}, expected the number of an arm",
                                       std::string(py::repr(arm))));
    }
    const unsigned long long number = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() != nullptr || number > std::numeric_limits<Arm>::max()) {
      PyErr_Clear();
      throw py::value_error(
          fmt::format("observations: arm {}, expected the number of an arm, from 0 on",
                      std::string(py::repr(arm))));
    }
    const double observation = PyFloat_AsDouble(value.ptr());
    if (observation == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw py::type_error(fmt::format("observations: that of arm {} is {}, expected a number",
                                       number, std::string(py::repr(value))));
    }
    out.push_back({static_cast<Arm>(number), observation});
  }
  std::ranges::sort(out, {}, &Observation::arm);
}

void read_dense(py::handle given, std::size_t arms, std::vector<Observation>& out) {
  const py::array_t<double> values = real_array(given, "observations", 1);
  if (values.shape(0) != static_cast<py::ssize_t>(arms)) {
    throw py::value_error(fmt::format(
        "observations: {} of them, expected one for each of {} arms, NaN where nothing was seen",
        values.shape(0), arms));
  }
  const auto entries = values.unchecked<1>();
  for (py::ssize_t arm = 0; arm < values.shape(0); ++arm) {
    if (!std::isnan(entries(arm))) {
      out.push_back({static_cast<Arm>(arm), entries(arm)});
    }
  }
}

void observe(SeededLearner& self, const OwnedDecision& given, const py::object& graph,
             const py::object& observations) {
  const Decision& decision = own_decision(self, given);
  std::vector<Observation> seen;
  read_observations(observations, self.learner->arms(), seen);
  self.learner->observe(decision, self.graphs.of(graph), {decision.arm, seen});
}

// The decision as Python gets it.
OwnedDecision owned(SeededLearner& self, const Decision& decision) {
  Ownership& ownership = self.ownership;
  ownership.any_owner_through = std::min(ownership.any_owner_through, decision.round - 1);
  return {decision, ownership.owner};
}

OwnedDecision choose(SeededLearner& self) {
  return owned(self, self.learner->choose(self.stream));
}

OwnedDecision adopt(SeededLearner& self, std::size_t arm) {
  if (arm >= self.learner->arms()) {
    throw py::value_error(
        fmt::format("arm: is {}, expected less than {}", arm, self.learner->arms()));
  }
  return owned(self, self.learner->adopt(static_cast<Arm>(arm)));
}

// The parameters by which a class makes the same learner again. A class for one learner takes no
// name.
py::dict get_params(const py::object& object) {
  const auto& self = object.cast<const SeededLearner&>();
  py::dict parameters;
  if (!py::hasattr(py::type::of(object), "learner")) {
    parameters["name"] = self.spec.name;
  }
  parameters["arms"] = self.spec.arms;
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  const py::dict taken = keyword_arguments(&learner_row(self.spec.name));
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    const py::str name{std::string(table.infos()[i].name)};
    if (taken.contains(name)) {
      parameters[name] = to_python(table.infos()[i], table.get(self.spec, i));
    }
  }
  parameters["seed"] = self.numbers.seed;
  parameters["stream"] = self.numbers.stream;
  return parameters;
}

void reset(SeededLearner& self) {
  self.learner = make_learner(self.spec);
  self.ownership = {new_owner(), 0};
}

void register_values(py::module_& module) {
  py::class_<OwnedDecision>(module, "Decision",
                            R"(An arm that was drawn. Feedback is given for a decision.

``arm``, its ``probability`` at the draw, and ``id``, the number of the decision (``round`` is the same), 1 for a
learner's first.

>>> Learner("uniform", arms=4, seed=1).choose().probability
0.25
)")
      .def(py::init(
               [](const py::object& arm, const py::object& probability, const py::object& round) {
                 try {
                   return OwnedDecision{
                       {arm.cast<Arm>(), probability.cast<double>(), round.cast<std::uint64_t>()}};
                 } catch (const py::cast_error&) {
                   refuse_call("Decision", "($self, arm, probability, round)",
                               py::args(py::make_tuple(py::none(), arm, probability, round)), {});
                 }
               }),
           py::arg("arm"), py::arg("probability"), py::arg("round"),
           "__init__(self, arm, probability, round)\n--\n\nA decision that may be given to any "
           "learner.")
      .def_property_readonly("arm", [](const OwnedDecision& self) { return self.decision.arm; })
      .def_property_readonly("probability",
                             [](const OwnedDecision& self) { return self.decision.probability; })
      .def_property_readonly("round", [](const OwnedDecision& self) { return self.decision.round; })
      .def_property_readonly("id", [](const OwnedDecision& self) { return self.decision.round; })
      .def(
          "__eq__",
          [](const OwnedDecision& one, const OwnedDecision& other) {
            return one.decision == other.decision;
          },
          py::is_operator())
      .def("__hash__",
           [](const OwnedDecision& self) {
             return py::hash(py::make_tuple(self.decision.arm, self.decision.round));
           })
      .def("__repr__",
           [](const OwnedDecision& self) {
             return fmt::format("Decision(arm={}, probability={}, round={})", self.decision.arm,
                                self.decision.probability, self.decision.round);
           })
      .def(py::pickle(
          [](const OwnedDecision& self) {
            return py::make_tuple(self.decision.arm, self.decision.probability, self.decision.round,
                                  self.owner);
          },
          [](const py::tuple& state) {
            return OwnedDecision{
                {state[0].cast<Arm>(), state[1].cast<double>(), state[2].cast<std::uint64_t>()},
                state[3].cast<std::uint64_t>()};
          }));

  py::class_<RegretBound>(
      module, "RegretBound",
      R"(What one theorem guarantees (docs/learners.md has statements and proofs).

``name`` of the theorem; ``value`` of the bound, None from the first round on in which a condition failed; ``statement``: what
the value bounds; ``conditions`` of the theorem; ``holds``: whether they have held so far; ``failed_in_round``: the first round
of feedback, counted from 1, in which a condition failed, or None; ``failure``: which condition failed, or None;
``per_switch``: what each switch of a sequence of arms adds, or None if the theorem is not about sequences.
)")
      .def_readonly("name", &RegretBound::name)
      .def_readonly("value", &RegretBound::value)
      .def_readonly("statement", &RegretBound::statement)
      .def_readonly("conditions", &RegretBound::conditions)
      .def_readonly("per_switch", &RegretBound::per_switch)
      .def_property_readonly("holds",
                             [](const RegretBound& bound) { return bound.failed_in_round == 0; })
      .def_property_readonly("failed_in_round",
                             [](const RegretBound& bound) {
                               return bound.failed_in_round == 0
                                          ? std::optional<std::uint64_t>()
                                          : std::optional(bound.failed_in_round);
                             })
      .def_property_readonly("failure",
                             [](const RegretBound& bound) {
                               return bound.failed_in_round == 0 ? std::optional<std::string>()
                                                                 : std::optional(bound.failure);
                             })
      .def("__repr__",
           [](const RegretBound& bound) {
             return fmt::format("RegretBound(name='{}', value={}{})", bound.name,
                                bound.value ? fmt::format("{}", *bound.value) : "None",
                                bound.failed_in_round == 0
                                    ? ""
                                    : fmt::format(", failed_in_round={}, failure='{}'",
                                                  bound.failed_in_round, bound.failure));
           })
      .def(py::pickle(
          [](const RegretBound& bound) {
            return py::make_tuple(bound.name, bound.statement, bound.conditions, bound.value,
                                  bound.per_switch, bound.failed_in_round, bound.failure);
          },
          [](const py::tuple& state) {
            return RegretBound{.name = state[0].cast<std::string>(),
                               .statement = state[1].cast<std::string>(),
                               .conditions = state[2].cast<std::string>(),
                               .value = state[3].cast<std::optional<double>>(),
                               .per_switch = state[4].cast<std::optional<double>>(),
                               .failed_in_round = state[5].cast<std::uint64_t>(),
                               .failure = state[6].cast<std::string>()};
          }));

  py::class_<Certificate>(
      module, "Certificate",
      R"(What theory guarantees for the rounds of which a learner has had feedback.

``rounds``: their number; ``q`` of the last round, ``q_sum`` of all; ``out_of_range``: the number of observations that their
weight and the noise bound do not allow; ``regret_bound``: the bound on the expected regret, None if there is no theorem or its
conditions have failed; ``theorem``: the name of the designated theorem, which gives this bound, or None; ``bounds``: a
RegretBound for each theorem whose bound was computed, by its name. With ``bounds="all"`` a learner computes those of all its
theorems.

>>> learner = Learner("exp3-ivc", arms=2, bounds="all", seed=1)
>>> graph = Graph([[1, 0.5], [0.5, 1]])
>>> learner.observe(learner.choose(), graph, [0.25, 0.5])
>>> certificate = learner.certificate
>>> certificate.theorem, sorted(certificate.bounds)
('entropic', ['entropic', 'estimated', 'realised', 'round_order'])
>>> certificate.bounds["entropic"].value == certificate.regret_bound
True
>>> certificate.bounds["entropic"].holds
True
)")
      .def_readonly("rounds", &Certificate::rounds)
      .def_readonly("q", &Certificate::q)
      .def_readonly("q_sum", &Certificate::q_sum)
      .def_readonly("out_of_range", &Certificate::out_of_range)
      .def_readonly("regret_bound", &Certificate::regret_bound)
      .def_property_readonly("theorem",
                             [](const Certificate& certificate) {
                               return certificate.has_designated
                                          ? std::optional(certificate.bounds.front().name)
                                          : std::optional<std::string>();
                             })
      .def_property_readonly("bounds",
                             [](const Certificate& certificate) {
                               py::dict bounds;
                               for (const RegretBound& bound : certificate.bounds) {
                                 bounds[py::str(bound.name)] = bound;
                               }
                               return bounds;
                             })
      .def("__repr__",
           [](const Certificate& certificate) {
             return fmt::format(
                 "Certificate(rounds={}, regret_bound={}, q={}, q_sum={}, out_of_range={})",
                 certificate.rounds,
                 certificate.regret_bound ? fmt::format("{}", *certificate.regret_bound) : "None",
                 certificate.q, certificate.q_sum, certificate.out_of_range);
           })
      .def(py::pickle(
          [](const Certificate& certificate) {
            return py::make_tuple(certificate.rounds, certificate.q, certificate.q_sum,
                                  certificate.out_of_range, certificate.regret_bound,
                                  certificate.bounds, certificate.has_designated);
          },
          [](const py::tuple& state) {
            return Certificate{.rounds = state[0].cast<std::uint64_t>(),
                               .q = state[1].cast<double>(),
                               .q_sum = state[2].cast<double>(),
                               .out_of_range = state[3].cast<std::uint64_t>(),
                               .regret_bound = state[4].cast<std::optional<double>>(),
                               .bounds = state[5].cast<std::vector<RegretBound>>(),
                               .has_designated = state[6].cast<bool>()};
          }));
}

[[noreturn]] void refuse_attribute(const SeededLearner& self, const char* attribute) {
  throw py::attribute_error(fmt::format("{} has no {}", self.spec.name, attribute));
}

Certificate certificate(const SeededLearner& self) {
  const std::optional<Certificate> certificate = certificate_of(*self.learner);
  if (!certificate) {
    refuse_attribute(self, "certificate");
  }
  return *certificate;
}

py::array_t<double> probabilities(const SeededLearner& self) {
  const std::span<const double> probabilities = probabilities_of(*self.learner);
  if (probabilities.empty()) {
    refuse_attribute(self, "probabilities");
  }
  return copy_of(probabilities);
}

py::dict last_round(const SeededLearner& self) {
  const std::optional<RoundDetails> details = last_round_of(*self.learner);
  if (!details) {
    refuse_attribute(self, "last_round");
  }
  py::dict out;
  out["rate"] = details->rate;
  out["exploration"] = details->exploration;
  out["q"] = details->q;
  out["probabilities"] = copy_of(details->probabilities);
  out["estimates"] = copy_of(details->estimates);
  return out;
}

void see_graph(SeededLearner& self, const py::object& graph) {
  Informed* informed = informed_of(*self.learner);
  if (informed == nullptr) {
    throw py::value_error(
        fmt::format("see_graph: {} is not shown the graph before it draws", self.spec.name));
  }
  informed->see_graph(self.graphs.of(graph));
}

std::string representation(const SeededLearner& self) {
  const std::optional<Certificate> certificate = certificate_of(*self.learner);
  const std::string arms = counted(self.learner->arms(), "arm");
  return certificate ? fmt::format("<hearsay {} of {}, {} with feedback>", self.spec.name, arms,
                                   counted(certificate->rounds, "round"))
                     : fmt::format("<hearsay {} of {}>", self.spec.name, arms);
}

}  // namespace

void read_observations(const py::object& given, std::size_t arms, std::vector<Observation>& out) {
  if (py::isinstance<py::dict>(given)) {
    out.reserve(py::len(given));
    read_pairs(given, out);
  } else {
    out.reserve(arms);
    read_dense(given, arms, out);
  }
}

bool is_core_learner(const py::object& object) {
  if (!py::isinstance<SeededLearner>(object)) {
    return false;
  }
  const std::string module = py::str(py::type::of(object).attr("__module__"));
  return module == "hearsay._core" || module == "hearsay.learners";
}

void register_learner(py::module_& module) {
  register_values(module);

  const char* const observe_doc =
      R"(observe(self, decision, graph, observations)
--

Takes in the feedback of a decision: once, at any time, in any order.

``graph``: a Graph, or anything that Graph() takes; row = played. Passing the same Graph object in every round is fastest.
``observations``: an array with one number for each arm, NaN for arms not seen, or a dict ``{arm: value}``, with a value for
every arm ``j`` with ``graph.weight(decision.arm, j) > 0``. Input that is refused (ValueError) changes nothing.

>>> learner = Learner("exp3-wix", arms=2, seed=1)
>>> graph = Graph([[1, 0.5], [0.5, 1]])
>>> first, second = learner.choose(), learner.choose()
>>> learner.observe(second, graph, {0: 0.3, 1: 0.6})
>>> learner.observe(first, graph, [0.3, 0.6])
>>> learner.certificate.rounds, learner.outstanding
(2, 0)
)";
  const char* const choose_doc = R"(choose(self)
--

Draws an arm: a Decision with arm, probability and id.

>>> Learner("exp3-wix", arms=25, seed=1).choose()
Decision(arm=8, probability=0.04, round=1)
)";

  py::class_<SeededLearner>(
      module, "Learner",
      R"(A learner by its name. Its parameters have the names of experiment files.

``Learner.__init__`` has the signature and a line for each parameter; ``hearsay.learner_parameters()`` has them as a
dict. Draws depend only on ``seed`` and ``stream``. In weights, row = played.

>>> learner = Learner("exp3-wix", arms=3, noise_bound=1.0, seed=1)
>>> graph = Graph([[1, 0.5, 0], [0, 1, 0.5], [0.5, 0, 1]])
>>> decision = learner.choose()
>>> shown = graph.to_numpy()[decision.arm] > 0
>>> learner.observe(decision, graph, [0.2 if seen else float("nan") for seen in shown])
>>> learner.certificate.rounds
1
)")
      .def(py::init(&make_seeded), py::arg("name") = "", init_doc().c_str())
      .def("choose", &choose, choose_doc)
      .def("ask", &choose, "ask(self)\n--\n\nThe same as choose().")
      .def("observe", &observe, py::arg("decision"), py::arg("graph"), py::arg("observations"),
           observe_doc)
      .def("tell", &observe, py::arg("decision"), py::arg("graph"), py::arg("observations"),
           "tell(self, decision, graph, observations)\n--\n\nThe same as observe(): row = played.")
      .def("adopt", &adopt, py::arg("arm"),
           R"(adopt(self, arm)
--

Records an arm that was drawn elsewhere as if it had been drawn now, and returns its decision.

>>> Learner("exp3", arms=4).adopt(2)
Decision(arm=2, probability=0.25, round=1)
)")
      .def(
          "forget",
          [](SeededLearner& self, const OwnedDecision& decision) {
            self.learner->forget(own_decision(self, decision));
          },
          py::arg("decision"),
          R"(forget(self, decision)
--

Drops a decision whose feedback will not come. The learner learns nothing from it.
)")
      .def_property_readonly("name", [](const SeededLearner& self) { return self.spec.name; })
      .def_property_readonly("arms", [](const SeededLearner& self) { return self.learner->arms(); })
      .def_property_readonly(
          "parameters", [](const SeededLearner& self) { return parameters_of(self.spec); },
          "The parameters it was made from, by the names of experiment files.")
      .def_property_readonly(
          "outstanding", [](const SeededLearner& self) { return self.learner->outstanding(); },
          "The number of decisions whose feedback may still come.")
      .def_property_readonly(
          "probabilities", &probabilities,
          R"(The probabilities of the next draw, one for each arm, as a new array. Learners that do not randomize have none.

>>> Learner("exp3", arms=4).probabilities
array([0.25, 0.25, 0.25, 0.25])
)")
      .def_property_readonly(
          "certificate", &certificate,
          "What theory guarantees for the rounds with feedback so far, for learners that "
          "keep account of their regret.")
      .def_property_readonly(
          "last_round", &last_round,
          "A dict with rate, exploration, q, probabilities and estimates of the last round with "
          "feedback.")
      .def("see_graph", &see_graph, py::arg("graph"),
           "see_graph(self, graph)\n--\n\nShows the graph of the coming round to a learner that "
           "must see it before each draw; "
           "row = played.")
      .def(
          "save", [](const SeededLearner& self) { return py::bytes(save(self)); },
          "save(self)\n--\n\nThe whole state with seed and stream, as bytes, which "
          "read_seeded_state() in C++ reads too.")
      .def_static(
          "restore",
          [](const py::bytes& bytes, const py::object& seed, const py::object& stream) {
            SeededState state = read_seeded_state(std::string(bytes));
            LearnerArguments given = {.seed = state.seed, .stream = state.stream};
            if (!seed.is_none()) {
              set_field(given, "seed", seed);
            }
            if (!stream.is_none()) {
              set_field(given, "stream", stream);
            }
            state.seed = given.seed;
            state.stream = given.stream;
            return restore(state, {new_owner(), std::numeric_limits<std::uint64_t>::max()});
          },
          py::arg("state"), py::kw_only(), py::arg("seed") = py::none(),
          py::arg("stream") = py::none(),
          R"(restore(state, *, seed=None, stream=None)
--

A learner from what save() returned; the two continue with the same bits.

``seed`` and ``stream``: other numbers than those that were saved. A state that C++ saved has none; they are then 1 and 0.

>>> learner = Learner("exp3", arms=4, seed=7)
>>> Learner.restore(learner.save()).choose() == learner.choose()
True
)")
      .def(
          "get_params", [](const py::object& self, bool /*deep*/) { return get_params(self); },
          py::arg("deep") = true, R"(get_params(self, deep=True)
--

The keyword arguments that make the same learner again, at its first round. ``deep`` has no effect: no argument has
parameters of its own.

>>> Exp3(arms=4, rate=0.5).get_params()["rate"]
0.5
>>> Learner("exp3", arms=4).get_params()["name"]
'exp3'
)")
      .def(
          "clone", [](const py::object& self) { return py::type::of(self)(**get_params(self)); },
          R"(clone(self)
--

A new learner of the same class with the same parameters, seed and stream, at its first round.

>>> learner = Learner("exp3", arms=4, seed=7)
>>> learner.choose() == learner.clone().choose()
True
)")
      .def("reset", &reset, R"(reset(self)
--

Returns to the first round: the learner forgets all feedback and all decisions, and draws the same again.
)")
      .def("__repr__", &representation)
      .def("__deepcopy__",
           [](const py::object& self, const py::dict& /*memo*/) {
             const py::object pickle = py::module_::import("pickle");
             return pickle.attr("loads")(pickle.attr("dumps")(self));
           })
      .def(py::pickle(
          [](const SeededLearner& self) {
            return py::make_tuple(py::bytes(save(self)), self.ownership.owner,
                                  self.ownership.any_owner_through);
          },
          [](const py::tuple& state) {
            return restore(read_seeded_state(state[0].cast<std::string>()),
                           {state[1].cast<std::uint64_t>(), state[2].cast<std::uint64_t>()});
          }));

  module.def(
      "learner_parameters",
      [] {
        py::dict parameters;
        for (const FieldInfo& info : LearnerSpec::fields().infos()) {
          parameters[py::str(std::string(info.name))] =
              fmt::format("{}: {}", info.summary, expected(info));
        }
        return parameters;
      },
      R"(learner_parameters()
--

The parameters of learners: a description of each, and the values that it takes.

>>> learner_parameters()["threshold"]
'eps: observations of smaller weight are ignored: a number in [0, 1]'
)");
  // For each parameter the values that it takes, for messages.
  module.def("expected_parameters", [] {
    py::dict values;
    for (const FieldInfo& info : LearnerSpec::fields().infos()) {
      values[py::str(std::string(info.name))] = expected(info);
    }
    return values;
  });
  // For each learner: name, summary, reference, and the keyword arguments of its class.
  module.def("learner_catalogue", [] {
    py::list learners;
    for (const CatalogueEntry& entry : learner_catalogue()) {
      learners.append(py::make_tuple(entry.name, entry.summary, entry.reference,
                                     keyword_arguments(&learner_row(entry.name))));
    }
    return learners;
  });
  // The parameters that are columns of results, and whether their values are numbers alone.
  module.def("parameter_columns", [] {
    py::dict columns;
    for (const FieldInfo& info : LearnerSpec::fields().infos()) {
      if (info.in_experiments) {
        const bool number = info.type == FieldType::real || info.type == FieldType::whole;
        columns[py::str(std::string(info.name))] = number && info.none.empty();
      }
    }
    return columns;
  });
  refuse_unmade<OwnedDecision>();
  refuse_unmade<Certificate>();
  refuse_unmade<SeededLearner>();
}

}  // namespace hearsay::python
