#pragma once

// The learners of the catalogue, so that a test runs over all of them without naming any.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

// A value in the range of the field, in its middle but at most 400 (1 for real numbers) above its
// lower end, so that a horizon or an independence number stays small.
inline FieldValue some_value(const FieldInfo& info) {
  switch (info.type) {
    case FieldType::real:
      return std::min((info.real.low + info.real.high) / 2, info.real.low + 1);
    case FieldType::whole:
      return info.whole.low + std::min<std::uint64_t>((info.whole.high - info.whole.low) / 2, 400);
    case FieldType::flag:
      return true;
    case FieldType::word:
      return std::string(info.words.front());
    case FieldType::text:
      break;
  }
  return std::string("text");
}

inline void set_parameter(LearnerSpec& spec, std::string_view name, const FieldValue& value) {
  LearnerSpec::fields().set(spec, *field_index(LearnerSpec::fields().infos(), name), value);
}

// One spec for each learner that this build has, with a value for every required parameter, and one
// more for each other word that a parameter of words accepts.
inline std::vector<LearnerSpec> every_learner(std::size_t arms) {
  std::vector<LearnerSpec> specs;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    const LearnerRow& row = learner_row(entry.name);
    if (!row.unavailable.empty()) {
      continue;
    }
    LearnerSpec spec{.name = row.name, .arms = arms};
    for (const LearnerParameter& parameter : row.parameters) {
      if (parameter.required) {
        const auto fields = LearnerSpec::fields().infos();
        set_parameter(spec, parameter.name,
                      some_value(fields[*field_index(fields, parameter.name)]));
      }
    }
    specs.push_back(with_defaults(spec));
    for (const LearnerParameter& parameter : row.parameters) {
      for (const std::string_view word : parameter.words) {
        LearnerSpec other = specs.back();
        set_parameter(other, parameter.name, std::string(word));
        if (std::ranges::find(specs, other) == specs.end()) {
          specs.push_back(other);
        }
      }
    }
  }
  return specs;
}

// The learners that the lazy engine can run, with that engine.
inline std::vector<LearnerSpec> every_lazy_learner(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_learner(arms);
  std::erase_if(specs, [](const LearnerSpec& spec) {
    const LearnerRow& row = learner_row(spec.name);
    const bool runs_lazily = row.lazy && (!row.runs_lazily || row.runs_lazily(spec));
    // The lazy engine takes no late feedback, so no rate depends on delays.
    const DelayRate delay_rate = spec.delay_rate.value_or(DelayRate::none);
    return !runs_lazily || delay_rate != DelayRate::none;
  });
  for (LearnerSpec& spec : specs) {
    spec.engine = Engine::lazy;
  }
  return specs;
}

// Every learner with every engine that it has.
inline std::vector<LearnerSpec> every_engine(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_learner(arms);
  std::ranges::copy(every_lazy_learner(arms), std::back_inserter(specs));
  return specs;
}

// A description for the messages of a failed test.
inline std::string described(const LearnerSpec& spec) {
  std::string text = spec.name;
  const FieldTable<LearnerSpec>& table = LearnerSpec::fields();
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    const std::string value = field_text(table.infos()[i], table.get(spec, i));
    if (!value.empty() && table.infos()[i].in_experiments) {
      text += ", " + std::string(table.infos()[i].name) + " " + value;
    }
  }
  return text;
}

}  // namespace hearsay
