#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/experiment_keys.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// Lines of the file, in the order in which they are added.
class Lines {
 public:
  void title(const TableKey& table) { text_ += fmt::format("\n{}\n", table.header); }

  void raw(const FieldInfo& info, std::string_view value) {
    text_ += fmt::format("{} = {}\n", info.name, value);
  }

  template <class Member>
  void field(const FieldInfo& info, const Member& member) {
    values(info, std::array{field_member::get(info, member)});
  }

  // One value as itself, several as a list; nothing if there is no value to write.
  void values(const FieldInfo& info, std::span<const FieldValue> values) {
    std::vector<std::string> printed;
    for (const FieldValue& value : values) {
      const std::string written = field_text(info, value);
      if (written.empty() && std::holds_alternative<std::monostate>(value)) {
        return;
      }
      const bool is_text = std::holds_alternative<std::string>(value) ||
                           std::holds_alternative<std::monostate>(value);
      printed.push_back(is_text ? toml_text(written) : written);
    }
    raw(info,
        printed.size() == 1 ? printed.front() : fmt::format("[{}]", fmt::join(printed, ", ")));
  }

  void fields(const AnyOptions& options) {
    for (std::size_t i = 0; i < options.fields().size(); ++i) {
      values(options.fields()[i], std::array{options.get(i)});
    }
  }

  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_file_keys(Lines& lines, const DataFile& file) {
  lines.field(keys::kFileField, file.path);
  lines.field(keys::kChecksumField, file.checksum);
}

void write_graph_source(Lines& lines, const GraphSource& source) {
  if (const auto* in_file = std::get_if<FileGraph>(&source)) {
    write_file_keys(lines, in_file->file);
    return;
  }
  const auto& graph = std::get<FamilyGraph>(source);
  lines.field(keys::family_field(), std::string(graph.family->entry.name));
  lines.fields(graph.options);
}

void write_graphs(Lines& lines, const GraphSettings& settings) {
  lines.title(keys::kGraph);
  lines.field(keys::graph_kind_field(), std::string(settings.kind->entry.name));
  lines.fields(settings.options);
  if (settings.kind->takes != GraphsTaken::several) {
    write_graph_source(lines, settings.graphs.front());
    return;
  }
  for (const GraphSource& source : settings.graphs) {
    lines.title(keys::kGraphs);
    write_graph_source(lines, source);
  }
}

void write_losses(Lines& lines, const LossSource& source) {
  lines.title(keys::kLosses);
  if (const auto* in_file = std::get_if<LossesInFile>(&source)) {
    lines.field(keys::loss_kind_field(), std::string(LossesInFile::kEntry.name));
    write_file_keys(lines, in_file->file);
    return;
  }
  const auto& losses = std::get<LossesOfKind>(source);
  lines.field(keys::loss_kind_field(), std::string(losses.kind->entry.name));
  lines.fields(losses.options);
}

void write_learner(Lines& lines, const LearnerSweep& sweep) {
  lines.title(keys::kLearners);
  lines.field(keys::learner_field(), sweep.learner);
  lines.field(keys::kLabelField, sweep.label);
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].in_experiments) {
      lines.values(fields[i], sweep.values[i]);
    }
  }
}

}  // namespace

std::string to_toml(const Experiment& experiment) {
  Lines lines;
  lines.field(keys::kVersionField, std::string(kVersion));
  lines.field(keys::kNameField, experiment.name);
  lines.fields(experiment);
  if (experiment.points.list.empty()) {
    lines.field(keys::kPointsField, experiment.points.count);
    lines.field(keys::kSpacingField, experiment.points.spacing);
  } else {
    lines.raw(keys::kPointsField, fmt::format("[{}]", fmt::join(experiment.points.list, ", ")));
  }
  lines.title(keys::kEnvironment);
  lines.fields(experiment.environment);
  lines.fields(experiment.environment.noise);
  write_graphs(lines, experiment.environment.graph);
  write_losses(lines, experiment.environment.losses);
  for (const LearnerSweep& sweep : experiment.learners) {
    write_learner(lines, sweep);
  }
  return std::move(lines).take();
}

}  // namespace hearsay
