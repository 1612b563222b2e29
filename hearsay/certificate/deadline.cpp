#include "hearsay/certificate/deadline.h"

#include <utility>

namespace hearsay {

Deadline::Deadline(std::function<double()> clock, std::optional<double> seconds)
    : clock_(std::move(clock)), start_(clock_()), seconds_(seconds) {}

bool Deadline::is_over() const {
  if (!seconds_) {
    return false;
  }
  constexpr double kForFirstBounds = 1;
  const double passed = clock_() - start_;
  return passed >= *seconds_ && (has_bounds_ || passed >= kForFirstBounds);
}

}  // namespace hearsay
