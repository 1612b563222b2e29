#include "hearsay/problem/log_replay.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/play/learner_replay.h"
#include "hearsay/problem/outstanding_decisions.h"

namespace hearsay {
namespace {

class LogReplayer {
 public:
  LogReplayer(const LogReader& log, const LearnerSpec& spec, const ReplayOptions& options)
      : replay_(spec, options),
        translation_(log.problem(), log.names()),
        learner_name_(spec.name),
        has_confidence_(options.confidence.has_value()) {}

  // A round, if the record is feedback.
  std::optional<ReplayedRound> take(LogRecord record) {
    if (auto* decision = std::get_if<LoggedDecision>(&record)) {
      adopt(std::move(*decision));
    } else if (const auto* forget = std::get_if<LoggedForget>(&record)) {
      const auto found = outstanding_.require(forget->id);
      replay_.learner().forget(found->second.decision);
      outstanding_.erase(found);
    } else if (const auto* feedback = std::get_if<LoggedFeedback>(&record)) {
      return observe(*feedback);
    }
    return std::nullopt;
  }

  Certificate certificate() const {
    Certificate certificate = replay_.certificate();
    certificate.out_of_range = std::max(certificate.out_of_range, beyond_noise_bound_);
    if (unreported_since_ > 0) {
      end_bounds(certificate, unreported_since_, kReadingNotReported);
    }
    return certificate;
  }

 private:
  struct OutstandingDecision {
    Decision decision;  // of the learner
    Arm arm = 0;
    Graph graph;
    std::vector<Arm> available;
  };

  void adopt(LoggedDecision logged) {
    Learner& learner = replay_.learner();
    Restrictable* restrictable = restrictable_of(learner);
    const bool is_restricted = !logged.available.empty();
    if (is_restricted && restrictable == nullptr) {
      throw Error(
          fmt::format("has \"available\", expected a learner that can draw among some arms: "
                      "{} cannot",
                      learner_name_));
    }
    if (is_restricted && has_confidence_) {
      throw Error("confidence", fmt::format("decision {} was made among some of the arms, expected "
                                            "a log in which all are available",
                                            logged.id));
    }
    if (Informed* informed = informed_of(learner)) {
      informed->see_graph(logged.graph);
    }
    const Decision decision = is_restricted
                                  ? restrictable->adopt_among(logged.arm, logged.available)
                                  : learner.adopt(logged.arm);
    outstanding_.add(logged.id, {decision, logged.arm, logged.graph, std::move(logged.available)});
    drop_surplus_decisions();
  }

  // Drops the decisions that the learner has dropped, and the oldest ones if their graphs take too
  // much memory.
  void drop_surplus_decisions() {
    Learner& learner = replay_.learner();
    while (outstanding_.size() > learner.outstanding()) {
      outstanding_.erase(outstanding_.oldest());
    }
    while (outstanding_.has_too_many_graphs()) {
      learner.forget(outstanding_.oldest()->second.decision);
      outstanding_.drop_oldest();
    }
  }

  ReplayedRound observe(const LoggedFeedback& feedback) {
    const auto found = outstanding_.require(feedback.id);
    const auto& [decision, arm, graph, available] = found->second;
    const ModelRound round = translation_.translate(graph, arm, available, feedback.content);
    ReplayedRound replayed = replay_.observe(decision, round.graph, {arm, round.observations});
    beyond_noise_bound_ += round.beyond_noise_bound;
    if (!round.missing_are_null && unreported_since_ == 0) {
      unreported_since_ = replayed.round;
    }
    const Certificate now = certificate();
    replayed.bound = now.regret_bound;
    replayed.bounds = now.bounds;
    outstanding_.erase(found);
    drop_surplus_decisions();
    return replayed;
  }

  LearnerReplay replay_;
  Translation translation_;
  std::string learner_name_;
  bool has_confidence_;
  OutstandingDecisions<OutstandingDecision> outstanding_;
  std::uint64_t beyond_noise_bound_ = 0;  // number of readings; not all learners count them
  // The first round in which a reading was missing that was not reported as null
  // (kReadingNotReported); 0 if there was none.
  std::uint64_t unreported_since_ = 0;
};

}  // namespace

bool begins_as_problem_log(std::string_view beginning) {
  const auto skip_blanks = [&] {
    beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t\r\n"), beginning.size()));
  };
  skip_blanks();
  if (!beginning.starts_with('{')) {
    return false;
  }
  beginning.remove_prefix(1);
  skip_blanks();
  return beginning.starts_with("\"hearsay_log\"");
}

Certificate replay_log(LogReader& log, const LearnerSpec& spec,
                       const std::function<void(const ReplayedRound&)>& on_round,
                       const ReplayOptions& options) {
  LogReplayer replayer(log, spec, options);
  while (std::optional<LogRecord> record = log.next()) {
    std::optional<ReplayedRound> round;
    try {
      round = replayer.take(std::move(*record));
    } catch (const Error& error) {
      throw error.place() == "confidence" ? error : error.within(log.place());
    }
    if (round) {
      on_round(*round);
    }
  }
  return replayer.certificate();
}

}  // namespace hearsay
