#pragma once

// Estimates what every fixed arm would have lost in the rounds of a log (docs/evaluate.md), with
// confidence intervals. There are four methods: by inverse propensities, from the outcomes of the
// arms played alone, or with side observations weighed by inverse variances; each plain (unbiased)
// or self-normalised.
//
//   Evaluator evaluator(arms, options);
//   for every logged round: evaluator.add(round);
//   Evaluation evaluation = evaluator.result();

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/fields.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/learned_noise.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/weighting.h"
#include "hearsay/problem/bootstrap.h"
#include "hearsay/problem/empirical_bernstein.h"
#include "hearsay/problem/log_play.h"
#include "hearsay/problem/logged_rounds.h"

namespace hearsay {

// Whether side observations are used: if the log has everything that they need (automatic), always
// (a log that lacks something is refused), or never.
enum class SideObservations : std::uint8_t { automatic, required, ignored };
inline constexpr std::array<std::string_view, 3> kSideObservations = {"auto", "required",
                                                                      "ignored"};

// Whether every round of the log has a null for every arm that could not be read in that round,
// also for the arm played and for arms that it does not show. Only the user can know this.
enum class ReportedNulls : std::uint8_t { incomplete, complete };
inline constexpr std::array<std::string_view, 2> kReportedNulls = {"incomplete", "complete"};

struct EvaluateOptions {
  double confidence = 0.95;
  std::size_t bootstrap = 1000;                      // number of resamples; with 0, no bootstrap
  std::optional<double> noise_bound = std::nullopt;  // R; if nullopt, the noise level is learned
  SideObservations side_observations = SideObservations::automatic;
  ReportedNulls nulls = ReportedNulls::incomplete;
  double tiny = 0.01;                       // probabilities and coverages below this are counted
  PlayMethod play = PlayMethod::rejection;  // how a learner is played on the log
  std::uint64_t seed = 1;                   // of the bootstrap, and of the learner that is played

  static const FieldTable<EvaluateOptions>& fields();
};

// The methods, in the order of Evaluation::methods.
enum class Method : std::uint8_t { ips, snips, ivx, snivx };
inline constexpr std::array<std::string_view, 4> kMethods = {"ips", "snips", "ivx", "snivx"};

// An estimate of a mean in [0, 1], or of a difference of two means.
struct MeanEstimate {
  std::optional<double> estimate = std::nullopt;  // nullopt if no round says anything about it
  Interval bernstein = {};                        // empirical Bernstein
  // nullopt if it was not requested, or if there are fewer than 30 effective rounds.
  std::optional<Interval> bootstrap = std::nullopt;
};

struct ArmEstimate {
  MeanEstimate loss = {};
  std::uint64_t rounds = 0;  // in which the arm had a chance to be observed; the mean is over them

  // The number of rounds in which the arm would have had to be played to be known equally well:
  // rounds / mean of 1 / coverage. If the log has no probabilities, (sum of the weights)^2 / sum of
  // their squares.
  double effective_rounds = 0;

  std::uint64_t tiny = 0;  // rounds in which that chance was below EvaluateOptions::tiny
};

// Whether an arm comes before another in the order from the best to the worst: by their estimates,
// but after those come the arms with fewer than 30 effective rounds, and after these the arms
// without an estimate. Inverse propensities estimate a loss of 0 for an arm that was never played.
bool ranks_before(const ArmEstimate& one, const ArmEstimate& other);

// The mean loss of the logged policy minus that of the best arm, among the arms that had a chance
// to be observed in every round.
struct RegretEstimate {
  Arm best = 0;
  MeanEstimate regret = {};
};

struct MethodEstimates {
  Method method = Method::ips;
  std::vector<ArmEstimate> arms = {};
  // nullopt if no arm had a chance to be observed in every round.
  std::optional<RegretEstimate> regret = std::nullopt;
};

struct Evaluation {
  std::uint64_t rounds = 0;
  double logged = 0;  // the mean loss of the arms played
  // For the mean of the logged policy's expected losses, each given the rounds before (Hoeffding).
  Interval logged_interval = {};
  // ips and snips, and, if side observations are used, ivx and snivx.
  std::vector<MethodEstimates> methods = {};
  // Why side observations are not used. Empty if they are used, or if the options ignore them.
  std::string without_side_observations = {};
  double noise_level = 0;  // by which side observations were weighed in the last round
  // The noise bound that was given, or the least one that allows all observations of the log.
  double largest_noise = 0;
  std::uint64_t out_of_range = 0;  // observations that the given noise bound does not allow

