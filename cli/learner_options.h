#pragma once

// A learner's parameters on the command line, by the words of LearnerSpec.

#include <memory>
#include <string>

#include "hearsay/learner/spec.h"
#include <CLI/CLI.hpp>

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
  double threshold_ = 0;
  double delta_ = 1;
  CLI::Option* threshold_option_ = nullptr;
  CLI::Option* delta_option_ = nullptr;
};

}  // namespace hearsay::cli
