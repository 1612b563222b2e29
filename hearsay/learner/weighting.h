#pragma once

// How a learner weights its observations, given by two functions of a weight s of the graph (X and
// Y of docs/model.md):
//
//   gain(s)      the factor of an observation in the estimate of the loss
//   coverage(s)  what playing an arm contributes to the coverage of another arm
//
//   coverage of arm i = sum over j of probability(j) * coverage(weight(j, i))
//
// If coverage(s) = gain(s) * s, then gain * observation / coverage is an unbiased estimate. The
// observation of the arm played may have another rule. A weight below kSmallestWeight counts as 0.

#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "hearsay/graph/graph.h"

namespace hearsay {

class SmallMatrix;

class Weighting {
 public:
  Weighting() = default;
  Weighting(const Weighting&) = delete;
  Weighting& operator=(const Weighting&) = delete;
  virtual ~Weighting() = default;

  // For observations of other arms: out[k] is the value for weights[k]. The coverage of weight 0
  // must be 0, because arms without an arc do not cover each other, or the coverage of every weight
  // must be 1; otherwise the learner throws Error when it sees a graph.
  virtual void gains(std::span<const double> weights, std::span<double> out) const = 0;
  virtual void coverages(std::span<const double> weights, std::span<double> out) const = 0;

  // For the observation of the arm played.
  virtual double self_gain(double self_weight) const = 0;
  virtual double self_coverage(double self_weight) const = 0;
};

// Weightings with a threshold always keep the observation of the arm played. With threshold 0,
// taken_as_loss keeps every arc, even those of weight 0, which truncated never keeps.
namespace weightings {
std::shared_ptr<const Weighting> own_loss();                            // exp3: only the arm played
std::shared_ptr<const Weighting> taken_as_loss(double at_least);        // exp3-ix (1), exp3-ixb
std::shared_ptr<const Weighting> truncated(double at_least);            // exp3-ixt, exp3-basic (0)
std::shared_ptr<const Weighting> by_power(double delta);                // exp3-wix
std::shared_ptr<const Weighting> inverse_variance(double noise_bound);  // exp3-ivx
// exp3-ivc: the same for an observation minus half its weight, whose second moment is at most
// s^2 / 4 for the loss plus (1 - s)^2 R^2 for the noise.
std::shared_ptr<const Weighting> centred_inverse_variance(double noise_bound);
}  // namespace weightings

// Whether every arm covers every arm with coverage 1, as taken_as_loss does with threshold 0.
bool covers_everything(const Weighting& weighting);

// Smaller coverages are replaced by this, because 1 / coverage could overflow, and 0 * infinity is
// NaN.
inline constexpr double kSmallestCoverage = std::numeric_limits<double>::min();

// Computes the coverage of every arm for changing probabilities on one graph. The coverages of all
// weights of the graph are computed once.
class Coverage {
 public:
  Coverage(const Weighting& weighting, const Graph& graph);

  // out[i] = sum over j of probabilities[j] * coverage(weight(j, i))
  void of(std::span<const double> probabilities, std::span<double> out) const;

  // coverage(weight(j, i)) as a matrix; nullopt if all are 1.
  const std::optional<Matrix>& matrix() const { return matrix_; }

 private:
  std::optional<Matrix> matrix_;
  std::shared_ptr<const SmallMatrix> small_;  // the same values, if the matrix is small and dense
};

}  // namespace hearsay
