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

}  // namespace hearsay
