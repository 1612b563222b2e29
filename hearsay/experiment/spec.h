#pragma once

// Experiments as TOML files. docs/experiments.md has the format, key by key.
//
// Reading is strict: a key that is not known, a value of the wrong type or out of its range throws
// Error at "file:line" (at "--set KEY" where it came from an override), with the nearest known word
// where one is near.

#include <span>
#include <string>
#include <string_view>

#include "hearsay/experiment/experiment.h"

namespace hearsay {

// `overrides`: "environment.horizon=1000", "learners.exp3-wix.rate=[0.01, 0.1]" (a learner by its
// label or its place, from 0). What TOML would not read as a value is taken as a text.
Experiment read_experiment(const std::string& path, std::span<const std::string> overrides = {});

// `path`: what messages call the text. The files an experiment names are looked for beside it, and
// an experiment without a name is called as it is.
Experiment parse_experiment(std::string_view text, const std::string& path,
                            std::span<const std::string> overrides = {});

// One graph alone, as [environment.graph] has it: a family with its options, or a file.
GraphSource parse_graph_source(std::string_view text, const std::string& path);

// The whole experiment, nothing left to defaults, with the version of hearsay that writes it. What
// it says reads back to the same experiment.
std::string to_toml(const Experiment& experiment);

}  // namespace hearsay
