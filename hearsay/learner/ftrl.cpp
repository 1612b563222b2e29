#include "hearsay/learner/ftrl.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/decision_book.h"
#include "hearsay/learner/mixability.h"

namespace hearsay {
namespace {

// The first arm at which the running sum of the probabilities exceeds `u`: an arm of probability 0
// is never drawn. If rounding leaves the whole sum at or below `u`, it is the last possible arm.
Arm draw(std::span<const double> probabilities, double u) {
  double sum = 0;
  std::size_t last_possible = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += probabilities[i];
    if (sum > u) {
      return static_cast<Arm>(i);
    }
    if (probabilities[i] > 0) {
      last_possible = i;
    }
  }
  return static_cast<Arm>(last_possible);
}

// The designated theorem alone, unless the spec asks for all.
RegretTheorems kept_by(const LearnerSpec& spec, const RegretTheorems& theorems) {
  return spec.bounds == Bounds::all ? theorems : RegretTheorems{.designated = theorems.designated};
}

class FtrlLearner : public Learner, public Randomized, public Inspectable, public Certified {
 public:
  FtrlLearner(const LearnerSpec& spec, Information information, FtrlParts parts);

  // Reads what save() wrote after the spec. Throws Error if the state is damaged; the object must
  // then be discarded.
  void load(StateReader& reader);

  std::size_t arms() const override { return spec_.arms; }
  Information information() const override { return information_; }
  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void forget(const Decision& decision) override { book_.forget(decision); }
  std::size_t outstanding() const override { return book_.outstanding(); }
  std::span<const double> probabilities() const override { return current_->probabilities; }
  Certificate certificate() const override { return account_.certificate(); }
  RoundFigures last_round() const override;
  std::string save() const override;

 protected:
  // Sets the law of the next decisions by what has been taken in so far, and by the graph of the
  // coming round if the learner is informed.
  void refresh(const Graph* graph = nullptr);

 private:
  // The price of the last round's graph, kept for as long as the graph stays.
  struct Priced {
    Graph graph;
    double price = 0;
  };

  double price_of(const Graph& graph);
  void mix(DrawLaw& law, const Graph* graph);
  RegretRound round_of(const DrawLaw& law, const CheckedFeedback& feedback,
                       const EstimateTerms& terms);
  void take_in(std::shared_ptr<DrawLaw> law, const CheckedFeedback& feedback);
  std::shared_ptr<DrawLaw> read_law(StateReader& reader) const;

  LearnerSpec spec_;
  Information information_;
  FtrlParts parts_;
  FeedbackChecker checker_;
  RegretAccount account_;
  // Decisions made between two rounds of feedback share one law.
  DecisionBook<std::shared_ptr<DrawLaw>> book_;
  std::shared_ptr<DrawLaw> last_;  // of the last round of feedback; null before the first
  std::vector<double> last_estimates_;
  std::optional<CompensatedSums> sums_;  // of the estimates, if a theorem needs the least

