#pragma once

// The one engine: exponential weights over estimated losses (Algorithm 1 of the paper). A learner
// of the catalogue is a row of it: an estimator, a schedule, and the theorem that bounds its
// regret.

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/sum.h"

namespace hearsay {

// regret <= log(arms) / rate + sum of (exploration + second_moment * rate) * Q, as long as
// exploration >= least_exploration_per_rate * rate in every round.
struct RegretTheorem {
  double least_exploration_per_rate = 0;
  double second_moment = 0;
};

struct ExponentialWeightsRow {
  std::shared_ptr<const Estimator> estimator;
  Schedule schedule;
  std::optional<RegretTheorem> theorem;
  Information information = Information::side_observations;
};

class ExponentialWeights final : public Learner {
 public:
  // `spec`, already checked, is what `row` was made from; it goes into the saved state.
  ExponentialWeights(LearnerSpec spec, ExponentialWeightsRow row);

  // Takes over what save() wrote after the spec. Throws Error, and is then good for nothing.
  void load(StateReader& reader);

  std::size_t arms() const override { return spec_.arms; }
  Information information() const override { return row_.information; }
  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void forget(const Decision& decision) override;
  std::size_t outstanding() const override { return outstanding_.size(); }
  std::span<const double> probabilities() const override { return current_->probabilities; }
  Certificate certificate() const override;
  RoundFigures last_round() const override;
  std::string save() const override;

 private:
  // What decisions are drawn from, from one feedback to the next.
  struct Standing {
    std::uint64_t told = 0;  // rounds told by then
    double rate = 0;
    double exploration = 0;
    std::vector<double> probabilities;
  };

  struct Outstanding {
    std::uint64_t round = 0;
    Arm arm = 0;
    std::shared_ptr<const Standing> standing;
  };

  // What the learner makes of the graph it saw last, kept for as long as that graph stays.
  struct SeenGraph {
    Graph graph;
    Coverage coverage;
    double price = 0;
  };

  std::deque<Outstanding>::iterator find(const Decision& decision);
  const SeenGraph& see(const Graph& graph);
  void refresh();

  LearnerSpec spec_;
  ExponentialWeightsRow row_;
  double log_arms_;

  CompensatedSums losses_;  // sum of estimates, for each arm
  Progress progress_;
  CompensatedSum q_sum_;
  CompensatedSum bound_sum_;
  bool theorem_holds_;
  std::uint64_t out_of_range_ = 0;
  std::uint64_t decisions_ = 0;
  std::deque<Outstanding> outstanding_;  // in increasing round

  // All below follows from the above, or is of the last round alone.
  std::shared_ptr<Standing> current_;
  std::optional<SeenGraph> seen_;
  Standing last_;
  double last_q_ = 0;
  std::vector<double> last_estimates_;

  // Room to work in, so that a round allocates nothing.
  std::vector<double> per_coverage_;  // 1 / (coverage + exploration)
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
  std::vector<double> estimates_;
};

}  // namespace hearsay
