#include "hearsay/learner/catalogue.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/base/registry.h"
#include "hearsay/base/state.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/built_in.h"
#include "hearsay/learner/lockstep.h"

namespace hearsay {
namespace {

class Catalogue {
 public:
  Catalogue() {
    for (std::vector<LearnerRow> rows : {built_in_learners(), learners_of_the_literature()}) {
      for (LearnerRow& row : rows) {
        add(std::move(row));
      }
    }
  }

  void add(LearnerRow row) {
    if (!row.exact.make || !row.exact.restore) {
      throw Error("learner", fmt::format("{} has no function that makes or restores it, expected "
                                         "LearnerRow::exact to have both",
                                         in_quotes(row.name)));
    }
    if (row.lazy && (!row.lazy->make || !row.lazy->restore)) {
      throw Error("learner", fmt::format("{} has a lazy engine without a function that makes or "
                                         "restores it, expected LearnerRow::lazy to have both",
                                         in_quotes(row.name)));
    }
    for (auto parameter = row.parameters.begin(); parameter != row.parameters.end(); ++parameter) {
      if (std::ranges::find(row.parameters.begin(), parameter, parameter->name,
                            &LearnerParameter::name) != parameter) {
        throw Error("learner", fmt::format("{} has the parameter {} twice, expected it once",
                                           row.name, in_quotes(parameter->name)));
      }
      complete(*parameter, row.name);
    }
    const LearnerRow& added = rows_.add(std::move(row));
    entries_.push_back({added.name, added.summary, added.reference});
  }

  const LearnerRow& find(std::string_view name) const { return rows_.find(name); }

  std::span<const CatalogueEntry> entries() const { return entries_; }

 private:
  // Throws Error if the parameter does not fit its field.
  static void complete(LearnerParameter& parameter, const std::string& learner) {
    const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
    const std::optional<std::size_t> index = field_index(fields, parameter.name);
    if (!index) {
      throw Error("learner", fmt::format("{} has the parameter {}, expected a field of LearnerSpec",
                                         learner, in_quotes(parameter.name)));
    }
    const FieldInfo& info = fields[*index];
    const bool has_fallback = !std::holds_alternative<std::monostate>(parameter.fallback);
    if (!info.optional) {
      throw Error("learner", fmt::format("{} has the parameter {}, which every learner has, "
                                         "expected only others",
                                         learner, in_quotes(parameter.name)));
    }
    if (parameter.required && has_fallback) {
      throw Error("learner", fmt::format("{} requires {} and has a default for it, expected one of "
                                         "the two",
                                         learner, in_quotes(parameter.name)));
    }
    for (const auto* words : {&parameter.words, &parameter.our_words}) {
      for (const std::string_view word : *words) {
        if (std::ranges::find(info.words, word) == info.words.end()) {
          throw Error("learner", fmt::format("{} allows {} for {}, expected {}", learner,
                                             in_quotes(word), info.name, expected(info)));
        }
      }
    }
    if (has_fallback) {
      try {
        checked(info, parameter.fallback);
      } catch (const Error& error) {
        throw error.within(fmt::format("learner: the default of {}", learner));
      }
    }
    if (parameter.words.empty()) {
      parameter.words = info.words;
    }
    std::vector<std::string_view> named = parameter.our_words;
    if (const auto* word = std::get_if<std::string>(&parameter.fallback)) {
      named.push_back(*word);
    }
    for (const std::string_view word : named) {
      if (std::ranges::find(parameter.words, word) == parameter.words.end()) {
        throw Error("learner",
                    fmt::format("{} names {} for {}, expected one of {}", learner, in_quotes(word),
                                info.name, fmt::join(parameter.words, ", ")));
      }
    }
  }