  // The rest follows from the above, or is room to work in, so that a round allocates nothing.
  std::shared_ptr<DrawLaw> current_;  // of the next decision
  std::shared_ptr<DrawLaw> spare_;    // may be reused if nobody else holds it
  std::optional<Priced> priced_;
  std::vector<double> estimates_;
  std::vector<double> distribution_;
  std::vector<double> scratch_;
};

FtrlLearner::FtrlLearner(const LearnerSpec& spec, Information information, FtrlParts parts)
    : spec_(spec),
      information_(information),
      parts_(std::move(parts)),
      checker_(spec, information),
      account_(spec.arms, kept_by(spec, parts_.theorems)),
      book_(spec.arms, spec.max_outstanding),
      current_(std::make_shared<DrawLaw>()),
      estimates_(spec.arms) {
  assert(parts_.estimator && parts_.leader);
  if (account_.needs_least_sum()) {
    sums_.emplace(spec.arms);
  }
  refresh();
}

void FtrlLearner::refresh(const Graph* graph) {
  if (current_.use_count() > 1) {  // decisions that were drawn from it keep it
    const bool reusable = spare_ && spare_.use_count() == 1;
    current_ = reusable ? std::move(spare_) : std::make_shared<DrawLaw>();
  }
  DrawLaw& law = *current_;
  law.told = account_.progress().rounds;
  law.rate = parts_.schedule.rate(account_.progress());
  law.exploration = parts_.schedule.exploration(law.rate);
  law.noise_bound =
      parts_.learned_noise ? parts_.learned_noise->standard_deviation() : spec_.noise_bound;
  law.probabilities.resize(spec_.arms);
  law.entropy = parts_.leader->probabilities(law.rate, law.probabilities);
  const bool knows_graph = graph != nullptr || information_ != Information::graph_before_draw;
  if (parts_.mixing && knows_graph) {
    mix(law, graph);
  }
}

void FtrlLearner::mix(DrawLaw& law, const Graph* graph) {
  distribution_.resize(spec_.arms);
  const double share = parts_.mixing({account_.progress(), law.rate, graph}, distribution_);
  std::ranges::transform(law.probabilities, distribution_, law.probabilities.begin(),
                         [share](double weight, double exploration) {
                           return (1 - share) * weight + share * exploration;
                         });
}

Decision FtrlLearner::choose(const Stream& stream) {
  const Arm arm = draw(current_->probabilities, stream.uniform(book_.made() + 1));
  return book_.add(arm, current_->probabilities[arm], current_);
}

Decision FtrlLearner::adopt(Arm arm) {
  book_.check_arm(arm);
  return book_.add(arm, current_->probabilities[arm], current_);
}

double FtrlLearner::price_of(const Graph& graph) {
  if (!priced_ || !priced_->graph.same_as(graph)) {
    priced_.emplace(Priced{graph, parts_.schedule.price_of(graph)});
  }
  return priced_->price;
}

void FtrlLearner::observe(const Decision& decision, const Graph& graph, const Feedback& feedback) {
  auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  const EstimateTerms terms = parts_.estimator->estimate(*entry.drawn, checked, estimates_);
  if (!parts_.leader->can_add(estimates_) || (sums_ && !sums_->can_add(estimates_, kLargestSum))) {
    throw Error(
        fmt::format("an estimate is too large to be added up: arm {} was played at probability {}",
                    feedback.played, entry.drawn->probabilities[feedback.played]));
  }
  const RegretRound round = round_of(*entry.drawn, checked, terms);
  if (!account_.add(round)) {
    throw Error(too_costly(terms.q));
  }
  // Nothing is refused from here on.
  take_in(std::move(entry.drawn), checked);
  book_.erase(entry);
}

RegretRound FtrlLearner::round_of(const DrawLaw& law, const CheckedFeedback& feedback,
                                  const EstimateTerms& terms) {
  RegretRound round{.rate = law.rate,
                    .exploration = law.exploration,
                    .terms = terms,
                    .price = price_of(feedback.graph),
                    .in_order = law.told == account_.progress().rounds,
                    .out_of_range = feedback.out_of_range,
                    .self_weight = feedback.graph.self_weight(),
                    .entropy = law.entropy,
                    .own_loss = own_observation(feedback) / feedback.graph.self_weight()};
  if (account_.needs_gap() || parts_.schedule.goes_by_gaps) {
    round.gap = mixability_gap(law.probabilities, estimates_, law.rate, scratch_);
  }
  if (sums_) {
    round.least_sum = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      CompensatedSum sum = (*sums_)[i];
      sum.add(estimates_[i]);
      round.least_sum = std::min(round.least_sum, sum.value());
    }
  }
  return round;
}

// Makes the round part of the next decisions.
void FtrlLearner::take_in(std::shared_ptr<DrawLaw> law, const CheckedFeedback& feedback) {
  if (sums_) {
    sums_->add(estimates_);
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->learn(feedback);
  }
  parts_.leader->add(estimates_, current_->rate, account_.progress());
  spare_ = std::exchange(last_, std::move(law));
  last_estimates_.resize(spec_.arms);
  last_estimates_.swap(estimates_);
  refresh();
}

RoundFigures FtrlLearner::last_round() const {
  if (!last_) {
    return {};
  }
  return {last_->rate, last_->exploration, account_.last_q(), last_->probabilities,
          last_estimates_};
}

void write_law(StateWriter& writer, const DrawLaw& law) {
  writer.add(law.told);
  writer.add(law.rate);
  writer.add(law.exploration);
  writer.add(law.noise_bound);
  writer.add(law.entropy);
  write_numbers(writer, law.probabilities);
}

