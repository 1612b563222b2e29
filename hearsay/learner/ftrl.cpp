#include "hearsay/learner/ftrl.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/coming_graph.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/draw.h"
#include "hearsay/learner/draw_state.h"
#include "hearsay/learner/mixability.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/round_needs.h"
#include "hearsay/learner/round_order.h"

namespace hearsay {
namespace {

// Throws Error unless `available` has at least one arm and its arms, all below `arms`, are
// increasing.
void check_available(std::span<const Arm> available, std::size_t arms) {
  if (available.empty()) {
    throw Error("no arm is available, expected at least one");
  }
  for (std::size_t k = 0; k < available.size(); ++k) {
    if (available[k] >= arms) {
      refuse::arm(available[k], arms);
    }
    if (k > 0 && available[k] <= available[k - 1]) {
      throw Error(
          fmt::format("arm {} is listed after arm {}, expected the available arms once each, "
                      "in increasing order",
                      available[k], available[k - 1]));
    }
  }
}

// Gives the arms that were not available the estimate that the learner itself is charged: the mean
// of the estimates under the law of the draw (docs/learners.md).
void estimate_absent_arms(const DrawLaw& law, std::span<double> estimates) {
  double mean = 0;
  for (const Arm arm : law.available) {
    mean += law.probabilities[arm] * estimates[arm];
  }
  auto next = law.available.begin();
  for (std::size_t arm = 0; arm < estimates.size(); ++arm) {
    if (next != law.available.end() && *next == arm) {
      ++next;
    } else {
      estimates[arm] = mean + 0.0;  // + 0: never -0
    }
  }
}

// Decisions made between two rounds of feedback share one law.
class FtrlLearner : public LearnerBase<std::shared_ptr<DrawLaw>>,
                    public Restrictable,
                    public Randomized,
                    public Inspectable,
                    public Certified {
 public:
  FtrlLearner(const LearnerSpec& spec, Information information, FtrlParts parts);

  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  Decision choose_among(const Stream& stream, std::span<const Arm> available) override;
  Decision adopt_among(Arm arm, std::span<const Arm> available) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void forget(const Decision& decision) override;
  std::span<const double> probabilities() const override { return current_->probabilities; }
  Certificate certificate() const override;
  RoundDetails last_round() const override;
  void load(StateReader& reader) override;

 protected:
  void save_after_spec(StateWriter& writer) const override;

  // Sets the law of the next decisions from the feedback so far and, for an informed learner, from
  // the graph of the coming round.
  void refresh(const Graph* graph = nullptr);

  // Every decision is added by this function.
  virtual Decision add_decision(Arm arm, std::shared_ptr<DrawLaw> law);

 private:
  // To be called whenever a decision is added or removed without feedback.
  void update_outstanding();
  bool set_second_moments();
  std::shared_ptr<DrawLaw> restricted_law(std::span<const Arm> available) const;
  void mix(DrawLaw& law, const Graph* graph);
  RegretRound round_of(const DrawLaw& law, const CheckedFeedback& feedback,
                       const EstimateTerms& terms);
  void take_in(std::uint64_t decision, std::shared_ptr<DrawLaw> law,
               const CheckedFeedback& feedback, const RegretRound& round);
  std::shared_ptr<DrawLaw> read_law_of_decision(StateReader& reader) const;

  FtrlParts parts_;
  RegretAccount account_;
  std::shared_ptr<DrawLaw> last_;  // the law of the last round of feedback; null before the first
  std::vector<double> last_estimates_;
  std::optional<CompensatedSums> sums_;    // sums of estimates, if a theorem needs the least
  std::optional<RoundOrder> round_order_;  // if all bounds are kept and a theorem supports it

  // The rest follows from the above, or is a buffer, so that a round allocates nothing.
  RoundNeeds needs_;
  std::shared_ptr<DrawLaw> current_;  // the law of the next decision
  std::shared_ptr<DrawLaw> spare_;    // reused if no decision holds it
  ForLastGraph<double> price_;
  std::vector<double> estimates_;
  std::vector<double> second_moments_;
  std::vector<double> distribution_;
  std::vector<double> scratch_;
};

FtrlLearner::FtrlLearner(const LearnerSpec& spec, Information information, FtrlParts parts)
    : LearnerBase(spec, information),
      parts_(std::move(parts)),
      account_(spec.arms, parts_.theorems, parts_.schedule.needs()),
      needs_(account_.needs()),
      current_(std::make_shared<DrawLaw>()),
      estimates_(spec.arms) {
  if (parts_.theorems.in_round_order) {
    round_order_.emplace(spec.arms, parts_.theorems.in_round_order);
  }
  needs_.entropy = needs_.entropy || round_order_;
  if (needs_.entropy && !parts_.leader->has_entropy()) {
    throw Error("learner", fmt::format("{} has a schedule or a bound that reads the entropy of the "
                                       "probabilities, expected a leader that has one",
                                       in_quotes(spec.name)));
  }
  if (needs_.least_sum) {
    sums_.emplace(spec.arms);
  }
  refresh();
}

void FtrlLearner::refresh(const Graph* graph) {
  if (current_.use_count() > 1) {  // it belongs to decisions that were drawn from it
    const bool reusable = spare_ && spare_.use_count() == 1;
    current_ = reusable ? std::move(spare_) : std::make_shared<DrawLaw>();
  }
  DrawLaw& law = *current_;
  law.available.clear();  // a reused law may come from a restricted draw
  law.rounds = account_.totals().rounds;
  law.rate = parts_.schedule.rate(account_.totals());
  law.exploration = parts_.schedule.exploration(law.rate);
  law.noise_bound =
      parts_.learned_noise ? parts_.learned_noise->standard_deviation() : spec_.noise_bound;
  law.probabilities.resize(spec_.arms);
  parts_.leader->probabilities(law.rate, law.probabilities,
                               needs_.entropy ? &law.entropy : nullptr);
  const bool knows_graph = graph != nullptr || information() != Information::graph_before_draw;
  if (parts_.mixing && knows_graph) {
    mix(law, graph);
  }
}

void FtrlLearner::mix(DrawLaw& law, const Graph* graph) {
  distribution_.resize(spec_.arms);
  const double share = parts_.mixing({account_.totals(), law.rate, graph}, distribution_);
  if (!(share >= 0 && share <= 1) || !are_probabilities(distribution_)) {
    throw Error("learner",
                fmt::format("{} mixes with a distribution whose share or probabilities are not in "
                            "[0, 1] or do not sum to 1, expected a distribution",
                            in_quotes(spec_.name)));
  }
  std::ranges::transform(
      law.probabilities, distribution_, law.probabilities.begin(),
      [share](double own, double mixed) { return (1 - share) * own + share * mixed; });
}

Decision FtrlLearner::add_decision(Arm arm, std::shared_ptr<DrawLaw> law) {
  if (needs_.delays) {
    account_.add_draw(law->rate);
  }
  const double probability = law->probabilities[arm];
  const Decision decision = book_.add(arm, probability, std::move(law));
  update_outstanding();  // the oldest decision may have been dropped, too
  return decision;
}

void FtrlLearner::update_outstanding() {
  if (round_order_) {
    round_order_->advance(book_.oldest());
  }
  if (needs_.delays) {
    account_.set_outstanding(book_.outstanding());
    refresh();
  }
}

Decision FtrlLearner::choose(const Stream& stream) {
  return add_decision(draw_arm(current_->probabilities, stream.uniform(book_.made() + 1)),
                      current_);
}

Decision FtrlLearner::adopt(Arm arm) {
  book_.check_arm(arm);
  return add_decision(arm, current_);
}

// The law of the next decisions among these arms.
std::shared_ptr<DrawLaw> FtrlLearner::restricted_law(std::span<const Arm> available) const {
  auto law = std::make_shared<DrawLaw>(*current_);
  law->available.assign(available.begin(), available.end());
  law->probabilities = restricted_to(current_->probabilities, available);
  return law;
}

Decision FtrlLearner::choose_among(const Stream& stream, std::span<const Arm> available) {
  check_available(available, spec_.arms);
  const auto law = restricted_law(available);
  return add_decision(draw_arm(law->probabilities, stream.uniform(book_.made() + 1)), law);
}

Decision FtrlLearner::adopt_among(Arm arm, std::span<const Arm> available) {
  check_available(available, spec_.arms);
  if (!std::ranges::binary_search(available, arm)) {
    throw Error(fmt::format("arm {} is not among the available arms, expected one of them", arm));
  }
  return add_decision(arm, restricted_law(available));
}

void FtrlLearner::forget(const Decision& decision) {
  book_.forget(decision);
  update_outstanding();
}

Certificate FtrlLearner::certificate() const {
  Certificate certificate = account_.certificate();
  if (round_order_) {
    certificate.bounds.push_back(round_order_->bound());
  }
  return certificate;
}

void FtrlLearner::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  const EstimateTerms terms = parts_.estimator->estimate(*entry.drawn, checked, estimates_);
  if (!entry.drawn->available.empty()) {
    estimate_absent_arms(*entry.drawn, estimates_);
  }
  if (!parts_.leader->can_add(estimates_) || (sums_ && !sums_->can_add(estimates_, kLargestSum))) {
    throw SumTooLarge(
        estimate_too_large_message(feedback.played, entry.drawn->probabilities[feedback.played]));
  }
  const RegretRound round = round_of(*entry.drawn, checked, terms);
  if (!account_.add(round)) {
    throw SumTooLarge(q_too_large_message(terms.q));
  }
  // Nothing is refused from here on.
  std::shared_ptr<DrawLaw> law = std::move(entry.drawn);
  book_.erase(entry);
  take_in(decision.round, std::move(law), checked, round);
}

// Sets second_moments_, to an empty vector if they are not known. Returns whether they are known.
bool FtrlLearner::set_second_moments() {
  second_moments_.resize(spec_.arms);
  if (!parts_.estimator->second_moments(second_moments_)) {
    second_moments_.clear();
  }
  return !second_moments_.empty();
}

RegretRound FtrlLearner::round_of(const DrawLaw& law, const CheckedFeedback& feedback,
                                  const EstimateTerms& terms) {
  const double price =
      price_.get(feedback.graph, [&] { return parts_.schedule.price_of(feedback.graph); });
  RegretRound round{.rate = law.rate,
                    .exploration = law.exploration,
                    .terms = terms,
                    .price = price,
                    .in_order = law.rounds == account_.totals().rounds,
                    .out_of_range = feedback.out_of_range,
                    .self_weight = feedback.graph.self_weight(),
                    .is_restricted = !law.available.empty(),
                    .breaks_model = feedback.breaks_model,
                    .own_loss = own_observation(feedback) / feedback.graph.self_weight()};
  // After a restricted draw, second moments are not needed, because no bound continues; and they
  // are as large as 1 / kSmallestCoverage for arms that no available arm shows.
  second_moments_.clear();
  const bool knows_moments =
      !round.is_restricted && (round_order_ || !round.in_order) && set_second_moments();
  // The law whose probabilities, rate and entropy the bounds use: for late feedback, the current
  // one.
  const DrawLaw* charged = &law;
  if (!round.in_order && knows_moments && parts_.leader->is_exponential() && !parts_.mixing) {
    charged = current_.get();
    round.rate = charged->rate;
    round.late = LateRound{drift_between(law.probabilities, charged->probabilities),
                           mean_moment(charged->probabilities, second_moments_)};
  }
  if (needs_.entropy) {
    round.entropy = charged->entropy;
  }
  if (needs_.gap) {
    round.gap = mixability_gap(charged->probabilities, estimates_, charged->rate, scratch_);
  }
  if (parts_.schedule.growth) {
    round.growth = parts_.schedule.growth(round, account_.totals());
  }
  if (sums_) {
    round.least_sum = least_sum(*sums_, estimates_);
  }
  return round;
}

// Updates the state with the round, so that the next decisions depend on it.
void FtrlLearner::take_in(std::uint64_t decision, std::shared_ptr<DrawLaw> law,
                          const CheckedFeedback& feedback, const RegretRound& round) {
  if (round_order_) {
    round_order_->add(decision, {law, round, estimates_, second_moments_}, book_.oldest());
  }
  if (needs_.delays) {
    account_.set_outstanding(book_.outstanding());
  }
  if (sums_) {
    sums_->add(estimates_);
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->learn(feedback);
  }
  parts_.leader->add(estimates_, current_->rate, account_.totals());
  spare_ = std::exchange(last_, std::move(law));
  last_estimates_.resize(spec_.arms);
  last_estimates_.swap(estimates_);
  refresh();
}

RoundDetails FtrlLearner::last_round() const {
  if (!last_) {
    return {};
  }
  return {last_->rate, last_->exploration, account_.last_q(), last_->probabilities,
          last_estimates_};
}

void FtrlLearner::save_after_spec(StateWriter& writer) const {
  parts_.leader->save(writer);
  account_.save(writer);
  if (sums_) {
    write_sums(writer, *sums_);
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->save(writer);
  }
  if (round_order_) {
    round_order_->save(writer);
  }
  if (last_) {
    write_law(writer, *last_);
    write_numbers(writer, last_estimates_);
  }
  // A law is written once, with the first decision that was drawn from it.
  book_.save(writer, [&](const Entry& entry, const Entry* before) {
    const bool shared = before != nullptr && before->drawn == entry.drawn;
    writer.add(std::uint64_t{shared ? 1U : 0U});
    if (!shared) {
      write_law(writer, *entry.drawn);
    }
  });
}

std::shared_ptr<DrawLaw> FtrlLearner::read_law_of_decision(StateReader& reader) const {
  std::shared_ptr<DrawLaw> law = read_law(reader, spec_.arms);
  reader.require(law->rounds <= account_.totals().rounds,
                 "has a decision drawn after more rounds of feedback than it has");
  return law;
}

void FtrlLearner::load(StateReader& reader) {
  parts_.leader->load(reader);
  account_.load(reader);
  if (sums_) {
    read_sums(reader, *sums_);
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->load(reader);
  }
  if (round_order_) {
    round_order_->load(reader);
  }
  if (account_.totals().rounds > 0) {
    last_ = read_law_of_decision(reader);
    last_estimates_ = read_estimates(reader, spec_.arms);
  }
  book_.load(reader, account_.totals().rounds, [&](const Entry* before) {
    const bool shared = reader.number() != 0;
    reader.require(!shared || before != nullptr, "has a decision without probabilities");
    return shared ? before->drawn : read_law_of_decision(reader);
  });
  refresh();
}

// An FTRL learner that is shown the graph before each draw.
class InformedFtrlLearner final : public FtrlLearner, public Informed {
 public:
  using FtrlLearner::FtrlLearner;

