// The lockstep execution of an FtrlRule.

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/learner/ftrl_rule.h"
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

class LockstepFtrl final : public LockstepLearners {
 public:
  LockstepFtrl(LearnerSpec spec, Information information, FtrlRule rule, std::size_t runs,
               Observations observations);

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
    std::vector<Lanes> rounded;  // sums of estimates, with the errors as in CompensatedSum
    std::vector<Lanes> error;
    std::vector<Lanes> shared;            // instead of the two: the probabilities of fixed share
    std::vector<RegretAccount> accounts;  // one for each lane

    // Follows from the above, or belongs to the current round.
    Lanes rate;
    Lanes exploration;
    Lanes entropy;
    std::vector<Lanes> probabilities;
    std::vector<Lanes> per_divisor;  // holds the coverages at first, unless estimates are centred
    std::vector<Lanes> estimates;
    lockstep::Terms terms;
    LaneArms played{};

    // For centred estimates; otherwise empty.
    std::vector<Lanes> centred;  // coverages
    std::vector<Lanes> plain;    // coverages
    std::vector<Lanes> centre;
  };

  // What one weighting gives for the arcs of a graph.
  struct Weighed {
    Coverage coverage;
    std::optional<PanelMatrix> panels;  // the coverage, if dense
    std::vector<double> gains;          // of a dense graph, row by row; 0 for weight 0
  };

  struct SeenGraph {
    Graph graph;
    double price = 0;
    std::optional<Weighed> plain;  // nullopt if estimates use only the loss of the arm played
    std::optional<Weighed> centred;
  };

  using Coverages = std::vector<Lanes> Batch::*;
  using ColumnsReady = PanelMatrix::ColumnsReady;

  bool is_centred() const { return centred_weighting_ != nullptr; }
  SeenGraph look_at(const Graph& graph) const;
  Weighed weigh(const Graph& graph, const Weighting& weighting) const;
  void cover();
  void cover_centred();
  void estimate_lane(Batch& batch, std::size_t lane, std::span<const Observation> observations);
  void estimate_from_own(std::size_t batch, const Lanes& losses);
  bool add_estimates(std::size_t batch);
  void share(std::size_t batch);
  void multiply(const Weighed& weighed, std::span<const std::size_t> batches, Coverages coverages,
                const ColumnsReady& columns_ready);
  void close_round(std::size_t batch, const Lanes& out_of_range);
  void set_rates(Batch& batch) const;
  void refresh(std::size_t batch);
  lockstep::Sums sums(Batch& batch) const { return {batch.rounded, batch.error}; }

  LearnerSpec spec_;
  Information information_;
  FtrlRule rule_;
  std::optional<BaselineEstimator> from_own_;   // if only the loss of the arm played is used
  std::shared_ptr<const Weighting> weighting_;  // of estimates that are not centred
  std::shared_ptr<const Weighting> centred_weighting_;  // null if estimates are not centred
  std::size_t runs_;
  Observations observations_;
  std::vector<Batch> batches_;
  std::vector<std::size_t> all_batches_;
  bool needs_entropy_ = false;
  bool needs_gap_ = false;
  std::optional<SeenGraph> seen_;

  // Buffers, so that a round allocates nothing.
  std::vector<PanelMatrix::Product> products_;
  std::vector<std::size_t> not_safe_;
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
  std::vector<double> centred_gains_;
  std::vector<double> probabilities_;
  std::vector<double> estimates_;
};

LockstepFtrl::LockstepFtrl(LearnerSpec spec, Information information, FtrlRule rule,
                           std::size_t runs, Observations observations)
    : spec_(std::move(spec)),
      information_(information),
      rule_(std::move(rule)),
      weighting_(rule_.weighting),
      runs_(runs),
      observations_(observations),
      batches_((runs + kLanes - 1) / kLanes),
      all_batches_(batches_.size()) {
  std::iota(all_batches_.begin(), all_batches_.end(), std::size_t{0});
  if (rule_.baseline) {
    from_own_.emplace(*rule_.baseline, rule_.order);
  } else if (!weighting_) {
    weighting_ = weightings::inverse_variance(spec_.noise_bound);
    centred_weighting_ = weightings::centred_inverse_variance(spec_.noise_bound);
  }
  const RegretAccount account(spec_.arms, {.designated = rule_.theorems.designated});
  needs_entropy_ = account.needs_entropy() || rule_.schedule.growth;
  needs_gap_ = account.needs_gap() || rule_.schedule.uses_gaps;
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    for (auto* array : {&batch.probabilities, &batch.per_divisor, &batch.estimates}) {
      array->resize(spec_.arms);
    }
    if (rule_.share) {
      Lanes even;
      even.values.fill(1 / static_cast<double>(spec_.arms));
      batch.shared.assign(spec_.arms, even);
    } else {
      batch.rounded.resize(spec_.arms);
      batch.error.resize(spec_.arms);
    }
    if (is_centred()) {
      for (auto* array : {&batch.centred, &batch.plain, &batch.centre}) {
        array->resize(spec_.arms);
      }
    }
    batch.accounts.assign(kLanes, account);
    set_rates(batch);
    refresh(b);
  }
}