std::string FtrlLearner::save() const {
  StateWriter writer(kLearnerState);
  write_spec(writer, spec_);
  parts_.leader->save(writer);
  account_.save(writer);
  for (std::size_t i = 0; sums_ && i < spec_.arms; ++i) {
    write_sum(writer, (*sums_)[i]);
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->save(writer);
  }
  if (last_) {
    write_law(writer, *last_);
    write_numbers(writer, last_estimates_);
  }
  // A law is written once, with the first decision that was drawn from it.
  using Entry = decltype(book_)::Entry;
  book_.save(writer, [&](const Entry& entry, const Entry* before) {
    const bool shared = before != nullptr && before->drawn == entry.drawn;
    writer.add(std::uint64_t{shared ? 1U : 0U});
    if (!shared) {
      write_law(writer, *entry.drawn);
    }
  });
  return writer.finish();
}

std::shared_ptr<DrawLaw> FtrlLearner::read_law(StateReader& reader) const {
  auto law = std::make_shared<DrawLaw>();
  law->told = reader.number();
  law->rate = read_finite(reader);
  law->exploration = read_finite(reader);
  law->noise_bound = read_finite(reader);
  law->entropy = read_finite(reader);
  law->probabilities = read_numbers(reader);
  reader.require(law->told <= account_.progress().rounds,
                 "has a decision drawn after rounds that were not told");
  reader.require(
      law->rate >= 0 && law->exploration >= 0 && law->noise_bound >= 0 && law->entropy >= 0,
      "has a negative rate, exploration, noise bound or entropy");
  reader.require(law->probabilities.size() == spec_.arms,
                 "has probabilities of another number of arms");
  reader.require(are_probabilities(law->probabilities),
                 "has probabilities that are negative or do not sum to 1");
  return law;
}

void FtrlLearner::load(StateReader& reader) {
  parts_.leader->load(reader);
  account_.load(reader);
  for (std::size_t i = 0; sums_ && i < spec_.arms; ++i) {
    sums_->set(i, read_sum(reader));
  }
  if (parts_.learned_noise) {
    parts_.learned_noise->load(reader);
  }
  if (account_.progress().rounds > 0) {
    last_ = read_law(reader);
    last_estimates_ = read_numbers(reader);
    reader.require(last_estimates_.size() == spec_.arms, "has estimates of another number of arms");
  }
  using Entry = decltype(book_)::Entry;
  book_.load(reader, [&](const Entry* before) {
    const bool shared = reader.number() != 0;
    reader.require(!shared || before != nullptr, "has a decision without probabilities");
    return shared ? before->drawn : read_law(reader);
  });
  reader.require(account_.progress().rounds <= book_.made(),
                 "has more rounds of feedback than decisions");
  refresh();
}

// One that is shown the graph before each draw.
class InformedFtrlLearner final : public FtrlLearner, public Informed {
 public:
  using FtrlLearner::FtrlLearner;

  void see_graph(const Graph& graph) override {
    if (graph.arms() != arms()) {
      throw Error(fmt::format("a graph of {} arms, expected {}", graph.arms(), arms()));
    }
    refresh(&graph);
    sees_ = true;
  }

  Decision choose(const Stream& stream) override {
    require_graph();
    sees_ = false;
    return FtrlLearner::choose(stream);
  }

  Decision adopt(Arm arm) override {
    require_graph();
    const Decision decision = FtrlLearner::adopt(arm);
    sees_ = false;
    return decision;
  }

 private:
  void require_graph() const {
    if (!sees_) {
      throw Error("the graph of this round is missing, expected see_graph() before each decision");
    }
  }

  bool sees_ = false;
};

std::unique_ptr<FtrlLearner> make(const LearnerSpec& spec, Information information,
                                  FtrlParts parts) {
  if (information == Information::graph_before_draw) {
    return std::make_unique<InformedFtrlLearner>(spec, information, std::move(parts));
  }
  return std::make_unique<FtrlLearner>(spec, information, std::move(parts));
}

}  // namespace

std::unique_ptr<Learner> make_ftrl(const LearnerSpec& spec, Information information,
                                   FtrlParts parts) {
  return make(spec, information, std::move(parts));
}

std::unique_ptr<Learner> restore_ftrl(const LearnerSpec& spec, Information information,
                                      FtrlParts parts, StateReader& reader) {
  auto learner = make(spec, information, std::move(parts));
  learner->load(reader);
  return learner;
}

}  // namespace hearsay
