#include "hearsay/learner/ftrl_rule.h"

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

std::unique_ptr<Estimator> estimator_of(const FtrlRule& rule) {
  if (rule.baseline) {
    return std::make_unique<BaselineEstimator>(*rule.baseline, rule.order);
  }
  if (!rule.weighting) {
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

void check_rule(const FtrlRule& rule) {
  if (!rule.baseline && !rule.weighting && !rule.floor) {
    throw Error("learner",
                "has an FtrlRule without estimates, expected a weighting, a floor or a "
                "baseline");
  }
  if (!(rule.order > 0 && rule.order <= 1)) {
    throw Error("learner", fmt::format("has an FtrlRule of order {}, expected a number in (0, 1]",
                                       rule.order));
  }
  if (!(rule.uniform_mixing >= 0 && rule.uniform_mixing <= 1)) {
    throw Error("learner", fmt::format("has an FtrlRule with uniform mixing {}, expected a number "
                                       "in [0, 1]",
                                       rule.uniform_mixing));
  }
}

FtrlParts ftrl_parts(const LearnerSpec& spec, const FtrlRule& rule) {
  check_rule(rule);
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
