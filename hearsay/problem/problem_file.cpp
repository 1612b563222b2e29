#include "hearsay/problem/problem_file.h"

#include <filesystem>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/table_reader.h"
#include "hearsay/graph/files.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/problem/json_as_toml.h"

namespace hearsay {
namespace {

using OrderedJson = nlohmann::ordered_json;

// The tables of a problem file, and its keys that are not fields of an options struct.
constexpr TableKey kOutcomeTable = {"outcome", "[outcome]"};
constexpr TableKey kGraphTable = {"graph", "[graph]"};
constexpr TableKey kLearnerTable = {"learner", "[learner]"};
constexpr std::string_view kNamesKey = "names";
constexpr std::string_view kArcsKey = "arcs";
const FieldInfo kLearnerName = {.name = "name"};

constexpr std::string_view kNoiseBound = "noise_bound";

// --- Reading ------------------------------------------------------------------------------------

std::string read_text(const toml::node& node, std::string_view what) {
  if (!node.is_string()) {
    TableReader::fail(node, what, fmt::format("is {}, expected a text", shown(node)));
  }
  return node.as_string()->get();
}

const toml::array& read_array(const toml::node& node, std::string_view what) {
  if (!node.is_array()) {
    TableReader::fail(node, what, fmt::format("is {}, expected a list", shown(node)));
  }
  return *node.as_array();
}

class ProblemReader {
 public:
  ProblemReader(const toml::table& root, const std::string& path)
      : root_(root), directory_(std::filesystem::path(path).parent_path()) {}

  ProblemDescription read() {
    TableReader reader(root_, "a problem");
    read_names(reader.require(kNamesKey, "a list with the name of each arm"));
    if (const toml::node* outcome = reader.find(kOutcomeTable.name)) {
      TableReader table(*outcome, kOutcomeTable);
      table.read(problem_.outcome);
      table.finish();
      table.with_places([&] { check_options(problem_.outcome); });
    }
    if (const toml::node* graph = reader.find(kGraphTable.name)) {
      read_graph(*graph);
    }
    reader.read(problem_);
    if (const toml::node* learner = reader.find(kLearnerTable.name)) {
      read_learner(TableReader(*learner, kLearnerTable));
    }
    const toml::node* noise_bound = root_.get(kNoiseBound);
    if (noise_bound != nullptr && noise_bound->is_string()) {
      learn_noise(*noise_bound);
    }
    reader.finish();
    reader.with_places([&] { check_problem(problem_); });
    return std::move(problem_);
  }

 private:
  // For noise_bound = "learned".
  void learn_noise(const toml::node& noise_bound) {
    const auto refuse = [&](std::string_view why) {
      TableReader::fail(noise_bound, kNoiseBound,
                        fmt::format("is \"learned\", expected a number: {}", why));
    };
    if (problem_.learner.noise == NoiseLevel::known) {
      refuse("the learner has noise = \"known\"");
    }
    problem_.learner.noise = NoiseLevel::learned;
    try {
      check_learner(learner_of(problem_));
    } catch (const Error&) {
      refuse(fmt::format("{} does not learn the level of the noise", problem_.learner.name));
    }
  }

  void read_names(const toml::node& node) {
    for (const toml::node& name : read_array(node, kNamesKey)) {
      problem_.names.push_back(read_text(name, kNamesKey));
    }
    try {
      names_.emplace(problem_.names);
    } catch (const Error& error) {
      throw error.within(place_of(node));
    }
  }

  Arc read_arc(const toml::node& node) const {
    const toml::array& arc = read_array(node, kArcsKey);
    if (arc.size() != 3) {
      TableReader::fail(
          node, kArcsKey,
          fmt::format("has an arc of {} values, expected [played, seen, weight]", arc.size()));
    }
    const auto arm = [&](const toml::node& name) {
      try {
        return names_->find(read_text(name, kArcsKey));
      } catch (const Error& error) {
        throw error.place().empty()
            ? Error(std::string(kArcsKey), error.what()).within(place_of(node))
            : error;
      }
    };
    const Arm played = arm(arc[0]);
    const Arm seen = arm(arc[1]);
    const std::string name = fmt::format("the weight of {} -> {}", in_quotes((*names_)[played]),
                                         in_quotes((*names_)[seen]));
    const FieldInfo weight = {.name = name, .type = FieldType::real, .real = {0, 1}};
    try {
      return {played, seen, std::get<double>(TableReader::value_of(weight, arc[2]))};
    } catch (const Error& error) {
      const std::string place = place_of(arc[2]);  // of the file; empty if there is none
      throw Error(std::string(kArcsKey), place.empty() ? error.what() : error.message())
          .within(place);
    }
  }

  void read_graph(const toml::node& table) {
    TableReader reader(table, kGraphTable);
    const toml::node* file = reader.find(kFileKey);
    const toml::node* listed = reader.find(kArcsKey);
    reader.finish();
    if ((file == nullptr) == (listed == nullptr)) {
      throw Error(place_of(table),
                  fmt::format("{} has {}, expected one of {} and {}", kGraphTable.header,
                              file == nullptr ? "neither" : "both", kArcsKey, kFileKey));
    }
    if (file != nullptr) {
      const std::filesystem::path path = directory_ / read_text(*file, kFileKey);
      reader.with_places(
          [&] { problem_.graph = hearsay::read_graph(path.string(), {.names = names_->list()}); });
      return;
    }
    std::vector<Arc> arcs;
    for (const toml::node& arc : read_array(*listed, kArcsKey)) {
      arcs.push_back(read_arc(arc));
    }
    try {
      problem_.graph = graph_of_named_arcs(std::move(arcs), *names_);
    } catch (const Error& error) {
      TableReader::fail(*listed, kArcsKey, error.what());
    }
  }

