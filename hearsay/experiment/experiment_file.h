#pragma once

// Experiments as TOML files. docs/experiments.md has the format, key by key.
//
// Reading is strict: an unknown key, a value of the wrong type or out of its range throws Error at
// "file:line" (at the option if it came from an override), with the nearest known name if one is
// near.

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/experiment.h"

namespace hearsay {

// Sets one key: "environment.horizon=1000", "learners.exp3-wix.rate=[0.01, 0.1]". A learner is
// named by its label or by its index from 0. A value that is not TOML is taken as a text.
struct Override {
  // NOLINTBEGIN(google-explicit-constructor): a text is an override
  Override(const char* given) : assignment(given) {}
  Override(std::string given, std::string from = "--set")
      : assignment(std::move(given)), option(std::move(from)) {}
  // NOLINTEND(google-explicit-constructor)

  std::string assignment;
  std::string option = "--set";  // the option that messages name
};

Experiment read_experiment(const std::string& path, std::span<const Override> overrides = {});

// The bytes of files by their names, for data that a program has in memory.
using FilesInMemory = std::map<std::string, std::string, std::less<>>;

// `path`: what messages call the text; if it is empty, the text is in no file, and messages name no
// line. The files that an experiment names are taken from `files`, whose names have no directory;
// the path of a file that is not among them is relative to the directory of `path`. An experiment
// without a name gets the name of its file.
Experiment parse_experiment(std::string_view text, const std::string& path,
                            std::span<const Override> overrides = {},
                            const FilesInMemory& files = {});

// A single graph in the form of [environment.graph]: a family with its options, or a file.
GraphSource parse_graph_source(std::string_view text, const std::string& path);

// The whole experiment with all defaults written out and the version of this hearsay. The text
// reads back to the same experiment.
std::string to_toml(const Experiment& experiment);

}  // namespace hearsay
