#include "hearsay/problem/evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

// For probabilities that were rounded when they were logged.
constexpr double kProbabilitySlack = 1e-9;

// Of the arm played, so that squares of its inverse do not overflow.
constexpr double kLeastProbability = 1e-100;

// The learned level of the noise is used after this many rounds; before, the level is 1.
constexpr std::uint64_t kRoundsBeforeLearned = 64;

// The bootstrap has at most this many blocks, and fewer if there are many arms.
constexpr std::size_t kMostBlocks = 2048;
constexpr std::size_t kFewestBlocks = 64;
constexpr std::size_t kMostBlocksTimesArms = std::size_t{1} << 19U;

// With fewer effective rounds there is no bootstrap interval, and the estimate is not compared with
// others: so few observations say too little about what others would have been.
constexpr double kFewestEffectiveRounds = 30;

// Columns of the block sums, for each scheme and arm.
enum ArmColumn : std::size_t { value_column, weight_column, covered_column, arm_columns };

std::size_t block_limit(std::size_t arms) {
  return std::clamp(std::bit_floor(kMostBlocksTimesArms / std::max<std::size_t>(arms, 1)),
                    kFewestBlocks, kMostBlocks);
}

bool is_self_normalised(Method method) {
  return method == Method::snips || method == Method::snivx;
}

bool has_side(Method method) {
  return method == Method::ivx || method == Method::snivx;
}

// The least noise bound that allows this observation.
double least_noise(double value, double weight) {
  if (weight >= 1 || ObservationRange(weight, 0).contains(value)) {
    return 0;
  }
  return (value < 0 ? -value : value - weight) / (1 - weight);
}

}  // namespace

const FieldTable<EvaluateOptions>& EvaluateOptions::fields() {
  static const FieldTable<EvaluateOptions> table = {
      field("confidence", &EvaluateOptions::confidence, RealRange{0.5, 1 - 1e-9},
            "probability with which an interval contains the mean"),
      field("bootstrap", &EvaluateOptions::bootstrap, WholeRange{0, 1'000'000},
            "resamples of the bootstrap intervals; 0: no such intervals"),
      field("noise_bound", &EvaluateOptions::noise_bound, RealRange{0, 1e100},
            "R: the noise of side observations lies in [-R, R]; log: that of the log's problem or, "
            "if it has none, the level of the noise is learned",
            "log"),
      field("side_observations", &EvaluateOptions::side_observations, kSideObservations,
            "auto: use them if the log has every probability and observation; required: refuse a "
            "log that lacks some; ignored: use only outcomes"),
      field(
          "nulls", &EvaluateOptions::nulls, kReportedNulls,
          "complete: in every round every arm without a reading has a null, also if it was played "
          "or is not shown, so that side observations can be used in these rounds, too"),
      field("tiny", &EvaluateOptions::tiny, RealRange{0, 1},
            "count the rounds in which the probability or coverage of an arm is below this"),
      field("play", &EvaluateOptions::play, kPlayMethods,
            "how a learner is played on the log: rejection: in the rounds whose arm could be its "
            "draw; estimates: in all rounds, on estimated losses; both are approximations"),
      field("seed", &EvaluateOptions::seed, WholeRange{},
            "determines the random numbers of the bootstrap and of the learner"),
  };
  return table;
}

bool ranks_before(const ArmEstimate& one, const ArmEstimate& other) {
  const auto key = [](const ArmEstimate& arm) {
    return std::tuple(!arm.loss.estimate, arm.effective_rounds < kFewestEffectiveRounds,
                      arm.loss.estimate.value_or(0));
  };
  return key(one) < key(other);
}

const MethodEstimates* Evaluation::find(Method method) const {
  const auto found = std::ranges::find(methods, method, &MethodEstimates::method);
  return found == methods.end() ? nullptr : &*found;
}

const MethodEstimates& Evaluation::first() const {
  const MethodEstimates* with_side = find(Method::ivx);
  return with_side != nullptr ? *with_side : methods.front();
}

