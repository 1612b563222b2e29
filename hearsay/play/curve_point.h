#pragma once

// What is recorded of a run at one point of its curve.

#include <array>
#include <optional>
#include <span>

#include "hearsay/base/state.h"
#include "hearsay/certificate/certificate.h"

namespace hearsay {

struct CurvePoint {
  double loss = 0;           // suffered so far
  double best_arm_loss = 0;  // of the best fixed arm in hindsight
  double bound = 0;          // on the regret, by the certificate; NaN: there is none
};

// The bound of a certificate; NaN if there is no certificate or it has none.
double bound_of(const std::optional<Certificate>& certificate);

// The values of a point in the order in which saved states and arrays hold them.
inline constexpr std::array kCurveValues = {&CurvePoint::loss, &CurvePoint::best_arm_loss,
                                            &CurvePoint::bound};

void save_points(StateWriter& writer, std::span<const CurvePoint> points);

// Fills in all of `points`. Throws Error if the state has fewer.
void load_points(StateReader& reader, std::span<CurvePoint> points);

}  // namespace hearsay
