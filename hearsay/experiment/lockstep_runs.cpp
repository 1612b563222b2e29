#include "hearsay/experiment/lockstep_runs.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/environment/lockstep_reveal.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/simd/philox.h"

namespace hearsay {
namespace {

// Losses in [0, 1] and noise within its bound make observations in range, to a rounding.
Observations observations_of(const LearnerSpec& learner, const Noise& noise) {
  const bool silent = noise.law == NoiseLaw::none;
  return silent || noise.bound <= learner.noise_bound ? Observations::always_in_range
                                                      : Observations::any;
}

}  // namespace

bool LockstepRuns::can_run(const LearnerSpec& learner, const Noise& noise) {
  return has_lockstep(learner) &&
         (learner.out_of_range == OutOfRange::count ||
          observations_of(learner, noise) == Observations::always_in_range);
}

LockstepRuns::LockstepRuns(const LearnerSpec& learner, const Noise& noise,
                           std::span<const Luck> luck)
    : learners_(make_lockstep_learners(learner, luck.size(), observations_of(learner, noise))),
      noise_(noise),
      groups_(learners_->groups()),
      arm_losses_(learner.arms),
      observations_(learner.arms),
      everything_(shown_to_oracles(learners_->information(), learner.arms)) {
  assert(!luck.empty() && can_run(learner, noise));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    groups_[g].observed.resize(kLanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // Lanes beyond the last run do as the last run does.
      const Luck& own = luck[std::min(g * kLanes + lane, luck.size() - 1)];
      groups_[g].draws.emplace_back(own.seed, Purpose::draw, own.repetition);
      groups_[g].noise.emplace_back(own.seed, Purpose::noise, own.repetition);
    }
  }
}

void LockstepRuns::step(const Round& round) {
  if (round.losses.size() != arm_losses_.size()) {
    throw Error(fmt::format("a learner of {} arms in an environment of {}", arm_losses_.size(),
                            round.losses.size()));
  }
  ++rounds_;
  std::ranges::transform(arm_losses_, round.losses, arm_losses_.begin(), std::plus<>());
  const bool oracle = learners_->information() == Information::true_losses;
  const Graph& shown = oracle ? everything_ : round.graph;

  std::vector<const LaneArms*> played(groups_.size());
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    std::array<std::uint64_t, kLanes> keys{};
    std::ranges::transform(group.draws, keys.begin(), &Stream::key);
    Lanes uniform;
    philox::uniforms(keys, rounds_, std::span(&uniform, 1));
    played[g] = &learners_->choose(g, uniform);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      group.loss[lane] += round.losses[(*played[g])[lane]];
    }
  }
  learners_->see(shown);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    if (shown.is_dense()) {
      reveal(shown, *played[g], round.losses, noise_, std::span<const Stream, kLanes>(group.noise),
             rounds_, observations_);
      learners_->learn(g, observations_);
    } else {
      for (std::size_t lane = 0; lane < learners_->lanes_of(g); ++lane) {
        reveal(shown, (*played[g])[lane], round.losses, noise_, group.noise[lane], rounds_,
               group.observed[lane]);
      }
      learners_->learn(g, group.observed);
    }
  }
}

double LockstepRuns::loss(std::size_t run) const {
  return groups_[run / kLanes].loss[run % kLanes];
}

double LockstepRuns::best_arm_loss() const {
  return std::ranges::min(arm_losses_);
}

void LockstepRuns::save(StateWriter& writer) const {
  writer.add(rounds_);
  for (std::size_t run = 0; run < runs(); ++run) {
    writer.add(loss(run));
  }
  for (const double loss : arm_losses_) {
    writer.add(loss);
  }
  learners_->save(writer);
}

void LockstepRuns::load(StateReader& reader) {
  rounds_ = reader.number();
  for (std::size_t run = 0; run < runs(); ++run) {
    groups_[run / kLanes].loss[run % kLanes] = reader.real();
  }
  std::ranges::generate(arm_losses_, [&] { return reader.real(); });
  learners_->load(reader);
}

}  // namespace hearsay