Evaluator::Evaluator(std::size_t arms, const EvaluateOptions& options)
    : arms_(arms),
      options_(options),
      blocks_(std::size_t{2} * arm_columns * arms, block_limit(arms)),
      own_{.arms = std::vector<ArmSums>(arms), .first_column = 0},
      checker_(arms, options.noise_bound, OutOfRange::count, Information::side_observations),
      least_level_(std::numeric_limits<double>::infinity()),
      largest_noise_(options.noise_bound.value_or(0)),
      coverage_(arms) {
  check_options(options);
  if (options.side_observations != SideObservations::ignored) {
    side_ = Scheme{.arms = std::vector<ArmSums>(arms), .first_column = arm_columns * arms};
  }
}

void Evaluator::check(const LoggedRound& round) const {
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("decision {}: {}", round.decision, what));
  };
  if (round.arm >= arms_) {
    fail(fmt::format("arm {}, expected arms 0 to {}", round.arm, arms_ - 1));
  }
  if (round.graph.arms() != arms_) {
    fail(fmt::format("a graph of {} arms, expected {}", round.graph.arms(), arms_));
  }
  if (round.graph.self_weight() != 1) {
    fail(fmt::format("the self weight is {}, expected 1: the outcome of the arm played is known",
                     round.graph.self_weight()));
  }
  if (!(round.loss >= 0 && round.loss <= 1)) {
    fail(fmt::format("a loss of {}, expected a number in [0, 1]", round.loss));
  }
  if (!(round.probability >= kLeastProbability && round.probability <= 1 + kProbabilitySlack)) {
    fail(fmt::format("a probability of {}, expected a number in [{}, 1]", round.probability,
                     kLeastProbability));
  }
  if (round.probabilities.empty()) {
    return;
  }
  if (round.probabilities.size() != arms_) {
    fail(fmt::format("{} probabilities, expected {}", round.probabilities.size(), arms_));
  }
  double sum = 0;
  for (const double p : round.probabilities) {
    if (!(p >= 0)) {
      fail(fmt::format("a probability of {}, expected a number in [0, 1]", p));
    }
    sum += p;
  }
  if (!(std::abs(sum - 1) <= kSumTolerance)) {
    fail(fmt::format("probabilities that add up to {}, expected 1", sum));
  }
  if (!(std::abs(round.probabilities[round.arm] - round.probability) <= kProbabilitySlack)) {
    fail(fmt::format("a probability of {}, expected {}, which it has among the probabilities",
                     round.probability, round.probabilities[round.arm]));
  }
}

// The observations with that of the arm played, which is its loss.
const std::vector<Observation>& Evaluator::with_own_loss(const LoggedRound& round) {
  observations_ = round.observations;
  const auto place = std::ranges::lower_bound(observations_, round.arm, {}, &Observation::arm);
  if (place == observations_.end() || place->arm != round.arm) {
    observations_.insert(place, {round.arm, round.loss});
  } else {
    place->value = round.loss;
  }
  return observations_;
}

void Evaluator::give_up_side_observations(const LoggedRound& round, const std::string& reason) {
  const std::string what = fmt::format("decision {}: {}", round.decision, reason);
  if (options_.side_observations == SideObservations::required) {
    throw Error(what);
  }
  side_.reset();
  without_side_observations_ = what;
}

// What the round lacks for its coverages to be known, as a message; empty if it lacks nothing.
std::string Evaluator::missing_for_coverage(const LoggedRound& round) const {
  if (round.probabilities.empty()) {
    return "has no \"probabilities\", which side observations need";
  }
  if (!round.missing.empty() && !round.missing_are_null) {
    return fmt::format(
        "has no reading of {}, so that what other arms would have shown is not known",
        round.missing);
  }
  if (!round.missing.empty() && options_.nulls == ReportedNulls::incomplete) {
    return fmt::format(
        "has a null for {}, so that what other arms would have shown is not known unless the "
        "option nulls says that nulls are complete",
        round.missing);
  }
  return "";
}

RoundEstimates Evaluator::last_round() const {
  return {last_terms_, coverage_};
}

void Evaluator::add(const LoggedRound& round) {
  note_work(arms_);
  check(round);
  if (side_) {
    if (const std::string lack = missing_for_coverage(round); !lack.empty()) {
      give_up_side_observations(round, lack);
    } else {
      std::optional<CheckedFeedback> feedback;
      try {
        feedback.emplace(checker_.check(round.graph, {round.arm, with_own_loss(round)}));
      } catch (const Error& error) {
        give_up_side_observations(round, error.what());
      }
      if (feedback) {
        add_side_observations(round, *feedback);
      }
    }
  }
  add_own_loss(round);
  losses_.add(round.loss);
  ++rounds_;
  blocks_.end_round();
}

