#include "hearsay/play/replay.h"

#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/json.h"
#include "hearsay/base/text.h"
#include "hearsay/play/learner_replay.h"
#include "hearsay/play/round.h"

namespace hearsay {
namespace {

Graph read_weights(const Json& rows, std::size_t arms) {
  json_array(rows, "\"weights\"", arms);
  for (std::size_t i = 0; i < arms; ++i) {  // all sizes are checked before memory is allocated
    json_array(rows[i], fmt::format("row {} of \"weights\"", i), arms);
  }
  std::vector<double> weights;
  weights.reserve(arms * arms);
  for (std::size_t i = 0; i < arms; ++i) {
    for (std::size_t j = 0; j < arms; ++j) {
      weights.push_back(json_number(rows[i][j], fmt::format("weight({}, {})", i, j)));
    }
  }
  return Graph::dense(arms, std::move(weights));
}

Graph read_arcs(const Json& listed, std::size_t arms) {
  json_array(listed, "\"arcs\"");
  std::vector<Arc> arcs;
  arcs.reserve(listed.size());
  for (const Json& item : listed) {
    const std::string what = fmt::format("arc {}", arcs.size());
    json_array(item, what, 3);
    arcs.push_back({static_cast<Arm>(json_whole(item[0], what + ": the arm played", 0, arms - 1)),
                    static_cast<Arm>(json_whole(item[1], what + ": the arm seen", 0, arms - 1)),
                    json_number(item[2], what + ": the weight")});
  }
  return Graph::sparse(arms, std::move(arcs));
}

// `listed` has null for the arms that were not seen.
std::vector<Observation> read_observations(const Json& listed, std::size_t arms) {
  json_array(listed, "\"observations\"", arms);
  std::vector<Observation> observations;
  observations.reserve(arms);
  for (std::size_t i = 0; i < arms; ++i) {
    if (!listed[i].is_null()) {
      const double value = json_number(listed[i], fmt::format("the observation of arm {}", i));
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
    const Json header = parse_object(line);
    check_keys(header, kKeys);
    if (!header.contains("arms")) {
      throw Error("has no \"arms\", expected {\"arms\": N} before the first round");
    }
    spec_.arms = json_whole(header["arms"], "\"arms\"", 1, std::numeric_limits<Arm>::max());
  }

  // Any later line.
  ReplayedRound read_round(const std::string& line) {
    static constexpr std::array<std::string_view, 5> kKeys = {"arm", "observations", "weights",
                                                              "arcs", "losses"};
    const Json round = parse_object(line);
    check_keys(round, kKeys);
    for (const char* key : {"arm", "observations"}) {
      if (!round.contains(key)) {
        throw Error(fmt::format("has no \"{}\", expected one in every round", key));
      }
    }
    const auto arm = static_cast<Arm>(json_whole(round["arm"], "\"arm\"", 0, spec_.arms - 1));
    std::vector<Observation> observations = read_observations(round["observations"], spec_.arms);
    read_graph(round);
    // The learner is made after the first complete round has been read. If the header has far too
    // many arms, that round is refused before memory is allocated for them.
    if (!replay_) {
      replay_.emplace(spec_, options_);
    }
    Learner& learner = replay_->learner();
    Graph shown = *graph_;
    if (learner.information() == Information::true_losses && round.contains("losses")) {
      observations = read_observations(round["losses"], spec_.arms);
      if (!all_shown_) {
        all_shown_ = all_shown(spec_.arms);
      }
      shown = *all_shown_;
    }
    // If the round is refused, the replay ends, so the adopted decision need not be forgotten.
    if (Informed* informed = informed_of(learner)) {
      informed->see_graph(shown);
    }
    return replay_->observe(learner.adopt(arm), shown, {arm, observations});
  }

  Certificate certificate() const { return replay_ ? replay_->certificate() : Certificate{}; }

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

  LearnerSpec spec_;
  ReplayOptions options_;
  std::optional<LearnerReplay> replay_;
  std::optional<Graph> graph_;
  std::optional<Graph> all_shown_;  // what an oracle is shown; made when it is needed
};

}  // namespace

Certificate replay(std::istream& log, const std::string& name, LearnerSpec spec,
                   const std::function<void(const ReplayedRound&)>& on_round,
                   const ReplayOptions& options) {
  // A wrong learner or option is refused before the log is read.
  spec.arms = 1;
  static_cast<void>(LearnerReplay(spec, options));

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
      on_round(*round);
    }
  }
  if (!header_read) {
    throw Error(fmt::format("{}:1", name), "is empty, expected {\"arms\": N}");
  }
  return replayer.certificate();
}

}  // namespace hearsay
