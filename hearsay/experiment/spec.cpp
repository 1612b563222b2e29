#include "hearsay/experiment/spec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

// --- What the tables hold -------------------------------------------------------------------
// One description a struct, field(key, member) for every key, serves reading and writing.

// In the order of GraphSource and LossPlan; the last of each is a file.
constexpr std::array<std::string_view, 13> kFamilies = {
    "grid",  "uniform",  "erdos-renyi", "cliques", "star",    "cycle", "complete",
    "empty", "constant", "king",        "hamming", "johnson", "keller"};
static_assert(kFamilies.size() + 1 == std::variant_size_v<GraphSource>);
constexpr std::array<std::string_view, 6> kLossKinds = {"walks", "bernoulli", "switching",
                                                        "trap",  "adversary", "file"};
static_assert(kLossKinds.size() == std::variant_size_v<LossPlan>);
constexpr std::array<std::string_view, 3> kGraphKinds = {"fixed", "alternating", "redrawn"};
constexpr std::array<std::string_view, 2> kSpacings = {"linear", "log"};

template <class Field>
void describe(Grid& grid, Field&& field) {
  bool unit_square = !grid.spacing;
  double spacing = grid.spacing.value_or(1);
  field("side", grid.side);
  field("unit_square", unit_square);
  if (!unit_square) {
    field("spacing", spacing);
  }
  grid.spacing = unit_square ? std::nullopt : std::optional(spacing);
  field("weight", grid.weight);
}

template <class Field>
void describe(Directions& directions, Field&& field) {
  bool symmetric = directions == Directions::symmetric;
  field("symmetric", symmetric);
  directions = symmetric ? Directions::symmetric : Directions::independent;
}

template <class Field>
void describe(Uniform& uniform, Field&& field) {
  field("arms", uniform.arms);
  field("low", uniform.low);
  field("high", uniform.high);
  describe(uniform.directions, field);
}

template <class Field>
void describe(ErdosRenyi& random, Field&& field) {
  field("arms", random.arms);
  field("probability", random.probability);
  field("weight", random.weight);
  describe(random.directions, field);
}

template <class Field>
void describe(Cliques& cliques, Field&& field) {
  field("count", cliques.count);
  field("size", cliques.size);
}

template <class Field>
void describe(Star& star, Field&& field) {
  field("arms", star.arms);
}

template <class Field>
void describe(Cycle& cycle, Field&& field) {
  field("arms", cycle.arms);
}

template <class Field>
void describe(Complete& complete, Field&& field) {
  field("arms", complete.arms);
}

template <class Field>
void describe(Empty& empty, Field&& field) {
  field("arms", empty.arms);
}

template <class Field>
void describe(Constant& constant, Field&& field) {
  field("arms", constant.arms);
  field("weight", constant.weight);
}

template <class Field>
void describe(King& king, Field&& field) {
  field("side", king.side);
}

template <class Field>
void describe(Hamming& hamming, Field&& field) {
  field("length", hamming.length);
  field("distance", hamming.distance);
}

template <class Field>
void describe(Johnson& johnson, Field&& field) {
  field("length", johnson.length);
  field("ones", johnson.ones);
  field("distance", johnson.distance);
}

template <class Field>
void describe(Keller& keller, Field&& field) {
  field("dimension", keller.dimension);
}

template <class Field>
void describe(losses::Walks& walks, Field&& field) {
  field("walks", walks.walks);
  field("step", walks.step);
}

template <class Field>
void describe(losses::Bernoulli& bernoulli, Field&& field) {
  field("gap", bernoulli.gap);
  field("best", bernoulli.best);
}

template <class Field>
void describe(losses::Switching& switching, Field&& field) {
  field("gap", switching.gap);
  field("period", switching.period);
}

template <class Field>
void describe(losses::Trap& trap, Field&& field) {
  field("turn", trap.turn);
}

template <class Field>
void describe(losses::Adversary& adversary, Field&& field) {
  field("gap", adversary.gap);
  field("strength", adversary.strength);
  field("memory", adversary.memory);
  field("best", adversary.best);
}

template <class Field>
void describe(DataFile& file, Field&& field) {
  field("file", file.path);
  field("checksum", file.checksum);
}

