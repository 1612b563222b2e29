#include "cli/shared_options.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/base/threads.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay::cli {
namespace {

// "paper for exp3-wix, cost for exp3-ivc", from the catalogue; empty if no learner has a default.
std::string defaults_by_learner(const FieldInfo& info) {
  std::vector<std::pair<std::string, std::vector<std::string_view>>> learners_of;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    for (const LearnerParameter& parameter : learner_row(entry.name).parameters) {
      if (parameter.name != info.name ||
          std::holds_alternative<std::monostate>(parameter.fallback)) {
        continue;
      }
      const std::string value = field_text(info, parameter.fallback);
      auto known =
          std::ranges::find(learners_of, value, [](const auto& each) { return each.first; });
      if (known == learners_of.end()) {
        known = learners_of.insert(learners_of.end(), {value, {}});
      }
      known->second.push_back(entry.name);
    }
  }
  if (learners_of.size() == 1) {
    return learners_of.front().first;
  }
  std::vector<std::string> texts;
  for (const auto& [value, learners] : learners_of) {
    texts.push_back(fmt::format("{} for {}", value, fmt::join(learners, " and ")));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

// "; required by exp3-ixb, exp3-ixt"; empty if no learner requires it.
std::string required_by(const FieldInfo& info) {
  std::vector<std::string_view> learners;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    for (const LearnerParameter& parameter : learner_row(entry.name).parameters) {
      if (parameter.name == info.name && parameter.required) {
        learners.push_back(entry.name);
      }
    }
  }
  return learners.empty() ? "" : fmt::format("; required by {}", fmt::join(learners, ", "));
}

}  // namespace

void add_json(CLI::App& command, bool& json, const std::string& more) {
  command.add_flag("--json", json,
                   "print one JSON object instead of text" + (more.empty() ? "" : ", " + more));
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet", quiet, "print no progress and no notes, only results and errors");
}

void add_threads(CLI::App& command, std::optional<unsigned>& threads) {
  command
      .add_option_function<std::string>(
          "--threads",
          [&threads](const std::string& word) {
            unsigned number = 0;
            if (!read_number(word, number) || number < 1 || number > kMostThreads) {
              throw Error("--threads", fmt::format("{}, expected a whole number from 1 to {}",
                                                   in_quotes(word), kMostThreads));
            }
            threads = number;
          },
          "how many threads; the results are the same for any number")
      ->type_name("N")
      ->default_str("one for each core");
}

unsigned thread_count(const std::optional<unsigned>& threads) {
  return threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
}

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed) {
  return add_number(command, "--seed", seed, "determines all random numbers");
}

void add_out(CLI::App& command, std::string& out, const std::string& fallback) {
  command.add_option("--out", out, "directory of the results")
      ->type_name("DIR")
      ->default_str(fallback)
      ->required(fallback.empty());
}

CLI::Option* add_force(CLI::App& command, bool& force) {
  return command.add_flag("--force", force, "replace the results that the directory holds");
}

CLI::Option* add_graph_output(CLI::App& command, std::string& file) {
  return command
      .add_option("-o,--output", file,
                  "write the graph to this file; its ending selects the format")
      ->type_name("FILE");
}

void add_report(CLI::App& command, std::string& file, const std::string& what) {
  command.add_option("--report", file, "write a report to open in a browser: " + what)
      ->type_name("FILE.html");
}

void add_arms(CLI::App& command, GraphReadOptions& read_options) {
  add_number(command, "--arms", read_options.arms, "number of arms")
      ->default_str("as the file says; .csv, .arcs.npy: 1 + the largest index");
}

NamedGraph read_graph_file(const std::string& path, const GraphReadOptions& read_options) {
  return with_options_named({"arms"}, [&] { return read_named_graph(path, read_options); });
}

std::vector<CLI::Option*> add_parameters(CLI::App& command, FieldOptions& parameters,
                                         std::span<const std::string_view> except) {
  const std::vector<CLI::Option*> added = parameters.add_to(command, except);
  for (CLI::Option* option : added) {
    for (const FieldInfo& info : LearnerSpec::fields().infos()) {
      if (option->get_default_str().empty() && option_name(info.name) == option->get_name()) {
        option->description(option->get_description() + required_by(info))
            ->default_str(defaults_by_learner(info));
      }
    }
  }
  return added;
}

}  // namespace hearsay::cli