  void read_learner(TableReader reader) {
    reader.read_field(kLearnerName, problem_.learner.name);
    const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
    for (std::size_t i = 0; i < fields.infos().size(); ++i) {
      const FieldInfo& info = fields.infos()[i];
      const toml::node* node = info.name == kNoiseBound ? nullptr : reader.find(info.name);
      if (node != nullptr) {
        const FieldValue value = TableReader::value_of(info, *node);
        reader.with_places([&] { fields.set(problem_.learner, i, value); });
      }
    }
    reader.finish();
    reader.with_places([&] {
      try {
        check_learner(learner_of(problem_));
      } catch (const Error& error) {  // the key that is "learner" elsewhere is "name" here
        throw error.place() == "learner" ? Error(std::string(kLearnerName.name), error.message())
                                         : error;
      }
    });
  }

  const toml::table& root_;
  std::filesystem::path directory_;
  ProblemDescription problem_;
  std::optional<ArmNames> names_;
};

// --- Writing ------------------------------------------------------------------------------------

// The fields that have a value.
template <class Options>
void add_fields(OrderedJson& object, const Options& options, std::string_view left_out = {}) {
  const FieldTable<Options>& table = Options::fields();
  for (std::size_t i = 0; i < table.infos().size(); ++i) {
    const FieldInfo& info = table.infos()[i];
    if (info.name == left_out) {
      continue;
    }
    std::visit(
        [&](const auto& value) {
          using Type = std::decay_t<decltype(value)>;
          if constexpr (!std::is_same_v<Type, std::monostate>) {
            object[std::string(info.name)] = value;
          }
        },
        table.get(options, i));
  }
}

OrderedJson json_of(const ProblemDescription& description) {
  OrderedJson problem;
  problem[kNamesKey] = description.names;
  add_fields(problem[kOutcomeTable.name], description.outcome);
  add_fields(problem, description);
  OrderedJson& learner = problem[kLearnerTable.name];
  const LearnerSpec spec = learner_of(description);
  learner[kLearnerName.name] = spec.name;
  add_fields(learner, spec, kNoiseBound);
  OrderedJson arcs = OrderedJson::array();
  const Graph graph = graph_in_problem(description.graph, description.names.size());
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played) {
        arcs.push_back(
            OrderedJson::array({description.names[played], description.names[seen], weight}));
      }
    });
  }
  problem[kGraphTable.name][kArcsKey] = std::move(arcs);
  return problem;
}

// Throws Error that names the first key whose values differ. `table` is the prefix of the keys,
// such as "outcome.".
void check_same_keys(const OrderedJson& found, const OrderedJson& expected,
                     const std::string& table) {
  OrderedJson keys = found;
  keys.update(expected);
  const auto at = [](const OrderedJson& object, const std::string& key) {
    return object.contains(key) ? object[key] : OrderedJson();
  };
  const auto shown_value = [](const OrderedJson& value) {
    return value.is_null() ? "absent" : value.is_array() ? "another list" : value.dump();
  };
  for (const auto& item : keys.items()) {
    const OrderedJson found_value = at(found, item.key());
    const OrderedJson expected_value = at(expected, item.key());
    const std::string name = table + item.key();
    if (found_value.is_object() && expected_value.is_object()) {
      check_same_keys(found_value, expected_value, name + ".");
    } else if (found_value != expected_value && name != "seed") {
      throw Error(fmt::format(
          "{} is {}, expected {}", name, shown_value(found_value),
          expected_value.is_array() ? "that of the problem" : shown_value(expected_value)));
    }
  }
}

}  // namespace

ProblemDescription parse_problem_toml(std::string_view text, const std::string& path) {
  const toml::table root = parse_toml(text, path);
  return ProblemReader(root, path).read();
}

ProblemDescription parse_problem_json(std::string_view text, const std::string& path) {
  const toml::table root = parse_json_as_toml(text, path);
  return ProblemReader(root, path).read();
}

ProblemDescription read_problem(const std::string& path) {
  if (path.ends_with(".json")) {
    return parse_problem_json(read_file(path), path);
  }
  if (path.ends_with(".toml")) {
    return parse_problem_toml(read_file(path, kLargestToml), path);
  }
  throw Error(path, "has another ending, expected a problem in a .toml or .json file");
}

std::string to_json(const ProblemDescription& description) {
  check_problem(description);
  return json_of(description).dump();
}

void check_same_problem(const ProblemDescription& found, const ProblemDescription& expected) {
  check_same_keys(json_of(found), json_of(expected), "");
}

std::string to_toml(const ProblemDescription& description) {
  check_problem(description);
  const OrderedJson problem = json_of(description);
  std::string text;
  for (const auto& item : problem.items()) {
    if (!item.value().is_object()) {
      text += fmt::format("{} = {}\n", item.key(), toml_value(item.value().dump()));
    }
  }
  for (const auto& item : problem.items()) {
    if (item.value().is_object()) {
      text += fmt::format("\n[{}]\n", item.key());
      for (const auto& inner : item.value().items()) {
        text += fmt::format("{} = {}\n", inner.key(), toml_value(inner.value().dump()));
      }
    }
  }
  return text;
}

}  // namespace hearsay