// The alternative of that index, with its defaults.
template <class Variant, std::size_t... Indices>
Variant alternative(std::size_t index, std::index_sequence<Indices...> /*all*/) {
  Variant variant;
  (void)((Indices == index && (variant.template emplace<Indices>(), true)) || ...);
  return variant;
}

template <class Variant>
Variant alternative(std::size_t index) {
  return alternative<Variant>(index, std::make_index_sequence<std::variant_size_v<Variant>>());
}

// --- Reading --------------------------------------------------------------------------------

constexpr std::string_view kOverride = "--set ";
constexpr auto kLargestWhole = std::uint64_t{std::numeric_limits<std::int64_t>::max()};  // of TOML

std::string place_of(const toml::node& node) {
  const toml::source_region& source = node.source();
  const std::string path = source.path ? *source.path : "";
  return path.starts_with(kOverride) ? path : fmt::format("{}:{}", path, source.begin.line);
}

[[noreturn]] void fail(const toml::node& node, std::string_view key, const std::string& message) {
  throw Error(place_of(node), fmt::format("{}: {}", key, message));
}

// A value as a message shows it.
std::string shown(const toml::node& node) {
  return node.visit([](const auto& concrete) -> std::string {
    using Type = std::decay_t<decltype(concrete)>;
    if constexpr (std::is_same_v<Type, toml::table>) {
      return "a table";
    } else if constexpr (std::is_same_v<Type, toml::array>) {
      return concrete.empty() ? "an empty list" : "a list";
    } else if constexpr (std::is_same_v<Type, toml::value<std::string>>) {
      return in_quotes(concrete.get());
    } else if constexpr (toml::is_chronological<Type>) {
      return "a date or a time";
    } else {
      return fmt::format("{}", concrete.get());
    }
  });
}

double read_real(const toml::node& node, std::string_view key) {
  const std::optional<double> value =
      node.is_number() ? node.value<double>() : std::optional<double>();
  if (!value || !std::isfinite(*value)) {
    fail(node, key, fmt::format("is {}, expected a number", shown(node)));
  }
  return *value;
}

std::uint64_t read_whole(const toml::node& node, std::string_view key, std::uint64_t low = 0,
                         std::uint64_t high = kLargestWhole) {
  const std::optional<std::int64_t> value =
      node.is_integer() ? node.value<std::int64_t>() : std::optional<std::int64_t>();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < low ||
      static_cast<std::uint64_t>(*value) > high) {
    fail(node, key,
         fmt::format("is {}, expected a whole number from {} to {}", shown(node), low, high));
  }
  return static_cast<std::uint64_t>(*value);
}

std::string read_text(const toml::node& node, std::string_view key) {
  const std::optional<std::string> value =
      node.is_string() ? node.value<std::string>() : std::optional<std::string>();
  if (!value) {
    fail(node, key, fmt::format("is {}, expected a text in quotes", shown(node)));
  }
  return *value;
}

// One of `words`; returns which.
std::size_t read_word(const toml::node& node, std::string_view key,
                      std::span<const std::string_view> words) {
  const std::string text = read_text(node, key);
  const auto found = std::ranges::find(words, text);
  if (found == words.end()) {
    fail(node, key, fmt::format("is {}, {}", in_quotes(text), expected_one_of(text, words)));
  }
  return static_cast<std::size_t>(found - words.begin());
}

std::vector<std::string_view> names_of(std::span<const CatalogueEntry> entries) {
  std::vector<std::string_view> names;
  std::ranges::transform(entries, std::back_inserter(names), &CatalogueEntry::name);
  return names;
}

// One table. Every key that is asked for is known; finish() refuses those that nobody asked for.
class TableReader {
 public:
  // `name`: "[environment]", say.
  TableReader(const toml::table& table, std::string name) : table_(table), name_(std::move(name)) {}

  // None where the key is absent.
  const toml::node* find(std::string_view key) {
    known_.push_back(key);
    return table_.get(key);
  }

