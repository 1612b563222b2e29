#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "cli/wrapped_text.h"
#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/error.h"
#include "hearsay/base/fields.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"
#include "hearsay/environment/graph_sequence.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/learner/bibliography.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay::cli {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const FieldValue& value) {
  return std::visit(
      [](const auto& concrete) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(concrete)>, std::monostate>) {
          return nullptr;
        } else {
          return concrete;
        }
      },
      value);
}

Json json_of(const FieldInfo& info, const FieldValue& fallback) {
  constexpr std::array<std::string_view, 5> kTypes = {"real", "whole", "flag", "word", "text"};
  return {{"name", info.name},
          {"summary", info.summary},
          {"type", kTypes.at(static_cast<std::size_t>(info.type))},
          {"optional", info.optional},
          {"in_experiments", info.in_experiments},
          {"expected", expected(info)},
          {"default", std::holds_alternative<std::monostate>(fallback) && !info.none.empty()
                          ? Json(info.none)
                          : (has_default(info, fallback) ? json_of(fallback) : Json(nullptr))}};
}

Json options_json(const AnyOptions& defaults) {
  Json options = Json::array();
  for (std::size_t i = 0; i < defaults.fields().size(); ++i) {
    options.push_back(json_of(defaults.fields()[i], defaults.get(i)));
  }
  return options;
}

// The parameters of the learner besides those of all learners, what it is shown, and its engines.
Json learner_json(const LearnerRow& row) {
  Json parameters = Json::array();
  for (const LearnerParameter& parameter : row.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"default", json_of(parameter.fallback)},
                          {"required", parameter.required},
                          {"words", parameter.words}});
  }
  Json engines = {"exact"};
  if (row.lockstep) {
    engines.push_back("lockstep");
  }
  if (row.lazy) {
    engines.push_back("lazy");
  }
  constexpr std::array<std::string_view, 3> kShown = {
      "side observations", "side observations, and the graph before the draw", "true losses"};
  return {{"parameters", parameters},
          {"shown", kShown.at(static_cast<std::size_t>(row.information))},
          {"engines", engines},
          {"ours", row.ours},
          {"available", row.unavailable.empty()},
          {"bibtex", paper_of(row.reference) != nullptr ? Json(paper_of(row.reference)->key)
                                                        : Json(nullptr)}};
}

// An entry of the list; `more` has its further properties as JSON.
struct Item {
  CatalogueEntry entry;
  Json more = Json::object();
};

struct Section {
  std::string_view title;
  std::string_view singular;
  std::vector<Item> items;
};

std::vector<Section> sections() {
  Section learners{"learners", "learner", {}};
  for (const CatalogueEntry& entry : learner_catalogue()) {
    learners.items.push_back({entry, learner_json(learner_row(entry.name))});
  }
  Section sequences{"graph_sequences", "graph sequence", {}};
  for (const GraphKind& kind : graph_kinds()) {
    sequences.items.push_back({kind.entry, {{"options", options_json(kind.defaults)}}});
  }
  Section losses{"losses", "losses", {}};
  for (const LossKind& kind : loss_kinds()) {
    losses.items.push_back(
        {kind.entry, {{"adaptive", kind.is_adaptive}, {"options", options_json(kind.defaults)}}});
  }
  losses.items.push_back({LossesInFile::kEntry});
  Section noise{"noise", "noise law", {}};
  for (const CatalogueEntry& entry : noise_catalogue()) {
    const bool bounded = std::isfinite(make_noise(entry.name, 1).largest());
    noise.items.push_back({entry, {{"bounded", bounded}}});
  }
  Section families{"graphs", "graph family", {}};
  for (const GraphFamily& family : graph_families()) {
    families.items.push_back(
        {family.entry, {{"random", family.is_random}, {"options", options_json(family.defaults)}}});
  }
  return {learners, sequences, losses, noise, families};
}

std::string heading(std::string_view text) {
  return styled(text, Style::heading, STDOUT_FILENO);
}

void print_text() {
  for (const Section& section : sections()) {
    std::cout << heading(section.title) << '\n';
    for (const Item& item : section.items) {
      constexpr std::size_t kColumn = 22;
      std::cout << with_hanging_indent("  " + std::string(item.entry.name), item.entry.summary,
                                       kColumn)
                << with_hanging_indent("", item.entry.reference, kColumn);
    }
  }
  std::cout << '\n'
            << with_hanging_indent(
                   "", "`hearsay list NAME` shows one with its options and their defaults.", 0);
}

// "0.5", "adaptive" or "", for a table.
std::string default_text(const Json& value) {
  return value.is_null()           ? ""
         : value.is_string()       ? value.get<std::string>()
         : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                   : value.dump();
}

