#include "hearsay/problem/logged_rounds.h"

#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

ProblemDescription with_readings(ProblemDescription problem, LoggedReadings readings) {
  if (readings == LoggedReadings::thinned) {
    problem.missing_readings = MissingReadings::thin;
  }
  return problem;
}

}  // namespace

LoggedRounds::LoggedRounds(LogReader& reader, LoggedReadings readings)
    : reader_(reader),
      readings_(readings),
      translation_(with_readings(reader.problem(), readings), reader.names()) {}

std::optional<LoggedRound> LoggedRounds::next() {
  while (std::optional<LogRecord> record = reader_.next()) {
    try {
      if (auto* decision = std::get_if<LoggedDecision>(&*record)) {
        add(std::move(*decision));
      } else if (const auto* forget = std::get_if<LoggedForget>(&*record)) {
        outstanding_.erase(outstanding_.require(forget->id));
      } else if (const auto* feedback = std::get_if<LoggedFeedback>(&*record)) {
        return round_of(*feedback);
      }
    } catch (const Error& error) {
      throw error.within(reader_.place());
    }
  }
  return std::nullopt;
}

void LoggedRounds::add(LoggedDecision decision) {
  ++decisions_;
  const std::uint64_t id = decision.id;
  outstanding_.add(id, std::move(decision));
  while (outstanding_.size() > kMostOutstanding || outstanding_.has_too_many_graphs()) {
    outstanding_.drop_oldest();
  }
}

LoggedRound LoggedRounds::round_of(const LoggedFeedback& feedback) {
  const auto found = outstanding_.require(feedback.id);
  LoggedDecision& decision = found->second;
  ModelRound round{.graph = decision.graph, .observations = {}};
  if (readings_ == LoggedReadings::ignored) {
    round.loss = translation_.loss_of(decision.arm, feedback.content.outcome, round.is_clipped);
  } else {
    round =
        translation_.translate(decision.graph, decision.arm, decision.available, feedback.content);
  }
  LoggedRound result{.decision = decision.id,
                     .arm = decision.arm,
                     .probability = decision.probability,
                     .probabilities = std::move(decision.probabilities),
                     .available = std::move(decision.available),
                     .graph = std::move(round.graph),
                     .loss = round.loss,
                     .observations = std::move(round.observations),
                     .is_clipped = round.is_clipped,
                     .beyond_noise_bound = round.beyond_noise_bound,
                     .missing = round.missing.empty() ? "" : reader_.names().listed(round.missing),
                     .missing_are_null = round.missing_are_null};
  outstanding_.erase(found);
  ++rounds_;
  return result;
}

}  // namespace hearsay