  const toml::node& require(std::string_view key, const std::string& expected) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      // Most probably it is there, misspelt.
      for (const auto& [given, value] : table_) {
        if (!nearest(given.str(), std::span(&key, 1)).empty()) {
          refuse(given, value, std::span(&key, 1));
        }
      }
      throw Error(place_of(table_),
                  fmt::format("{} has no '{}', expected {}", name_, key, expected));
    }
    return *node;
  }

  const toml::table& require_table(std::string_view key, const std::string& expected) {
    return as_table(require(key, expected), key);
  }

  static const toml::table& as_table(const toml::node& node, std::string_view key) {
    if (!node.is_table()) {
      fail(node, key, fmt::format("is {}, expected a table", shown(node)));
    }
    return *node.as_table();
  }

  // A field of a description: stays as it is where the key is absent.
  void operator()(std::string_view key, double& value) {
    if (const toml::node* node = find(key)) {
      value = read_real(*node, key);
    }
  }
  void operator()(std::string_view key, std::uint64_t& value) {
    if (const toml::node* node = find(key)) {
      value = read_whole(*node, key);
    }
  }
  void operator()(std::string_view key, Arm& value) {
    if (const toml::node* node = find(key)) {
      value = static_cast<Arm>(read_whole(*node, key, 0, std::numeric_limits<Arm>::max()));
    }
  }
  void operator()(std::string_view key, bool& value) {
    if (const toml::node* node = find(key)) {
      if (!node->is_boolean()) {
        fail(*node, key, fmt::format("is {}, expected true or false", shown(*node)));
      }
      value = node->as_boolean()->get();
    }
  }
  void operator()(std::string_view key, std::string& value) {
    if (const toml::node* node = find(key)) {
      value = read_text(*node, key);
    }
  }
  void operator()(std::string_view key, DistanceWeight& value) {
    if (const toml::node* node = find(key)) {
      const std::string text = read_text(*node, key);
      with_lines([&] { value = parse_distance_weight(text); });
    }
  }

  // A value or a list of them, each different.
  template <class Value, class ReadOne>
  void list(std::string_view key, std::vector<Value>& values, ReadOne read_one) {
    const toml::node* node = find(key);
    if (node == nullptr) {
      return;
    }
    values.clear();
    if (!node->is_array()) {
      values.push_back(read_one(*node, key));
      return;
    }
    for (const toml::node& element : *node->as_array()) {
      const Value value = read_one(element, key);
      if (std::ranges::find(values, value) != values.end()) {
        fail(element, key, fmt::format("has {} twice, expected each value once", shown(element)));
      }
      values.push_back(value);
    }
    if (values.empty()) {
      fail(*node, key, "is an empty list, expected at least one value");
    }
  }

  // Runs `action`; an Error that names a key of this table gets that key's line, any other that of
  // the file it reads, or the table's.
  template <class Action>
  void with_lines(Action action) const {
    try {
      action();
    } catch (const Error& error) {
      const toml::node* place = table_.contains("file") ? table_.get("file") : &table_;
      std::string_view rest = error.what();
      for (std::size_t end = rest.find(": "); end != std::string_view::npos;
           end = rest.find(": ")) {
        if (const toml::node* named = table_.get(rest.substr(0, end))) {
          place = named;
          break;
        }
        rest.remove_prefix(end + 2);
      }
      throw Error(place_of(*place), error.what());
    }
  }

  void finish() const {
    const toml::node* first = nullptr;
    const toml::key* unknown = nullptr;
    for (const auto& [key, value] : table_) {
      const bool earlier =
          first == nullptr || value.source().begin.line < first->source().begin.line;
      if (std::ranges::find(known_, key.str()) == known_.end() && earlier) {
        first = &value;
        unknown = &key;
      }
    }
    if (unknown != nullptr && first != nullptr) {
      refuse(*unknown, *first, known_);
    }
  }

 private:
  [[noreturn]] void refuse(const toml::key& key, const toml::node& value,
                           std::span<const std::string_view> candidates) const {
    throw Error(place_of(value), fmt::format("{} is not a key of {}, {}", in_quotes(key.str()),
                                             name_, expected_one_of(key.str(), candidates)));
  }

  const toml::table& table_;
  std::string name_;
  std::vector<std::string_view> known_;
};

// Reads the whole tree. `directory`: where the files it names are looked for.
class ExperimentReader {
 public:
  ExperimentReader(const toml::table& root, std::filesystem::path directory)
      : root_(root), directory_(std::move(directory)) {}

