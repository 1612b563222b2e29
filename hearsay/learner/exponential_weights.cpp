#include "hearsay/learner/exponential_weights.h"

namespace hearsay {

FtrlParts ftrl_parts(std::size_t arms, const ExponentialWeights& parts) {
  return {.estimator = std::make_unique<WeightedEstimator>(parts.weighting),
          .leader = regularized_leader(arms, regularizers::shannon()),
          .schedule = parts.schedule,
          .mixing = {},
          .theorems = parts.theorems};
}

}  // namespace hearsay
