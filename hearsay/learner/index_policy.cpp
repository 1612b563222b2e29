#include "hearsay/learner/index_policy.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/coming_graph.h"

namespace hearsay {
namespace {

constexpr double kSmallestCountedWeight = 1e-6;

struct Explores {
  bool explores = false;
};

class PolicyLearner : public LearnerBase<Explores> {
 public:
  PolicyLearner(const LearnerSpec& spec, Information information, Policy policy)
      : LearnerBase(spec, information),
        policy_(std::move(policy)),
        precisions_(spec.arms),
        weighed_(spec.arms),
        plays_(spec.arms) {}

  Decision choose(const Stream& stream) override { return add_decision(choice(stream, nullptr)); }
  Decision adopt(Arm arm) override {
    book_.check_arm(arm);
    return add_decision({.arm = arm});
  }
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void load(StateReader& reader) override;

 protected:
  PolicyChoice choice(const Stream& stream, const Graph* graph);
  Decision add_decision(const PolicyChoice& choice) {
    return book_.add(choice.arm, 1, {choice.explores});
  }

 private:
  void save_after_spec(StateWriter& writer) const override;

  // Calls use(arm, value, precision) for every observation that counts.
  template <class Use>
  void for_each_counted(const CheckedFeedback& feedback, Use&& use) const {
    for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
      const double weight = feedback.weights[k];
      if (weight >= kSmallestCountedWeight) {
        const auto [arm, value] = feedback.observations[k];
        use(arm, value / weight, observation_precision(weight, spec_.noise_bound));
      }
    }
  }

  Policy policy_;
  std::uint64_t rounds_ = 0;                // rounds of feedback
  std::uint64_t explored_ = 0;              // the number of them whose choice explored
  std::vector<CompensatedSum> precisions_;  // sums of 1 / v
  std::vector<CompensatedSum> weighed_;     // sums of c / s / v
  std::vector<std::uint64_t> plays_;
  std::vector<double> memory_;  // of the policy
};

PolicyChoice PolicyLearner::choice(const Stream& stream, const Graph* graph) {
  std::vector<double> means(spec_.arms);
  std::vector<double> precisions(spec_.arms);
  for (Arm arm = 0; arm < spec_.arms; ++arm) {
    precisions[arm] = precisions_[arm].value();
    if (precisions[arm] == 0) {
      return {.arm = arm};
    }
    means[arm] = weighed_[arm].value() / precisions[arm];
  }
  return policy_({.means = means,
                  .precisions = precisions,
                  .plays = plays_,
                  .explored = explored_,
                  .round = rounds_ + 1,
                  .decision = book_.made() + 1,
                  .graph = graph,
                  .randomness = stream,
                  .memory = memory_});
}

void PolicyLearner::observe(const Decision& decision, const Graph& graph,
                            const Feedback& feedback) {
  const auto& entry = book_.find(decision, feedback);
  const CheckedFeedback checked = checker_.check(graph, feedback);
  for_each_counted(checked, [&](Arm arm, double value, double precision) {
    if (!(std::abs(weighed_[arm].value() + value * precision) < kLargestSum)) {
      throw SumTooLarge(
          fmt::format("the observation of arm {} counts as a loss of {}, too large to be added up",
                      arm, value));
    }
  });
  // Nothing is refused from here on.
  for_each_counted(checked, [&](Arm arm, double value, double precision) {
    precisions_[arm].add(precision);
    weighed_[arm].add(value * precision);
  });
  ++rounds_;
  ++plays_[decision.arm];
  explored_ += entry.drawn.explores ? 1 : 0;
  book_.erase(entry);
}

void PolicyLearner::save_after_spec(StateWriter& writer) const {
  writer.add(rounds_);
  writer.add(explored_);
  for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
    write_sum(writer, precisions_[arm]);
    write_sum(writer, weighed_[arm]);
    writer.add(plays_[arm]);
  }
  write_numbers(writer, memory_);
  book_.save(writer, [&](const Entry& entry, const Entry* /*before*/) {
    writer.add(std::uint64_t{entry.drawn.explores ? 1U : 0U});
  });
}

void PolicyLearner::load(StateReader& reader) {
  rounds_ = reader.number();
  explored_ = reader.number();
  for (std::size_t arm = 0; arm < spec_.arms; ++arm) {
    precisions_[arm] = read_sum(reader);
    weighed_[arm] = read_sum(reader);
    plays_[arm] = reader.number();
    reader.require(precisions_[arm].value() >= 0, "has a negative precision");
    reader.require(plays_[arm] <= rounds_,
                   "has an arm that was played in more rounds than there are");
  }
  memory_.resize(reader.count(sizeof(double)));
  std::ranges::generate(memory_, [&] { return reader.real(); });  // of any value
  book_.load(reader, rounds_,
             [&](const Entry* /*before*/) { return Explores{reader.number() != 0}; });
  reader.require(explored_ <= rounds_, "has explored in more rounds than there are");
}

// A policy that is shown the graph before each choice.
class InformedPolicyLearner final : public PolicyLearner, public Informed {
 public:
  using PolicyLearner::PolicyLearner;

  void see_graph(const Graph& graph) override { coming_.see(graph, arms()); }

  Decision choose(const Stream& stream) override {
    return coming_.use_for(
        [&](const Graph& graph) { return add_decision(choice(stream, &graph)); });
  }

  Decision adopt(Arm arm) override {
    return coming_.use_for([&](const Graph&) { return PolicyLearner::adopt(arm); });
  }

 private:
  ComingGraph coming_;
};

}  // namespace

Policy least_index(Index index) {
  return [index = std::move(index)](const PolicyInput& input) -> PolicyChoice {
    Arm best = 0;
    std::optional<double> least;
    for (Arm arm = 0; arm < input.means.size(); ++arm) {
      const double of_arm = index({.arm = arm,
                                   .mean = input.means[arm],
                                   .precision = input.precisions[arm],
                                   .round = input.round,
                                   .decision = input.decision,
                                   .randomness = input.randomness});
      if (std::isnan(of_arm)) {
        throw Error("learner",
                    fmt::format("has the index {} for arm {}, expected a number", of_arm, arm));
      }
      if (!least || of_arm < *least) {
        best = arm;
        least = of_arm;
      }
    }
    return {.arm = best};
  };
}

double lower_confidence_bound(const ArmStatistics& arm) {
  return arm.mean - std::sqrt(8 * std::log(static_cast<double>(arm.round)) / arm.precision);
}

double observation_precision(double weight, double noise_bound) {
  if (weight < kSmallestCountedWeight) {
    return 0;
  }
  const double noise_to_signal = noise_bound * (1 - weight) / weight;
  return 1 / (0.25 + noise_to_signal * noise_to_signal);
}

std::unique_ptr<RestorableLearner> make_policy(const LearnerSpec& spec, Information information,
                                               Policy policy) {
  if (information == Information::graph_before_draw) {
    return std::make_unique<InformedPolicyLearner>(spec, information, std::move(policy));
  }
  return std::make_unique<PolicyLearner>(spec, information, std::move(policy));
}

}  // namespace hearsay