  Experiment read(const std::string& default_name) {
    TableReader top(root_, "the experiment");
    experiment_.name = default_name;
    top("version", experiment_.version);
    top("name", experiment_.name);
    check_name(top);
    whole(top, "seed", experiment_.seed, 0, kLargestWhole);
    whole(top, "repetitions", experiment_.repetitions, 1, kMostRuns);
    whole(top, "sequences", experiment_.sequences, 1, kMostRuns);
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
  static constexpr std::uint64_t kMostRuns = 1'000'000;
  static constexpr std::uint64_t kMostPoints = 100'000;
  static constexpr std::uint64_t kLongestHorizon = 1'000'000'000'000'000;

  static void whole(TableReader& table, std::string_view key, std::uint64_t& value,
                    std::uint64_t low, std::uint64_t high) {
    if (const toml::node* node = table.find(key)) {
      value = read_whole(*node, key, low, high);
    }
  }

  // It becomes the name of a directory.
  void check_name(TableReader& top) const {
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '-' || c == '_' || c == '.';
    };
    const std::string& name = experiment_.name;
    if (name.empty() || name.front() == '.' || !std::ranges::all_of(name, fits)) {
      const std::string what = fmt::format(
          "is {}, expected letters, digits, - and _, and . not at the beginning", in_quotes(name));
      const toml::node* given = top.find("name");
      fail(given != nullptr ? *given : root_, "name", what);
    }
  }

  void read_environment(const toml::table& table) {
    TableReader reader(table, "[environment]");
    EnvironmentPlan& plan = experiment_.environment;
    const std::string expected_horizon =
        fmt::format("a number of rounds, 1 to {}", kLongestHorizon);
    plan.horizon =
        read_whole(reader.require("horizon", expected_horizon), "horizon", 1, kLongestHorizon);
    if (const toml::node* node = reader.find("noise")) {
      plan.noise.law =
          static_cast<NoiseLaw>(read_word(*node, "noise", names_of(noise_catalogue())));
    }
    reader("noise_bound", plan.noise.bound);
    reader.with_lines([&] {
      make_noise(noise_catalogue()[static_cast<std::size_t>(plan.noise.law)].name,
                 plan.noise.bound);
    });
    read_graphs(reader.require_table("graph", "a table with a family or a file"));
    read_losses(reader);
    reader.finish();
  }

  // Takes the path as the experiment's file gives it to what it is from everywhere, and notes what
  // the file holds now.
  void find_file(TableReader& table, DataFile& file) {
    describe(file, table);
    table.with_lines([&] {
      file.path = std::filesystem::absolute(directory_ / file.path).lexically_normal().string();
      if (file.checksum.empty()) {
        file.checksum = checksum_text(read_file(file.path));
      }
    });
  }

  GraphSource read_graph(TableReader& table) {
    if (table.find("file") != nullptr) {
      DataFile file;
      find_file(table, file);
      return file;
    }
    auto source = alternative<GraphSource>(
        read_word(table.require("family", "a family of graphs, or 'file'"), "family", kFamilies));
    std::visit([&](auto& options) { describe(options, table); }, source);
    return source;
  }

  void add_graph(TableReader& table) {
    GraphPlan& plan = experiment_.environment.graph;
    plan.graphs.push_back(read_graph(table));
    table.finish();
    table.with_lines([&] {
      const Graph graph = make_graph(plan.graphs.back(), Stream(0, Purpose::graph), 0);
      if (plan.graphs.size() > 1 && graph.arms() != arms_) {
        throw Error(
            fmt::format("a graph of {} arms, expected {} as the first has", graph.arms(), arms_));
      }
      arms_ = graph.arms();
    });
  }