  Registry<LearnerRow> rows_ = {"learner", {}};
  std::vector<CatalogueEntry> entries_;  // point into the rows
};

Catalogue& catalogue() {
  static Catalogue catalogue;
  return catalogue;
}

bool has_no_value(const FieldValue& value) {
  return std::holds_alternative<std::monostate>(value);
}

const LearnerParameter* find_parameter(const LearnerRow& row, std::string_view name) {
  const auto found = std::ranges::find(row.parameters, name, &LearnerParameter::name);
  return found == row.parameters.end() ? nullptr : &*found;
}

// Throws Error if the value is missing, is not accepted, or is given to a learner that does not
// have the parameter.
void check_parameter(const LearnerRow& row, const FieldInfo& info, const FieldValue& value) {
  const LearnerParameter* parameter = find_parameter(row, info.name);
  if (parameter == nullptr) {
    if (info.optional && !has_no_value(value)) {
      throw Error(std::string(info.name),
                  fmt::format("is given, but {} has no such parameter", row.name));
    }
    return;
  }
  if (parameter->required && has_no_value(value)) {
    throw Error(std::string(info.name), fmt::format("is missing, expected {}: {} has no default",
                                                    expected(info), row.name));
  }
  const auto* word = std::get_if<std::string>(&value);
  if (word != nullptr && !parameter->words.empty() &&
      std::ranges::find(parameter->words, *word) == parameter->words.end()) {
    throw Error(std::string(info.name),
                fmt::format("is {}, expected one of {} for {}", in_quotes(*word),
                            fmt::join(parameter->words, ", "), row.name));
  }
}

// Whether the row has this engine for this spec.
bool has_lazy_for(const LearnerSpec& spec, const LearnerRow& row) {
  return row.lazy && (!row.runs_lazily || row.runs_lazily(with_defaults(spec)));
}

bool has_lockstep_for(const LearnerSpec& spec, const LearnerRow& row) {
  return row.lockstep && (!row.runs_in_lockstep || row.runs_in_lockstep(with_defaults(spec)));
}

bool uses_lazy(const LearnerSpec& spec, const LearnerRow& row) {
  return spec.engine == Engine::lazy ||
         (spec.engine == Engine::automatic && spec.arms >= kLazyArms && has_lazy_for(spec, row));
}

const LearnerRow& checked_row(const LearnerSpec& spec) {
  const LearnerRow& row = learner_row(spec.name);
  if (!row.unavailable.empty()) {
    throw Error("learner", fmt::format("{} is not in this build, expected a build with {}",
                                       in_quotes(row.name), row.unavailable));
  }
  constexpr std::size_t kMostArms = std::numeric_limits<Arm>::max();
  if (spec.arms == 0 || spec.arms > kMostArms) {
    throw Error("arms", fmt::format("is {}, expected 1 to {}", spec.arms, kMostArms));
  }
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    check_parameter(row, table.infos()[i], table.get(spec, i));
  }
  check_options(with_defaults(spec));
  if (spec.engine == Engine::lazy && !has_lazy_for(spec, row)) {
    throw Error("engine",
                fmt::format("is lazy, expected exact or auto: {} {}", row.name,
                            row.lazy ? "has a rate or a bound that the lazy engine does not compute"
                                     : "has no lazy engine"));
  }
  return row;
}

// Throws Error unless the learner is shown what its row says. Runs show what the learner asks for,
// while reports and comparisons rely on the row.
std::unique_ptr<Learner> with_information_of(const LearnerRow& row,
                                             std::unique_ptr<Learner> learner) {
  if (learner->information() != row.information) {
    throw Error("learner", fmt::format("{} has another information() than its row, expected the "
                                       "same as LearnerRow::information",
                                       in_quotes(row.name)));
  }
  const bool is_informed = row.information == Information::graph_before_draw;
  if ((dynamic_cast<const Informed*>(learner.get()) != nullptr) != is_informed) {
    throw Error("learner",
                fmt::format("{} {}", in_quotes(row.name),
                            is_informed ? "is shown the graph before the draw, expected a class "
                                          "that implements Informed"
                                        : "implements Informed, expected its information to be "
                                          "graph_before_draw"));
  }
  return learner;
}

const LearnerFactory& factory_of(const LearnerSpec& spec, const LearnerRow& row) {
  return uses_lazy(spec, row) ? *row.lazy : row.exact;
}

}  // namespace

std::span<const CatalogueEntry> learner_catalogue() {
  return catalogue().entries();
}

const LearnerRow& learner_row(std::string_view name) {
  return catalogue().find(name);
}

void register_learner(LearnerRow row) {
  catalogue().add(std::move(row));
}

std::unique_ptr<Learner> make_learner(const LearnerSpec& spec) {
  if (spec.name.empty()) {
    return make_learner(default_learner(spec));
  }
  const LearnerRow& row = checked_row(spec);
  return with_information_of(row, factory_of(spec, row).make(with_defaults(spec)));
}

void check_learner(const LearnerSpec& spec) {
  checked_row(default_learner(spec));
}

LearnerSpec default_learner(LearnerSpec spec) {
  if (spec.name.empty()) {
    spec.name = "exp3-ivc";
    spec.tuning = spec.tuning.value_or(Tuning::ada);
    spec.noise = spec.noise.value_or(NoiseLevel::learned);
  }
  return spec;
}

std::unique_ptr<Learner> restore_learner(std::string_view state) {
  StateReader reader(state, kLearnerState);
  const LearnerSpec spec = read_spec(reader);
  const LearnerRow& row = checked_row(spec);
  std::unique_ptr<Learner> learner = factory_of(spec, row).restore(with_defaults(spec), reader);
  reader.finish();
  return with_information_of(row, std::move(learner));
}

LearnerSpec with_defaults(LearnerSpec spec) {
  spec = default_learner(std::move(spec));
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  for (const LearnerParameter& parameter : learner_row(spec.name).parameters) {
    const std::size_t field = *field_index(table.infos(), parameter.name);
    if (!has_no_value(parameter.fallback) && has_no_value(table.get(spec, field))) {
      table.set(spec, field, parameter.fallback);
    }
  }
  return spec;
}

bool is_lazy(const LearnerSpec& spec) {
  const LearnerSpec named = default_learner(spec);
  return uses_lazy(named, checked_row(named));
}

bool has_lockstep(const LearnerSpec& spec) {
  const LearnerSpec named = default_learner(spec);
  const LearnerRow& row = checked_row(named);
  return !uses_lazy(named, row) && has_lockstep_for(named, row);
}

std::unique_ptr<LockstepLearners> make_lockstep_learners(const LearnerSpec& spec, std::size_t runs,
                                                         RangeCheck range_check) {
  assert(has_lockstep(spec));
  const LearnerSpec complete = with_defaults(spec);
  return learner_row(complete.name).lockstep(complete, runs, range_check);
}

bool is_ours(const LearnerSpec& spec) {
  const LearnerSpec named = default_learner(spec);
  const LearnerRow& row = learner_row(named.name);
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  const auto is_our_word = [&](const LearnerParameter& parameter) {
    const FieldValue value = table.get(named, *field_index(table.infos(), parameter.name));
    const auto* word = std::get_if<std::string>(&value);
    return word != nullptr &&
           std::ranges::find(parameter.our_words, *word) != parameter.our_words.end();
  };
  return row.ours || std::ranges::any_of(row.parameters, is_our_word);
}

}  // namespace hearsay
