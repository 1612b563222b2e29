#pragma once

// Writes the parts of a draw to the saved state of a learner and reads them back: the arms that
// were available, the law of the draw, and the estimates that followed.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/learner/estimator.h"

namespace hearsay {

// The reading functions throw Error if the state is damaged.

// `available`: in increasing order.
void write_available(StateWriter& writer, std::span<const Arm> available);
std::vector<Arm> read_available(StateReader& reader, std::size_t arms);

// An estimate for each arm, as write_numbers() wrote them.
std::vector<double> read_estimates(StateReader& reader, std::size_t arms);

void write_law(StateWriter& writer, const DrawLaw& law);
std::shared_ptr<DrawLaw> read_law(StateReader& reader, std::size_t arms);

// The same for laws whose other members are always 0 or empty.
void write_rate_and_probabilities(StateWriter& writer, const DrawLaw& law);
DrawLaw read_rate_and_probabilities(StateReader& reader, std::size_t arms);

}  // namespace hearsay
