#pragma once

// Many runs of one learner that see the same graph in each round and advance together, in batches
// of up to sixteen, one in each lane of the machine's vectors. Every run has the same bits as
// alone. Feedback is never late; a round is
//
//   for every batch: choose(...);  see(graph);  for every batch: learn(...)

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/learner/learner.h"
#include "hearsay/simd/lanes.h"

namespace hearsay {

// Whether observations must be compared with their ranges; not needed if none can be out of range.
enum class RangeCheck : std::uint8_t { not_needed, needed };

// One arm for each run of a batch.
using LaneArms = std::array<Arm, kLanes>;

class LockstepLearners {
 public:
  LockstepLearners() = default;
  LockstepLearners(const LockstepLearners&) = delete;
  LockstepLearners& operator=(const LockstepLearners&) = delete;
  virtual ~LockstepLearners() = default;

  virtual std::size_t runs() const = 0;
  virtual Information information() const = 0;
  std::size_t batches() const { return (runs() + kLanes - 1) / kLanes; }
  // The number of runs in this batch: sixteen, or fewer in the last one.
  std::size_t lanes_of(std::size_t batch) const {
    return std::min(kLanes, runs() - batch * kLanes);
  }

  // Draws an arm for every run of the batch. `uniform` has a uniform random number for each run.
  virtual const LaneArms& choose(std::size_t batch, const Lanes& uniform) = 0;

  // Shows the graph of the round. Throws Error if it has another number of arms.
  virtual void see(const Graph& graph) = 0;

  // Takes in the observations of a batch on a dense graph, observations[arm][lane], with the weight
  // of each. Those of weight 0 may have any finite value.
  virtual void learn(std::size_t batch, std::span<const Lanes> weights,
                     std::span<const Lanes> observations) = 0;
  // The same on a sparse graph, with a list as in Feedback for each lane.
  virtual void learn(std::size_t batch, std::span<const std::vector<Observation>> observations) = 0;

  // The probability of an arm in the next draw.
  virtual double probability(std::size_t run, Arm arm) const = 0;

  virtual Certificate certificate(std::size_t run) const = 0;

  virtual void save(StateWriter& writer) const = 0;
  // Throws Error if the state is damaged; the object must then be discarded.
  virtual void load(StateReader& reader) = 0;
};

}  // namespace hearsay
