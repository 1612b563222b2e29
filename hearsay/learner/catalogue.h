#pragma once

// The learners by name. A learner is a row of the catalogue: its name, the parameters it takes,
// what it must be shown, and functions that make it. A program adds a row of its own by
// register_learner(); docs/extending.md shows how.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

class LockstepLearners;
enum class Observations : std::uint8_t;

// A parameter that a learner takes. noise_bound, engine, out_of_range, bounds and max_outstanding,
// which always have a value, every learner takes and does not list.
struct LearnerParameter {
  std::string_view name;                     // of a field of LearnerSpec::fields()
  FieldValue fallback = {};                  // the learner's own default; none: no value
  bool required = false;                     // there is no default: it must be given
  std::vector<std::string_view> words = {};  // of a word: those allowed; empty: all of the field
  std::vector<std::string_view> our_words = {};  // those that are ours, not the reference's
};

struct LearnerFactory {
  std::function<std::unique_ptr<Learner>(const LearnerSpec&)> make;
  // From what save() wrote after the spec. Throws Error if the state is damaged.
  std::function<std::unique_ptr<Learner>(const LearnerSpec&, StateReader&)> restore;
};

// The functions are given a spec that has been checked and has its defaults filled in.
struct LearnerRow {
  std::string name;
  std::string summary;    // one line
  std::string reference;  // where it comes from
  bool ours = false;      // not from the literature
  std::vector<LearnerParameter> parameters = {};
  Information information = Information::side_observations;
  LearnerFactory exact = {};
  std::string unavailable = {};  // what this build lacks for it; empty: nothing

  // Other executions of the same learner, if there are any.
  std::optional<LearnerFactory> lazy = std::nullopt;
  std::function<std::unique_ptr<LockstepLearners>(const LearnerSpec&, std::size_t runs,
                                                  Observations)>
      lockstep = {};
};

// Names, summaries and references. Valid until the next register_learner().
std::span<const CatalogueEntry> learner_catalogue();

// Throws Error if there is no learner of this name.
const LearnerRow& learner_row(std::string_view name);

// Adds a row. Call it before the catalogue is used by other threads. Throws Error if the name is
// taken or a parameter is no field of LearnerSpec.
void register_learner(LearnerRow row);

// Throws Error naming the parameter that is unknown to this learner, missing or out of its range.
std::unique_ptr<Learner> make_learner(const LearnerSpec& spec);

// The learner that is made if the spec names none: exp3-ivc with tuning `ada` and the noise
// learned, unless the spec says otherwise. It needs no rate, no threshold and no noise bound
// (docs/learners.md). A spec that names a learner stays as it is.
LearnerSpec default_learner(LearnerSpec spec);

// Throws Error as make_learner does, without making one.
void check_learner(const LearnerSpec& spec);

// From what Learner::save() returned; the two continue with the same bits. Throws Error if the
// state is damaged or of another version.
std::unique_ptr<Learner> restore_learner(std::string_view state);

// `spec` with the learner's own defaults for what is not given.
LearnerSpec with_defaults(LearnerSpec spec);

// Whether the engine that `spec` asks for is the lazy one. Throws Error as make_learner does.
bool is_lazy(const LearnerSpec& spec);

// Whether runs of this learner can advance in lockstep (lockstep.h). Throws Error as make_learner
// does.
bool has_lockstep(const LearnerSpec& spec);
std::unique_ptr<LockstepLearners> make_lockstep_learners(const LearnerSpec& spec, std::size_t runs,
                                                         Observations observations);

// Whether this learner, or the tuning that is asked for, is ours and not from the literature.
bool is_ours(const LearnerSpec& spec);

}  // namespace hearsay