void LockstepFtrl::set_rates(Batch& batch) const {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    batch.rate[lane] = rule_.schedule.rate(batch.accounts[lane].progress());
    batch.exploration[lane] = rule_.schedule.exploration(batch.rate[lane]);
  }
}

void LockstepFtrl::refresh(std::size_t batch) {
  Batch& it = batches_[batch];
  if (rule_.share) {
    it.probabilities = it.shared;
  } else {
    lockstep::weigh(sums(it), it.rate, rule_.order, it.probabilities,
                    needs_entropy_ ? &it.entropy : nullptr, lanes_of(batch));
  }
  if (rule_.uniform_mixing > 0) {
    Lanes kept;
    Lanes added;
    kept.values.fill(1 - rule_.uniform_mixing);
    added.values.fill(rule_.uniform_mixing * (1 / static_cast<double>(spec_.arms)));
    lockstep::blend(it.probabilities, kept, added, lanes_of(batch));
  }
}

const LaneArms& LockstepFtrl::choose(std::size_t batch, const Lanes& uniform) {
  batches_[batch].played = lockstep::draw(batches_[batch].probabilities, uniform, lanes_of(batch));
  return batches_[batch].played;
}

LockstepFtrl::Weighed LockstepFtrl::weigh(const Graph& graph, const Weighting& weighting) const {
  Weighed weighed{Coverage(weighting, graph), std::nullopt, {}};
  if (weighed.coverage.matrix() && weighed.coverage.matrix()->is_dense()) {
    weighed.panels.emplace(spec_.arms, weighed.coverage.matrix()->values(), note_work);
  }
  if (graph.is_dense()) {
    weighed.gains = filled<double>(graph.weights().values().size());
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const std::span<const double> weights = graph.weights().row(i);
      const std::span<double> gains = std::span(weighed.gains).subspan(i * spec_.arms, spec_.arms);
      weighting.gains(weights, gains);
      std::ranges::transform(weights, gains, gains.begin(),
                             [](double weight, double gain) { return weight > 0 ? gain : 0.0; });
      gains[i] = weighting.self_gain(graph.self_weight());
      note_work(spec_.arms);
    }
  }
  return weighed;
}

LockstepFtrl::SeenGraph LockstepFtrl::look_at(const Graph& graph) const {
  if (graph.arms() != spec_.arms) {
    throw Error(fmt::format("the graph has {} arms, expected {}", graph.arms(), spec_.arms));
  }
  SeenGraph seen{graph, rule_.schedule.price_of(graph), std::nullopt, std::nullopt};
  if (weighting_) {
    seen.plain = weigh(graph, *weighting_);
  }
  if (is_centred()) {
    seen.centred = weigh(graph, *centred_weighting_);
  }
  return seen;
}

void LockstepFtrl::see(const Graph& graph) {
  if (!seen_ || !seen_->graph.same_as(graph)) {
    seen_ = look_at(graph);
  }
  for (Batch& batch : batches_) {
    batch.terms = {};
  }
  if (is_centred()) {
    cover_centred();
  } else if (!from_own_) {
    cover();
  }
}

// Computes the coverages of all arms for some batches. `columns_ready` is called with indices of
// `batches`.
void LockstepFtrl::multiply(const Weighed& weighed, std::span<const std::size_t> batches,
                            Coverages coverages, const ColumnsReady& columns_ready) {
  if (weighed.panels) {
    products_.clear();
    for (const std::size_t b : batches) {
      products_.push_back({batches_[b].probabilities.data(), (batches_[b].*coverages).data()});
    }
    // All batches are multiplied together, so that each panel is read from memory once per round.
    weighed.panels->left_multiply(products_, batches_.size() == 1 ? runs_ : kLanes, columns_ready);
    return;
  }
  for (std::size_t k = 0; k < batches.size(); ++k) {
    Batch& batch = batches_[batches[k]];
    if (weighed.coverage.matrix()) {
      lockstep::multiply_sparse(*weighed.coverage.matrix(), batch.probabilities, batch.*coverages,
                                lanes_of(batches[k]));
    } else {
      for (Lanes& coverage : batch.*coverages) {
        coverage.values.fill(1.0);  // which is the sum of the probabilities
      }
    }
    columns_ready(k, 0, spec_.arms);
  }
}

