#pragma once

// The learners by name.

#include <memory>
#include <span>
#include <string_view>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

std::span<const CatalogueEntry> learner_catalogue();

// Throws Error naming the parameter that is unknown to this learner, missing or out of its range.
std::unique_ptr<Learner> make_learner(const LearnerSpec& spec);

// Throws Error as make_learner does, without making one.
void check_learner(const LearnerSpec& spec);

// `spec` with the parameters that have a fixed default, and are not given, set to it.
LearnerSpec with_defaults(LearnerSpec spec);

// Whether the engine that `spec` asks for is the lazy one. Throws Error as above.
bool is_lazy(const LearnerSpec& spec);

// The row of Algorithm 1 that `spec` names. Throws Error as above.
ExponentialWeightsRow learner_row(const LearnerSpec& spec);

// From what Learner::save() gave; the two go on with the same bits. Throws Error where the state is
// damaged or of a newer version.
std::unique_ptr<Learner> restore_learner(std::string_view state);

}  // namespace hearsay