// The options of an item: name, default and what they are.
TextTable options_table(const Item& item) {
  TextTable table = {.columns = {{"  option", TextTable::Align::left},
                                 {"default", TextTable::Align::left},
                                 {"meaning", TextTable::Align::wrapped}},
                     .rows = {}};
  const auto add = [&](const Json& option, const std::string& fallback,
                       const std::string& expected) {
    table.rows.push_back(
        {"  " + option["name"].get<std::string>(), fallback,
         fmt::format("{}{}{}", option["summary"].get<std::string>(),
                     option["type"] == "text" ? "" : "; " + expected,
                     option["in_experiments"].get<bool>() ? "" : "; not in experiment files")});
  };
  for (const Json& option : item.more.value("options", Json::array())) {
    add(option, default_text(option["default"]), option["expected"]);
  }
  const Json of_learners = options_json(LearnerSpec{});
  for (const Json& parameter : item.more.value("parameters", Json::array())) {
    const auto option = std::ranges::find(of_learners, parameter["name"],
                                          [](const Json& each) { return each["name"]; });
    const auto words = parameter["words"].get<std::vector<std::string>>();
    add(*option,
        parameter["required"].get<bool>() ? "required"
        : parameter["default"].is_null()  ? default_text((*option)["default"])
                                          : default_text(parameter["default"]),
        words.empty() ? (*option)["expected"].get<std::string>()
                      : fmt::format("one of {}", fmt::join(words, ", ")));
  }
  return table;
}

// Everything of this name, each with its options. Throws Error if there is nothing.
void print_named(const std::string& name) {
  bool is_first = true;
  for (const Section& section : sections()) {
    for (const Item& item : section.items) {
      if (item.entry.name != name) {
        continue;
      }
      std::cout << (std::exchange(is_first, false) ? "" : "\n")
                << heading(fmt::format("{} ({})", name, section.singular)) << '\n'
                << with_hanging_indent("", item.entry.summary, 2)
                << with_hanging_indent("", item.entry.reference, 2);
      if (item.more.contains("shown")) {
        std::cout << with_hanging_indent(
            "",
            fmt::format("shown: {}; engines: {}", item.more["shown"].get<std::string>(),
                        fmt::join(item.more["engines"].get<std::vector<std::string>>(), ", ")),
            2);
      }
      if (const TextTable options = options_table(item); !options.rows.empty()) {
        print_table(options);
      }
    }
  }
  if (is_first) {
    throw Error("NAME",
                fmt::format("{}, {}", in_quotes(name),
                            expected_near(name, listed_names(), "one that `hearsay list` shows")));
  }
}

void print_json() {
  Json all;
  for (const Section& section : sections()) {
    for (const Item& item : section.items) {
      Json line = {{"name", item.entry.name},
                   {"summary", item.entry.summary},
                   {"reference", item.entry.reference}};
      line.update(item.more);
      all[std::string(section.title)].push_back(std::move(line));
    }
  }
  all["parameters"] = options_json(LearnerSpec{});
  all["experiment"] = options_json(Experiment{});
  all["environment"] = options_json(EnvironmentSettings{});
  for (Json& field : options_json(Noise{})) {
    all["environment"].push_back(std::move(field));
  }
  std::cout << all.dump(2) << '\n';
}

// An entry for each paper, with the names of the learners that come from it; then those that come
// from none.
void print_bibtex() {
  const auto names_of = [](const auto& belongs) {
    std::vector<std::string_view> names;
    for (const CatalogueEntry& entry : learner_catalogue()) {
      if (belongs(learner_row(entry.name))) {
        names.push_back(entry.name);
      }
    }
    return fmt::format("{}", fmt::join(names, ", "));
  };
  for (const Paper& paper : papers()) {
    const std::string names =
        names_of([&](const LearnerRow& row) { return row.reference == paper.reference; });
    if (!names.empty()) {
      std::cout << fmt::format("% {}\n{}\n\n", names, paper.bibtex);
    }
  }
  std::cout << "% introduced by this library: "
            << names_of([](const LearnerRow& row) { return row.ours; }) << '\n'
            << "% references without a paper: " << names_of([](const LearnerRow& row) {
                 return !row.ours && paper_of(row.reference) == nullptr;
               })
            << '\n';
}

}  // namespace

std::vector<std::string> listed_names() {
  std::vector<std::string> names;
  for (const Section& section : sections()) {
    for (const Item& item : section.items) {
      if (std::ranges::find(names, item.entry.name) == names.end()) {
        names.emplace_back(item.entry.name);
      }
    }
  }
  return names;
}

void add_list(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  auto bibtex = std::make_shared<bool>(false);
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "list", "List learners, graph sequences, losses, noise laws and graph families");
  CLI::Option* named =
      command
          ->add_option("NAME", *name,
                       "show what has this name in full, with its options and their defaults")
          ->type_name(kListedName);
  add_json(*command, *json, "with all options");
  command
      ->add_flag("--bibtex", *bibtex,
                 "print a BibTeX entry for each paper that a learner comes from")
      ->excludes("--json")
      ->excludes(named);
  command->get_option("--json")->excludes(named);
  command->footer("Example:\n  hearsay list exp3-wix\n  hearsay list --json");
  command->callback([json, bibtex, name] {
    if (!name->empty()) {
      print_named(*name);
    } else if (*bibtex) {
      print_bibtex();
    } else {
      *json ? print_json() : print_text();
    }
  });
}

}  // namespace hearsay::cli