// Computes divisors and terms of all batches.
void LockstepFtrl::cover() {
  multiply(*seen_->plain, all_batches_, &Batch::per_divisor,
           [&](std::size_t b, std::size_t first, std::size_t count) {
             Batch& batch = batches_[b];
             const auto coverage = std::span(batch.per_divisor).subspan(first, count);
             const auto probabilities = std::span(batch.probabilities).subspan(first, count);
             if (rule_.floor) {
               lockstep::clip_coverage(coverage, probabilities, *rule_.floor, batch.rate,
                                       lanes_of(b), batch.terms);
             } else {
               lockstep::invert_coverage(coverage, probabilities, batch.exploration, lanes_of(b),
                                         batch.terms);
             }
           });
}

// Plain coverages are computed only for batches in which some arm is not safe; often there are
// none.
void LockstepFtrl::cover_centred() {
  const auto centre = [&](std::size_t b, std::span<const Lanes> plain) {
    Batch& batch = batches_[b];
    return lockstep::centre_coverage({batch.centred, plain, batch.centre, batch.per_divisor},
                                     batch.probabilities, *rule_.floor, batch.rate, lanes_of(b),
                                     batch.terms);
  };
  const auto ready = [](std::size_t /*batch*/, std::size_t /*first*/, std::size_t /*count*/) {};
  multiply(*seen_->centred, all_batches_, &Batch::centred, ready);
  not_safe_.clear();
  for (const std::size_t b : all_batches_) {
    if (!centre(b, {})) {
      not_safe_.push_back(b);
    }
  }
  if (not_safe_.empty()) {
    return;
  }
  multiply(*seen_->plain, not_safe_, &Batch::plain, ready);
  for (const std::size_t b : not_safe_) {
    centre(b, batches_[b].plain);
  }
}

// Calls BaselineEstimator for one lane at a time.
void LockstepFtrl::estimate_from_own(std::size_t batch, const Lanes& losses) {
  Batch& it = batches_[batch];
  probabilities_.resize(spec_.arms);
  estimates_.resize(spec_.arms);
  for (std::size_t lane = 0; lane < lanes_of(batch); ++lane) {
    const auto of_lane = [lane](const Lanes& lanes) { return lanes[lane]; };
    std::ranges::transform(it.probabilities, probabilities_.begin(), of_lane);
    const EstimateTerms terms = from_own_->estimate(it.rate[lane], probabilities_, it.played[lane],
                                                    losses[lane], estimates_);
    it.terms.q[lane] = terms.q;
    it.terms.bias[lane] = terms.bias;
    it.terms.second_moment[lane] = terms.second_moment;
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      it.estimates[i][lane] = estimates_[i];
    }
  }
}

// Returns false if estimates are too large. With fixed share they are not added here but in
// share().
bool LockstepFtrl::add_estimates(std::size_t batch) {
  Batch& it = batches_[batch];
  return rule_.share ? lockstep::are_within(it.estimates, kLargestSum, lanes_of(batch))
                     : lockstep::add(it.estimates, kLargestSum, sums(it), lanes_of(batch));
}

// Uses the rates of the round, which the accounts already include.
void LockstepFtrl::share(std::size_t batch) {
  Batch& it = batches_[batch];
  const Lanes z = lockstep::reweigh(it.shared, it.estimates, it.rate, lanes_of(batch));
  Lanes kept;
  Lanes added;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const double share = rule_.share(it.accounts[lane].progress(), z[lane]);
    kept[lane] = 1 - share;
    added[lane] = share / static_cast<double>(spec_.arms);
  }
  lockstep::blend(it.shared, kept, added, lanes_of(batch));
}

// Adds the estimates, adds the round to the accounts and sets the next rates and probabilities.
void LockstepFtrl::close_round(std::size_t batch, const Lanes& out_of_range) {
  Batch& it = batches_[batch];
  const std::size_t lanes = lanes_of(batch);
  if (!add_estimates(batch)) {
    double least = 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      least = std::min(least, it.probabilities[it.played[lane]][lane]);
    }
    refuse_estimate(least);
  }
  const Lanes gap =
      needs_gap_ ? lockstep::gaps(it.probabilities, it.estimates, it.rate, lanes) : Lanes();
  RegretRound round{.price = seen_->price, .self_weight = seen_->graph.self_weight()};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    round.rate = it.rate[lane];
    round.exploration = it.exploration[lane];
    round.terms = {
        .q = it.terms.q[lane],
        .bias = rule_.floor ? it.terms.bias[lane] : it.exploration[lane] * it.terms.q[lane],
        .second_moment = it.terms.second_moment[lane]};
    round.entropy = it.entropy[lane];
    round.gap = gap[lane];
    round.out_of_range = static_cast<std::uint64_t>(static_cast<std::int64_t>(out_of_range[lane]));
    if (rule_.schedule.growth) {
      round.growth = rule_.schedule.growth(round, it.accounts[lane].progress());
    }
    if (!it.accounts[lane].add(round)) {
      throw Error(q_too_large_message(round.terms.q));
    }
  }
  if (rule_.share) {
    share(batch);
  }
  set_rates(it);
  refresh(batch);
}

