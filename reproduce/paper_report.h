#pragma once

// The report of the paper's experiments: the figures of the parts that were run, and the claims.

#include <optional>
#include <string>
#include <vector>

#include "hearsay/report/html.h"
#include "reproduce/claims.h"
#include "reproduce/paper.h"

namespace hearsay::reproduce {

// The texts of the CSV files; nullopt for a part that was not run.
struct PaperTables {
  std::optional<std::string> random_graphs;
  std::optional<std::string> grid;
  std::optional<std::string> results;
  std::optional<std::string> summary;
  std::optional<std::string> worlds;
};

// `settings` is the text of experiment.toml, and `command` the command that runs the same again.
Report paper_report(const PaperExperiments& experiments, const PaperTables& tables,
                    const Claims& claims, const std::string& settings, const std::string& command);

}  // namespace hearsay::reproduce
