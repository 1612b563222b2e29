#pragma once

// Those who play a unit's runs, all at the same round: several at once along the vectors of the
// machine where the experiment allows it, one by one where not. Each run has the bits it would have
// alone, either way.

#include <cstddef>
#include <memory>

#include "hearsay/base/state.h"
#include "hearsay/work/plan.h"

namespace hearsay {

// A run at a point of its curve.
struct Record {
  double loss = 0;           // suffered so far
  double best_arm_loss = 0;  // of the best fixed arm in hindsight
  double bound = 0;          // of the regret, by the certificate; NaN: there is none
};

class Players {
 public:
  Players() = default;
  Players(const Players&) = delete;
  Players& operator=(const Players&) = delete;
  virtual ~Players() = default;

  virtual void play_round() = 0;
  virtual Record record(std::size_t run) const = 0;

  // For a checkpoint. Who loads a state that is damaged throws Error and is then good for nothing.
  virtual void save(StateWriter& writer) const = 0;
  virtual void load(StateReader& reader) = 0;
};

// At the first round. `plan` outlives them.
std::unique_ptr<Players> make_players(const Plan& plan, const Unit& unit);

}  // namespace hearsay
