#include "hearsay/certificate/certificate.h"

#include <cassert>
#include <cmath>

namespace hearsay {

double largest_q(double effective_independence, std::size_t arms, double exploration) {
  assert(effective_independence > 0 && exploration > 0);
  const auto n = static_cast<double>(arms);
  return 2 * effective_independence *
         (1 + std::log1p((n * n / exploration + n * n + n) / effective_independence));
}

void end_bounds(Certificate& certificate, std::uint64_t round, std::string_view failure) {
  certificate.regret_bound = std::nullopt;
  for (RegretBound& bound : certificate.bounds) {
    if (bound.failed_in_round == 0 || bound.failed_in_round > round) {
      bound.value = std::nullopt;
      bound.per_switch = std::nullopt;
      bound.failed_in_round = round;
      bound.failure = failure;
    }
  }
}

}  // namespace hearsay
