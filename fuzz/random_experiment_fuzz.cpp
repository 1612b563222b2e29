// The bytes choose an experiment: a graph family, losses, noise and learners of the catalogues,
// with values at the ends of their ranges, between them or wrong. An invalid experiment is refused
// with one line that begins with the file. A valid one stays the same after writing and reading; if
// it is small, it is played, and every probability and every result must be finite.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "fuzz/require.h"
#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/runner/run_experiment.h"

namespace {

using hearsay::FieldInfo;
using hearsay::FieldType;

// Numbers from the bytes; 0 when they are used up.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t below(std::size_t limit) {
    if (bytes_.empty()) {
      return 0;
    }
    const std::size_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte % limit;
  }

  template <class Range>
  const auto& one_of(const Range& range) {
    return range[below(std::size(range))];
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

std::string number_text(Choices& choices, const hearsay::RealRange& range) {
  const double high = std::min(range.high, 1e300);
  const double low = std::max(range.low, -1e300);
  const std::array<double, 8> values = {0.5,  1,    low,  high,
                                        1e-9, 1e-3, 10.0, low + (high - low) / 3};
  return fmt::format("{}", choices.one_of(values));
}

std::string value_text(Choices& choices, const FieldInfo& info) {
  constexpr std::array<std::string_view, 10> kWrong = {
      "-1", "nan", "inf", "1e400", "\"\"", "true", "[]", "18446744073709551616", "{}", "\"none\""};
  if (choices.below(32) == 31) {
    return std::string(choices.one_of(kWrong));
  }
  switch (info.type) {
    case FieldType::real:
      return number_text(choices, info.real);
    case FieldType::whole:
      return fmt::format(
          "{}", choices.below(16) == 15 ? info.whole.high : info.whole.low + choices.below(8));
    case FieldType::flag:
      return choices.below(2) == 0 ? "true" : "false";
    case FieldType::word:
      return fmt::format("\"{}\"", choices.one_of(info.words));
    case FieldType::text:
      break;
  }
  return "\"text\"";
}

// Lines for some of the fields.
std::string options_text(Choices& choices, std::span<const FieldInfo> fields) {
  std::string text;
  for (const FieldInfo& info : fields) {
    if (choices.below(2) == 1) {
      text += fmt::format("{} = {}\n", info.name, value_text(choices, info));
    }
  }
  return text;
}

std::string learner_text(Choices& choices) {
  const auto& learners = hearsay::learner_catalogue();
  const hearsay::LearnerRow& row = hearsay::learner_row(choices.one_of(learners).name);
  std::string text = fmt::format("[[learners]]\nlearner = \"{}\"\n", row.name);
  const std::span<const FieldInfo> fields = hearsay::LearnerSpec::fields().infos();
  for (const hearsay::LearnerParameter& parameter : row.parameters) {
    const FieldInfo& info = fields[*hearsay::field_index(fields, parameter.name)];
    if (parameter.required || choices.below(2) == 1) {
      text += fmt::format("{} = [{}, {}]\n", info.name, value_text(choices, info),
                          value_text(choices, info));
    }
  }
  if (choices.below(4) == 3) {
    text += "engine = \"lazy\"\n";
  }
  return text;
}

std::string family_text(Choices& choices) {
  const hearsay::GraphFamily& family = choices.one_of(hearsay::graph_families());
  return fmt::format("family = \"{}\"\n{}", family.entry.name,
                     options_text(choices, family.defaults.fields()));
}

std::string graph_text(Choices& choices) {
  const hearsay::GraphKind& kind = choices.one_of(hearsay::graph_kinds());
  std::string text = fmt::format("[environment.graph]\nkind = \"{}\"\n{}", kind.entry.name,
                                 options_text(choices, kind.defaults.fields()));
  if (kind.takes != hearsay::GraphsTaken::several) {
    return text + family_text(choices);
  }
  for (std::size_t graph = choices.below(3) + 1; graph > 0; --graph) {
    text += "[[environment.graph.graphs]]\n" + family_text(choices);
  }
  return text;
}

std::string experiment_text(Choices& choices) {
  std::string text =
      fmt::format("repetitions = {}\nsequences = {}\npoints = {}\n", 1 + 8 * choices.below(3),
                  1 + choices.below(2), 1 + choices.below(4));
  text += fmt::format("[environment]\nhorizon = {}\n", 1 + choices.below(25));
  text += options_text(choices, hearsay::Noise::fields().infos());
  text += graph_text(choices);
  const hearsay::LossKind& losses = choices.one_of(hearsay::loss_kinds());
  text += fmt::format("[environment.losses]\nkind = \"{}\"\n{}", losses.entry.name,
                      options_text(choices, losses.defaults.fields()));
  for (std::size_t learner = choices.below(3) + 1; learner > 0; --learner) {
    text += learner_text(choices);
  }
  return text;
}

void play_one_by_one(const hearsay::Plan& plan) {
  for (const hearsay::Cell& cell : plan.cells()) {
    const auto environment = plan.environment(0);
    const auto learner = hearsay::make_learner(cell.learner);
    hearsay::Run run(*environment, *learner, plan.experiment().environment.noise,
                     plan.run_key(0, 0));
    try {
      for (std::uint64_t t = 0; t < plan.experiment().environment.horizon; ++t) {
        run.step();
        const std::span<const double> p = hearsay::probabilities_of(*learner);
        require(p.empty() || (std::abs(std::accumulate(p.begin(), p.end(), 0.0) - 1) < 1e-9 &&
                              *std::ranges::min_element(p) >= 0));
      }
    } catch (const hearsay::SumTooLarge&) {  // the only error that may end a valid experiment
    }
    require(std::isfinite(run.regret()));
    const std::string state = learner->save();
    require(hearsay::restore_learner(state)->save() == state);
  }
}

void play_all(const hearsay::Experiment& experiment) {
  try {
    for (const hearsay::ResultRow& row : hearsay::run_experiment(experiment).rows) {
      require(std::isfinite(row.regret) && std::isfinite(row.loss) &&
              std::isfinite(row.best_arm_loss) && std::isfinite(row.bound.value_or(0)) &&
              std::isfinite(row.regret_standard_error.value_or(0)));
    }
  } catch (const hearsay::SumTooLarge&) {  // as above
  }
}

bool is_small(const hearsay::Experiment& experiment) {
  constexpr std::size_t kMostArms = 25;
  return experiment.environment.horizon <= 25 &&
         hearsay::arms_of(experiment.environment.graph.graphs.front()) <= kMostArms;
}

// Whether the experiment, although valid, would need too much memory or time for a fuzzer.
bool is_costly(const hearsay::Experiment& experiment) {
  const auto* losses = std::get_if<hearsay::LossesOfKind>(&experiment.environment.losses);
  const std::span<const FieldInfo> fields = losses->options.fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const hearsay::FieldValue value = losses->options.get(i);
    const auto* whole = std::get_if<std::uint64_t>(&value);
    if (whole != nullptr && *whole > 10'000) {
      return true;
    }
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices({data, size});
  const std::string text = experiment_text(choices);
  try {
    const hearsay::Experiment experiment = hearsay::parse_experiment(text, "fuzz.toml");
    const std::string written = hearsay::to_toml(experiment);
    require(hearsay::to_toml(hearsay::parse_experiment(written, "fuzz.toml")) == written);
    if (is_small(experiment) && !is_costly(experiment)) {
      play_one_by_one(hearsay::Plan(experiment));
      play_all(experiment);
    }
  } catch (const hearsay::Error& error) {
    const std::string_view message = error.what();
    require(message.starts_with("fuzz.toml") && message.find('\n') == std::string_view::npos);
  }
  return 0;
}
