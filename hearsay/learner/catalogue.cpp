#include "hearsay/learner/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/lazy_weights.h"

namespace hearsay {
namespace {

constexpr double kE = std::numbers::e;

// The parameters a learner may be given beside its noise bound.
struct Takes {
  bool rate = true;
  bool exploration = true;
  bool threshold = false;
  bool delta = false;
  bool tuning = false;
  bool lazy = true;
};

struct CatalogueRow {
  CatalogueEntry entry;
  Takes takes;
  ExponentialWeightsRow (*make)(const LearnerSpec& spec) = nullptr;
};

// A rate set by the cost of the graphs seen, at one price for all.
Schedule by_cost(double price, double exploration_per_rate) {
  Schedule schedule;
  schedule.price = [price](const Graph&) { return price; };
  schedule.least_price = price;
  schedule.exploration_per_rate = exploration_per_rate;
  return schedule;
}

Schedule by_round(double budget_per_round) {
  Schedule schedule;
  schedule.budget_per_round = budget_per_round;
  return schedule;
}

// Where R = 0 the paper's exploration R * rate vanishes, but on directed graphs the bound on Q
// needs some: an adaptive learner then takes the rate itself.
double noise_exploration(const LearnerSpec& spec, double per_rate) {
  return spec.noise_bound == 0 && !spec.rate ? 1.0 : per_rate;
}

double smallest_kept_weight(const Graph& graph, double at_least) {
  double smallest = 1;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played && weight >= at_least) {
        smallest = std::min(smallest, weight);
      }
    });
  }
  return smallest;
}

// Exp3-IXt pays for the smallest weight it keeps. (The paper leaves its rate open; docs/model.md
// derives this one from its proof.)
ExponentialWeightsRow truncated_row(const LearnerSpec& spec, double at_least) {
  const double r = spec.noise_bound;
  Schedule schedule = by_cost(1 + r + r * r, noise_exploration(spec, r));
  schedule.price = [r, at_least](const Graph& graph) {
    constexpr double kHighest = 1e200;  // as good as infinite, and safe to add up
    return std::min(r + (1 + r * r) / smallest_kept_weight(graph, at_least), kHighest);
  };
  return {estimators::truncated(at_least), schedule, std::nullopt};
}

ExponentialWeightsRow weighted_row(const LearnerSpec& spec) {
  const double r = spec.noise_bound;
  const auto estimator = estimators::weighted(spec.delta.value_or(1));
  if (spec.tuning.value_or(Tuning::paper) == Tuning::paper) {
    return {estimator, by_cost(1 + r + r * r, noise_exploration(spec, r)),
            RegretTheorem{r, 1 + r * r}};
  }
  const double second_moment = (kE - 2) * std::max(1.0, r * r);
  return {estimator, by_cost(second_moment + r / 4, noise_exploration(spec, r / 4)),
          RegretTheorem{r / 4, second_moment}};
}

constexpr std::string_view kPaper = "Kocak, Neu, Valko, AISTATS 2016";

const std::array<CatalogueRow, 9> kRows = {{
    {{"exp3", "bandit feedback alone: ignores side observations",
      "Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Comput. 2002"},
     {},
     [](const LearnerSpec& spec) -> ExponentialWeightsRow {
       return {estimators::own_loss(), by_round(static_cast<double>(spec.arms)), std::nullopt};
     }},
    {{"exp3-ix", "implicit exploration; uses perfect side observations (weight 1) alone",
      "Kocak, Neu, Valko, Munos, NIPS 2014"},
     {},
     [](const LearnerSpec&) -> ExponentialWeightsRow {
       return {estimators::taken_as_loss(1), by_cost(0.5, 1), std::nullopt};
     }},
    {{"exp3-ixb", "takes observations of weight >= threshold as if they were exact (biased)",
      kPaper},
     {.threshold = true},
     [](const LearnerSpec& spec) -> ExponentialWeightsRow {
       return {estimators::taken_as_loss(*spec.threshold), by_cost(0.5, 1), std::nullopt};
     }},
    {{"exp3-basic", "unbiased estimates from all side observations, of high variance", kPaper},
     {.lazy = false},
     [](const LearnerSpec& spec) { return truncated_row(spec, 0); }},
    {{"exp3-ixt", "unbiased estimates from the side observations of weight >= threshold", kPaper},
     {.threshold = true},
     [](const LearnerSpec& spec) { return truncated_row(spec, *spec.threshold); }},
    {{"exp3-wix", "weighs each observation by its quality; needs no threshold", kPaper},
     {.delta = true, .tuning = true},
     weighted_row},
    {{"exp3-ivx", "weighs each observation by its inverse variance (ours)", "docs/model.md"},
     {},
     [](const LearnerSpec& spec) -> ExponentialWeightsRow {
       return {estimators::inverse_variance(spec.noise_bound), by_cost(kE - 1.5, 0.5),
               RegretTheorem{0.5, kE - 2}};
     }},
    {{"uniform", "plays every arm alike, whatever it sees (a reference)", "docs/model.md"},
     {.rate = false, .exploration = false, .lazy = false},
     [](const LearnerSpec&) -> ExponentialWeightsRow {
       Schedule never_learns;
       never_learns.fixed_rate = 0;
       return {estimators::own_loss(), never_learns, std::nullopt};
     }},
    {{"hedge", "full information: an oracle that is shown every true loss (a reference)",
      "Freund, Schapire, J. Comput. Syst. Sci. 1997"},
     {.exploration = false, .lazy = false},
     [](const LearnerSpec&) -> ExponentialWeightsRow {
       return {estimators::taken_as_loss(0), by_round(0.125), std::nullopt,
               Information::true_losses};
     }},
}};

