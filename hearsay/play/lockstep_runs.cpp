#include "hearsay/play/lockstep_runs.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include "hearsay/environment/lockstep_reveal.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/simd/philox.h"

namespace hearsay {
namespace {

// Losses in [0, 1] and noise within the learner's bound give observations in range, up to rounding.
RangeCheck range_check_for(const LearnerSpec& learner, const Noise& noise) {
  return noise.largest() <= learner.noise_bound ? RangeCheck::not_needed : RangeCheck::needed;
}

}  // namespace

bool LockstepRuns::can_run(const LearnerSpec& learner, const Noise& noise,
                           const Environment& environment) {
  return !environment.is_adaptive() && has_lockstep(learner) &&
         (learner.out_of_range == OutOfRange::count ||
          range_check_for(learner, noise) == RangeCheck::not_needed);
}

LockstepRuns::LockstepRuns(const LearnerSpec& learner, const Noise& noise,
                           std::span<const RunKey> keys, std::unique_ptr<Environment> environment)
    : environment_(std::move(environment)),
      learners_(make_lockstep_learners(learner, keys.size(), range_check_for(learner, noise))),
      noise_(noise),
      shown_graph_(learners_->information(), learner.arms),
      arm_losses_(learner.arms),
      batches_(learners_->batches()),
      played_(batches_.size()),
      weights_(learner.arms),
      observations_(learner.arms) {
  assert(!keys.empty() && can_run(learner, noise, *environment_));
  require_same_arms(learner.arms, environment_->arms());
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    batches_[b].observed.resize(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // Lanes after the last run repeat the last run.
      const RunKey& key = keys[std::min(b * kLanes + lane, keys.size() - 1)];
      batches_[b].draws.push_back(key.draws());
      batches_[b].noise.push_back(key.noise());
    }
  }
}

// Run::step does the same for one run.
void LockstepRuns::play_round() {
  const Round round = environment_->next();
  ++rounds_;
  arm_losses_.add(round.losses);
  draw_arms(round);
  learn(round);
}

void LockstepRuns::draw_arms(const Round& round) {
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    std::array<std::uint64_t, kLanes> keys{};
    std::ranges::transform(batch.draws, keys.begin(), &Stream::key);
    Lanes uniform;
    philox::uniforms(keys, rounds_, std::span(&uniform, 1));
    played_[b] = &learners_->choose(b, uniform);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      batch.loss[lane] += round.losses[(*played_[b])[lane]];
    }
  }
}

void LockstepRuns::learn(const Round& round) {
  const Graph& shown = shown_graph_.of(round);
  learners_->see(shown);
  for (std::size_t b = 0; b < batches_.size(); ++b) {
    Batch& batch = batches_[b];
    if (shown.is_dense()) {
      reveal(shown, *played_[b], round.losses, noise_, std::span<const Stream, kLanes>(batch.noise),
             rounds_, weights_, observations_);
      learners_->learn(b, weights_, observations_);
    } else {
      for (std::size_t lane = 0; lane < learners_->lanes_of(b); ++lane) {
        reveal(shown, (*played_[b])[lane], round.losses, noise_, batch.noise[lane], rounds_,
               batch.observed[lane]);
      }
      learners_->learn(b, batch.observed);
    }
  }
}

CurvePoint LockstepRuns::point(std::size_t run) const {
  return {batches_[run / kLanes].loss[run % kLanes], arm_losses_.best(),
          bound_of(learners_->certificate(run))};
}

void LockstepRuns::save(StateWriter& writer) const {
  save_environment(writer, *environment_);
  writer.add(rounds_);
  for (std::size_t run = 0; run < learners_->runs(); ++run) {
    writer.add(batches_[run / kLanes].loss[run % kLanes]);
  }
  arm_losses_.save(writer);
  learners_->save(writer);
}

void LockstepRuns::load(StateReader& reader) {
  load_environment(reader, *environment_);
  rounds_ = reader.number();
  for (std::size_t run = 0; run < learners_->runs(); ++run) {
    batches_[run / kLanes].loss[run % kLanes] = reader.real();
  }
  arm_losses_.load(reader);
  learners_->load(reader);
}

}  // namespace hearsay
