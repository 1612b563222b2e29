#pragma once

// Finds learners by name. Each is a row of the catalogue: its name, its parameters, what it must be
// shown, and functions that make it. A program adds a learner of its own with register_learner();
// docs/extending.md shows how.

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
enum class RangeCheck : std::uint8_t;

// A parameter of a learner. Every learner has noise_bound, engine, out_of_range, bounds and
// max_outstanding, which always have a value and are not listed.
struct LearnerParameter {
  std::string_view name;     // the name of a field of LearnerSpec
  FieldValue fallback = {};  // the learner's own default, if any
  bool required = false;     // must be given, because there is no default
  // The words allowed. If empty, all words of the field, which the catalogue then fills in.
  std::vector<std::string_view> words = {};
  std::vector<std::string_view> our_words = {};  // words that are not from the reference, but ours
};

struct LearnerFactory {
  std::function<std::unique_ptr<Learner>(const LearnerSpec&)> make;
  // Reads what save() wrote after the spec. Throws Error if the state is damaged.
  std::function<std::unique_ptr<Learner>(const LearnerSpec&, StateReader&)> restore;
};

// The functions are given a spec that has been checked and has its defaults filled in.
struct LearnerRow {
  std::string name;
  std::string summary;    // one line
  std::string reference;  // the paper or page that defines it
  bool ours = false;      // not from the literature
  std::vector<LearnerParameter> parameters = {};
  Information information = Information::side_observations;
  LearnerFactory exact = {};
  std::string unavailable = {};  // what this build lacks to run it; usually empty

  // Other engines for the same learner, if there are any. The functions that return bool say
  // whether the engine can run a spec; if empty, it can run every spec.
  std::optional<LearnerFactory> lazy = std::nullopt;
  std::function<bool(const LearnerSpec&)> runs_lazily = {};
  std::function<std::unique_ptr<LockstepLearners>(const LearnerSpec&, std::size_t runs, RangeCheck)>
      lockstep = {};
  std::function<bool(const LearnerSpec&)> runs_in_lockstep = {};
};

// Names, summaries and references. Valid until the next register_learner().
std::span<const CatalogueEntry> learner_catalogue();

// Throws Error if there is no learner of this name.
const LearnerRow& learner_row(std::string_view name);

// Adds a row. Call it before the catalogue is used by other threads. Throws Error if the name is
// taken or empty, an engine is incomplete, or a parameter is given twice, is no optional field of
// LearnerSpec, or has a default or words that the field or the row does not accept.
void register_learner(LearnerRow row);

// Throws Error at the name of a parameter that the learner does not have, that is missing or out of
// its range, or if the learner is not shown what its row says.
std::unique_ptr<Learner> make_learner(const LearnerSpec& spec);

// Returns the default learner if the spec has no name: exp3-ivc with tuning `ada` and learned
// noise, unless the spec sets these. It needs no rate, threshold or noise bound (docs/learners.md).
// A spec with a name is returned unchanged.
LearnerSpec default_learner(LearnerSpec spec);

// Throws Error as make_learner does, without making one.
void check_learner(const LearnerSpec& spec);

// Makes a learner from what Learner::save() returned. Both continue with the same bits. Throws
// Error if the state is damaged or has another version.
std::unique_ptr<Learner> restore_learner(std::string_view state);

// Returns `spec` with the learner's own defaults for parameters that are not given.
LearnerSpec with_defaults(LearnerSpec spec);

// Whether make_learner() would use the lazy engine. Throws Error as make_learner does.
bool is_lazy(const LearnerSpec& spec);

// Whether runs of this learner can advance in lockstep (lockstep.h). Throws Error as make_learner
// does.
bool has_lockstep(const LearnerSpec& spec);
std::unique_ptr<LockstepLearners> make_lockstep_learners(const LearnerSpec& spec, std::size_t runs,
                                                         RangeCheck range_check);

// Whether the learner, or the value of one of its parameters, is our own and not from the
// literature.
bool is_ours(const LearnerSpec& spec);

}  // namespace hearsay