const CatalogueRow& find_row(const std::string& name) {
  const auto* const found =
      std::ranges::find(kRows, name, [](const CatalogueRow& row) { return row.entry.name; });
  if (found == kRows.end()) {
    std::string known;
    for (const CatalogueRow& row : kRows) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", row.entry.name);
    }
    throw Error("learner",
                fmt::format("{} is not known, expected one of {}", in_quotes(name), known));
  }
  return *found;
}

struct Range {
  double low;
  double high;
};

// A parameter that this learner takes lies in its range; one that it does not take is not there.
void check_option(const LearnerSpec& spec, const char* key, const std::optional<double>& option,
                  bool taken, Range range) {
  if (option && !taken) {
    throw Error(key, fmt::format("{} takes none", spec.name));
  }
  if (option && !(*option >= range.low && *option <= range.high)) {
    throw Error(
        key, fmt::format("is {}, expected a number in [{}, {}]", *option, range.low, range.high));
  }
}

constexpr double kHuge = 1e100;  // squared and multiplied by anything sensible, still a number

const CatalogueRow& checked(const LearnerSpec& spec) {
  const CatalogueRow& row = find_row(spec.name);
  if (spec.arms == 0 || spec.arms > std::numeric_limits<Arm>::max()) {
    throw Error("arms",
                fmt::format("is {}, expected 1 to {}", spec.arms, std::numeric_limits<Arm>::max()));
  }
  if (spec.max_outstanding == 0) {
    throw Error("max_outstanding", "is 0, expected at least 1");
  }
  check_option(spec, "noise_bound", spec.noise_bound, true, {0, kHuge});
  check_option(spec, "rate", spec.rate, row.takes.rate, {1.0 / kHuge, kHuge});
  check_option(spec, "exploration", spec.exploration, row.takes.exploration, {0, kHuge});
  check_option(spec, "threshold", spec.threshold, row.takes.threshold, {0, 1});
  check_option(spec, "delta", spec.delta, row.takes.delta, {1, kHuge});
  if (row.takes.threshold && !spec.threshold) {
    throw Error(
        "threshold",
        fmt::format("is missing, expected a number in [0, 1]: {} has no default", spec.name));
  }
  if (spec.tuning && !row.takes.tuning) {
    throw Error("tuning", fmt::format("{} takes none", spec.name));
  }
  if (spec.engine == Engine::lazy && !row.takes.lazy) {
    throw Error("engine", fmt::format("is lazy, expected exact or auto: {} needs every arm in "
                                      "every round",
                                      spec.name));
  }
  return row;
}

ExponentialWeightsRow make_row(const LearnerSpec& spec, const CatalogueRow& row) {
  ExponentialWeightsRow made = row.make(spec);
  if (spec.rate) {
    made.schedule.fixed_rate = spec.rate;
  }
  if (spec.exploration) {
    made.schedule.fixed_exploration = spec.exploration;
  }
  return made;
}

// From here on no graph is dense, and lazy rounds are worth their estimates.
constexpr std::size_t kLazyArms = 20'000;

bool takes_lazy(const LearnerSpec& spec, const CatalogueRow& row) {
  return spec.engine == Engine::lazy ||
         (spec.engine == Engine::automatic && row.takes.lazy && spec.arms >= kLazyArms);
}

}  // namespace

std::span<const CatalogueEntry> learner_catalogue() {
  static const auto entries = [] {
    std::array<CatalogueEntry, kRows.size()> names;
    std::ranges::transform(kRows, names.begin(), &CatalogueRow::entry);
    return names;
  }();
  return entries;
}

std::unique_ptr<Learner> make_learner(const LearnerSpec& spec) {
  const CatalogueRow& row = checked(spec);
  if (takes_lazy(spec, row)) {
    return std::make_unique<LazyWeights>(spec, make_row(spec, row));
  }
  return std::make_unique<ExponentialWeights>(spec, make_row(spec, row));
}

void check_learner(const LearnerSpec& spec) {
  checked(spec);
}

bool is_lazy(const LearnerSpec& spec) {
  return takes_lazy(spec, checked(spec));
}

ExponentialWeightsRow learner_row(const LearnerSpec& spec) {
  return make_row(spec, checked(spec));
}

LearnerSpec with_defaults(LearnerSpec spec) {
  const Takes& takes = find_row(spec.name).takes;
  if (takes.delta) {
    spec.delta = spec.delta.value_or(1);
  }
  if (takes.tuning) {
    spec.tuning = spec.tuning.value_or(Tuning::paper);
  }
  return spec;
}

std::unique_ptr<Learner> restore_learner(std::string_view state) {
  StateReader reader(state, kLearnerState);
  const LearnerSpec spec = read_spec(reader);
  const CatalogueRow& row = checked(spec);
  reader.require_room(spec.arms, sizeof(CompensatedSum));  // before memory is set aside for them
  if (takes_lazy(spec, row)) {
    auto learner = std::make_unique<LazyWeights>(spec, make_row(spec, row));
    learner->load(reader);
    return learner;
  }
  auto learner = std::make_unique<ExponentialWeights>(spec, make_row(spec, row));
  learner->load(reader);
  return learner;
}

}  // namespace hearsay