void LockstepFtrl::learn(std::size_t batch, std::span<const Lanes> observations) {
  Batch& it = batches_[batch];
  assert(seen_ && seen_->graph.is_dense() && observations.size() == spec_.arms);
  const std::size_t lanes = lanes_of(batch);
  const auto gains_of = [](const std::optional<Weighed>& weighed) {
    return weighed ? std::span<const double>(weighed->gains) : std::span<const double>();
  };
  const lockstep::Shown shown{it.played, seen_->graph.weights().values(), gains_of(seen_->plain),
                              gains_of(seen_->centred), observations};
  const Lanes out_of_range = observations_ == Observations::any
                                 ? lockstep::count_out_of_range(shown, spec_.noise_bound, lanes)
                                 : Lanes();
  if (from_own_) {
    Lanes losses;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      losses[lane] = observations[it.played[lane]][lane];
    }
    estimate_from_own(batch, losses);
  } else {
    lockstep::estimate(shown, it.centre, it.per_divisor, it.estimates, lanes);
  }
  close_round(batch, out_of_range);
}

void LockstepFtrl::learn(std::size_t batch,
                         std::span<const std::vector<Observation>> observations) {
  Batch& it = batches_[batch];
  assert(seen_);
  if (is_centred()) {
    it.estimates = it.centre;
  } else {
    std::ranges::fill(it.estimates, Lanes());
  }
  Lanes out_of_range;
  Lanes losses;  // the losses of the arms played
  for (std::size_t lane = 0; lane < lanes_of(batch); ++lane) {
    const Arm played = it.played[lane];
    observed_weights_.clear();
    for (const Observation& seen : observations[lane]) {
      const double weight = seen_->graph.weight(played, seen.arm);
      observed_weights_.push_back(weight);
      if (!ObservationRange(weight, spec_.noise_bound).contains(seen.value)) {
        out_of_range[lane] += 1;
      }
      losses[lane] = seen.arm == played ? seen.value : losses[lane];
    }
    if (!from_own_) {
      estimate_lane(it, lane, observations[lane]);
    }
  }
  if (from_own_) {
    estimate_from_own(batch, losses);
  }
  close_round(batch, out_of_range);
}

// Makes the estimates of one lane, for estimators with a weighting. observed_weights_ has the
// weights of the observations.
void LockstepFtrl::estimate_lane(Batch& batch, std::size_t lane,
                                 std::span<const Observation> observations) {
  gains_.resize(observed_weights_.size());
  weighting_->gains(observed_weights_, gains_);
  if (is_centred()) {
    centred_gains_.resize(observed_weights_.size());
    centred_weighting_->gains(observed_weights_, centred_gains_);
  }
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = observations[k];
    const bool centred = is_centred() && batch.centre[arm][lane] > 0;
    const Weighting& weighting = centred ? *centred_weighting_ : *weighting_;
    const double gain = arm == batch.played[lane] ? weighting.self_gain(seen_->graph.self_weight())
                        : centred                 ? centred_gains_[k]
                                                  : gains_[k];
    const double middle = centred ? batch.centre[arm][lane] : 0;
    batch.estimates[arm][lane] =
        middle + gain * (value - middle * observed_weights_[k]) * batch.per_divisor[arm][lane];
  }
}

double LockstepFtrl::probability(std::size_t run, Arm arm) const {
  return batches_[run / kLanes].probabilities[arm][run % kLanes];
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
      probabilities_.resize(spec_.arms);
      std::ranges::transform(batch.shared, probabilities_.begin(),
                             [lane](const Lanes& lanes) { return lanes[lane]; });
      reader.require(are_probabilities(probabilities_),
                     "has probabilities that are negative or do not sum to 1");
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
                                                const FtrlRule& rule, std::size_t runs,
                                                Observations observations) {
  return std::make_unique<LockstepFtrl>(spec, information, rule, runs, observations);
}

}  // namespace hearsay
