// Environments and learners that are written in Python, played by the core's Run as all others.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/observations.h"
#include "hearsay/play/run.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// object.next(history) -> (losses, graph), history the arms played so far.
class OwnEnvironment final : public Environment {
 public:
  explicit OwnEnvironment(py::object object) : object_(std::move(object)) { ask(); }

  std::size_t arms() const override { return losses_.size(); }
  bool is_adaptive() const override { return true; }

  Round next() override {
    if (!fresh_) {
      ask();
    }
    fresh_ = false;
    return {losses_, *graph_};
  }

  void played(Arm arm) override { history_.append(arm); }

  std::vector<double> save() const override {
    throw Error("an environment in Python is not saved");
  }
  void restore(std::span<const double> /*state*/) override {
    throw Error("an environment in Python is not restored");
  }

 private:
  // The first round is asked for at once: it says how many arms there are.
  void ask() {
    const py::object round = object_.attr("next")(history_);
    if (!py::isinstance<py::sequence>(round) || py::len(round) != 2) {
      throw py::type_error("next(history): expected the pair (losses, graph)");
    }
    const py::object losses = round[py::int_(0)];
    const py::object graph = round[py::int_(1)];
    const py::array_t<double> values = real_array(losses, "losses", 1);
    if (!graph.is(last_graph_) || !py::isinstance<Graph>(graph)) {  // a Graph never changes
      graph_ = as_graph(graph);
      last_graph_ = graph;
    }
    if (values.shape(0) != static_cast<py::ssize_t>(graph_->arms()) ||
        (!losses_.empty() && losses_.size() != graph_->arms())) {
      throw py::value_error(
          fmt::format("losses: {} of them, expected one for each of {} arms, "
                      "as many in every round",
                      values.shape(0), graph_->arms()));
    }
    losses_.resize(graph_->arms());
    for (std::size_t arm = 0; arm < losses_.size(); ++arm) {
      const double loss = values.at(static_cast<py::ssize_t>(arm));
      if (!(loss >= 0 && loss <= 1)) {
        throw py::value_error(
            fmt::format("losses: {} of arm {}, expected a number in [0, 1]", loss, arm));
      }
      losses_[arm] = loss;
    }
    fresh_ = true;
  }

  py::object object_;
  py::list history_;
  std::vector<double> losses_;
  std::optional<Graph> graph_;
  py::object last_graph_;
  bool fresh_ = false;
};

// object.choose(uniform) -> arm; object.observe(decision, graph, observations), NaN = not seen. It
// tells neither probabilities nor a certificate.
class OwnLearner final : public Learner {
 public:
  OwnLearner(py::object object, std::size_t arms)
      : object_(std::move(object)),
        checker_(spec_of(arms), Information::side_observations),
        book_(arms, spec_of(arms).max_outstanding),
        arms_(arms) {}

  std::size_t arms() const override { return arms_; }
  Information information() const override { return Information::side_observations; }

  Decision choose(const Stream& stream) override {
    const py::object given = object_.attr("choose")(stream.uniform(book_.made() + 1));
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!index) {
      throw py::error_already_set();
    }
    const Py_ssize_t arm = PyNumber_AsSsize_t(index.ptr(), nullptr);
    if (arm < 0 || static_cast<std::size_t>(arm) >= arms_) {
      throw py::value_error(
          fmt::format("choose: returned arm {}, expected 0 to {}", arm, arms_ - 1));
    }
    return book_.add(static_cast<Arm>(arm), kUnknown, {});
  }

  Decision adopt(Arm arm) override {
    book_.check_arm(arm);
    return book_.add(arm, kUnknown, {});
  }

  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    const auto& entry = book_.find(decision, feedback);
    checker_.check(graph, feedback);
    py::array_t<double> observations(static_cast<py::ssize_t>(arms_));
    double* values = observations.mutable_data();
    std::fill_n(values, arms_, std::numeric_limits<double>::quiet_NaN());
    for (const Observation& each : feedback.observations) {
      values[each.arm] = each.value;
    }
    object_.attr("observe")(decision, graph, observations);
    book_.erase(entry);
  }

  void forget(const Decision& decision) override { book_.forget(decision); }
  std::size_t outstanding() const override { return book_.outstanding(); }

  // The object as pickle writes it, and the outstanding decisions.
  std::string save() const override {
    StateWriter writer("python-learner");
    try {
      const py::object dumps = py::module_::import("pickle").attr("dumps");
      writer.add(std::string_view(std::string(py::bytes(dumps(object_)))));
    } catch (const py::error_already_set& error) {
      throw Error(
          fmt::format("a learner of class {} cannot be saved, expected one that pickle can "
                      "write: {}",
                      std::string(py::str(py::type::of(object_).attr("__name__"))),
                      std::string(py::str(error.value()))));
    }
    using Entry = DecisionBook<Nothing>::Entry;
    book_.save(writer, [](const Entry& /*entry*/, const Entry* /*before*/) {});
    return writer.finish();
  }

 private:
  struct Nothing {};

  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  // What the observations are checked by: the noise bound is unknown, so any number will do.
  static LearnerSpec spec_of(std::size_t arms) {
    LearnerSpec spec;
    spec.arms = arms;
    return spec;
  }

  py::object object_;
  FeedbackChecker checker_;
  DecisionBook<Nothing> book_;
  std::size_t arms_;
};

// One run: `learner(arms)` makes the learner. At every point: loss, best_arm_loss, bound.
py::array_t<double> play(const py::object& environment, const py::object& learner,
                         const Noise& noise, const RunKey& key,
                         const std::vector<std::uint64_t>& points) {
  std::optional<OwnEnvironment> own_environment;
  Environment* world = nullptr;
  if (py::isinstance<EnvironmentHandle>(environment)) {
    world = environment.cast<EnvironmentHandle&>().environment.get();
  } else {
    world = &own_environment.emplace(environment);
  }
  const py::object made = learner(world->arms());
  std::optional<OwnLearner> own_learner;
  Learner* player = nullptr;
  if (py::isinstance<SeededLearner>(made)) {
    player = made.cast<SeededLearner&>().learner.get();
  } else {
    player = &own_learner.emplace(made, world->arms());
  }

  Run run(*world, *player, noise, key);
  py::array_t<double> out(
      {static_cast<py::ssize_t>(points.size()), static_cast<py::ssize_t>(kCurveFigures.size())});
  double* next = out.mutable_data();
  for (const std::uint64_t round : points) {
    run.steps(round - run.rounds());
    const CurvePoint point = run.point();
    for (const auto figure : kCurveFigures) {
      *next++ = point.*figure;
    }
  }
  return out;
}

}  // namespace

void register_own(py::module_& module) {
  module.def(
      "play",
      [](const py::object& environment, const py::object& learner, const std::string& noise,
         double noise_bound, std::uint64_t seed, std::uint64_t sequence, std::uint64_t repetition,
         const std::vector<std::uint64_t>& points) {
        return play(environment, learner, make_noise(noise, noise_bound),
                    {seed, sequence, repetition}, points);
      },
      py::arg("environment"), py::arg("learner"), py::arg("noise"), py::arg("noise_bound"),
      py::arg("seed"), py::arg("sequence"), py::arg("repetition"), py::arg("points"));
}

}  // namespace hearsay::python
