#pragma once

// The tables of an experiment file, and its keys that are not fields of an options struct,
// described for the reader and the writer. docs/experiments.md explains them.

#include <array>
#include <string>
#include <string_view>

#include "hearsay/experiment/experiment.h"
#include "hearsay/experiment/table_reader.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay::keys {

inline constexpr std::array<std::string_view, 2> kSpacings = {"linear", "log"};

inline constexpr TableKey kEnvironment = {"environment", "[environment]"};
inline constexpr TableKey kGraph = {"graph", "[environment.graph]"};
inline constexpr TableKey kGraphs = {"graphs", "[[environment.graph.graphs]]"};
inline constexpr TableKey kLosses = {"losses", "[environment.losses]"};
inline constexpr TableKey kLearners = {"learners", "[[learners]]"};

inline const FieldInfo kNameField = {.name = "name"};
inline const FieldInfo kVersionField = {.name = "version"};
inline const FieldInfo kLabelField = {.name = "label"};
inline const FieldInfo kFileField = {.name = kFileKey};
inline const FieldInfo kChecksumField = {.name = "checksum"};
inline const FieldInfo kPointsField = {
    .name = "points", .type = FieldType::whole, .whole = {1, kMostPoints}};
inline const FieldInfo kSpacingField = {
    .name = "spacing", .type = FieldType::word, .words = {kSpacings.begin(), kSpacings.end()}};

// One of the names of the rows.
template <class Rows>
FieldInfo name_field(std::string_view key, const Rows& rows) {
  FieldInfo info = {.name = key, .type = FieldType::word};
  for (const auto& row : rows) {
    info.words.push_back(row.entry.name);
  }
  return info;
}

inline FieldInfo family_field() {
  return name_field("family", graph_families());
}

inline FieldInfo graph_kind_field() {
  return name_field("kind", graph_kinds());
}

inline FieldInfo loss_kind_field() {
  FieldInfo info = name_field("kind", loss_kinds());
  info.words.push_back(LossesInFile::kEntry.name);
  return info;
}

inline FieldInfo learner_field() {
  FieldInfo info = {.name = "learner", .type = FieldType::word};
  for (const CatalogueEntry& entry : learner_catalogue()) {
    info.words.push_back(entry.name);
  }
  return info;
}

}  // namespace hearsay::keys
