#include "hearsay/learner/round_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hearsay/learner/draw_state.h"
#include "hearsay/learner/mixability.h"
#include "hearsay/learner/regularizer.h"

namespace hearsay {
namespace {

// read_numbers() would refuse them: the second moment of an arm is as large as
// 1 / kSmallestCoverage, which exceeds kLargestSum, if its coverage was 0.
std::vector<double> read_second_moments(StateReader& reader) {
  std::vector<double> moments(reader.count(sizeof(double)));
  std::ranges::generate(moments, [&] { return reader.real(); });
  reader.require(std::ranges::all_of(moments, [](double moment) { return std::isfinite(moment); }),
                 "has a second moment that is not finite");
  return moments;
}

}  // namespace

RoundOrder::RoundOrder(std::size_t arms, std::shared_ptr<const RegretTheorem> theorem)
    : sums_(arms), account_(arms, {.designated = std::move(theorem)}), probabilities_(arms) {}

void RoundOrder::add(std::uint64_t decision, Waiting waiting, std::uint64_t oldest_outstanding) {
  waiting_.emplace(decision, std::move(waiting));
  advance(oldest_outstanding);
}

void RoundOrder::advance(std::uint64_t oldest_outstanding) {
  while (!waiting_.empty() && waiting_.begin()->first < oldest_outstanding) {
    take_in(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
  }
}

void RoundOrder::take_in(Waiting& waiting) {
  const DrawLaw& law = *waiting.law;
  RegretRound& round = waiting.round;
  round.rate = law.rate;
  round.is_restricted = !law.available.empty();
  regularizers::shannon()->probabilities(sums_, law.rate, probabilities_, &round.entropy.emplace());
  // If all earlier feedback came before the draw, the probabilities are those of the draw.
  round.in_order = law.rounds == account_.totals().rounds;
  round.late.reset();
  if (round.in_order) {
    round.entropy = law.entropy;
    probabilities_ = law.probabilities;
  } else if (!waiting.second_moments.empty()) {
    round.late = LateRound{drift_between(law.probabilities, probabilities_),
                           mean_moment(probabilities_, waiting.second_moments)};
  }
  round.gap.reset();
  if (account_.needs().gap) {
    round.gap = mixability_gap(probabilities_, waiting.estimates, law.rate, scratch_);
  }
  round.least_sum.reset();
  if (too_large_ || !sums_.can_add(waiting.estimates, kLargestSum) || !account_.add(round)) {
    too_large_ = true;
    return;
  }
  sums_.add(waiting.estimates);
}

RegretBound RoundOrder::bound() const {
  RegretBound bound = account_.certificate().bounds.front();
  bound.conditions = "as " + bound.name + ", except that the environment may react to every draw";
  bound.name = "round_order";
  if (too_large_) {
    bound.value.reset();
    bound.failed_in_round = account_.totals().rounds + 1;
    bound.failure = "a sum is too large to be added up";
  } else if (bound.value) {
    *bound.value += static_cast<double>(waiting_.size());
  }
  return bound;
}

void RoundOrder::save(StateWriter& writer) const {
  write_sums(writer, sums_);
  account_.save(writer);
  writer.add(std::uint64_t{too_large_ ? 1U : 0U});
  writer.add(std::uint64_t{waiting_.size()});
  for (const auto& [decision, waiting] : waiting_) {
    writer.add(decision);
    write_law(writer, *waiting.law);
    const RegretRound& round = waiting.round;
    for (const double number :
         {round.exploration, round.terms.q, round.terms.bias, round.terms.second_moment,
          round.price, round.self_weight, round.own_loss}) {
      writer.add(number);
    }
    writer.add(round.out_of_range);
    writer.add(std::uint64_t{round.breaks_model ? 1U : 0U});
    write_numbers(writer, waiting.estimates);
    write_numbers(writer, waiting.second_moments);
  }
}

void RoundOrder::load(StateReader& reader) {
  read_sums(reader, sums_);
  account_.load(reader);
  too_large_ = reader.number() != 0;
  const std::size_t count = reader.count(sizeof(std::uint64_t));
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t decision = reader.number();
    Waiting waiting{.law = read_law(reader, sums_.size()), .round = {}};
    RegretRound& round = waiting.round;
    for (double* number :
         {&round.exploration, &round.terms.q, &round.terms.bias, &round.terms.second_moment,
          &round.price, &round.self_weight, &round.own_loss}) {
      *number = read_finite(reader);
    }
    round.out_of_range = reader.number();
    round.breaks_model = reader.number() != 0;
    waiting.estimates = read_estimates(reader, sums_.size());
    waiting.second_moments = read_second_moments(reader);
    reader.require(waiting.second_moments.empty() || waiting.second_moments.size() == sums_.size(),
                   "has estimates of another number of arms");
    reader.require(waiting_.emplace(decision, std::move(waiting)).second,
                   "has feedback twice for a decision");
  }
}

double drift_between(std::span<const double> drawn, std::span<const double> now) {
  double drift = 0;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    drift += std::max(drawn[i] - now[i], 0.0);
  }
  return drift;
}

double mean_moment(std::span<const double> probabilities, std::span<const double> moments) {
  return std::inner_product(probabilities.begin(), probabilities.end(), moments.begin(), 0.0);
}

}  // namespace hearsay
