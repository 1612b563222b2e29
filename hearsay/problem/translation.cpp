#include "hearsay/problem/translation.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/storage.h"
#include "hearsay/learner/observations.h"

namespace hearsay {

Translation::Translation(const ProblemDescription& description, const ArmNames& names)
    : outcome_(description.outcome),
      missing_readings_(description.missing_readings),
      noise_bound_(noise_bound_of(description)),
      names_(names) {}

double Translation::loss_of(Arm played, double outcome, bool& is_clipped) const {
  is_clipped = !(outcome >= outcome_.low && outcome <= outcome_.high);
  if (!std::isfinite(outcome) ||
      (is_clipped && outcome_.out_of_range == OutOfRangeOutcome::refuse)) {
    throw Error(fmt::format(
        "the outcome of {} is {}, expected a {} from {} to {}", in_quotes(names_[played]), outcome,
        kOutcomeKinds[static_cast<std::size_t>(outcome_.kind)], outcome_.low, outcome_.high));
  }
  return outcome_.loss_of(std::clamp(outcome, outcome_.low, outcome_.high));
}

std::vector<Reading> Translation::sorted_readings(Arm played, const UserFeedback& feedback) const {
  std::vector<Reading> readings = feedback.readings;
  std::ranges::sort(readings, {}, &Reading::arm);
  for (std::size_t k = 0; k < readings.size(); ++k) {
    const auto& [arm, value] = readings[k];
    if (k > 0 && readings[k - 1].arm == arm) {
      throw Error(
          fmt::format("there are two readings of {}, expected one", in_quotes(names_[arm])));
    }
    if (value && !std::isfinite(*value)) {
      throw Error(fmt::format("the reading of {} is {}, expected a number", in_quotes(names_[arm]),
                              *value));
    }
    if (value && arm == played) {
      throw Error(
          fmt::format("there is a reading of {}, which was played, expected readings of "
                      "other arms: its outcome is known",
                      in_quotes(names_[arm])));
    }
  }
  return readings;
}

std::vector<Arm> Translation::absent_arms(std::span<const Arm> available) const {
  std::vector<Arm> absent;
  for (Arm arm = 0; !available.empty() && arm < names_.size(); ++arm) {
    if (!std::ranges::binary_search(available, arm)) {
      absent.push_back(arm);
    }
  }
  return absent;
}

// The arms that the arm played shows without a reading being given, and those whose reading has no
// value.
std::vector<Arm> Translation::unread_arms(const Graph& graph, Arm played,
                                          std::span<const Reading> readings) const {
  std::vector<Arm> unread;
  auto reading = readings.begin();
  const auto pass_until = [&](std::size_t arm) {
    for (; reading != readings.end() && reading->arm < arm; ++reading) {
      if (!reading->value) {
        unread.push_back(reading->arm);
      }
    }
  };
  graph.for_each_seen(played, [&](Arm seen, double /*weight*/) {
    pass_until(seen);
    const bool is_read = reading != readings.end() && reading->arm == seen;
    if (!is_read && seen != played) {
      unread.push_back(seen);
    }
  });
  pass_until(names_.size());
  return unread;
}

// The arm played, and arms that it does not show, are missing only if a reading without a value
// says so.
void Translation::refuse_missing(const Graph& graph, Arm played,
                                 std::span<const Arm> missing) const {
  std::vector<Arm> shown;
  std::ranges::copy_if(missing, std::back_inserter(shown),
                       [&](Arm arm) { return arm != played && graph.weight(played, arm) > 0; });
  throw Error(
      shown.empty()
          ? fmt::format("{} could not be read, expected no entry for arms of which no reading is "
                        "needed, or missing_readings = \"thin\"",
                        names_.listed(missing))
          : fmt::format("no reading of {}, expected one of every arm that {} shows, or "
                        "missing_readings = \"thin\"",
                        names_.listed(shown), in_quotes(names_[played])));
}

const Graph& Translation::without_arcs_into(const Graph& graph, std::vector<Arm> arms) {
  if (!thinned_ || !thinned_->from.same_as(graph) || thinned_->without != arms) {
    std::vector<Arc> arcs;
    for (Arm played = 0; played < graph.arms(); ++played) {
      graph.for_each_seen(played, [&](Arm seen, double weight) {
        if (seen != played && !std::ranges::binary_search(arms, seen)) {
          arcs.push_back({played, seen, weight});
        }
      });
    }
    thinned_ = Thinned{graph, std::move(arms), graph_of_arcs(graph.arms(), std::move(arcs))};
  }
  return thinned_->graph;
}

ModelRound Translation::translate(const Graph& graph, Arm played, std::span<const Arm> available,
                                  const UserFeedback& feedback) {
  bool is_clipped = false;
  const double loss = loss_of(played, feedback.outcome, is_clipped);
  const std::vector<Reading> readings = sorted_readings(played, feedback);
  if (!readings.empty() && graph.arc_count() == 0) {
    throw Error(
        "there are readings, but no arm shows another, expected a graph that says which arms show "
        "which");
  }
  const std::vector<Arm> absent = absent_arms(available);
  const std::vector<Arm> unread = unread_arms(graph, played, readings);
  std::vector<Arm> missing;
  std::ranges::set_difference(unread, absent, std::back_inserter(missing));
  if (!missing.empty() && missing_readings_ == MissingReadings::refuse) {
    refuse_missing(graph, played, missing);
  }
  std::vector<Arm> left_out;
  std::ranges::set_union(absent, missing, std::back_inserter(left_out));
  ModelRound round{
      .graph = left_out.empty() ? graph : without_arcs_into(graph, std::move(left_out)),
      .observations = {},
      .loss = loss,
      .is_clipped = is_clipped};
  round.missing_are_null = std::ranges::all_of(missing, [&](Arm arm) {
    return std::ranges::binary_search(readings, arm, {}, &Reading::arm);
  });
  round.missing = std::move(missing);
  auto reading = readings.begin();
  round.graph.for_each_seen(played, [&](Arm seen, double weight) {
    if (seen == played) {
      round.observations.push_back({seen, loss});
      return;
    }
    while (reading->arm < seen) {  // one that is not needed
      ++reading;
    }
    const double value = feedback.form == ReadingForm::observation
                             ? *reading->value
                             : weight * outcome_.loss_of(*reading->value);
    if (!std::isfinite(value)) {
      throw Error(fmt::format("the reading of {} is {}, too large to be converted to a loss",
                              in_quotes(names_[seen]), *reading->value));
    }
    const double noise_bound = noise_bound_.value_or(kUnboundedNoise);
    const bool allowed = ObservationRange(weight, noise_bound).contains(value);
    round.beyond_noise_bound += allowed ? 0 : 1;
    round.observations.push_back({seen, value});
  });
  return round;
}

}  // namespace hearsay
