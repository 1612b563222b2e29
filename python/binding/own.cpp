// Environments and learners that are written in Python, played by the core's Run as all others.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/observations.h"
#include "hearsay/play/round.h"
#include "hearsay/play/run.h"
#include "python/binding/binding.h"

namespace hearsay::python {
namespace {

// An environment in Python: next(history) -> (losses, graph), where the history has the arms played
// so far.
class PythonEnvironment final : public RoundSource {
 public:
  explicit PythonEnvironment(py::object object) : object_(std::move(object)) { ask(); }

  std::size_t arms() const override { return losses_.size(); }

  Round next() override {
    if (!fresh_) {
      ask();
    }
    fresh_ = false;
    return {losses_, *graph_};
  }

  void played(Arm arm) override { history_.append(arm); }

 private:
  // The first round is made at once, because it determines the number of arms.
  void ask() {
    const py::object round = object_.attr("next")(history_);
    if (!py::isinstance<py::sequence>(round) || py::len(round) != 2) {
      throw py::type_error("next(history): expected the pair (losses, graph)");
    }
    const py::object losses = round[py::int_(0)];
    const py::object graph = round[py::int_(1)];
    const py::array_t<double> values = real_array(losses, "losses", 1);
    graph_ = graphs_.of(graph);
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
  GraphMemory graphs_;
  bool fresh_ = false;
};

// What the learner must be shown. Only a subclass of a core's learner can say so.
Information information_of(const py::object& learner) {
  return py::isinstance<SeededLearner>(learner)
             ? learner.cast<const SeededLearner&>().learner->information()
             : Information::side_observations;
}

// A learner in Python: choose(uniform) or choose() -> an arm or a Decision, and observe(decision,
// graph, observations) with NaN for arms not seen. A subclass of a core's learner is one too, as
// the core would not call what the subclass overrides.
class PythonLearner : public Player {
 public:
  PythonLearner(py::object object, std::size_t arms)
      : object_(std::move(object)),
        information_(information_of(object_)),
        takes_uniform_(takes_argument(object_.attr("choose"))),
        checker_(arms, LearnerSpec().noise_bound, OutOfRange::count, information_),
        book_(arms, LearnerSpec().max_outstanding),
        arms_(arms) {
    if (py::hasattr(object_, "arms")) {
      const auto its_arms = object_.attr("arms").cast<std::size_t>();
      if (its_arms != arms) {
        throw py::value_error(fmt::format(
            "the learner has {} arms, expected {}, the number of arms of the environment", its_arms,
            arms));
      }
    }
  }

  std::size_t arms() const override { return arms_; }
  Information information() const override { return information_; }

  Decision choose(const Stream& stream) override {
    const py::object choose = object_.attr("choose");
    const py::object given = takes_uniform_ ? choose(stream.uniform(book_.made() + 1)) : choose();
    if (py::isinstance<OwnedDecision>(given)) {
      const Decision& decision = given.cast<const OwnedDecision&>().decision;
      check_arm(decision.arm);
      return book_.add(decision.arm, decision.probability, given);
    }
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
    if (!index) {
      PyErr_Clear();
      throw py::type_error(
          fmt::format("choose: returned {}, expected the number of an arm, or a Decision",
                      py::repr(given).cast<std::string>()));
    }
    const Py_ssize_t arm = PyNumber_AsSsize_t(index.ptr(), nullptr);
    check_arm(arm);
    return book_.add(static_cast<Arm>(arm), kUnknown, py::object());
  }

  // The object is given the decision that it returned, or an equal one.
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    const auto& entry = book_.find(decision, feedback);
    checker_.check(graph, feedback);
    py::array_t<double> observations(static_cast<py::ssize_t>(arms_));
    double* values = observations.mutable_data();
    std::fill_n(values, arms_, std::numeric_limits<double>::quiet_NaN());
    for (const Observation& each : feedback.observations) {
      values[each.arm] = each.value;
    }
    const py::object returned = entry.drawn ? entry.drawn : py::cast(OwnedDecision{decision});
    object_.attr("observe")(returned, graph, observations);
    book_.erase(entry);
  }

  // The attribute `certificate` of the object, which may have none, or may set it later.
  std::optional<Certificate> certificate() const {
    const py::object given = py::getattr(object_, "certificate", py::none());
    return py::isinstance<Certificate>(given) ? std::optional(given.cast<Certificate>())
                                              : std::nullopt;
  }

 protected:
  const py::object& object() const { return object_; }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  // Whether a call without arguments does not fit the signature.
  static bool takes_argument(const py::object& method) {
    const py::object signature = py::module_::import("inspect").attr("signature")(method);
    for (const py::handle parameter : signature.attr("parameters").attr("values")()) {
      if (parameter.attr("default").is(parameter.attr("empty")) &&
          parameter.attr("kind").cast<int>() < 2) {  // positional, and neither *args nor **kwargs
        return true;
      }
    }
    return false;
  }

