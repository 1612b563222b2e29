#pragma once

// Several runs of one learner in environments of one kind, which differ only in their keys and are
// all at the same round. There are two implementations: separate runs, one after the other, for any
// learner and environment; and runs in lockstep (LockstepRuns), which is faster. In both, every run
// has the same bits as if it were played by itself.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "hearsay/base/state.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/curve_point.h"
#include "hearsay/play/run.h"

namespace hearsay {

class RunGroup {
 public:
  RunGroup() = default;
  RunGroup(const RunGroup&) = delete;
  RunGroup& operator=(const RunGroup&) = delete;
  virtual ~RunGroup() = default;

  virtual void play_round() = 0;
  virtual CurvePoint point(std::size_t run) const = 0;

  // The whole state, environments included. A group made from the same arguments that loads it
  // continues with the same bits. load() throws Error if the state is damaged; the group must then
  // be discarded.
  virtual void save(StateWriter& writer) const = 0;
  virtual void load(StateReader& reader) = 0;
};

// Every call makes a new environment at its first round. All of them are equal.
using MakeEnvironment = std::function<std::unique_ptr<Environment>()>;

// Whether a group of this many runs is played in lockstep.
bool plays_in_lockstep(const LearnerSpec& learner, const Noise& noise,
                       const Environment& environment, std::size_t runs);

// A group with one run for each key, at least one, at the first round. Throws Error as make_learner
// does.
std::unique_ptr<RunGroup> make_run_group(const LearnerSpec& learner, const Noise& noise,
                                         std::span<const RunKey> keys,
                                         const MakeEnvironment& make_environment);

}  // namespace hearsay
