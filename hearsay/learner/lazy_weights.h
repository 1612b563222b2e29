#pragma once

// The engine for many arms on sparse graphs: the learners of exponential_weights.h at a cost of
// O(in-arcs + log arms) for every arm seen, however many arms there are. docs/lazy.md has what it
// guarantees. Its differences:
//
//   rate   stays until the adaptive one has fallen by a factor sqrt(1.1), half-way between the two
//   Q      is an estimate, unbiased given the past: 1 / (coverage + exploration) of the arm drawn
//   late   feedback is refused: no probabilities but the last are kept
//
// A graph that is not the one before costs O(arcs). probabilities() and last_round() cost O(arms).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/large_pages.h"
#include "hearsay/learner/sum_tree.h"

namespace hearsay {

class LazyWeights final : public Learner {
 public:
  // `spec`, already checked, is what `row` was made from; it goes into the saved state.
  LazyWeights(LearnerSpec spec, ExponentialWeightsRow row);

  // Takes over what save() wrote after the spec. Throws Error, and is then good for nothing.
  void load(StateReader& reader);

  std::size_t arms() const override { return spec_.arms; }
  Information information() const override { return row_.information; }
  Decision choose(const Stream& stream) override;
  Decision adopt(Arm arm) override;
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override;
  void forget(const Decision& decision) override;
  std::size_t outstanding() const override { return outstanding_.size(); }
  std::span<const double> probabilities() const override;
  Certificate certificate() const override;
  RoundFigures last_round() const override;
  std::string save() const override;

 private:
  struct Outstanding {
    std::uint64_t round = 0;
    Arm arm = 0;
    Arm probe = 0;  // drawn from the probabilities, for Q
  };

  // Which others show an arm, and with what coverage: the graph turned round.
  struct InArcs {
    Graph graph;
    double price = 0;
    double own = 0;                 // an arm's coverage by itself
    LargeArray<std::size_t> begin;  // empty: every arm is covered by 1
    LargeArray<Arm> played;
    LargeArray<double> coverage;
  };

  // What the last round did to an arm seen.
  struct Change {
    Arm arm = 0;
    double estimate = 0;
    CompensatedSum before;
  };

  Decision decide(Arm arm, Arm probe);
  std::vector<Outstanding>::iterator find(const Decision& decision);
  const InArcs& turn_round(const Graph& graph);
  void ask_for(const InArcs& arcs, std::span<const Observation> observations, Arm probe);
  double per_coverage(const InArcs& arcs, Arm arm) const;
  void reweigh();
  void rebuild();

  LearnerSpec spec_;
  ExponentialWeightsRow row_;
  double log_arms_;

  LargeArray<CompensatedSum> losses_;  // sum of estimates, for each arm
  CompensatedSum reference_;           // a weight is exp(-rate * (loss - reference))
  double rate_ = 0;
  double exploration_ = 0;
  Progress progress_;
  CompensatedSum q_sum_;
  CompensatedSum bound_sum_;
  bool theorem_holds_;
  std::uint64_t out_of_range_ = 0;
  std::uint64_t decisions_ = 0;
  std::vector<Outstanding> outstanding_;  // drawn since the last feedback

  // Of the last round.
  double last_rate_ = 0;
  double last_exploration_ = 0;
  double last_q_ = 0;
  std::vector<Change> changes_;

  SumTree weights_;  // follows from the above
  std::optional<InArcs> in_arcs_;

  // Room to work in, so that a round allocates nothing.
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
  std::vector<Change> next_changes_;
  std::vector<double> exponents_;
  std::vector<Arm> wanted_;

  // What was asked for last, worked out then.
  mutable std::vector<double> probabilities_;
  mutable std::vector<double> last_probabilities_;
  mutable std::vector<double> last_estimates_;
};

}  // namespace hearsay