  void check_arm(Py_ssize_t arm) const {
    if (arm < 0 || static_cast<std::size_t>(arm) >= arms_) {
      throw py::value_error(
          fmt::format("choose: returned arm {}, expected 0 to {}", arm, arms_ - 1));
    }
  }

  py::object object_;
  Information information_;
  bool takes_uniform_;
  FeedbackChecker checker_;
  DecisionBook<py::object> book_;  // what choose() returned, if that was a Decision
  std::size_t arms_;
};

// A learner in Python that must see the graph before it draws.
class InformedPythonLearner final : public PythonLearner, public Informed {
 public:
  using PythonLearner::PythonLearner;

  void see_graph(const Graph& graph) override { object().attr("see_graph")(graph); }
};

std::unique_ptr<PythonLearner> make_python_learner(const py::object& object, std::size_t arms) {
  return information_of(object) == Information::graph_before_draw
             ? std::make_unique<InformedPythonLearner>(object, arms)
             : std::make_unique<PythonLearner>(object, arms);
}

// Between a run and the learner that is played: replaces the observations, delays the feedback by
// some rounds, and counts the plays.
class Channel : public Player {
 public:
  // Replaces the observations of a round.
  using Replace = std::function<void(const Graph& graph, Arm played, std::uint64_t round,
                                     std::vector<Observation>& observations)>;

  // `replace` may be empty. The feedback of round t is given before the draw of round t + 1 +
  // delays[t - 1]; `delays` is empty or has a number for every round. All must outlive the channel.
  Channel(Player& learner, Replace replace, std::span<const std::int64_t> delays)
      : learner_(learner), replace_(std::move(replace)), delays_(delays), plays_(learner.arms()) {}

  std::size_t arms() const override { return learner_.arms(); }
  Information information() const override { return learner_.information(); }

  Decision choose(const Stream& stream) override {
    deliver_due();
    ++round_;
    const Decision decision = learner_.choose(stream);
    ++plays_[decision.arm];
    return decision;
  }

  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    std::vector<Observation> observations(feedback.observations.begin(),
                                          feedback.observations.end());
    if (replace_ && information() != Information::true_losses) {
      replace_(graph, decision.arm, round_, observations);
    }
    const std::int64_t delay = delays_.empty() ? 0 : delays_[round_ - 1];
    if (delay == 0) {
      learner_.observe(decision, graph, {decision.arm, observations});
    } else {
      late_.emplace(round_ + static_cast<std::uint64_t>(delay),
                    Late{decision, graph, std::move(observations)});
    }
  }

  const std::vector<std::int64_t>& plays() const { return plays_; }

 protected:
  // Gives the learner the feedback that is due, the oldest decision first. Throws Error if the
  // learner has dropped the decision.
  void deliver_due() {
    while (!late_.empty() && late_.begin()->first <= round_) {
      const Late late = std::move(late_.begin()->second);
      late_.erase(late_.begin());
      learner_.observe(late.decision, late.graph, {late.decision.arm, late.observations});
    }
  }

 private:
  struct Late {
    Decision decision;
    Graph graph;
    std::vector<Observation> observations;
  };

  Player& learner_;
  Replace replace_;
  std::span<const std::int64_t> delays_;
  std::uint64_t round_ = 0;                  // of the last draw
  std::multimap<std::uint64_t, Late> late_;  // by the round after which it is due
  std::vector<std::int64_t> plays_;
};

// The channel of an informed learner.
class InformedChannel final : public Channel, public Informed {
 public:
  // `informed` is the learner.
  InformedChannel(Player& learner, Informed& informed, Replace replace,
                  std::span<const std::int64_t> delays)
      : Channel(learner, std::move(replace), delays), informed_(informed) {}

  void see_graph(const Graph& graph) override {
    deliver_due();  // so that the learner knows what has arrived before it sees the graph
    informed_.see_graph(graph);
  }

