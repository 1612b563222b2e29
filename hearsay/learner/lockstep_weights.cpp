// The lockstep execution of exponential weights.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/learner/lockstep_kernels.h"
#include "hearsay/learner/observations.h"
#include "hearsay/simd/product.h"

namespace hearsay {
namespace {

[[noreturn]] void refuse_estimate(double probability) {
  throw Error(fmt::format(
      "an estimate is too large to be added up: an arm was played at probability {}", probability));
}

class LockstepWeights final : public LockstepLearners {
 public:
  LockstepWeights(LearnerSpec spec, Information information, ExponentialWeights parts,
                  std::size_t runs, Observations observations);

  std::size_t runs() const override { return runs_; }
  Information information() const override { return information_; }
  const LaneArms& choose(std::size_t batch, const Lanes& uniform) override;
  void see(const Graph& graph) override;
  void learn(std::size_t batch, std::span<const Lanes> observations) override;
  void learn(std::size_t batch, std::span<const std::vector<Observation>> observations) override;
  double probability(std::size_t run, Arm arm) const override;
  Certificate certificate(std::size_t run) const override;
  void save(StateWriter& writer) const override;
  void load(StateReader& reader) override;

 private:
  // Sixteen runs.
  struct Batch {
    std::vector<Lanes> rounded;  // sums of estimates, as CompensatedSum has them
    std::vector<Lanes> error;
    std::vector<RegretAccount> accounts;  // one for each lane

    // Follows from the above, or is of this round.
    Lanes rate;
    Lanes exploration;
    std::vector<Lanes> probabilities;
    std::vector<Lanes> per_coverage;
    Lanes q;
    LaneArms played{};
  };

  struct SeenGraph {
    Graph graph;
    double price = 0;
    Coverage coverage;
    std::optional<PanelMatrix> panels;  // of a dense coverage
    std::vector<double> gains;          // of a dense graph, row by row; 0 where nothing is seen
  };

  SeenGraph look_at(const Graph& graph) const;
  void cover();
  void close_round(std::size_t batch, const Lanes& out_of_range);
  void set_rates(Batch& batch) const;
  void refresh(std::size_t batch);
  lockstep::Sums sums(Batch& batch) const { return {batch.rounded, batch.error}; }

  LearnerSpec spec_;
  Information information_;
  ExponentialWeights parts_;
  std::size_t runs_;
  Observations observations_;
  std::vector<Batch> batches_;
  std::vector<PanelMatrix::Product> products_;  // probabilities to coverages, for each batch
  std::optional<SeenGraph> seen_;
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
};

LockstepWeights::LockstepWeights(LearnerSpec spec, Information information,
                                 ExponentialWeights parts, std::size_t runs,
                                 Observations observations)
    : spec_(std::move(spec)),
      information_(information),
      parts_(std::move(parts)),
      runs_(runs),
      observations_(observations),
      batches_((runs + kLanes - 1) / kLanes) {
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    for (auto* array : {&batch.rounded, &batch.error, &batch.probabilities, &batch.per_coverage}) {
      array->resize(spec_.arms);
    }
    batch.accounts.assign(kLanes,
                          RegretAccount(spec_.arms, {.designated = parts_.theorems.designated}));
    products_.push_back({batch.probabilities.data(), batch.per_coverage.data()});
    set_rates(batch);
    refresh(b);
  }
}

void LockstepWeights::set_rates(Batch& batch) const {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    batch.rate[lane] = parts_.schedule.rate(batch.accounts[lane].progress());
    batch.exploration[lane] = parts_.schedule.exploration(batch.rate[lane]);
  }
}

void LockstepWeights::refresh(std::size_t batch) {
  Batch& it = batches_[batch];
  lockstep::weigh(sums(it), it.rate, it.probabilities, lanes_of(batch));
}

const LaneArms& LockstepWeights::choose(std::size_t batch, const Lanes& uniform) {
  batches_[batch].played = lockstep::draw(batches_[batch].probabilities, uniform, lanes_of(batch));
  return batches_[batch].played;
}

LockstepWeights::SeenGraph LockstepWeights::look_at(const Graph& graph) const {
  if (graph.arms() != spec_.arms) {
    throw Error(fmt::format("a graph of {} arms, expected {}", graph.arms(), spec_.arms));
  }
  SeenGraph seen{
      graph, parts_.schedule.price_of(graph), Coverage(*parts_.weighting, graph), std::nullopt, {}};
  if (seen.coverage.matrix() && seen.coverage.matrix()->is_dense()) {
    seen.panels.emplace(spec_.arms, seen.coverage.matrix()->values());
  }
  if (graph.is_dense()) {
    const std::span<const double> weights = graph.weights().values();
    seen.gains.resize(weights.size());
    parts_.weighting->gains(weights, seen.gains);
    std::ranges::transform(weights, seen.gains, seen.gains.begin(),
                           [](double weight, double gain) { return weight > 0 ? gain : 0.0; });
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      seen.gains[i * spec_.arms + i] = parts_.weighting->self_gain(graph.self_weight());
    }
  }
  return seen;
}

void LockstepWeights::see(const Graph& graph) {
  if (!seen_ || !seen_->graph.same_as(graph)) {
    seen_ = look_at(graph);
  }
  for (Batch& batch : batches_) {
    batch.q = {};
  }
  cover();
}