void Evaluator::add_coverage(Scheme& scheme, Arm arm, double coverage) {
  ArmSums& sums = scheme.arms[arm];
  ++sums.terms.rounds;
  sums.least_coverage = std::min(sums.least_coverage, coverage);
  sums.inverse_coverages.add(1 / std::max(coverage, kLeastProbability));
  sums.tiny += coverage < options_.tiny ? 1 : 0;
  blocks_.add(scheme.first_column + arm_columns * arm + covered_column, 1);
}

void Evaluator::add_term(Scheme& scheme, Arm arm, double value, double weight) {
  scheme.arms[arm].terms.add(value, weight);
  blocks_.add(scheme.first_column + arm_columns * arm + value_column, value);
  blocks_.add(scheme.first_column + arm_columns * arm + weight_column, weight);
  if (&scheme == (side_ ? &*side_ : &own_)) {
    last_terms_.push_back({arm, value, weight});
  }
}

void Evaluator::add_own_loss(const LoggedRound& round) {
  knows_probabilities_ = knows_probabilities_ && !round.probabilities.empty();
  // The log may have only the probability of the arm played. If that is below 1, any other arm that
  // was available is assumed to have had a positive probability, no smaller than the smallest one
  // with which it was ever played.
  const auto could_be_played = [&](Arm arm) {
    return round.probability < 1 - kProbabilitySlack &&
           (round.available.empty() || std::ranges::binary_search(round.available, arm));
  };
  for (Arm arm = 0; arm < arms_; ++arm) {
    if (round.probabilities.empty()) {
      if (arm == round.arm || could_be_played(arm)) {
        add_coverage(own_, arm, arm == round.arm ? round.probability : 1);
      }
    } else if (round.probabilities[arm] > 0) {
      add_coverage(own_, arm, round.probabilities[arm]);
    }
  }
  if (!side_) {
    last_terms_.clear();
    coverage_ = round.probabilities;
  }
  add_term(own_, round.arm, round.loss / round.probability, 1 / round.probability);
}

void Evaluator::add_side_observations(const LoggedRound& round, const CheckedFeedback& feedback) {
  const double level = options_.noise_bound
                           ? *options_.noise_bound
                           : (rounds_ < kRoundsBeforeLearned ? 1.0 : learned_.standard_deviation());
  if (weighed_by_ != level) {
    weighed_by_ = level;
    weighting_ = weightings::inverse_variance(level);
    coverage_of_graph_.reset();
  }
  last_terms_.clear();
  coverage_of_graph_.get(round.graph, [&] { return Coverage(*weighting_, round.graph); })
      .of(round.probabilities, coverage_);
  for (Arm arm = 0; arm < arms_; ++arm) {
    if (coverage_[arm] > 0) {
      add_coverage(*side_, arm, coverage_[arm]);
    }
  }
  gains_.resize(feedback.weights.size());
  weighting_->gains(feedback.weights, gains_);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    if (gains_[k] > 0) {
      const double gain = gains_[k] / coverage_[arm];
      add_term(*side_, arm, gain * value, gain * feedback.weights[k]);
    }
  }

  least_level_ = std::min(least_level_, level);
  out_of_range_ += feedback.out_of_range;
  if (!options_.noise_bound) {
    for (std::size_t k = 0; k < gains_.size(); ++k) {
      largest_noise_ = std::max(largest_noise_,
                                least_noise(feedback.observations[k].value, feedback.weights[k]));
    }
    learned_.learn(feedback);
  }
}

TermRange Evaluator::range(const Scheme& scheme, Arm arm, Method method) const {
  return {.largest_weight = 1 / std::max(scheme.arms[arm].least_coverage, kLeastProbability),
          .noise_ratio = has_side(method) && largest_noise_ > 0 ? largest_noise_ / least_level_ : 0,
          .self_normalised = is_self_normalised(method)};
}

double Evaluator::effective_rounds(const ArmSums& sums) const {
  const double weights = sums.terms.weights.value();
  if (knows_probabilities_) {
    const auto rounds = static_cast<double>(sums.terms.rounds);
    return rounds == 0 ? 0 : rounds * rounds / sums.inverse_coverages.value();
  }
  return weights == 0 ? 0 : weights * weights / sums.terms.squared_weights.value();
}