 private:
  Informed& informed_;
};

std::unique_ptr<Channel> make_channel(Player& learner, Channel::Replace replace,
                                      std::span<const std::int64_t> delays) {
  Informed* informed = informed_of(learner);
  return informed != nullptr
             ? std::make_unique<InformedChannel>(learner, *informed, std::move(replace), delays)
             : std::make_unique<Channel>(learner, std::move(replace), delays);
}

// Adds noise of the caller to the observations: `noise` makes one value for each arm from as many
// uniform numbers. The run itself has no noise, so an observation is weight x loss.
Channel::Replace add_noise(const py::object& noise, const Stream& stream) {
  return [noise, stream](const Graph& graph, Arm played, std::uint64_t round,
                         std::vector<Observation>& observations) {
    const std::size_t arms = graph.arms();
    py::array_t<double> uniform(static_cast<py::ssize_t>(arms));
    stream.fill_uniform(round, std::span(uniform.mutable_data(), arms));
    for (double& each : std::span(uniform.mutable_data(), arms)) {
      each += 0x1p-54;  // to the middle of its interval: quantile functions are infinite at 0
    }
    const py::array_t<double> values = real_array(noise(uniform), "noise", 1);
    if (values.shape(0) != static_cast<py::ssize_t>(arms)) {
      throw py::value_error(fmt::format(
          "noise: returned {} numbers, expected one for each of {} arms", values.shape(0), arms));
    }
    for (Observation& each : observations) {
      const double weight = graph.weight(played, each.arm);
      const double value = values.at(static_cast<py::ssize_t>(each.arm));
      if (!std::isfinite(value)) {
        throw py::value_error(fmt::format("noise: returned {}, expected finite numbers", value));
      }
      each.value += weight < 1 ? (1 - weight) * value : 0.0;
    }
  };
}

// Observations that the environment gives: environment.observations(arm).
Channel::Replace ask_environment(const py::object& environment) {
  return [environment](const Graph& graph, Arm played, std::uint64_t /*round*/,
                       std::vector<Observation>& observations) {
    observations.clear();
    read_observations(environment.attr("observations")(played), graph.arms(), observations);
  };
}

// The options of simulate() besides environment, learner and seed.
struct PlayOptions {
  py::object noise;  // the name of a law, or a function from uniform numbers to noise
  double noise_bound;
  std::vector<std::int64_t> delays;  // for every round; empty: none
  std::vector<std::uint64_t> points;
  py::object should_stop;  // a function: whether to end the run
};

// Ends the run if a signal has arrived or another thread says so.
void check_for_stop(const py::object& should_stop) {
  const py::gil_scoped_acquire locked;
  raise_if_signalled();
  if (should_stop().cast<bool>()) {
    throw Error("the run was stopped");
  }
}

// One run: `learner(arms)` makes the learner. Returns the values at every point (loss,
// best_arm_loss, bound), and how often each arm was played.
py::tuple play(const py::object& environment, const py::object& learner, const PlayOptions& options,
               const RunKey& key) {
  std::optional<PythonEnvironment> python_environment;
  RoundSource* played_environment = nullptr;
  Channel::Replace replace;
  if (py::isinstance<EnvironmentHandle>(environment)) {
    played_environment = environment.cast<EnvironmentHandle&>().environment.get();
  } else {
    played_environment = &python_environment.emplace(environment);
  }
  Noise noise = {NoiseLaw::none, options.noise_bound};
  if (python_environment && py::hasattr(environment, "observations")) {
    replace = ask_environment(environment);
  } else if (py::isinstance<py::str>(options.noise)) {
    noise = make_noise(options.noise.cast<std::string>(), options.noise_bound);
  } else {
    replace = add_noise(options.noise, key.noise());
  }

  const py::object made = learner(played_environment->arms());
  std::unique_ptr<PythonLearner> python_learner;
  Player* player = nullptr;
  if (is_core_learner(made)) {
    player = made.cast<SeededLearner&>().learner.get();
    require_same_arms(player->arms(), played_environment->arms());
  } else {
    python_learner = make_python_learner(made, played_environment->arms());
    player = python_learner.get();
  }
  const auto certificate = [&] {
    return python_learner ? python_learner->certificate() : certificate_of(*player);
  };

  const bool needs_python = python_environment || python_learner || replace;
  const std::unique_ptr<Channel> channel =
      make_channel(*player, std::move(replace), options.delays);
  Run run(*played_environment, *channel, noise, key);
  std::vector<CurvePoint> curve;
  const auto play_all = [&] {
    constexpr std::uint64_t kRoundsBetweenChecks = 4096;
    for (const std::uint64_t point : options.points) {
      while (run.rounds() < point) {
        run.steps(std::min(point - run.rounds(), kRoundsBetweenChecks));
        check_for_stop(options.should_stop);
      }
      curve.push_back({run.loss(), run.best_arm_loss(), bound_of(certificate())});
    }
  };
  if (needs_python) {
    play_all();
  } else {
    const py::gil_scoped_release unlocked;
    play_all();
  }

  py::array_t<double> values(
      {static_cast<py::ssize_t>(curve.size()), static_cast<py::ssize_t>(kCurveValues.size())});
  double* next = values.mutable_data();
  for (const CurvePoint& point : curve) {
    for (const auto value : kCurveValues) {
      *next++ = point.*value;
    }
  }
  const std::vector<std::int64_t>& plays = channel->plays();
  return py::make_tuple(
      values, py::array_t<std::int64_t>(static_cast<py::ssize_t>(plays.size()), plays.data()));
}

}  // namespace

void register_own(py::module_& module) {
  module.def(
      "play",
      [](const py::object& environment, const py::object& learner, const py::object& noise,
         double noise_bound, const std::vector<std::int64_t>& delays, std::uint64_t seed,
         std::uint64_t sequence, std::uint64_t repetition, const std::vector<std::uint64_t>& points,
         const py::object& should_stop) {
        return play(environment, learner, {noise, noise_bound, delays, points, should_stop},
                    {seed, sequence, repetition});
      },
      py::arg("environment"), py::arg("learner"), py::arg("noise"), py::arg("noise_bound"),
      py::arg("delays"), py::arg("seed"), py::arg("sequence"), py::arg("repetition"),
      py::arg("points"), py::arg("should_stop"));
}

}  // namespace hearsay::python
