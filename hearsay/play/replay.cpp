#include "hearsay/play/replay.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/high_probability.h"

namespace hearsay {
namespace {

using Json = nlohmann::json;

Json parse_object(const std::string& line, std::span<const std::string_view> known_keys) {
  Json object;
  try {
    object = Json::parse(line);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("is not JSON at column {}, expected one object a line", error.byte));
  } catch (const Json::out_of_range&) {
    throw Error("holds a number too large for a double");
  }
  if (!object.is_object()) {
    throw Error(fmt::format("is {}, expected an object", object.type_name()));
  }
  for (const auto& item : object.items()) {
    if (std::ranges::find(known_keys, item.key()) == known_keys.end()) {
      throw Error(fmt::format("has the key \"{}\", expected only {}", item.key(),
                              fmt::join(known_keys, ", ")));
    }
  }
  return object;
}

double number(const Json& value, const std::string& what) {
  if (!value.is_number()) {
    throw Error(fmt::format("{} is {}, expected a number", what, value.type_name()));
  }
  return value.get<double>();
}

// A whole number from `low` to `high`.
std::uint64_t whole(const Json& value, const std::string& what, std::uint64_t low,
                    std::uint64_t high) {
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() >= low &&
                    value.get<std::uint64_t>() <= high;
  if (!fits) {
    throw Error(fmt::format("{} is {}, expected a whole number from {} to {}", what,
                            value.is_structured() ? value.type_name() : value.dump(), low, high));
  }
  return value.get<std::uint64_t>();
}

const Json& array(const Json& value, const std::string& what, std::size_t size) {
  if (!value.is_array() || value.size() != size) {
    throw Error(fmt::format("{} is {}, expected an array of {}", what,
                            value.is_array() ? fmt::format("an array of {}", value.size())
                                             : std::string(value.type_name()),
                            size));
  }
  return value;
}

Graph read_weights(const Json& rows, std::size_t arms) {
  array(rows, "\"weights\"", arms);
  for (std::size_t i = 0; i < arms; ++i) {  // all sizes before memory is set aside for all
    array(rows[i], fmt::format("row {} of \"weights\"", i), arms);
  }
  std::vector<double> weights;
  weights.reserve(arms * arms);
  for (std::size_t i = 0; i < arms; ++i) {
    for (std::size_t j = 0; j < arms; ++j) {
      weights.push_back(number(rows[i][j], fmt::format("weight({}, {})", i, j)));
    }
  }
  return Graph::dense(arms, std::move(weights));
}

Graph read_arcs(const Json& listed, std::size_t arms) {
  if (!listed.is_array()) {
    throw Error(fmt::format("\"arcs\" is {}, expected an array", listed.type_name()));
  }
  std::vector<Arc> arcs;
  arcs.reserve(listed.size());
  for (const Json& item : listed) {
    const std::string what = fmt::format("arc {}", arcs.size());
    array(item, what, 3);
    arcs.push_back({static_cast<Arm>(whole(item[0], what + ": the arm played", 0, arms - 1)),
                    static_cast<Arm>(whole(item[1], what + ": the arm seen", 0, arms - 1)),
                    number(item[2], what + ": the weight")});
  }
  return Graph::sparse(arms, std::move(arcs));
}

// null where nothing was seen.
std::vector<Observation> read_observations(const Json& listed, std::size_t arms) {
  array(listed, "\"observations\"", arms);
  std::vector<Observation> observations;
  observations.reserve(arms);
  for (std::size_t i = 0; i < arms; ++i) {
    if (!listed[i].is_null()) {
      const double value = number(listed[i], fmt::format("the observation of arm {}", i));
      observations.push_back({static_cast<Arm>(i), value});
    }
  }
  return observations;
}

class Replayer {
 public:
  Replayer(LearnerSpec spec, const ReplayOptions& options)
      : spec_(std::move(spec)), options_(options) {}

  // The first line of a log.
  void read_header(const std::string& line) {
    static constexpr std::array<std::string_view, 1> kKeys = {"arms"};
    const Json header = parse_object(line, kKeys);
    if (!header.contains("arms")) {
      throw Error("has no \"arms\", expected {\"arms\": N} before the first round");
    }
    spec_.arms = whole(header["arms"], "\"arms\"", 1, std::numeric_limits<Arm>::max());
  }

