#include "hearsay/play/run_group.h"

#include <cassert>
#include <utility>
#include <vector>

#include "hearsay/learner/catalogue.h"
#include "hearsay/play/lockstep_runs.h"
#include "hearsay/play/round.h"

namespace hearsay {
namespace {

// Fewer runs are faster one by one: a vector of runs in lockstep takes as long as three of them.
constexpr std::size_t kFewestInLockstep = 4;

// One run after the other. Runs share an environment unless it is adaptive.
class SeparateRuns final : public RunGroup {
 public:
  SeparateRuns(const LearnerSpec& learner, const Noise& noise, std::span<const RunKey> keys,
               std::unique_ptr<Environment> first, const MakeEnvironment& make_environment)
      : noise_(noise), keys_(keys.begin(), keys.end()), shares_environment_(!first->is_adaptive()) {
    environments_.push_back(std::move(first));
    while (!shares_environment_ && environments_.size() < keys_.size()) {
      environments_.push_back(make_environment());
    }
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      learners_.push_back(make_learner(learner));
      runs_.push_back(make_run(i));
    }
  }

  void play_round() override {
    if (shares_environment_) {
      const Round round = environments_.front()->next();
      for (Run& run : runs_) {
        run.step(round);
      }
    } else {
      for (Run& run : runs_) {
        run.step();
      }
    }
  }

  CurvePoint point(std::size_t run) const override { return runs_[run].point(); }

  void save(StateWriter& writer) const override {
    for (const auto& environment : environments_) {
      save_environment(writer, *environment);
    }
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      writer.add(std::string_view(learners_[i]->save()));
      runs_[i].save(writer);
    }
  }

  void load(StateReader& reader) override {
    for (const auto& environment : environments_) {
      load_environment(reader, *environment);
    }
    runs_.clear();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      learners_[i] = restore_learner(reader.text());
      runs_.push_back(make_run(i));
      runs_.back().load(reader);
    }
  }

 private:
  Run make_run(std::size_t i) const {
    return {*environments_[shares_environment_ ? 0 : i], *learners_[i], noise_, keys_[i]};
  }

  Noise noise_;
  std::vector<RunKey> keys_;
  bool shares_environment_;
  std::vector<std::unique_ptr<Environment>> environments_;
  std::vector<std::unique_ptr<Learner>> learners_;
  std::vector<Run> runs_;
};

}  // namespace

bool plays_in_lockstep(const LearnerSpec& learner, const Noise& noise,
                       const Environment& environment, std::size_t runs) {
  return runs >= kFewestInLockstep && LockstepRuns::can_run(learner, noise, environment);
}

std::unique_ptr<RunGroup> make_run_group(const LearnerSpec& learner, const Noise& noise,
                                         std::span<const RunKey> keys,
                                         const MakeEnvironment& make_environment) {
  assert(!keys.empty());
  std::unique_ptr<Environment> environment = make_environment();
  if (plays_in_lockstep(learner, noise, *environment, keys.size())) {
    return std::make_unique<LockstepRuns>(learner, noise, keys, std::move(environment));
  }
  return std::make_unique<SeparateRuns>(learner, noise, keys, std::move(environment),
                                        make_environment);
}

}  // namespace hearsay