  const MethodEstimates* find(Method method) const;  // null if it was not used
  // The method that is shown first: ivx if side observations are used, else ips.
  const MethodEstimates& first() const;
};

// What one round says about the losses of the arms, by the method that is shown first. Given the
// rounds before, the mean of `value` is the loss of the arm in the round and that of `weight` is 1,
// where an arm without a term has both 0. This is not so for an arm of coverage 0, which the round
// had no chance to show.
struct RoundEstimates {
  struct Term {
    Arm arm = 0;
    double value = 0;
    double weight = 0;
  };
  std::span<const Term> terms;
  std::span<const double> coverage;  // of each arm
};

class Evaluator {
 public:
  // Throws Error at the name of an option that is out of its range.
  Evaluator(std::size_t arms, const EvaluateOptions& options);

  // Throws Error, with nothing changed, if the round is invalid, or if side observations are
  // required and the round lacks something that they need.
  void add(const LoggedRound& round);

  // The estimates of the round that was added last; it must have had all probabilities. Valid until
  // the next call of add().
  RoundEstimates last_round() const;

  // The level of the noise by which the side observations of that round were weighed; 1 if they
  // were not used.
  double noise_level() const { return side_ ? weighed_by_.value_or(1) : 1; }

  Evaluation result() const;

 private:
  // The sums for an arm of one scheme: with side observations or without.
  struct ArmSums {
    TermSums terms;
    double least_coverage = 1;
    CompensatedSum inverse_coverages;
    std::uint64_t tiny = 0;
  };
  struct Scheme {
    std::vector<ArmSums> arms;
    std::size_t first_column = 0;  // of the block sums
  };

  void check(const LoggedRound& round) const;
  const std::vector<Observation>& with_own_loss(const LoggedRound& round);
  void add_own_loss(const LoggedRound& round);
  void add_side_observations(const LoggedRound& round, const CheckedFeedback& feedback);
  void add_coverage(Scheme& scheme, Arm arm, double coverage);
  void add_term(Scheme& scheme, Arm arm, double value, double weight);
  std::string missing_for_coverage(const LoggedRound& round) const;
  void give_up_side_observations(const LoggedRound& round, const std::string& reason);

  double effective_rounds(const ArmSums& sums) const;
  TermRange range(const Scheme& scheme, Arm arm, Method method) const;
  MethodEstimates estimates(Method method) const;
  void bootstrap(std::vector<MethodEstimates>& methods) const;

  std::size_t arms_;
  EvaluateOptions options_;
  std::uint64_t rounds_ = 0;
  CompensatedSum losses_;
  bool knows_probabilities_ = true;  // of every arm in every round
  BlockSums blocks_;
  Scheme own_;

  // For the side observations.
  std::optional<Scheme> side_;  // nullopt if they are ignored, or the log does not allow them
  std::string without_side_observations_;
  FeedbackChecker checker_;
  LearnedNoise learned_;
  std::optional<double> weighed_by_;  // the noise level of weighting_
  std::shared_ptr<const Weighting> weighting_;
  ForLastGraph<Coverage> coverage_of_graph_;
  double least_level_ = 0;    // the smallest noise level by which a round was weighed
  double largest_noise_ = 0;  // as Evaluation::largest_noise
  std::uint64_t out_of_range_ = 0;

  // Kept from round to round, so that a round allocates nothing.
  std::vector<Observation> observations_;
  std::vector<double> coverage_;  // with side observations, or the probabilities
  std::vector<double> gains_;
  std::vector<RoundEstimates::Term> last_terms_;
};

}  // namespace hearsay