MethodEstimates Evaluator::estimates(Method method) const {
  const Scheme& scheme = has_side(method) ? *side_ : own_;
  const double risk = (1 - options_.confidence) / 2;
  MethodEstimates out{.method = method};
  out.arms.reserve(arms_);
  Interval best = {.low = 1, .high = 1};  // holds the mean loss of the best arm
  for (Arm arm = 0; arm < arms_; ++arm) {
    const ArmSums& sums = scheme.arms[arm];
    const TermSums terms = is_self_normalised(method) ? sums.terms : sums.terms.with_unit_weights();
    ArmEstimate& estimate = out.arms.emplace_back(ArmEstimate{
        .rounds = terms.rounds, .effective_rounds = effective_rounds(sums), .tiny = sums.tiny});
    if (terms.rounds > 0 && terms.weights.value() > 0) {
      estimate.loss.estimate = terms.values.value() / terms.weights.value();
    }
    estimate.loss.bernstein = bernstein_interval(terms, range(scheme, arm, method), risk);
    if (terms.rounds == rounds_) {
      // An arm without an estimate may be the best, too.
      const Interval joint =
          bernstein_interval(terms, range(scheme, arm, method), risk / static_cast<double>(arms_));
      best = {std::min(best.low, joint.low), std::min(best.high, joint.high)};
      if (!estimate.loss.estimate) {
        continue;
      }
      if (!out.regret || ranks_before(estimate, out.arms[out.regret->best])) {
        out.regret = RegretEstimate{.best = arm};
      }
    }
  }
  if (out.regret) {
    const double logged = losses_.value() / static_cast<double>(rounds_);
    out.regret->regret = {.estimate = logged - *out.arms[out.regret->best].loss.estimate,
                          .bernstein = {logged - best.high, logged - best.low}};
  }
  return out;
}

void Evaluator::bootstrap(std::vector<MethodEstimates>& methods) const {
  std::vector<Ratio> ratios;
  for (const MethodEstimates& method : methods) {
    const std::size_t first = (has_side(method.method) ? *side_ : own_).first_column;
    for (Arm arm = 0; arm < arms_; ++arm) {
      const std::size_t of_arm = first + arm_columns * arm;
      ratios.push_back(
          {.numerator = of_arm + value_column,
           .denominator =
               of_arm + (is_self_normalised(method.method) ? weight_column : covered_column)});
    }
  }
  const auto intervals =
      bootstrap_intervals(blocks_, ratios, options_.bootstrap, options_.confidence,
                          Stream(options_.seed, Purpose::resample));
  for (std::size_t m = 0; m < methods.size(); ++m) {
    for (Arm arm = 0; arm < arms_; ++arm) {
      ArmEstimate& estimate = methods[m].arms[arm];
      const auto& interval = intervals[m * arms_ + arm];
      if (interval && estimate.effective_rounds >= kFewestEffectiveRounds) {
        estimate.loss.bootstrap = {std::clamp(interval->low, 0.0, 1.0),
                                   std::clamp(interval->high, 0.0, 1.0)};
      }
    }
    if (auto& regret = methods[m].regret) {
      if (const auto& best = methods[m].arms[regret->best].loss.bootstrap) {
        const double logged = losses_.value() / static_cast<double>(rounds_);
        regret->regret.bootstrap = {logged - best->high, logged - best->low};
      }
    }
  }
}

Evaluation Evaluator::result() const {
  Evaluation out{.rounds = rounds_,
                 .without_side_observations = without_side_observations_,
                 .noise_level = weighed_by_.value_or(0),
                 .largest_noise = largest_noise_,
                 .out_of_range = out_of_range_};
  if (rounds_ == 0) {
    throw Error("no round has feedback, expected at least one");
  }
  const auto rounds = static_cast<double>(rounds_);
  out.logged = losses_.value() / rounds;
  out.logged_interval = hoeffding_interval(out.logged, rounds_, (1 - options_.confidence) / 2);
  out.methods = {estimates(Method::ips), estimates(Method::snips)};
  if (side_) {
    out.methods.push_back(estimates(Method::ivx));
    out.methods.push_back(estimates(Method::snivx));
  }
  if (options_.bootstrap > 0) {
    bootstrap(out.methods);
  }
  return out;
}

}  // namespace hearsay