// Computes per_coverage and Q of all batches.
void LockstepWeights::cover() {
  const auto invert = [&](std::size_t b, std::size_t first, std::size_t count) {
    Batch& batch = batches_[b];
    lockstep::invert_coverage(std::span(batch.per_coverage).subspan(first, count),
                              std::span(batch.probabilities).subspan(first, count),
                              batch.exploration, lanes_of(b), batch.q);
  };
  if (seen_->panels) {
    // All batches at once, so that each panel is read from memory once a round.
    seen_->panels->left_multiply(products_, batches_.size() == 1 ? runs_ : kLanes, invert);
    return;
  }
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    if (seen_->coverage.matrix()) {
      lockstep::multiply_sparse(*seen_->coverage.matrix(), batch.probabilities, batch.per_coverage,
                                lanes_of(b));
    } else {
      for (Lanes& coverage : batch.per_coverage) {
        coverage.values.fill(1.0);  // the sum of the probabilities
      }
    }
    invert(b, 0, spec_.arms);
  }
}

// Enters the round in the accounts and sets the next rates and probabilities, once the estimates
// have been added.
void LockstepWeights::close_round(std::size_t batch, const Lanes& out_of_range) {
  Batch& it = batches_[batch];
  RegretRound round{.price = seen_->price};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    round.rate = it.rate[lane];
    round.exploration = it.exploration[lane];
    round.terms = {.q = it.q[lane], .bias = it.exploration[lane] * it.q[lane]};
    round.out_of_range = static_cast<std::uint64_t>(static_cast<std::int64_t>(out_of_range[lane]));
    if (!it.accounts[lane].add(round)) {
      throw Error(too_costly(round.terms.q));
    }
  }
  set_rates(it);
  refresh(batch);
}

void LockstepWeights::learn(std::size_t batch, std::span<const Lanes> observations) {
  Batch& it = batches_[batch];
  assert(seen_ && seen_->graph.is_dense() && observations.size() == spec_.arms);
  const std::size_t lanes = lanes_of(batch);
  const lockstep::Shown shown{it.played, seen_->graph.weights().values(), seen_->gains,
                              observations, it.per_coverage};
  const Lanes out_of_range = observations_ == Observations::any
                                 ? lockstep::count_out_of_range(shown, spec_.noise_bound, lanes)
                                 : Lanes();
  if (!lockstep::add_estimates(shown, kLargestSum, sums(it), lanes)) {
    double least = 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      least = std::min(least, it.probabilities[it.played[lane]][lane]);
    }
    refuse_estimate(least);
  }
  close_round(batch, out_of_range);
}

void LockstepWeights::learn(std::size_t batch,
                            std::span<const std::vector<Observation>> observations) {
  Batch& it = batches_[batch];
  assert(seen_);
  Lanes out_of_range;
  for (std::size_t lane = 0; lane < lanes_of(batch); ++lane) {
    const Arm played = it.played[lane];
    observed_weights_.clear();
    for (const Observation& seen : observations[lane]) {
      const double weight = seen_->graph.weight(played, seen.arm);
      observed_weights_.push_back(weight);
      if (!ObservationRange(weight, spec_.noise_bound).contains(seen.value)) {
        out_of_range[lane] += 1;
      }
    }
    gains_.resize(observed_weights_.size());
    parts_.weighting->gains(observed_weights_, gains_);
    for (std::size_t k = 0; k < gains_.size(); ++k) {
      const auto [arm, value] = observations[lane][k];
      const double gain =
          arm == played ? parts_.weighting->self_gain(seen_->graph.self_weight()) : gains_[k];
      CompensatedSum sum(it.rounded[arm][lane], it.error[arm][lane]);
      sum.add(gain * value * it.per_coverage[arm][lane]);
      if (!(std::abs(sum.value()) < kLargestSum)) {
        refuse_estimate(it.probabilities[played][lane]);
      }
      it.rounded[arm][lane] = sum.rounded();
      it.error[arm][lane] = sum.error();
    }
  }
  close_round(batch, out_of_range);
}

double LockstepWeights::probability(std::size_t run, Arm arm) const {
  return batches_[run / kLanes].probabilities[arm][run % kLanes];
}

Certificate LockstepWeights::certificate(std::size_t run) const {
  return batches_[run / kLanes].accounts[run % kLanes].certificate();
}

void LockstepWeights::save(StateWriter& writer) const {
  for (std::size_t run = 0; run < runs_; ++run) {
    const Batch& batch = batches_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
      writer.add(batch.rounded[arm][lane]);
      writer.add(batch.error[arm][lane]);
    }
    batch.accounts[lane].save(writer);
  }
}

void LockstepWeights::load(StateReader& reader) {
  for (std::size_t run = 0; run < runs_; ++run) {
    Batch& batch = batches_[run / kLanes];
    const std::size_t lane = run % kLanes;
    for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
      batch.rounded[arm][lane] = read_finite(reader);
      batch.error[arm][lane] = read_finite(reader);
    }
    batch.accounts[lane].load(reader);
  }
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    set_rates(batches_[b]);
    refresh(b);
  }
}

}  // namespace

std::unique_ptr<LockstepLearners> make_lockstep(const LearnerSpec& spec, Information information,
                                                const ExponentialWeights& parts, std::size_t runs,
                                                Observations observations) {
  return std::make_unique<LockstepWeights>(spec, information, parts, runs, observations);
}

}  // namespace hearsay
