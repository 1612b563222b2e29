#include "cli/learner_options.h"

#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "cli/options.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {
namespace {

// A number, or the word that stands for none.
std::optional<double> number_or(std::string_view word, const std::string& text,
                                const char* option) {
  double value = 0;
  if (text != word && !read_number(text, value)) {
    throw Error(option, fmt::format("is {}, expected {} or a number", in_quotes(text), word));
  }
  return text == word ? std::nullopt : std::optional(value);
}

}  // namespace

void LearnerOptions::add_to(CLI::App& command) {
  command.add_option("--learner", given_.name, "its name, as `hearsay list` has it")->required();
  add_number(command, "--noise-bound", given_.noise_bound, "R: noise lies in [-R, R]");
  command.add_option("--rate", rate_, "adaptive, or a number: eta")->capture_default_str();
  command.add_option("--exploration", exploration_, "theory, or a number: gamma")
      ->capture_default_str();
  add_number(command, "--threshold", given_.threshold,
             "eps: of exp3-ixb and exp3-ixt, which need one");
  add_number(command, "--delta", given_.delta, "of exp3-wix, at least 1 (default 1)");
  command.add_option("--tuning", tuning_, "of exp3-wix: paper (default) or sharp");
}

LearnerSpec LearnerOptions::spec() const {
  LearnerSpec spec = given_;
  spec.rate = number_or("adaptive", rate_, "--rate");
  spec.exploration = number_or("theory", exploration_, "--exploration");
  if (tuning_ == "paper" || tuning_ == "sharp") {
    spec.tuning = tuning_ == "paper" ? Tuning::paper : Tuning::sharp;
  } else if (!tuning_.empty()) {
    throw Error("--tuning", fmt::format("is {}, expected paper or sharp", in_quotes(tuning_)));
  }
  return spec;
}

}  // namespace hearsay::cli
