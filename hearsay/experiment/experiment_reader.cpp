#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/experiment_keys.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/experiment/table_reader.h"
#include "hearsay/experiment/toml_document.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

// Reads the whole tree. The paths of files that it names are relative to `directory`, unless
// `files` has them.
class ExperimentReader {
 public:
  ExperimentReader(const toml::table& root, std::filesystem::path directory,
                   const FilesInMemory& files)
      : root_(root), directory_(std::move(directory)), files_(files) {}

  Experiment read(const std::string& default_name) {
    TableReader top(root_, "the experiment");
    read_name(top, default_name);
    top.read(experiment_);
    read_environment(top.require_table("environment", "a table of graph, losses, noise, horizon"));
    read_points(top);
    read_learners(top);
    top.finish();
    return std::move(experiment_);
  }

  GraphSource read_graph_source() {
    TableReader table(root_, "the graph");
    const GraphSource source = read_graph(table);
    table.finish();
    return source;
  }

 private:
  // The name becomes that of a directory.
  void read_name(TableReader& top, const std::string& default_name) {
    if (const toml::node* node = top.find("version")) {
      experiment_.version = std::get<std::string>(TableReader::read(keys::kVersionField, *node));
    }
    const toml::node* given = top.find("name");
    experiment_.name = given == nullptr
                           ? default_name
                           : std::get<std::string>(TableReader::read(keys::kNameField, *given));
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_' || c == '.';
    };
    const std::string& name = experiment_.name;
    if (name.empty() || name.front() == '.' || !std::ranges::all_of(name, fits)) {
      TableReader::fail(
          given != nullptr ? *given : root_, "name",
          fmt::format("is {}, expected letters, digits, - and _, and . not at the beginning",
                      in_quotes(name)));
    }
  }

  void read_environment(const toml::table& table) {
    TableReader reader(table, "[environment]");
    EnvironmentSettings& settings = experiment_.environment;
    const FieldInfo& horizon = EnvironmentSettings::fields().infos().front();
    reader.require(horizon.name, expected(horizon));
    reader.read(settings);
    reader.read(settings.noise);
    read_graphs(reader.require_table("graph", "a table with a family or a file"));
    read_losses(reader);
    reader.finish();
  }

  // The keys of a file. Its path is made absolute, unless it is in memory.
  DataFile read_file_keys(TableReader& table) const {
    DataFile file;
    file.path = std::get<std::string>(
        TableReader::read(keys::kFileField, table.require("file", "the path of a file")));
    if (const toml::node* node = table.find("checksum")) {
      file.checksum = std::get<std::string>(TableReader::read(keys::kChecksumField, *node));
    }
    table.with_places([&] {
      if (file.path.empty()) {
        throw Error("file", "is empty, expected the path of a file");
      }
    });
    if (files_.contains(file.path)) {
      return file;
    }
    file.path = std::filesystem::absolute(directory_ / file.path).lexically_normal().string();
    table.with_places([&] {
      if (!is_utf8(file.path)) {  // experiment.toml and the report could not name it
        throw Error("file", fmt::format("is {}, which is not UTF-8, expected a path in UTF-8: move "
                                        "the file or rename its directory",
                                        file.path));
      }
    });
    return file;
  }

  std::string bytes_of(const DataFile& file) const {
    const auto found = files_.find(file.path);
    return found != files_.end() ? found->second : read_file(file.path);
  }

  GraphSource read_graph(TableReader& table) const {
    if (table.find("file") != nullptr) {
      const DataFile file = read_file_keys(table);
      return table.with_places([&] { return parse_graph_file(file, bytes_of(file)); });
    }
    const std::string name = std::get<std::string>(TableReader::read(
        keys::family_field(), table.require("family", "a family of graphs, or 'file'")));
    FamilyGraph graph(find_graph_family(name));
    table.read(graph.options);
    return graph;
  }

  void add_graph(TableReader& table) {
    GraphSettings& settings = experiment_.environment.graph;
    settings.graphs.push_back(read_graph(table));
    table.finish();
    table.with_places([&] {
      const std::size_t arms = arms_of(settings.graphs.back());
      if (settings.graphs.size() > 1 && arms != arms_) {
        throw Error(
            fmt::format("the graph has {} arms, expected {}, the number of arms of the first graph",
                        arms, arms_));
      }
      arms_ = arms;
    });
  }

  void read_graphs(const toml::table& table) {
    TableReader reader(table, "[environment.graph]");
    GraphSettings& settings = experiment_.environment.graph;
    const toml::node* kind = reader.find("kind");
    if (kind != nullptr) {
      settings.kind = keys::read_word<GraphKind>(keys::kGraphKindField, *kind);
    }
    if (settings.kind != GraphKind::alternating) {
      add_graph(reader);
      if (settings.kind == GraphKind::redrawn && !is_random(settings.graphs.front())) {
        TableReader::fail(*kind, "kind",
                          "is 'redrawn', expected a random family beside it, such as 'uniform'");
      }
      return;
    }
    if (const toml::node* node = reader.find("rounds_each")) {
      settings.rounds_each =
          std::get<std::uint64_t>(TableReader::read(keys::kRoundsEachField, *node));
    }
    const toml::node& graphs = reader.require("graphs", "a list of graphs");
    if (!graphs.is_array() || graphs.as_array()->empty()) {
      TableReader::fail(graphs, "graphs",
                        fmt::format("is {}, expected a list of graphs", shown(graphs)));
    }
    for (const toml::node& element : *graphs.as_array()) {
      TableReader graph(TableReader::as_table(element, "graphs"), "[[environment.graph.graphs]]");
      add_graph(graph);
    }
    reader.finish();
  }

  void read_losses(TableReader& environment) {
    static const toml::table nothing;
    const toml::node* node = environment.find("losses");
    const toml::table& table = node != nullptr ? TableReader::as_table(*node, "losses") : nothing;
    TableReader reader(table, "[environment.losses]");
    std::string kind(loss_kinds().front().entry.name);
    if (const toml::node* given = reader.find("kind")) {
      kind = std::get<std::string>(TableReader::read(keys::loss_kind_field(), *given));
    }
    LossSource& losses = experiment_.environment.losses;
    if (kind == keys::kLossesInFile) {
      const DataFile file = read_file_keys(reader);
      losses = reader.with_places([&] { return parse_losses_file(file, bytes_of(file)); });
    } else {
      LossesOfKind of_kind(find_loss_kind(kind));
      reader.read(of_kind.options);
      losses = std::move(of_kind);
    }
    reader.finish();
    reader.with_places([&] { check_losses(losses, arms_, experiment_.environment.horizon); });
  }

  void read_points(TableReader& top) {
    RecordedRounds& settings = experiment_.points;
    const std::uint64_t horizon = experiment_.environment.horizon;
    const toml::node* points = top.find("points");
    if (points != nullptr && points->is_array()) {
      FieldInfo round = keys::kPointsField;
      round.whole = {1, horizon};
      std::vector<FieldValue> rounds;
      top.read_list(round, kMostPoints, rounds);
      for (const FieldValue& each : rounds) {
        settings.list.push_back(std::get<std::uint64_t>(each));
      }
      settings.list = recorded_rounds(settings, horizon);
    } else if (points != nullptr) {
      settings.count = std::get<std::uint64_t>(TableReader::read(keys::kPointsField, *points));
    }
    if (const toml::node* spacing = top.find("spacing")) {
      settings.spacing = keys::read_word<Spacing>(keys::kSpacingField, *spacing);
    }
  }

  void read_learners(TableReader& top) {
    const toml::node& learners = top.require("learners", "at least one [[learners]]");
    if (!learners.is_array() || learners.as_array()->empty()) {
      TableReader::fail(learners, "learners",
                        fmt::format("is {}, expected [[learners]]", shown(learners)));
    }
    for (const toml::node& element : *learners.as_array()) {
      read_learner(TableReader::as_table(element, "learners"));
    }
  }

  void read_learner(const toml::table& table) {
    TableReader reader(table, "[[learners]]");
    LearnerSweep sweep(std::get<std::string>(TableReader::read(
        keys::learner_field(), reader.require("learner", "its name, as `hearsay list` has it"))));
    read_label(reader, table, sweep);
    sweep.of("noise_bound") = {experiment_.environment.noise.bound};
    const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].in_experiments) {
        reader.read_list(fields[i], kMostCells, sweep.values[i]);
      }
    }
    reader.finish();
    reader.with_places([&] {
      for (const Cell& cell : expand(sweep, arms_)) {
        check_learner(cell.learner);
      }
    });
    experiment_.learners.push_back(std::move(sweep));
  }

  void read_label(TableReader& reader, const toml::table& table, LearnerSweep& sweep) const {
    const toml::node* node = reader.find("label");
    if (node != nullptr) {
      sweep.label = std::get<std::string>(TableReader::read(keys::kLabelField, *node));
      if (sweep.label.empty() || has_control_characters(sweep.label)) {
        TableReader::fail(*node, "label",
                          fmt::format("is {}, expected a line of text without control characters",
                                      in_quotes(sweep.label)));
      }
      if (std::string_view("=+-@").find(sweep.label.front()) != std::string_view::npos) {
        TableReader::fail(*node, "label",
                          fmt::format("is {}, expected a first character other than = + - @, by "
                                      "which spreadsheets recognize formulas in results.csv",
                                      in_quotes(sweep.label)));
      }
    }
    if (std::ranges::find(experiment_.learners, sweep.label, &LearnerSweep::label) !=
        experiment_.learners.end()) {
      throw Error(place_of(node != nullptr ? *node : table),
                  fmt::format("label: {} is the label of another learner too, expected a label of "
                              "its own",
                              in_quotes(sweep.label)));
    }
  }

  const toml::table& root_;
  std::filesystem::path directory_;
  const FilesInMemory& files_;
  Experiment experiment_;
  std::size_t arms_ = 0;
};

}  // namespace

Experiment read_experiment(const std::string& path, std::span<const Override> overrides) {
  return parse_experiment(read_file(path, kLargestToml), path, overrides);
}

Experiment parse_experiment(std::string_view text, const std::string& path,
                            std::span<const Override> overrides, const FilesInMemory& files) {
  toml::table root = parse_toml(text, path);
  for (const Override& each : overrides) {
    apply_override(root, each);
  }
  const std::filesystem::path file(path);
  return ExperimentReader(root, file.parent_path(), files)
      .read(path.empty() ? "experiment" : file.stem().string());
}

GraphSource parse_graph_source(std::string_view text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  const FilesInMemory none;
  return ExperimentReader(root, std::filesystem::path(path).parent_path(), none)
      .read_graph_source();
}

}  // namespace hearsay
