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

// Makes an Experiment from the tree of a TOML text. The paths of files that it names are relative
// to `directory`, unless `files` has them.
class ExperimentReader {
 public:
  ExperimentReader(const toml::table& root, std::filesystem::path directory,
                   const FilesInMemory& files)
      : root_(root), directory_(std::move(directory)), files_(files) {}

  Experiment read(const std::string& default_name) {
    TableReader top(root_, "the experiment");
    read_name(top, default_name);
    top.read(experiment_);
    read_environment(
        top.require_table(keys::kEnvironment, "a table of graph, losses, noise, horizon"));
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
    top.read_field(keys::kVersionField, experiment_.version);
    experiment_.name = default_name;
    const toml::node* given = top.read_field(keys::kNameField, experiment_.name);
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_' || c == '.';
    };
    const std::string& name = experiment_.name;
    if (name.empty() || name.front() == '.' || !std::ranges::all_of(name, fits)) {
      TableReader::fail(
          given != nullptr ? *given : root_, keys::kNameField.name,
          fmt::format("is {}, expected letters, digits, - and _, and . not at the beginning",
                      in_quotes(name)));
    }
  }

  void read_environment(TableReader reader) {
    EnvironmentSettings& settings = experiment_.environment;
    const FieldInfo& horizon = EnvironmentSettings::fields().infos().front();
    reader.require(horizon.name, expected(horizon));
    reader.read(settings);
    reader.read(settings.noise);
    read_graphs(reader.require_table(keys::kGraph, "a table with a family or a file"));
    read_losses(reader);
    reader.finish();
  }

  // The keys of a file, with its bytes if it is in memory; otherwise its path is made absolute.
  DataFile read_file_keys(TableReader& table) const {
    DataFile file;
    table.require_field(keys::kFileField, "the path of a file", file.path);
    table.read_field(keys::kChecksumField, file.checksum);
    table.with_places([&] {
      if (file.path.empty()) {
        throw Error(std::string(kFileKey), "is empty, expected the path of a file");
      }
    });
    if (const auto found = files_.find(file.path); found != files_.end()) {
      table.with_places([&] {
        if (std::filesystem::path(file.path).filename() != file.path) {
          throw Error(std::string(kFileKey),
                      fmt::format("is {}, whose data is in memory, expected a name without a "
                                  "directory",
                                  in_quotes(file.path)));
        }
      });
      file.in_memory = std::make_shared<const std::string>(found->second);
      return file;
    }
    table.with_places([&] { file.path = data_path(directory_.string(), file.path); });
    return file;
  }

  static std::string bytes_of(const DataFile& file) {
    return file.in_memory ? *file.in_memory : read_file(file.path);
  }

  GraphSource read_graph(TableReader& table) const {
    if (table.find(kFileKey) != nullptr) {
      const DataFile file = read_file_keys(table);
      return table.with_places([&] { return parse_graph_file(file, bytes_of(file)); });
    }
    std::string name;
    table.require_field(keys::family_field(), "a family of graphs, or 'file'", name);
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

  void read_graphs(TableReader reader) {
    const std::span<const GraphKind> kinds = graph_kinds();
    std::string name(kinds.front().entry.name);
    const FieldInfo info = keys::graph_kind_field();
    const toml::node* given = reader.read_field(info, name);
    const GraphKind& kind =
        *std::ranges::find(kinds, name, [](const GraphKind& each) { return each.entry.name; });
    GraphSettings& settings = experiment_.environment.graph;
    settings = GraphSettings(kind);
    reader.read(settings.options);
    if (kind.takes != GraphsTaken::several) {
      add_graph(reader);
      if (kind.takes == GraphsTaken::random_family && !is_random(settings.graphs.front())) {
        TableReader::fail(
            *given, info.name,
            fmt::format("is '{}', expected a random family beside it, such as 'uniform'", name));
      }
      return;
    }
    const toml::node& graphs = reader.require(keys::kGraphs.name, "a list of graphs");
    if (!graphs.is_array() || graphs.as_array()->empty()) {
      TableReader::fail(graphs, keys::kGraphs.name,
                        fmt::format("is {}, expected a list of graphs", shown(graphs)));
    }
    for (const toml::node& element : *graphs.as_array()) {
      TableReader graph(element, keys::kGraphs);
      add_graph(graph);
    }
    reader.finish();
  }

  void read_losses(TableReader& environment) {
    static const toml::table nothing;
    const toml::node* node = environment.find(keys::kLosses.name);
    TableReader reader(node != nullptr ? *node : nothing, keys::kLosses);
    std::string kind(loss_kinds().front().entry.name);
    reader.read_field(keys::loss_kind_field(), kind);
    LossSource& losses = experiment_.environment.losses;
    if (kind == LossesInFile::kEntry.name) {
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
    const toml::node* points = top.find(keys::kPointsField.name);
    if (points != nullptr && points->is_array()) {
      FieldInfo round = keys::kPointsField;
      round.whole = {1, horizon};
      std::vector<FieldValue> rounds;
      top.read_list(round, kMostPoints, rounds);
      for (const FieldValue& each : rounds) {
        settings.list.push_back(std::get<std::uint64_t>(each));
      }
      settings.list = recorded_rounds(settings, horizon);
    } else {
      top.read_field(keys::kPointsField, settings.count);
    }
    top.read_field(keys::kSpacingField, settings.spacing);
  }

  void read_learners(TableReader& top) {
    const toml::node& learners = top.require(keys::kLearners.name, "at least one [[learners]]");
    if (!learners.is_array() || learners.as_array()->empty()) {
      TableReader::fail(learners, keys::kLearners.name,
                        fmt::format("is {}, expected [[learners]]", shown(learners)));
    }
    for (const toml::node& element : *learners.as_array()) {
      read_learner(TableReader(element, keys::kLearners));
    }
  }

  void read_learner(TableReader reader) {
    std::string name;
    reader.require_field(keys::learner_field(), "the name of a learner, as `hearsay list` shows it",
                         name);
    LearnerSweep sweep(name);
    read_label(reader, sweep);
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

  void read_label(TableReader& reader, LearnerSweep& sweep) const {
    const std::string key(keys::kLabelField.name);
    if (const toml::node* node = reader.read_field(keys::kLabelField, sweep.label)) {
      if (sweep.label.empty() || has_control_characters(sweep.label)) {
        TableReader::fail(*node, key,
                          fmt::format("is {}, expected a line of text without control characters",
                                      in_quotes(sweep.label)));
      }
      if (std::string_view("=+-@").find(sweep.label.front()) != std::string_view::npos) {
        TableReader::fail(*node, key,
                          fmt::format("is {}, expected a first character other than = + - @, by "
                                      "which spreadsheets recognize formulas in results.csv",
                                      in_quotes(sweep.label)));
      }
    }
    reader.with_places([&] {
      if (std::ranges::find(experiment_.learners, sweep.label, &LearnerSweep::label) !=
          experiment_.learners.end()) {
        throw Error(key, fmt::format("{} is the label of another learner too, expected a label of "
                                     "its own",
                                     in_quotes(sweep.label)));
      }
    });
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
