#pragma once

// How a learner makes estimates of losses from what it sees:
//
//   estimate of arm i = gain(weight(played, i)) * observation / (coverage of i + exploration)
//   coverage of i     = sum over j of probability(j) * coverage(weight(j, i))
//
// (X and Y of docs/model.md.) Where coverage(s) = gain(s) * s the estimate is unbiased at
// exploration 0. An arm's own loss may have a rule of its own.

#include <memory>
#include <optional>
#include <span>

#include "hearsay/graph/graph.h"

namespace hearsay {

class Estimator {
 public:
  Estimator() = default;
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;
  virtual ~Estimator() = default;

  // Between different arms, a weight at a time.
  virtual void gains(std::span<const double> weights, std::span<double> out) const = 0;
  virtual void coverages(std::span<const double> weights, std::span<double> out) const = 0;

  // Of an arm's own loss.
  virtual double self_gain(double self_weight) const = 0;
  virtual double self_coverage(double self_weight) const = 0;
};

// The estimators of the catalogue. Thresholded ones keep an arm's own loss whatever its weight.
// With threshold 0 taken_as_loss keeps every arc, those of weight 0 too; truncated never keeps
// those.
namespace estimators {
std::shared_ptr<const Estimator> own_loss();  // exp3: nothing but the arm played
std::shared_ptr<const Estimator> taken_as_loss(double at_least);        // exp3-ix (1), exp3-ixb
std::shared_ptr<const Estimator> truncated(double at_least);            // exp3-ixt, exp3-basic (0)
std::shared_ptr<const Estimator> weighted(double delta);                // exp3-wix
std::shared_ptr<const Estimator> inverse_variance(double noise_bound);  // exp3-ivx
}  // namespace estimators

// The coverage of every arm, for probabilities that change while the graph stays: what the
// estimator makes of the graph is worked out once.
class Coverage {
 public:
  Coverage(const Estimator& estimator, const Graph& graph);

  // out[i] = sum over j of probabilities[j] * coverage(weight(j, i))
  void of(std::span<const double> probabilities, std::span<double> out) const;

  // coverage(weight(j, i)) as a matrix; none: 1 throughout.
  const std::optional<Matrix>& matrix() const { return matrix_; }

 private:
  std::optional<Matrix> matrix_;
};

}  // namespace hearsay