  void see_graph(const Graph& graph) override {
    coming_.see(graph, arms());
    refresh(&graph);
  }

  // Feedback may come, and decisions may be forgotten, after the graph of the coming round was
  // shown.
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    FtrlLearner::observe(decision, graph, feedback);
    refresh_for_coming_graph();
  }

  void forget(const Decision& decision) override {
    FtrlLearner::forget(decision);
    refresh_for_coming_graph();
  }

 private:
  Decision add_decision(Arm arm, std::shared_ptr<DrawLaw> law) override {
    return coming_.use_for(
        [&](const Graph&) { return FtrlLearner::add_decision(arm, std::move(law)); });
  }

  void refresh_for_coming_graph() {
    if (const Graph* graph = coming_.graph()) {
      refresh(graph);
    }
  }

  ComingGraph coming_;
};

}  // namespace

Mixing uniform_mixing(double share) {
  return [share](const MixingInput& /*input*/, std::span<double> distribution) {
    std::ranges::fill(distribution, 1 / static_cast<double>(distribution.size()));
    return share;
  };
}

std::unique_ptr<RestorableLearner> make_ftrl(const LearnerSpec& spec, Information information,
                                             FtrlParts parts) {
  if (!parts.estimator || !parts.leader) {
    throw Error("learner",
                fmt::format("{} lacks a part, expected FtrlParts to have an estimator and a leader",
                            in_quotes(spec.name)));
  }
  if (parts.leader->arms() != spec.arms) {
    throw Error("learner", fmt::format("{} has a leader of {} arms, expected {}",
                                       in_quotes(spec.name), parts.leader->arms(), spec.arms));
  }
  parts.theorems = theorems_for(spec.bounds, parts.theorems);
  if (information == Information::graph_before_draw) {
    return std::make_unique<InformedFtrlLearner>(spec, information, std::move(parts));
  }
  return std::make_unique<FtrlLearner>(spec, information, std::move(parts));
}

}  // namespace hearsay
