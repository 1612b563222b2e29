// The lockstep engine of an FtrlRule.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/learner/lockstep_estimator.h"
#include "hearsay/learner/lockstep_kernels.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/round_needs.h"

namespace hearsay {
namespace {

class LockstepFtrl final : public LockstepLearners {
 public:
  LockstepFtrl(LearnerSpec spec, Information information, FtrlRule rule, std::size_t runs,
               RangeCheck range_check);

  std::size_t runs() const override { return runs_; }
  Information information() const override { return information_; }
  const LaneArms& choose(std::size_t batch, const Lanes& uniform) override;
  void see(const Graph& graph) override;
  void learn(std::size_t batch, std::span<const Lanes> weights,
             std::span<const Lanes> observations) override;
  void learn(std::size_t batch, std::span<const std::vector<Observation>> observations) override;
  double probability(std::size_t run, Arm arm) const override;
  Certificate certificate(std::size_t run) const override;
  void save(StateWriter& writer) const override;
  void load(StateReader& reader) override;

 private:
  // The state of up to sixteen runs, one in each lane.
  struct Batch {
    std::vector<Lanes> rounded;  // sums of estimates, with the errors as in CompensatedSum
    std::vector<Lanes> error;
    std::vector<Lanes> shared;            // instead of the two: the probabilities of fixed share
    std::vector<RegretAccount> accounts;  // one for each lane
    Lanes entropy;                        // of the next probabilities, which follow from the above
    Lanes gap;                            // of the last round, if needed

    lockstep::Sums sums() { return {rounded, error}; }
  };

  bool add_estimates(std::size_t index);
  void share(std::size_t index);
  void close_round(std::size_t index);
  void set_rates(std::size_t index);
  void refresh(std::size_t index);

  LearnerSpec spec_;
  Information information_;
  FtrlRule rule_;
  std::size_t runs_;
  LockstepEstimator estimator_;
  std::vector<Batch> batches_;
  std::vector<LaneDraws> draws_;  // of each batch, for the next round
  RoundNeeds needs_;
  ForLastGraph<double> price_;
};

LockstepFtrl::LockstepFtrl(LearnerSpec spec, Information information, FtrlRule rule,
                           std::size_t runs, RangeCheck range_check)
    : spec_(std::move(spec)),
      information_(information),
      rule_(std::move(rule)),
      runs_(runs),
      estimator_(spec_, rule_, runs, range_check),
      batches_((runs + kLanes - 1) / kLanes),
      draws_(batches_.size()) {
  const RegretAccount account(spec_.arms, theorems_for(Bounds::designated, rule_.theorems),
                              rule_.schedule.needs());
  needs_ = account.needs();
  for (std::size_t index = 0; index < batches_.size(); ++index) {
    Batch& batch = batches_[index];
    draws_[index].probabilities.resize(spec_.arms);
    if (rule_.share) {
      Lanes even;
      even.values.fill(1 / static_cast<double>(spec_.arms));
      batch.shared.assign(spec_.arms, even);
    } else {
      batch.rounded.resize(spec_.arms);
      batch.error.resize(spec_.arms);
    }
    batch.accounts.assign(kLanes, account);
    set_rates(index);
    refresh(index);
  }
}

void LockstepFtrl::set_rates(std::size_t index) {
  LaneDraws& draws = draws_[index];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    draws.rate[lane] = rule_.schedule.rate(batches_[index].accounts[lane].totals());
    draws.exploration[lane] = rule_.schedule.exploration(draws.rate[lane]);
  }
}

// Sets the probabilities of the next draws.
void LockstepFtrl::refresh(std::size_t index) {
  Batch& batch = batches_[index];
  LaneDraws& draws = draws_[index];
  if (rule_.share) {
    draws.probabilities = batch.shared;
  } else {
    lockstep::set_probabilities(batch.sums(), draws.rate, rule_.order, draws.probabilities,
                                needs_.entropy ? &batch.entropy : nullptr, lanes_of(index));
  }
  if (rule_.uniform_mixing > 0) {
    Lanes kept;
    Lanes added;
    kept.values.fill(1 - rule_.uniform_mixing);
    added.values.fill(rule_.uniform_mixing * (1 / static_cast<double>(spec_.arms)));
    lockstep::blend(draws.probabilities, kept, added, lanes_of(index));
  }
}

const LaneArms& LockstepFtrl::choose(std::size_t batch, const Lanes& uniform) {
  LaneDraws& draws = draws_[batch];
  draws.played = lockstep::draw(draws.probabilities, uniform, lanes_of(batch));
  return draws.played;
}

void LockstepFtrl::see(const Graph& graph) {
  estimator_.see(graph, draws_);
  price_.get(graph, [&] { return rule_.schedule.price_of(graph); });
}

void LockstepFtrl::learn(std::size_t batch, std::span<const Lanes> weights,
                         std::span<const Lanes> observations) {
  estimator_.estimate(batch, draws_[batch], weights, observations);
  close_round(batch);
}

void LockstepFtrl::learn(std::size_t batch,
                         std::span<const std::vector<Observation>> observations) {
  estimator_.estimate(batch, draws_[batch], observations);
  close_round(batch);
}

// Returns false if estimates are too large. With fixed share they are not added here but in
// share().
bool LockstepFtrl::add_estimates(std::size_t index) {
  const std::span<const Lanes> estimates = estimator_.estimates(index);
  return rule_.share
             ? lockstep::are_within(estimates, kLargestSum, lanes_of(index))
             : lockstep::add(estimates, kLargestSum, batches_[index].sums(), lanes_of(index));
}

// Distributes the share of each run evenly. The rates are still those of the round, which has
// already been added to the accounts.
void LockstepFtrl::share(std::size_t index) {
  Batch& batch = batches_[index];
  const Lanes z = lockstep::reweigh(batch.shared, estimator_.estimates(index), draws_[index].rate,
                                    lanes_of(index));
  Lanes kept;
  Lanes added;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double share = checked_share(rule_.share(batch.accounts[lane].totals(), z[lane]));
    kept[lane] = 1 - share;
    added[lane] = share / static_cast<double>(spec_.arms);
  }
  lockstep::blend(batch.shared, kept, added, lanes_of(index));
}

