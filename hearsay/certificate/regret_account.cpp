#include "hearsay/certificate/regret_account.h"

#include <fmt/format.h>

namespace hearsay {

namespace {

RoundNeeds both(const RoundNeeds& a, const RoundNeeds& b) {
  return {.entropy = a.entropy || b.entropy,
          .gap = a.gap || b.gap,
          .growth = a.growth || b.growth,
          .least_sum = a.least_sum || b.least_sum,
          .delays = a.delays || b.delays};
}

}  // namespace

RegretAccount::RegretAccount(std::size_t arms, const RegretTheorems& theorems,
                             const RoundNeeds& of_schedule)
    : arms_(arms), has_designated_(theorems.designated != nullptr), needs_(of_schedule) {
  if (theorems.designated) {
    kept_.push_back({theorems.designated});
  }
  for (const auto& theorem : theorems.others) {
    kept_.push_back({theorem});
  }
  for (const KeptTheorem& kept : kept_) {
    needs_ = both(needs_, kept.theorem->needs());
  }
  if (needs_.gap) {
    totals_.gaps.emplace();
  }
  if (needs_.delays) {
    totals_.delays.emplace();
  }
}

std::string q_too_large_message(double q) {
  return fmt::format(
      "the round's Q is {}, too large to be added up: an arm is observed too rarely or too poorly "
      "(larger weights, a smaller noise bound or more exploration would make it smaller)",
      q);
}

std::string conditions_of(const TheoremText& text) {
  std::string conditions(text.conditions);
  if (!text.if_late.empty()) {
    conditions += "; if feedback comes late: ";
    conditions += text.if_late;
  }
  return conditions;
}

RegretBound RegretAccount::bound(const KeptTheorem& kept) const {
  const TheoremText text = kept.theorem->text();
  RegretBound bound{.name = std::string(text.name),
                    .statement = std::string(text.statement),
                    .conditions = conditions_of(text),
                    .failed_in_round = kept.failed_in_round,
                    .failure = kept.failure};
  if (kept.failed_in_round == 0) {
    const double start = totals_.rounds > 0 ? kept.theorem->start(arms_, totals_.last_rate) : 0;
    const double value = start + kept.sum.value();
    if (std::abs(value) < kLargestSum) {
      bound.value = value;
      bound.per_switch = kept.theorem->per_switch(totals_);
    } else {  // as log(arms) / rate if the rate is 0
      bound.failed_in_round = totals_.rounds;
      bound.failure = kBoundTooLarge;
    }
  }
  return bound;
}

Certificate RegretAccount::certificate() const {
  Certificate certificate{.rounds = totals_.rounds,
                          .q = last_q_,
                          .q_sum = q_sum_.value(),
                          .out_of_range = out_of_range_,
                          .has_designated = has_designated_};
  for (const KeptTheorem& kept : kept_) {
    certificate.bounds.push_back(bound(kept));
  }
  if (has_designated_) {
    certificate.regret_bound = certificate.bounds.front().value;
  }
  return certificate;
}

void RegretAccount::save(StateWriter& writer) const {
  const DelayTotals delays = totals_.delays.value_or(DelayTotals());
  writer.add(totals_.rounds);
  writer.add(totals_.last_rate);
  writer.add(totals_.last_least_sum);
  writer.add(totals_.highest_price);
  write_sum(writer, totals_.cost);
  write_sum(writer, totals_.gaps.value_or(CompensatedSum()));
  write_sum(writer, totals_.growth);
  write_sum(writer, totals_.entropies);
  write_sum(writer, totals_.drift);
  write_sum(writer, totals_.drift_per_rate);
  writer.add(delays.outstanding);
  writer.add(delays.waited);
  writer.add(delays.drawn_rate);
  write_sum(writer, q_sum_);
  for (const KeptTheorem& kept : kept_) {
    write_sum(writer, kept.sum);
    writer.add(kept.failed_in_round);
    writer.add(std::string_view(kept.failure));
  }
  writer.add(out_of_range_);
  writer.add(last_q_);
}

void RegretAccount::load(StateReader& reader) {
  totals_.rounds = reader.number();
  totals_.last_rate = read_finite(reader);
  totals_.last_least_sum = read_finite(reader);
  totals_.highest_price = read_finite(reader);
  totals_.cost = read_sum(reader);
  const CompensatedSum gaps = read_sum(reader);
  totals_.growth = read_sum(reader);
  totals_.entropies = read_sum(reader);
  totals_.drift = read_sum(reader);
  totals_.drift_per_rate = read_sum(reader);
  const DelayTotals delays{.outstanding = reader.number(),
                           .waited = read_finite(reader),
                           .drawn_rate = read_finite(reader)};
  q_sum_ = read_sum(reader);
  for (KeptTheorem& kept : kept_) {
    kept.sum = read_sum(reader);
    kept.failed_in_round = reader.number();
    kept.failure = reader.text();
    reader.require(kept.failed_in_round <= totals_.rounds,
                   "has a condition that failed after its last round");
  }
  if (totals_.gaps) {
    totals_.gaps = gaps;
  }
  if (totals_.delays) {
    totals_.delays = delays;
  }
  out_of_range_ = reader.number();
  last_q_ = read_finite(reader);
  reader.require(totals_.highest_price >= 0 && totals_.cost.value() >= 0 && gaps.value() >= 0 &&
                     totals_.growth.value() >= 0 && totals_.entropies.value() >= 0 &&
                     totals_.drift.value() >= 0 && totals_.drift_per_rate.value() >= 0 &&
                     delays.waited >= 0 && q_sum_.value() >= 0,
                 "has a negative cost");
  reader.require(totals_.last_rate >= 0 && delays.drawn_rate >= 0 && last_q_ >= 0,
                 "has a negative rate or Q in its last round");
}

}  // namespace hearsay
