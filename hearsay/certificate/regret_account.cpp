#include "hearsay/certificate/regret_account.h"

#include <cmath>

#include <fmt/format.h>

namespace hearsay {

double RegretTheorem::start(std::size_t arms, double last_rate) const {
  return arms > 1 ? std::log(static_cast<double>(arms)) / last_rate : 0;
}

namespace {

class ImplicitExplorationTheorem final : public RegretTheorem {
 public:
  explicit ImplicitExplorationTheorem(const ImplicitExploration& constants)
      : constants_(constants) {}

  std::optional<double> term(const RegretRound& round, const Progress& before) const override {
    const bool rate_rose = before.rounds > 0 && round.rate > before.last_rate;
    const bool holds = round.in_order && !rate_rose && round.out_of_range == 0 &&
                       round.exploration >= constants_.least_exploration_per_rate * round.rate;
    if (!holds) {
      return std::nullopt;
    }
    return (round.exploration + constants_.second_moment * round.rate) * round.terms.q;
  }

 private:
  ImplicitExploration constants_;
};

}  // namespace

std::shared_ptr<const RegretTheorem> regret_theorem(const ImplicitExploration& constants) {
  return std::make_shared<const ImplicitExplorationTheorem>(constants);
}

std::string too_costly(double q) {
  return fmt::format(
      "the round's Q is {}, too large to be added up: an arm is observed too rarely or too poorly "
      "(larger weights, a smaller noise bound or more exploration would make it smaller)",
      q);
}

Certificate RegretAccount::certificate() const {
  Certificate certificate{.rounds = progress_.rounds,
                          .q = last_q_,
                          .q_sum = q_sum_.value(),
                          .out_of_range = out_of_range_,
                          .regret_bound = std::nullopt};
  if (theorem_holds_) {
    const double start = progress_.rounds > 0 ? theorem_->start(arms_, progress_.last_rate) : 0;
    certificate.regret_bound = start + bound_sum_.value();
  }
  return certificate;
}

void RegretAccount::save(StateWriter& writer) const {
  writer.add(progress_.rounds);
  writer.add(progress_.last_rate);
  writer.add(progress_.highest_price);
  write_sum(writer, progress_.cost);
  write_sum(writer, q_sum_);
  write_sum(writer, bound_sum_);
  writer.add(std::uint64_t{theorem_holds_ ? 1U : 0U});
  writer.add(out_of_range_);
  writer.add(last_q_);
}

void RegretAccount::load(StateReader& reader) {
  progress_.rounds = reader.number();
  progress_.last_rate = read_finite(reader);
  progress_.highest_price = read_finite(reader);
  progress_.cost = read_sum(reader);
  q_sum_ = read_sum(reader);
  bound_sum_ = read_sum(reader);
  theorem_holds_ = reader.number() != 0 && theorem_ != nullptr;
  out_of_range_ = reader.number();
  last_q_ = read_finite(reader);
  reader.require(progress_.highest_price >= 0 && progress_.cost.value() >= 0 &&
                     q_sum_.value() >= 0 && bound_sum_.value() >= 0,
                 "has a negative cost");
  reader.require(progress_.last_rate >= 0 && last_q_ >= 0,
                 "has a negative rate or Q in its last round");
}

}  // namespace hearsay