// Adds the estimates, adds the round to the accounts and sets the next rates and probabilities.
void LockstepFtrl::close_round(std::size_t index) {
  Batch& batch = batches_[index];
  const LaneDraws& draws = draws_[index];
  const std::size_t lanes = lanes_of(index);
  if (!add_estimates(index)) {
    const auto probability = [&](std::size_t lane) {
      return draws.probabilities[draws.played[lane]][lane];
    };
    // The least probability is probably that of the largest estimate.
    std::size_t least = 0;
    for (std::size_t lane = 1; lane < lanes; ++lane) {
      if (probability(lane) < probability(least)) {
        least = lane;
      }
    }
    throw SumTooLarge(estimate_too_large_message(draws.played[least], probability(least)));
  }
  if (needs_.gap) {
    batch.gap = lockstep::gaps(draws.probabilities, estimator_.estimates(index), draws.rate, lanes);
  }
  const Lanes& out_of_range = estimator_.out_of_range(index);
  RegretRound round{.price = price_.value(), .self_weight = price_.graph().self_weight()};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    round.rate = draws.rate[lane];
    round.exploration = draws.exploration[lane];
    round.terms = estimator_.terms(index, draws, lane);
    if (needs_.entropy) {
      round.entropy = batch.entropy[lane];
    }
    if (needs_.gap) {
      round.gap = batch.gap[lane];
    }
    round.out_of_range = static_cast<std::uint64_t>(static_cast<std::int64_t>(out_of_range[lane]));
    if (rule_.schedule.growth) {
      round.growth = rule_.schedule.growth(round, batch.accounts[lane].totals());
    }
    if (!batch.accounts[lane].add(round)) {
      throw SumTooLarge(q_too_large_message(round.terms.q));
    }
  }
  if (rule_.share) {
    share(index);
  }
  set_rates(index);
  refresh(index);
}

double LockstepFtrl::probability(std::size_t run, Arm arm) const {
  return draws_[run / kLanes].probabilities[arm][run % kLanes];
}

Certificate LockstepFtrl::certificate(std::size_t run) const {
  return batches_[run / kLanes].accounts[run % kLanes].certificate();
}

void LockstepFtrl::save(StateWriter& writer) const {
  for (std::size_t run = 0; run < runs_; ++run) {
    const Batch& batch = batches_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (const auto* array : {&batch.shared, &batch.rounded, &batch.error}) {
      for (const Lanes& lanes : *array) {
        writer.add(lanes[lane]);
      }
    }
    batch.accounts[lane].save(writer);
  }
}

void LockstepFtrl::load(StateReader& reader) {
  for (std::size_t run = 0; run < runs_; ++run) {
    Batch& batch = batches_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (auto* array : {&batch.shared, &batch.rounded, &batch.error}) {
      for (Lanes& lanes : *array) {
        lanes[lane] = read_finite(reader);
      }
    }
    if (rule_.share) {
      std::vector<double> probabilities(spec_.arms);
      std::ranges::transform(batch.shared, probabilities.begin(),
                             [lane](const Lanes& lanes) { return lanes[lane]; });
      reader.require(are_probabilities(probabilities),
                     "has probabilities that are negative or do not sum to 1");
    }
    batch.accounts[lane].load(reader);
  }
  for (std::size_t index = 0; index < batches_.size(); ++index) {
    set_rates(index);
    refresh(index);
  }
}

}  // namespace

bool runs_in_lockstep(const LearnerSpec& spec, const FtrlRule& rule) {
  // No feedback is late in lockstep, so rates that depend on delays are those without.
  // Fixed share has no entropy.
  const bool has_entropy = !rule.share;
  const RoundNeeds computed = {
      .entropy = has_entropy, .gap = true, .growth = has_entropy, .delays = true};
  return spec.known_noise_bound() &&
         needs_of(rule.schedule, rule.theorems).are_covered_by(computed);
}

std::unique_ptr<LockstepLearners> make_lockstep(const LearnerSpec& spec, Information information,
                                                const FtrlRule& rule, std::size_t runs,
                                                RangeCheck range_check) {
  check_rule(rule);
  return std::make_unique<LockstepFtrl>(spec, information, rule, runs, range_check);
}

}  // namespace hearsay
