#pragma once

// Many learners of one spec, told about the same graphs round by round: what ExponentialWeights
// does for one, for sixteen at a time along the vectors of the machine. Every run has the bits it
// would have alone. Feedback comes at once; a round is
//
//   choose(...); see(graph); and for every group: learn(...)

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/lockstep_kernels.h"
#include "hearsay/simd/product.h"

namespace hearsay {

// Whether observations can be out of range. Those that cannot need not be looked at.
enum class Observations : std::uint8_t { always_in_range, any };

class LockstepLearners {
 public:
  // Throws Error as make_learner does. `observations`: what learn() will be told. Those out of
  // range are counted whatever the spec says.
  LockstepLearners(const LearnerSpec& spec, std::size_t runs, Observations observations);

  std::size_t runs() const { return runs_; }
  std::size_t groups() const { return groups_.size(); }
  std::size_t lanes_of(std::size_t group) const;  // runs in it: sixteen, the last may have fewer
  Information information() const { return row_.information; }

  // Draws an arm for every run of the group by the run's own uniform number.
  const LaneArms& choose(std::size_t group, const Lanes& uniform);

  // The graph of the round.
  void see(const Graph& graph);

  // What the group's arms showed. On a dense graph: observations[arm][lane], of any value where the
  // weight is 0.
  void learn(std::size_t group, std::span<const Lanes> observations);
  // On a sparse one: of each lane a list as in Feedback.
  void learn(std::size_t group, std::span<const std::vector<Observation>> observations);

  // Of the next draw.
  double probability(std::size_t run, Arm arm) const;

  Certificate certificate(std::size_t run) const;

  void save(StateWriter& writer) const;
  // Throws Error, and is then good for nothing.
  void load(StateReader& reader);

 private:
  using LaneSums = std::array<CompensatedSum, kLanes>;

  // Sixteen learners.
  struct Group {
    std::vector<Lanes> rounded;  // sums of estimates, as CompensatedSum has them
    std::vector<Lanes> error;
    LaneSums cost;
    LaneSums q_sum;
    LaneSums bound_sum;
    std::array<bool, kLanes> theorem_holds{};
    Lanes out_of_range;
    Lanes last_rate;
    Lanes last_q;

    // Follows from the above, or is of this round.
    Lanes rate;
    Lanes exploration;
    std::vector<Lanes> probabilities;
    std::vector<Lanes> per_coverage;
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
  void count_round(Group& group) const;
  void set_rates(Group& group) const;
  void refresh(std::size_t group);
  lockstep::Sums sums(Group& group) const { return {group.rounded, group.error}; }

  LearnerSpec spec_;
  ExponentialWeightsRow row_;
  std::size_t runs_;
  Observations observations_;
  double log_arms_;
  std::uint64_t rounds_ = 0;
  double highest_price_ = 0;
  std::vector<Group> groups_;
  std::optional<SeenGraph> seen_;
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
};

}  // namespace hearsay
