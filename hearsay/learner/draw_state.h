#pragma once

// What saved state has of a draw: the arms that were available, and the law of the draw.

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

// A probability for each arm, as write_numbers() wrote them.
std::vector<double> read_probabilities(StateReader& reader, std::size_t arms);

void write_law(StateWriter& writer, const DrawLaw& law);
std::shared_ptr<DrawLaw> read_law(StateReader& reader, std::size_t arms);

}  // namespace hearsay
