#include "cli/learner_options.h"

#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "hearsay/error.h"

namespace hearsay::cli {
namespace {

// A number, or the word that stands for none.
std::optional<double> number_or(std::string_view word, const std::string& text,
                                const char* option) {
  if (text == word) {
    return std::nullopt;
  }
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw Error(option, fmt::format("is \"{}\", expected {} or a number", text, word));
  }
  return value;
}

}  // namespace

void LearnerOptions::add_to(CLI::App& command) {
  command.add_option("--learner", given_.name, "its name, as `hearsay list` has it")->required();
  command.add_option("--noise-bound", given_.noise_bound, "R: noise lies in [-R, R]")
      ->capture_default_str();
  command.add_option("--rate", rate_, "adaptive, or a number: eta")->capture_default_str();
  command.add_option("--exploration", exploration_, "theory, or a number: gamma")
      ->capture_default_str();
  threshold_option_ = command.add_option("--threshold", threshold_,
                                         "eps: of exp3-ixb and exp3-ixt, which need one");
  delta_option_ = command.add_option("--delta", delta_, "of exp3-wix, at least 1 (default 1)");
  command.add_option("--tuning", tuning_, "of exp3-wix: paper (default) or sharp");
}

LearnerSpec LearnerOptions::spec() const {
  LearnerSpec spec = given_;
  spec.rate = number_or("adaptive", rate_, "--rate");
  spec.exploration = number_or("theory", exploration_, "--exploration");
  if (threshold_option_->count() > 0) {
    spec.threshold = threshold_;
  }
  if (delta_option_->count() > 0) {
    spec.delta = delta_;
  }
  if (tuning_ == "paper" || tuning_ == "sharp") {
    spec.tuning = tuning_ == "paper" ? Tuning::paper : Tuning::sharp;
  } else if (!tuning_.empty()) {
    throw Error("--tuning", fmt::format("is \"{}\", expected paper or sharp", tuning_));
  }
  return spec;
}

}  // namespace hearsay::cli
