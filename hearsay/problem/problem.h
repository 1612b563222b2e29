#pragma once

// A recurring decision that is being learned, in the user's names and units:
//
//   Problem problem({.names = {"red", "green"}, .outcome = {.low = 0, .high = 100}, .graph = ...});
//   Choice choice = problem.choose();
//   ... play choice.name, which earns 42; a reading says that "green" would have earned about 37
//   problem.tell(choice, 42, {{"green", 37}});
//
// Feedback belongs to its decision: it may come late and out of order, once for each decision, or
// never. Input that is refused (Error) changes nothing. With a log, every decision and every
// feedback is appended to it, and restore_from_log() makes a problem that continues with the same
// bits. If the log cannot be written, a call throws and the learner does not change: it throws
// std::system_error for a failure of the machine, such as a full disk, and Error otherwise, as all
// functions that write files do (base/bytes.h).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/problem/description.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_record.h"
#include "hearsay/problem/log_writer.h"
#include "hearsay/problem/outstanding_decisions.h"
#include "hearsay/problem/translation.h"

namespace hearsay {

// A decision, with the name of its arm.
struct Choice {
  std::uint64_t id = 0;  // 1 for the first decision
  std::string name;      // of the arm
  Arm arm = 0;
  double probability = 0;  // of this arm, at the draw; 1 if the learner does not randomize

  bool operator==(const Choice&) const = default;
};

// Readings by the names of the arms. An empty reading says that this arm could not be read in this
// round, whichever arm was played.
using NamedReadings = std::map<std::string, std::optional<double>, std::less<>>;

// Counts of what has happened so far.
struct ProblemCounts {
  std::uint64_t decisions = 0;
  std::uint64_t rounds = 0;              // decisions with feedback
  std::uint64_t clipped = 0;             // rounds whose outcome was out of range
  std::uint64_t thinned = 0;             // rounds in which a reading was missing
  std::uint64_t restricted = 0;          // rounds in which not all arms were available
  std::uint64_t beyond_noise_bound = 0;  // readings that no noise within the bound allows

  bool operator==(const ProblemCounts&) const = default;
};

// What a problem does with the log from which it was restored: it appends further decisions and
// feedback to it, or it has no log.
enum class AfterRestoring : std::uint8_t { append, close };

class Problem {
 public:
  // `log` is the path of a new file; without a log it is empty. Throws Error at the key that is
  // wrong.
  explicit Problem(ProblemDescription description, const std::string& log = {});

  // From what save() returned; it continues with the same bits, without a log. Throws Error if the
  // state is damaged.
  static Problem restore(std::string_view state);

  // From its log, by repeating all decisions. Throws Error at the line where the log is wrong, or
  // has a decision that this problem does not make.
  static Problem restore_from_log(const std::string& path,
                                  AfterRestoring log_use = AfterRestoring::append);

  // Continues the log of this problem if there is one, and makes the problem and its log otherwise.
  // Throws Error as the other two do, or if the log is of another problem. Only the seed may
  // differ; then the seed of the log is used.
  static Problem continue_log(ProblemDescription description, const std::string& path);

  Problem(Problem&&) noexcept;
  Problem& operator=(Problem&&) noexcept;
  ~Problem();

  // As it was given; graph() is the present graph.
  const ProblemDescription& description() const { return description_; }
  const ArmNames& names() const { return *names_; }
  const Graph& graph() const { return graph_; }
  const Learner& learner() const { return *learner_; }
  const ProblemCounts& counts() const { return counts_; }
  std::size_t outstanding() const { return outstanding_.size(); }

  // Draws an arm among `available`, the arms that can be played now, or among all. `time` is
  // written to the log, if it is not empty. If the log cannot be written, a decision that was drawn
  // already is forgotten: the next decision has another id, and the log will have both.
  Choice choose(std::optional<std::span<const std::string>> available = std::nullopt,
                std::string_view time = {});

  // Gives the feedback of a decision: the outcome of the arm played and readings of other arms (or
  // observations of the model, if `form` says so).
  void tell(const Choice& choice, double outcome, const NamedReadings& readings = {},
            ReadingForm form = ReadingForm::reading);
  void tell(std::uint64_t id, const UserFeedback& feedback);

  // Says that a decision will have no feedback. It is no longer outstanding.
  void forget(std::uint64_t id);

  // Sets the graph of the decisions from now on. If outstanding decisions then have too many
  // different graphs for the memory (kMostOutstandingArms), the next draw drops the oldest.
  void set_graph(const Graph& graph);

  // The probabilities of the next draw, one for each arm; empty if the learner does not randomize.
  std::span<const double> probabilities() const { return probabilities_of(*learner_); }

  // Empty if the learner has no certificate. The bounds are in the user's units: they bound the
  // regret against always playing the best arm, over the rounds with feedback.
  std::optional<Certificate> certificate() const;

  std::string save() const;

 private:
  // A decision that awaits feedback.
  struct Outstanding {
    Decision decision;
    Graph graph;
    std::vector<Arm> available;  // empty if all
  };

  static Problem restored(LogReader& log);
  std::vector<Arm> arms_of(std::span<const std::string> available) const;

  // Makes the learner's probabilities those of the next draw. Throws Error if it cannot draw among
  // these arms.
  void prepare_draw(std::span<const Arm> available);
  Decision draw(std::span<const Arm> available);
  Choice choose_among(std::vector<Arm> available, std::string_view time);
  void drop_surplus_decisions();
  [[noreturn]] void refuse_decision(std::uint64_t id);
  void repeat(const LogRecord& record);
  void repeat_decision(const LoggedDecision& decision);

  ProblemDescription description_;
  std::unique_ptr<const ArmNames> names_;
  std::unique_ptr<Translation> translation_;
  std::unique_ptr<Learner> learner_;
  Stream stream_;
  Graph graph_;
  std::uint64_t graph_number_ = 1;  // in the log
  OutstandingDecisions<Outstanding> outstanding_;
  // The first round in which a reading was missing that was not reported as null
  // (kReadingNotReported); 0 if there was none.
  std::uint64_t unreported_since_ = 0;
  ProblemCounts counts_;
  std::optional<LogWriter> log_;
};

// The warning about readings that the noise bound does not allow; empty if there are none.
std::string noise_warning(const Problem& problem);

// The problem of a segment: the same, with a seed that is computed from the seed and the name of
// the segment. Throws Error at "segment" if the name is empty or not UTF-8.
ProblemDescription problem_of_segment(ProblemDescription description, std::string_view segment);

// The name of the log of a segment: letters, digits, - and _ stand for themselves, any other byte
// for its code (%2F).
std::string log_name_of_segment(std::string_view segment);

// One problem for each segment (a country, a kind of device). All have the same description but
// different draws; a problem is made when its segment is first used.
class Segments {
 public:
  // Each problem has its log in `log_directory`, named after its segment; a log that exists is
  // continued. If `log_directory` is empty, there are no logs.
  explicit Segments(ProblemDescription description, std::string log_directory = {});

  // Throws Error if the name is empty, or a log of the segment is wrong or of another problem.
  Problem& operator[](std::string_view segment);

  std::size_t size() const { return problems_.size(); }
  bool contains(std::string_view segment) const { return problems_.contains(segment); }
  std::vector<std::string> names() const;

 private:
  ProblemDescription description_;
  std::string log_directory_;
  std::map<std::string, Problem, std::less<>> problems_;
};

}  // namespace hearsay
