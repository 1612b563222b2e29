#include "reproduce/worlds.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/csv.h"

namespace hearsay::reproduce {
namespace {

// A world has ten arms, a gap of 0.1 and the graph that its name says, unless its text says
// otherwise.
constexpr std::array<World, 12> kWorlds = {{
    {"paper", "the paper's 5 x 5 grid and its losses",
     "[environment.graph]\nfamily = \"grid\"\nside = 5\nweight = \"inverse-square-cap:3\"\n"
     "\n[environment.losses]\nkind = \"walks\"\n",
     9},
    {"empty", "no arm shows another",
     "[environment.graph]\nfamily = \"empty\"\narms = 10\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     10},
    {"complete", "every arm shows every arm",
     "[environment.graph]\nfamily = \"complete\"\narms = 10\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     1},
    {"star", "arm 0 and every other arm show each other; arm 1 is the best",
     "[environment.graph]\nfamily = \"star\"\narms = 10\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\nbest = 1\n",
     9},
    {"cycle", "each arm shows the next",
     "[environment.graph]\nfamily = \"cycle\"\narms = 10\ndirected = true\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     5},
    {"grid", "2 x 5 arms, weights 1/(1+d^2)",
     "[environment.graph]\nfamily = \"grid\"\nside = 5\nrows = 2\n"
     "weight = \"inverse-one-plus-square\"\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     10},
    {"switch", "the grid with a new best arm in each fifth of the rounds, gap 0.2",
     "[environment.graph]\nfamily = \"grid\"\nside = 5\nrows = 2\n"
     "weight = \"inverse-one-plus-square\"\n"
     "\n[environment.losses]\nkind = \"switching\"\ngap = 0.2\nperiod = PERIOD\n",
     10, false, 0.3},
    {"trap", "weights 0.3; the best arm of the first third is the worst of the rest",
     "[environment.graph]\nfamily = \"constant\"\narms = 10\nweight = 0.3\n"
     "\n[environment.losses]\nkind = \"trap\"\nturn = TURN\n",
     10},
    {"random", "20 arms, every weight drawn from U(0, 1) in every round",
     "[environment.graph]\nkind = \"redrawn\"\nfamily = \"uniform\"\narms = 20\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     20},
    {"large-grid", "the paper's grid with 10 x 10 arms",
     "[environment.graph]\nfamily = \"grid\"\nside = 10\nweight = \"inverse-square-cap:3\"\n"
     "\n[environment.losses]\nkind = \"walks\"\n",
     25, true},
    {"large-cliques", "200 arms in 20 cliques",
     "[environment.graph]\nfamily = \"cliques\"\ncount = 20\nsize = 10\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     20, true},
    {"large-king", "a board of 20 x 20 arms, a king's move apart",
     "[environment.graph]\nfamily = \"king\"\nside = 20\n"
     "\n[environment.losses]\nkind = \"bernoulli\"\ngap = 0.1\n",
     100, true},
}};

struct Size {
  std::size_t rounds = 5000;
  std::size_t sequences = 40;
};

Size size_of(const World& world, WorldScale scale) {
  if (scale == WorldScale::quick) {
    return {500, 2};
  }
  return {world.is_large ? 100'000U : 5000U, 40};
}

// A learner in a world: its table of an experiment file.
struct WorldLearner {
  std::string label;
  WorldParameters parameters;
};

// Every row of the catalogue that is not an oracle, once with its defaults. The further values are
// a choice of this study, not a property of the parameters: every other tuning; the noise learned;
// the number of switches in the world that has some; and order 3/4 of a Tsallis entropy, where that
// is not the default.
std::vector<WorldLearner> world_learners(const World& world, const Size& size) {
  std::vector<WorldLearner> all;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    const LearnerRow& row = learner_row(entry.name);
    if (row.information == Information::true_losses) {
      continue;
    }
    const WorldLearner plain{row.name, required_parameters(row, world, size.rounds)};
    all.push_back(plain);
    const auto add = [&](std::string_view suffix, const WorldParameters& parameters) {
      WorldLearner other = plain;
      other.label += fmt::format(" {}", suffix);
      std::ranges::copy(parameters, std::back_inserter(other.parameters));
      all.push_back(other);
    };
    for (const LearnerParameter& parameter : row.parameters) {
      if (parameter.name == "tuning") {
        for (const std::string_view word : parameter.words) {
          if (parameter.fallback != FieldValue(std::string(word))) {
            add(word, {{"tuning", fmt::format("\"{}\"", word)}});
          }
        }
      }
      if (parameter.name == "noise") {
        add("ada, noise learned", {{"tuning", "\"ada\""}, {"noise", "\"learned\""}});
      }
      if (parameter.name == "switches") {
        add("switches 4", {{"switches", "4"}});
      }
      if (parameter.name == "order" && parameter.fallback == FieldValue(0.5)) {
        add("order 3/4", {{"order", "0.75"}});
      }
    }
  }
  return all;
}

Experiment make_world_experiment(const World& world, WorldScale scale, std::uint64_t seed) {
  const Size size = size_of(world, scale);
  std::string environment(world.environment);
  const auto replace = [&](std::string_view word, std::size_t number) {
    const std::size_t at = environment.find(word);
    if (at != std::string::npos) {
      environment.replace(at, word.size(), fmt::to_string(number));
    }
  };
  replace("PERIOD", size.rounds / 5);
  replace("TURN", size.rounds / 3);
  std::string toml = fmt::format(
      "name = \"world-{}\"\nseed = {}\nsequences = {}\nrepetitions = 1\npoints = [{}]\n\n"
      "[environment]\nhorizon = {}\nnoise = \"uniform\"\nnoise_bound = 1\n\n{}",
      world.name, seed, size.sequences, size.rounds, size.rounds, environment);
  for (const WorldLearner& learner : world_learners(world, size)) {
    const std::string name = learner.label.substr(0, learner.label.find(' '));
    toml += fmt::format("\n[[learners]]\nlearner = \"{}\"\nlabel = \"{}\"\n", name, learner.label);
    for (const auto& [key, value] : learner.parameters) {
      toml += fmt::format("{} = {}\n", key, value);
    }
  }
  return parse_experiment(toml, fmt::format("world-{}", world.name));
}

// Whether the learner's decisions depend on the noise bound: tested by playing the same rounds with
// two noise bounds.
bool uses_noise_bound(LearnerSpec spec) {
  spec.arms = 3;
  const Graph graph = Graph::dense(3, {1, 0.5, 0.25, 0.75, 1, 0.5, 0.25, 0.5, 1});
  const auto decisions_at = [&](double noise_bound) {
    spec.noise_bound = noise_bound;
    const auto learner = make_learner(spec);
    std::vector<double> played;
    const Stream stream(1, Purpose::draw);
    std::vector<double> losses(spec.arms);
    for (std::uint64_t t = 1; t <= 200; ++t) {
      Stream(1, Purpose::losses).fill_uniform(t, losses);
      if (Informed* informed = informed_of(*learner)) {
        informed->see_graph(graph);
      }
      const Decision decision = learner->choose(stream);
      played.insert(played.end(), {static_cast<double>(decision.arm), decision.probability});
      std::vector<Observation> seen;
      graph.for_each_seen(decision.arm, [&](Arm arm, double weight) {
        seen.push_back({arm, weight * losses[arm]});
      });
      learner->observe(decision, graph, {decision.arm, seen});
    }
    return played;
  };
  return decisions_at(1) != decisions_at(3);
}

}  // namespace

std::span<const World> all_worlds() {
  return kWorlds;
}

WorldParameters required_parameters(const LearnerRow& row, const World& world, std::size_t rounds) {
  const WorldParameters values = {
      {"alpha", fmt::format("{}.0", world.alpha)},
      {"horizon", fmt::to_string(rounds)},
      {"threshold", "0.5"},  // a guess that a user might make
  };
  WorldParameters required;
  for (const LearnerParameter& parameter : row.parameters) {
    if (parameter.required) {
      const auto value =
          std::ranges::find(values, parameter.name, &WorldParameters::value_type::first);
      if (value == values.end()) {
        throw Error("worlds", fmt::format("have no value of {}, which {} requires, expected one in "
                                          "required_parameters()",
                                          parameter.name, row.name));
      }
      required.push_back(*value);
    }
  }
  return required;
}

std::vector<Experiment> world_experiments(WorldScale scale, std::uint64_t seed) {
  std::vector<Experiment> experiments;
  for (const World& world : kWorlds) {
    if (!world.is_large || scale == WorldScale::large) {
      experiments.push_back(make_world_experiment(world, scale, seed));
    }
  }
  return experiments;
}

std::string required_knowledge(const LearnerSpec& spec) {
  const LearnerRow& row = learner_row(spec.name);
  std::vector<std::string_view> known;
  if (uses_noise_bound(spec)) {
    known.emplace_back("noise bound");
  }
  // In reverse order, as in the tables of docs/results.md. The number of switches has a default,
  // but it is only a guess.
  for (auto parameter = row.parameters.rbegin(); parameter != row.parameters.rend(); ++parameter) {
    if (parameter->required || parameter->name == "switches") {
      known.push_back(parameter->name);
    }
  }
  if (row.information == Information::graph_before_draw) {
    known.emplace_back("graph before the draw");
  }
  return fmt::format("{}", fmt::join(known, ", "));
}

std::vector<WorldRow> world_rows(const World& world, const ExperimentResult& result) {
  const auto horizon = static_cast<double>(result.plan.experiment().environment.horizon);
  std::vector<WorldRow> rows;
  for (const ResultRow& row : at_horizon(result.plan, result.rows)) {
    const Cell& cell = result.plan.cells()[row.cell];
    WorldRow in_world{.world = std::string(world.name),
                      .label = cell.label,
                      .knows = required_knowledge(cell.learner),
                      .regret = row.regret,
                      .standard_error = row.regret_standard_error,
                      .bound = row.bound};
    if (world.best_mean) {
      in_world.regret = row.loss - horizon * *world.best_mean;
      in_world.standard_error =
          row.loss_sd ? std::optional(*row.loss_sd / std::sqrt(static_cast<double>(row.runs)))
                      : std::nullopt;
      in_world.bound.reset();  // those of most learners are about the best fixed arm
    }
    rows.push_back(in_world);
  }
  const double least = std::ranges::min(rows, {}, &WorldRow::regret).regret;
  const auto uniform = std::ranges::find(rows, "uniform", &WorldRow::label);
  assert(uniform != rows.end());
  const double spread = std::max(uniform->regret - least, 1e-9);
  for (WorldRow& row : rows) {
    row.rank = 1 + static_cast<std::size_t>(std::ranges::count_if(
                       rows, [&](const WorldRow& other) { return other.regret < row.regret; }));
    row.relative = (row.regret - least) / spread;
  }
  return rows;
}

std::string worlds_csv(std::span<const WorldRow> rows) {
  std::string csv = "world,label,knows,regret,regret_standard_error,rank,relative,bound\n";
  for (const WorldRow& row : rows) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n", row.world,
                   csv_field(row.label), csv_field(row.knows), row.regret,
                   csv_field(row.standard_error), row.rank, row.relative, csv_field(row.bound));
  }
  return csv;
}

}  // namespace hearsay::reproduce
