// Environments and learners that are written in Python, in the core's own rounds: what happens in
// a round is Run's to say, here as everywhere.

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
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
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

// object.choose(uniform) -> arm; object.observe(decision, graph, observations), NaN = not seen.
class OwnLearner final : public Learner {
 public:
  OwnLearner(py::object object, std::size_t arms) : object_(std::move(object)), arms_(arms) {}

  std::size_t arms() const override { return arms_; }
  Information information() const override { return Information::side_observations; }

  Decision choose(const Stream& stream) override {
    ++round_;
    const py::object given = object_.attr("choose")(stream.uniform(round_));
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!index) {
      throw py::error_already_set();
    }
    const Py_ssize_t arm = PyNumber_AsSsize_t(index.ptr(), nullptr);
    if (arm < 0 || static_cast<std::size_t>(arm) >= arms_) {
      throw py::value_error(
          fmt::format("choose: gave arm {}, expected one from 0, less than {}", arm, arms_));
    }
    return {static_cast<Arm>(arm), std::numeric_limits<double>::quiet_NaN(), round_};
  }

  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    py::array_t<double> observations(static_cast<py::ssize_t>(arms_));
    double* values = observations.mutable_data();
    std::fill_n(values, arms_, std::numeric_limits<double>::quiet_NaN());
    for (const Observation& each : feedback.observations) {
      values[each.arm] = each.value;
    }
    object_.attr("observe")(decision, graph, observations);
  }

  Decision adopt(Arm /*arm*/) override { throw Error("a learner in Python adopts no arm"); }
  void forget(const Decision& /*decision*/) override {}
  std::size_t outstanding() const override { return 0; }
  std::span<const double> probabilities() const override { return {}; }
  Certificate certificate() const override { return {}; }
  RoundFigures last_round() const override { return {}; }
  std::string save() const override { throw Error("a learner in Python is not saved"); }

 private:
  py::object object_;
  std::size_t arms_;
  std::uint64_t round_ = 0;
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