  void read_graphs(const toml::table& table) {
    TableReader reader(table, "[environment.graph]");
    GraphPlan& plan = experiment_.environment.graph;
    if (const toml::node* node = reader.find("kind")) {
      plan.kind = static_cast<GraphKind>(read_word(*node, "kind", kGraphKinds));
    }
    if (plan.kind != GraphKind::alternating) {
      add_graph(reader);
      const auto* uniform = std::get_if<Uniform>(&plan.graphs.front());
      if (plan.kind == GraphKind::redrawn &&
          (uniform == nullptr || uniform->directions == Directions::symmetric)) {
        fail(*table.get("kind"), "kind",
             "is 'redrawn', expected family = 'uniform' beside it, not symmetric");
      }
      return;
    }
    whole(reader, "rounds_each", plan.rounds_each, 1, kLongestHorizon);
    const toml::node& graphs = reader.require("graphs", "a list of graphs");
    if (!graphs.is_array() || graphs.as_array()->empty()) {
      fail(graphs, "graphs", fmt::format("is {}, expected a list of graphs", shown(graphs)));
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
    LossPlan& plan = experiment_.environment.losses;
    if (const toml::node* kind = reader.find("kind")) {
      plan = alternative<LossPlan>(read_word(*kind, "kind", kLossKinds));
    }
    std::shared_ptr<const losses::Table> in_file;
    if (auto* file = std::get_if<DataFile>(&plan)) {
      reader.require("file", "the path of a file");
      find_file(reader, *file);
      reader.finish();
      reader.with_lines([&] {
        in_file = std::make_shared<const losses::Table>(
            hearsay::read_losses(*file, arms_, experiment_.environment.horizon));
      });
    } else {
      std::visit([&](auto& options) { describe(options, reader); }, plan);
      reader.finish();
    }
    reader.with_lines([&] { make_losses(plan, arms_, in_file, Stream(0, Purpose::losses)); });
  }

  void read_points(TableReader& top) {
    PointPlan& plan = experiment_.points;
    const std::uint64_t horizon = experiment_.environment.horizon;
    const toml::node* points = top.find("points");
    const toml::node* spacing = top.find("spacing");
    if (points != nullptr && points->is_array()) {
      top.list("points", plan.list, [&](const toml::node& node, std::string_view key) {
        return read_whole(node, key, 1, horizon);
      });
      plan.list = points_of(plan, horizon);
    } else if (points != nullptr) {
      plan.count = read_whole(*points, "points", 1, kMostPoints);
    }
    if (spacing != nullptr) {
      plan.spacing = static_cast<Spacing>(read_word(*spacing, "spacing", kSpacings));
    }
  }

  void read_learners(TableReader& top) {
    const toml::node& learners = top.require("learners", "at least one [[learners]]");
    if (!learners.is_array() || learners.as_array()->empty()) {
      fail(learners, "learners", fmt::format("is {}, expected [[learners]]", shown(learners)));
    }
    for (const toml::node& element : *learners.as_array()) {
      read_learner(TableReader::as_table(element, "learners"));
    }
  }

  void read_learner(const toml::table& table) {
    TableReader reader(table, "[[learners]]");
    LearnerSweep sweep;
    const std::vector<std::string_view> names = names_of(learner_catalogue());
    sweep.learner = names[read_word(reader.require("learner", "its name, as `hearsay list` has it"),
                                    "learner", names)];
    sweep.label = sweep.learner;
    reader("label", sweep.label);
    if (std::ranges::any_of(sweep.label, [](char c) { return c >= 0 && c < ' '; }) ||
        sweep.label.empty()) {
      fail(*table.get("label"), "label", "is empty or has a line break, expected a line of text");
    }
    if (std::ranges::find(experiment_.learners, sweep.label, &LearnerSweep::label) !=
        experiment_.learners.end()) {
      throw Error(place_of(table), fmt::format("label: {} is another learner's too, expected a "
                                               "label of its own",
                                               in_quotes(sweep.label)));
    }

    const auto real_or = [](std::string_view word) {
      return [word](const toml::node& node, std::string_view key) -> std::optional<double> {
        if (node.is_string() && node.as_string()->get() == word) {
          return std::nullopt;
        }
        if (!node.is_number()) {
          fail(node, key, fmt::format("is {}, expected '{}' or a number", shown(node), word));
        }
        return read_real(node, key);
      };
    };
    const auto real = [](const toml::node& node, std::string_view key) {
      return std::optional(read_real(node, key));
    };
    LearnerSpec defaults;
    defaults.name = sweep.learner;
    defaults = with_defaults(defaults);
    sweep.noise_bound = {experiment_.environment.noise.bound};
    sweep.delta = {defaults.delta};
    sweep.tuning = {defaults.tuning};
    reader.list("noise_bound", sweep.noise_bound, read_real);
    reader.list("rate", sweep.rate, real_or("adaptive"));
    reader.list("exploration", sweep.exploration, real_or("theory"));
    reader.list("threshold", sweep.threshold, real);
    reader.list("delta", sweep.delta, real);
    reader.list("tuning", sweep.tuning, [](const toml::node& node, std::string_view key) {
      return std::optional(static_cast<Tuning>(read_word(node, key, kTunings)));
    });
    reader.list("engine", sweep.engine, [](const toml::node& node, std::string_view key) {
      return static_cast<Engine>(read_word(node, key, kEngines));
    });
    reader.finish();
    reader.with_lines([&] {
      for (const Cell& cell : expand(sweep, arms_)) {
        make_learner(cell.learner);
      }
    });
    experiment_.learners.push_back(std::move(sweep));
  }

  const toml::table& root_;
  std::filesystem::path directory_;
  Experiment experiment_;
  std::size_t arms_ = 0;
};

// --- Overrides ------------------------------------------------------------------------------

toml::table parse_toml(std::string_view text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}", path, error.source().begin.line),
                fmt::format("is not TOML: {}", error.description()));
  }
}

