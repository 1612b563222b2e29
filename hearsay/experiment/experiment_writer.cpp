#include <string_view>
#include <utility>

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
  void title(std::string_view line) { text_ += fmt::format("\n{}\n", line); }

  void raw(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}\n", key, value);
  }
  void text(std::string_view key, std::string_view value) { raw(key, toml_text(value)); }

  // One value as itself, several as a list; nothing if there is no value to write.
  void field(const FieldInfo& info, std::span<const FieldValue> values) {
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
    raw(info.name,
        printed.size() == 1 ? printed.front() : fmt::format("[{}]", fmt::join(printed, ", ")));
  }

  template <class Options>
  void fields(const Options& options) {
    const FieldTable<Options>& table = Options::fields();
    for (std::size_t i = 0; i < table.infos().size(); ++i) {
      const FieldValue value = table.get(options, i);
      field(table.infos()[i], std::span(&value, 1));
    }
  }
  void fields(const AnyOptions& options) {
    for (std::size_t i = 0; i < options.fields().size(); ++i) {
      const FieldValue value = options.get(i);
      field(options.fields()[i], std::span(&value, 1));
    }
  }

  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_file_keys(Lines& lines, const DataFile& file) {
  lines.text("file", file.path);
  lines.text("checksum", file.checksum);
}

void write_graph_source(Lines& lines, const GraphSource& source) {
  if (const auto* in_file = std::get_if<FileGraph>(&source)) {
    write_file_keys(lines, in_file->file);
    return;
  }
  const auto& graph = std::get<FamilyGraph>(source);
  lines.text("family", graph.family->entry.name);
  lines.fields(graph.options);
}

void write_graphs(Lines& lines, const GraphSettings& settings) {
  lines.title("[environment.graph]");
  lines.text("kind", keys::kGraphKinds[static_cast<std::size_t>(settings.kind)]);
  if (settings.kind != GraphKind::alternating) {
    write_graph_source(lines, settings.graphs.front());
    return;
  }
  lines.raw("rounds_each", fmt::format("{}", settings.rounds_each));
  for (const GraphSource& source : settings.graphs) {
    lines.title("[[environment.graph.graphs]]");
    write_graph_source(lines, source);
  }
}

void write_losses(Lines& lines, const LossSource& source) {
  lines.title("[environment.losses]");
  if (const auto* in_file = std::get_if<LossesInFile>(&source)) {
    lines.text("kind", keys::kLossesInFile);
    write_file_keys(lines, in_file->file);
    return;
  }
  const auto& losses = std::get<LossesOfKind>(source);
  lines.text("kind", losses.kind->entry.name);
  lines.fields(losses.options);
}

void write_learner(Lines& lines, const LearnerSweep& sweep) {
  lines.title("[[learners]]");
  lines.text("learner", sweep.learner);
  lines.text("label", sweep.label);
  const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].in_experiments) {
      lines.field(fields[i], sweep.values[i]);
    }
  }
}

}  // namespace

std::string to_toml(const Experiment& experiment) {
  Lines lines;
  lines.text("version", kVersion);
  lines.text("name", experiment.name);
  lines.fields(experiment);
  if (experiment.points.list.empty()) {
    lines.raw("points", fmt::format("{}", experiment.points.count));
    lines.text("spacing", keys::kSpacings[static_cast<std::size_t>(experiment.points.spacing)]);
  } else {
    lines.raw("points", fmt::format("[{}]", fmt::join(experiment.points.list, ", ")));
  }
  lines.title("[environment]");
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
