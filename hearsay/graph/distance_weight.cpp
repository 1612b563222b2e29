#include "hearsay/graph/distance_weight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

struct NamedLaw {
  DistanceWeight::Law law;
  std::string_view name;
  double DistanceWeight::*number = nullptr;  // set by the number after the colon
};

// In the order of the enumerators.
constexpr auto kLaws = std::to_array<NamedLaw>({
    {DistanceWeight::Law::inverse_square_cap, "inverse-square-cap", &DistanceWeight::cap},
    {DistanceWeight::Law::inverse_one_plus_square, "inverse-one-plus-square"},
    {DistanceWeight::Law::inverse_square_one_plus, "inverse-square-one-plus"},
    {DistanceWeight::Law::gaussian, "gaussian", &DistanceWeight::scale},
    {DistanceWeight::Law::exponential, "exponential", &DistanceWeight::scale},
});

const NamedLaw& row_of(DistanceWeight::Law law) {
  return kLaws[static_cast<std::size_t>(law)];
}

}  // namespace

double DistanceWeight::operator()(double squared_distance) const {
  const double distance = std::sqrt(squared_distance);
  switch (law) {
    case Law::inverse_square_cap:
      return squared_distance <= cap ? 1.0 : cap / squared_distance;
    case Law::inverse_one_plus_square:
      return 1 / (1 + squared_distance);
    case Law::inverse_square_one_plus:
      return 1 / ((1 + distance) * (1 + distance));
    case Law::gaussian:
      return std::exp(-0.5 * (distance / scale) * (distance / scale));
    case Law::exponential:
      break;
  }
  return std::exp(-distance / scale);
}

void DistanceWeight::check() const {
  const NamedLaw& row = row_of(law);
  if (row.number == nullptr) {
    return;
  }
  const double number = this->*row.number;
  if (!(number >= std::numeric_limits<double>::min() &&
        number <= std::numeric_limits<double>::max())) {
    throw Error(fmt::format("is {}, expected a positive number after the colon",
                            distance_weight_text(*this)));
  }
}

DistanceWeight parse_distance_weight(std::string_view text) {
  for (const NamedLaw& row : kLaws) {
    DistanceWeight weight{.law = row.law};
    if (row.number == nullptr) {
      if (text == row.name) {
        return weight;
      }
    } else if (text.starts_with(row.name) && text.substr(row.name.size()).starts_with(':') &&
               read_number(text.substr(row.name.size() + 1), weight.*row.number)) {
      return weight;
    }
  }
  throw Error(
      fmt::format("is {}, expected inverse-square-cap:NUMBER, inverse-one-plus-square, "
                  "inverse-square-one-plus, gaussian:NUMBER or exponential:NUMBER",
                  in_quotes(text)));
}

std::string distance_weight_text(const DistanceWeight& weight) {
  const NamedLaw& row = row_of(weight.law);
  return row.number == nullptr ? std::string(row.name)
                               : fmt::format("{}:{}", row.name, weight.*row.number);
}

}  // namespace hearsay