// What a part of a dotted key leads to.
toml::node* descend(toml::node& from, std::string_view part) {
  if (toml::table* table = from.as_table()) {
    return table->get(part);
  }
  if (toml::array* array = from.as_array()) {
    std::size_t index = 0;
    if (read_number(part, index)) {
      return array->get(index);
    }
    for (toml::node& element : *array) {  // a learner by its label
      const toml::node_view<toml::node> view(element);
      const toml::node_view<toml::node> label = view["label"] ? view["label"] : view["learner"];
      if (label.value<std::string_view>() == part) {
        return &element;
      }
    }
  }
  return nullptr;
}

void apply(toml::table& root, const std::string& override_text) {
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error("--set", fmt::format("is {}, expected KEY=VALUE", in_quotes(override_text)));
  }
  const std::string key = override_text.substr(0, equals);
  const std::string value = override_text.substr(equals + 1);
  const std::string place = fmt::format("{}{}", kOverride, key);

  toml::table parsed;
  try {
    parsed = toml::parse(fmt::format("value = {}", value), place);
  } catch (const toml::parse_error&) {
    parsed = {};
  }
  if (parsed.size() != 1) {  // no value of TOML's: a text without quotes
    std::string quoted;
    for (const char c : value) {
      quoted += c == '\'' || c < ' ' ? '?' : c;
    }
    parsed = parse_toml(fmt::format("value = '{}'", quoted), place);
  }

  toml::node* node = &root;
  std::string_view rest = key;
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    const std::string_view part = rest.substr(0, dot);
    toml::node* next = descend(*node, part);
    if (next == nullptr && node->is_table()) {
      next = &node->as_table()->insert(part, toml::table{}).first->second;
    }
    if (next == nullptr || !(next->is_table() || next->is_array())) {
      throw Error(place, fmt::format("there is no {} to set something in, expected a table or a "
                                     "learner's label",
                                     in_quotes(part)));
    }
    node = next;
    rest.remove_prefix(dot + 1);
  }
  if (!node->is_table()) {
    throw Error(place, "is a list, expected a key of one of its tables");
  }
  // Moved, not copied: a copy would forget where it came from.
  std::move(*parsed.get("value")).visit([&](auto&& concrete) {
    node->as_table()->insert_or_assign(rest, std::forward<decltype(concrete)>(concrete));
  });
}

// --- Writing --------------------------------------------------------------------------------

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

// Lines of one table, in the order in which they come.
class TableWriter {
 public:
  void title(std::string_view line) { text_ += fmt::format("\n{}\n", line); }

  void raw(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}\n", key, value);
  }

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(std::string_view key, const Number& value) { raw(key, fmt::format("{}", value)); }
  void operator()(std::string_view key, const std::string& value) { raw(key, toml_text(value)); }
  void operator()(std::string_view key, const DistanceWeight& value) {
    switch (value.law) {
      case DistanceWeight::Law::inverse_square_cap:
        return raw(key, fmt::format("\"inverse-square-cap:{}\"", value.cap));
      case DistanceWeight::Law::inverse_one_plus_square:
        return raw(key, "\"inverse-one-plus-square\"");
      case DistanceWeight::Law::inverse_square_one_plus:
        return raw(key, "\"inverse-square-one-plus\"");
    }
  }

  // One value as itself, several as a list.
  template <class Value, class Print>
  void list(std::string_view key, const std::vector<Value>& values, Print print) {
    std::vector<std::string> printed;
    std::ranges::transform(values, std::back_inserter(printed), print);
    raw(key, printed.size() == 1 ? printed.front() : fmt::format("[{}]", fmt::join(printed, ", ")));
  }

  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_graph_source(TableWriter& writer, const GraphSource& source) {
  if (source.index() < kFamilies.size()) {
    writer.raw("family", toml_text(kFamilies[source.index()]));
  }
  std::visit([&](auto options) { describe(options, writer); }, source);
}

