#pragma once

// How a weight decreases with the distance of two arms. All laws give weight 1 at distance 0. Under
// noise of at most 1, a weight s allows a reading of the other arm's loss to have an error of up to
// (1 - s) / s (docs/calibrate.md), so the law decides how this error may grow with the distance d.

#include <string>
#include <string_view>

namespace hearsay {

struct DistanceWeight {
  enum class Law {
    inverse_square_cap,       // min(cap / d^2, 1): no error up to d = sqrt(cap), then d^2 / cap - 1
    inverse_one_plus_square,  // 1 / (1 + d^2): an error of d^2
    inverse_square_one_plus,  // 1 / (1 + d)^2: an error of 2 d + d^2
    gaussian,                 // exp(-(d / scale)^2 / 2)
    exponential,              // exp(-d / scale)
  };
  Law law = Law::inverse_square_cap;
  double cap = 3;    // for inverse_square_cap
  double scale = 1;  // for gaussian and exponential, in the unit of the distances

  double operator()(double squared_distance) const;

  // Throws Error if the cap or the scale is not a positive number.
  void check() const;
};

// Describes the texts that name the laws, for the help of options.
inline constexpr std::string_view kDistanceWeights =
    "weight at distance d: inverse-square-cap:C is min(C/d^2, 1), inverse-one-plus-square is "
    "1/(1+d^2), inverse-square-one-plus is 1/(1+d)^2, gaussian:S is exp(-(d/S)^2/2), exponential:S "
    "is exp(-d/S)";

// Throws Error if the text is not such a law. A number out of its range is found by check().
DistanceWeight parse_distance_weight(std::string_view text);
std::string distance_weight_text(const DistanceWeight& weight);

}  // namespace hearsay