  // Any other.
  ReplayedRound read_round(const std::string& line) {
    static constexpr std::array<std::string_view, 5> kKeys = {"arm", "observations", "weights",
                                                              "arcs", "losses"};
    const Json round = parse_object(line, kKeys);
    for (const char* key : {"arm", "observations"}) {
      if (!round.contains(key)) {
        throw Error(fmt::format("has no \"{}\", expected one in every round", key));
      }
    }
    const auto arm = static_cast<Arm>(whole(round["arm"], "\"arm\"", 0, spec_.arms - 1));
    std::vector<Observation> observations = read_observations(round["observations"], spec_.arms);
    read_graph(round);
    if (!learner_) {  // not before: a round has shown that so many arms are really there
      learner_ = make_learner(spec_);
    }
    Graph shown = *graph_;
    if (learner_->information() == Information::true_losses && round.contains("losses")) {
      observations = read_observations(round["losses"], spec_.arms);
      shown = everything();
    }
    // Either the whole round is taken in or the replay ends: no need to forget the decision.
    if (Informed* informed = informed_of(*learner_)) {
      informed->see_graph(shown);
    }
    learner_->observe(learner_->adopt(arm), shown, {arm, observations});
    ++rounds_;
    const RoundFigures figures = last_round_of(*learner_).value_or(RoundFigures{});
    if (options_.confidence && !figures.probabilities.empty()) {
      if (!high_probability_) {
        high_probability_.emplace(spec_.arms, spec_.noise_bound, *options_.confidence);
      }
      high_probability_->add(figures.probabilities, shown, {arm, observations});
    }
    const Certificate now = certificate();
    return {rounds_, figures, now.regret_bound, now.bounds};
  }

  Certificate certificate() const {
    const auto of_learner = learner_ ? certificate_of(*learner_) : std::nullopt;
    Certificate certificate = of_learner.value_or(Certificate{.rounds = rounds_});
    if (high_probability_) {
      certificate.bounds.push_back(high_probability_->bound());
    }
    return certificate;
  }

 private:
  void read_graph(const Json& round) {
    if (round.contains("weights") && round.contains("arcs")) {
      throw Error("has \"weights\" and \"arcs\", expected one of them at most");
    }
    if (round.contains("weights")) {
      graph_ = read_weights(round["weights"], spec_.arms);
    } else if (round.contains("arcs")) {
      graph_ = read_arcs(round["arcs"], spec_.arms);
    } else if (!graph_) {
      throw Error("has no graph, expected \"weights\" or \"arcs\" in the first round");
    }
  }

  const Graph& everything() {
    if (!everything_) {
      everything_ = Graph::dense(spec_.arms, std::vector<double>(spec_.arms * spec_.arms, 1.0));
    }
    return *everything_;
  }

  LearnerSpec spec_;
  ReplayOptions options_;
  std::unique_ptr<Learner> learner_;
  std::optional<HighProbabilityBound> high_probability_;
  std::uint64_t rounds_ = 0;
  std::optional<Graph> graph_;
  std::optional<Graph> everything_;  // what an oracle is shown
};

bool is_blank(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

}  // namespace

Certificate replay(std::istream& log, const std::string& name, LearnerSpec spec,
                   const std::function<void(const ReplayedRound&)>& hand_over,
                   const ReplayOptions& options) {
  // What is wrong with the learner or an option is found before the log is read.
  spec.arms = 1;
  spec.bounds = Bounds::all;
  make_learner(spec);
  if (options.confidence) {
    HighProbabilityBound(spec.arms, spec.noise_bound, *options.confidence);
  }

  Replayer replayer(std::move(spec), options);
  std::string line;
  bool header_read = false;
  for (std::uint64_t number = 1;; ++number) {
    std::optional<ReplayedRound> round;
    try {
      if (!read_line(log, line)) {
        break;
      }
      if (is_blank(line)) {
        continue;
      }
      if (header_read) {
        round = replayer.read_round(line);
      } else {
        replayer.read_header(line);
        header_read = true;
      }
    } catch (const Error& error) {
      throw Error(fmt::format("{}:{}", name, number), error.what());
    }
    if (round) {
      hand_over(*round);
    }
  }
  if (!header_read) {
    throw Error(fmt::format("{}:1", name), "is empty, expected {\"arms\": N}");
  }
  return replayer.certificate();
}

}  // namespace hearsay