void write_learner(TableWriter& writer, const LearnerSweep& sweep) {
  const auto real_or = [](std::string_view word) {
    return [word](const std::optional<double>& value) {
      return value ? fmt::format("{}", *value) : toml_text(word);
    };
  };
  // A list of nothing is a parameter that the learner does not take.
  const auto given = [](const auto& values) { return values.front().has_value(); };
  const auto real = [](const std::optional<double>& value) { return fmt::format("{}", *value); };

  writer.title("[[learners]]");
  writer("learner", sweep.learner);
  writer("label", sweep.label);
  writer.list("noise_bound", sweep.noise_bound, [](double r) { return fmt::format("{}", r); });
  writer.list("rate", sweep.rate, real_or("adaptive"));
  writer.list("exploration", sweep.exploration, real_or("theory"));
  if (given(sweep.threshold)) {
    writer.list("threshold", sweep.threshold, real);
  }
  if (given(sweep.delta)) {
    writer.list("delta", sweep.delta, real);
  }
  if (given(sweep.tuning)) {
    writer.list("tuning", sweep.tuning, [](const std::optional<Tuning>& tuning) {
      return toml_text(kTunings[static_cast<std::size_t>(*tuning)]);
    });
  }
  writer.list("engine", sweep.engine,
              [](Engine engine) { return toml_text(kEngines[static_cast<std::size_t>(engine)]); });
}

}  // namespace

Experiment read_experiment(const std::string& path, std::span<const std::string> overrides) {
  return parse_experiment(read_file(path), path, overrides);
}

Experiment parse_experiment(std::string_view text, const std::string& path,
                            std::span<const std::string> overrides) {
  toml::table root = parse_toml(text, path);
  for (const std::string& each : overrides) {
    apply(root, each);
  }
  const std::filesystem::path file(path);
  return ExperimentReader(root, file.parent_path()).read(file.stem().string());
}

GraphSource parse_graph_source(std::string_view text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  return ExperimentReader(root, std::filesystem::path(path).parent_path()).read_graph_source();
}

std::string to_toml(const Experiment& experiment) {
  TableWriter writer;
  writer("version", std::string(kVersion));
  writer("name", experiment.name);
  writer("seed", experiment.seed);
  writer("repetitions", experiment.repetitions);
  writer("sequences", experiment.sequences);
  if (experiment.points.list.empty()) {
    writer("points", experiment.points.count);
    writer.raw("spacing",
               toml_text(kSpacings[static_cast<std::size_t>(experiment.points.spacing)]));
  } else {
    writer.raw("points", fmt::format("[{}]", fmt::join(experiment.points.list, ", ")));
  }

  const EnvironmentPlan& environment = experiment.environment;
  writer.title("[environment]");
  writer("horizon", environment.horizon);
  writer.raw("noise",
             toml_text(noise_catalogue()[static_cast<std::size_t>(environment.noise.law)].name));
  writer("noise_bound", environment.noise.bound);

  writer.title("[environment.graph]");
  writer.raw("kind", toml_text(kGraphKinds[static_cast<std::size_t>(environment.graph.kind)]));
  if (environment.graph.kind == GraphKind::alternating) {
    writer("rounds_each", environment.graph.rounds_each);
    for (const GraphSource& source : environment.graph.graphs) {
      writer.title("[[environment.graph.graphs]]");
      write_graph_source(writer, source);
    }
  } else {
    write_graph_source(writer, environment.graph.graphs.front());
  }

  writer.title("[environment.losses]");
  writer.raw("kind", toml_text(kLossKinds[environment.losses.index()]));
  std::visit([&](auto options) { describe(options, writer); }, environment.losses);

  for (const LearnerSweep& sweep : experiment.learners) {
    write_learner(writer, sweep);
  }
  return std::move(writer).text();
}

}  // namespace hearsay
