#pragma once

// A learner's parameters on the command line, by the words of LearnerSpec.

#include <string>

#include <CLI/CLI.hpp>

#include "hearsay/learner/spec.h"

namespace hearsay::cli {

class LearnerOptions {
 public:
  // Adds --learner and its parameters to `command`; *this must outlive the parse.
  void add_to(CLI::App& command);

  // What was given. Throws Error naming an option whose value is none. Ranges are the catalogue's
  // to check.
  LearnerSpec spec() const;

 private:
  LearnerSpec given_;
  std::string rate_ = "adaptive";
  std::string exploration_ = "theory";
  std::string tuning_;
};

}  // namespace hearsay::cli
