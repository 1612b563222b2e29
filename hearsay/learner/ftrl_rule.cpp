#include "hearsay/learner/ftrl_rule.h"

#include <cassert>

namespace hearsay {
namespace {

std::unique_ptr<Estimator> estimator_of(const FtrlRule& rule) {
  if (rule.baseline) {
    return std::make_unique<BaselineEstimator>(*rule.baseline, rule.order);
  }
  if (!rule.weighting) {
    assert(rule.floor);
    return std::make_unique<CentredEstimator>(*rule.floor);
  }
  if (rule.floor) {
    return std::make_unique<ClippedEstimator>(rule.weighting, *rule.floor);
  }
  return std::make_unique<WeightedEstimator>(rule.weighting);
}

std::unique_ptr<Leader> leader_of(std::size_t arms, const FtrlRule& rule) {
  if (rule.share) {
    return fixed_share(arms, rule.share);
  }
  return regularized_leader(
      arms, rule.order == 1 ? regularizers::shannon() : regularizers::tsallis(rule.order));
}

}  // namespace

FtrlParts ftrl_parts(const LearnerSpec& spec, const FtrlRule& rule) {
  FtrlParts parts{.estimator = estimator_of(rule),
                  .leader = leader_of(spec.arms, rule),
                  .schedule = rule.schedule,
                  .theorems = rule.theorems};
  if (rule.uniform_mixing > 0) {
    parts.mixing = uniform_mixing(rule.uniform_mixing);
  }
  if (!spec.known_noise_bound()) {
    parts.learned_noise.emplace();
  }
  return parts;
}

}  // namespace hearsay
