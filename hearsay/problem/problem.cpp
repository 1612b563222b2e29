#include "hearsay/problem/problem.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/state.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/draw.h"
#include "hearsay/learner/draw_state.h"
#include "hearsay/problem/problem_file.h"

namespace hearsay {
namespace {

constexpr std::string_view kProblemState = "problem";

ProblemDescription checked(ProblemDescription description) {
  check_problem(description);
  description.graph = graph_in_problem(description.graph, description.names.size());
  return description;
}

void check_information(const Learner& learner, const std::string& name) {
  if (learner.information() == Information::true_losses) {
    throw Error("learner", fmt::format("{} must be shown every true loss, expected a learner that "
                                       "uses only readings",
                                       in_quotes(name)));
  }
}

void write_graph(StateWriter& writer, const Graph& graph) {
  writer.add(std::uint64_t{graph.arc_count()});
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played) {
        writer.add(std::uint64_t{played});
        writer.add(std::uint64_t{seen});
        writer.add(weight);
      }
    });
  }
}

Graph read_graph(StateReader& reader, const ArmNames& names) {
  std::vector<Arc> arcs(reader.count(3 * sizeof(std::uint64_t)));
  for (Arc& arc : arcs) {
    const std::uint64_t played = reader.number();
    const std::uint64_t seen = reader.number();
    reader.require(played < names.size() && seen < names.size(), "has an arc of an unknown arm");
    arc = {static_cast<Arm>(played), static_cast<Arm>(seen), reader.real()};
  }
  try {
    return graph_of_named_arcs(std::move(arcs), names);
  } catch (const Error& error) {
    reader.fail(error.what());
  }
}

// The counts, for saving and restoring.
template <class Counts>
auto fields_of(Counts& counts) {
  return std::array{&counts.decisions, &counts.rounds,     &counts.clipped,
                    &counts.thinned,   &counts.restricted, &counts.beyond_noise_bound};
}

}  // namespace

Problem::Problem(ProblemDescription description, const std::string& log)
    : description_(checked(std::move(description))),
      names_(std::make_unique<const ArmNames>(description_.names)),
      translation_(std::make_unique<Translation>(description_, *names_)),
      learner_(make_learner(learner_of(description_))),
      stream_(description_.seed, Purpose::draw),
      graph_(*description_.graph) {
  check_information(*learner_, learner_of(description_).name);
  if (!log.empty()) {
    log_ = LogWriter::create(log);
    log_->append(log_lines::header(description_));
  }
}

Problem::Problem(Problem&&) noexcept = default;
Problem& Problem::operator=(Problem&&) noexcept = default;
Problem::~Problem() = default;

std::vector<Arm> Problem::arms_of(std::span<const std::string> available) const {
  if (available.empty()) {
    throw Error("available", "is empty, expected the names of the arms that can be played");
  }
  std::vector<Arm> arms;
  std::ranges::transform(available, std::back_inserter(arms),
                         [&](const std::string& name) { return names_->find(name); });
  std::ranges::sort(arms);
  if (const auto twice = std::ranges::adjacent_find(arms); twice != arms.end()) {
    throw Error("available",
                fmt::format("has {} twice, expected each arm once", in_quotes((*names_)[*twice])));
  }
  if (arms.size() == names_->size()) {
    arms.clear();  // all are available
  }
  return arms;
}

void Problem::prepare_draw(std::span<const Arm> available) {
  if (!available.empty() && restrictable_of(*learner_) == nullptr) {
    throw Error("available", fmt::format("{} can only draw among all arms, expected all of "
                                         "them, or another learner",
                                         learner_of(description_).name));
  }
  if (Informed* informed = informed_of(*learner_)) {
    informed->see_graph(graph_);
  }
}

Decision Problem::draw(std::span<const Arm> available) {
  const Decision decision = available.empty()
                                ? learner_->choose(stream_)
                                : restrictable_of(*learner_)->choose_among(stream_, available);
  if (decision.arm >= names_->size() ||
      !(decision.probability > 0 && decision.probability <= 1 + kSumTolerance)) {
    throw Error("learner",
                fmt::format("draws arm {} of {} with probability {}, expected one of the "
                            "arms and a probability in (0, 1]",
                            decision.arm, names_->size(), decision.probability));
  }
  return decision;
}

Choice Problem::choose(std::optional<std::span<const std::string>> available,
                       std::string_view time) {
  return choose_among(available ? arms_of(*available) : std::vector<Arm>(), time);
}

Choice Problem::choose_among(std::vector<Arm> available, std::string_view time) {
  if (!is_utf8(time)) {
    throw Error("time", "is not UTF-8, expected a text");
  }
  if (log_) {
    log_->write_pending_lines();  // so that at most one decision is missing from the log
  }
  LoggedDecision record{.graph = graph_, .time = std::string(time), .available = available};
  prepare_draw(available);
  if (log_ && description_.logged_probabilities == LoggedProbabilities::all) {
    const std::span<const double> next = probabilities();  // empty if the learner has none
    record.probabilities = available.empty() || next.empty()
                               ? std::vector<double>(next.begin(), next.end())
                               : restricted_to(next, available);
  }
  const Decision decision = draw(available);
  record.id = decision.round;
  record.arm = decision.arm;
  record.probability = decision.probability;
  outstanding_.add(decision.round, {decision, graph_, std::move(available)});
  ++counts_.decisions;
  drop_surplus_decisions();
  if (log_) {
    const std::string line = log_lines::decision(record, std::nullopt, *names_);
    try {
      log_->append(line);
    } catch (...) {
      // A draw cannot be undone, so the decision is forgotten. Its lines are written to the log as
      // soon as possible, so that the problem restored from the log has the same bits.
      log_->write_later({line, log_lines::forget({decision.round})});
      learner_->forget(decision);
      outstanding_.erase(outstanding_.find(decision.round));
      throw;
    }
  }
  return {decision.round, (*names_)[decision.arm], decision.arm, decision.probability};
}

// The learner drops the oldest decisions if there are too many, and some engines drop all of them.
// If outstanding decisions have too many different graphs, the problem drops the oldest itself.
void Problem::drop_surplus_decisions() {
  while (outstanding_.size() > learner_->outstanding()) {
    outstanding_.erase(outstanding_.oldest());
  }
  while (outstanding_.has_too_many_graphs()) {
    learner_->forget(outstanding_.oldest()->second.decision);
    outstanding_.drop_oldest();
  }
}

void Problem::refuse_decision(std::uint64_t id) {
  if (id == 0 || id > counts_.decisions) {
    throw Error(
        fmt::format("decision {} was never made, expected one that choose() returned ({} so far)",
                    id, counts_.decisions));
  }
  if (id > outstanding_.last_dropped()) {
    learner_->forget({.round = id});  // throws, and says why there is no such decision
  }
  throw Error(not_outstanding_message(id, outstanding_.last_dropped()));
}

void Problem::tell(const Choice& choice, double outcome, const NamedReadings& readings,
                   ReadingForm form) {
  UserFeedback feedback{.outcome = outcome, .form = form};
  for (const auto& [name, value] : readings) {
    feedback.readings.push_back({names_->find(name), value});
  }
  const auto found = outstanding_.find(choice.id);
  if (found != outstanding_.end() && found->second.decision.arm != choice.arm) {
    throw Error(fmt::format("decision {} is given for {}, expected {}", choice.id,
                            in_quotes(choice.name),
                            in_quotes((*names_)[found->second.decision.arm])));
  }
  tell(choice.id, feedback);
}

void Problem::tell(std::uint64_t id, const UserFeedback& feedback) {
  const auto found = outstanding_.find(id);
  if (found == outstanding_.end()) {
    refuse_decision(id);
  }
  const Outstanding& outstanding = found->second;
  const ModelRound round = translation_->translate(outstanding.graph, outstanding.decision.arm,
                                                   outstanding.available, feedback);
  if (log_) {
    log_->append(log_lines::feedback({id, feedback}, *names_));
  }
  try {
    learner_->observe(outstanding.decision, round.graph,
                      {outstanding.decision.arm, round.observations});
  } catch (...) {
    if (log_) {
      log_->remove_last_line();
    }
    throw;
  }
  ++counts_.rounds;
  counts_.clipped += round.is_clipped ? 1U : 0U;
  counts_.thinned += round.missing.empty() ? 0U : 1U;
  if (!round.missing_are_null && unreported_since_ == 0) {
    unreported_since_ = counts_.rounds;
  }
  counts_.restricted += outstanding.available.empty() ? 0U : 1U;
  counts_.beyond_noise_bound += round.beyond_noise_bound;
  outstanding_.erase(found);
  drop_surplus_decisions();
}

void Problem::forget(std::uint64_t id) {
  const auto found = outstanding_.find(id);
  if (found == outstanding_.end()) {
    refuse_decision(id);
  }
  if (log_) {
    log_->append(log_lines::forget({id}));
  }
  learner_->forget(found->second.decision);
  outstanding_.erase(found);
}

void Problem::set_graph(const Graph& graph) {
  Graph next = graph_in_problem(graph, names_->size());
  if (has_same_arcs(next, graph_)) {
    next = graph_;  // so that decisions share it
  }
  if (log_) {
    log_->append(log_lines::graph({graph_number_ + 1, next}, *names_));
  }
  ++graph_number_;
  graph_ = next;
}

namespace {

// What the theorems assume about the user's feedback besides what a learner checks.
std::string conditions_of_feedback(const ProblemCounts& counts) {
  std::string conditions;
  if (counts.thinned > 0) {
    conditions +=
        "; which readings are missing does not depend on the arm drawn or on their values, and "
        "every missing one is reported as null";
  }
  if (counts.clipped > 0) {
    conditions += "; the regret is that of the clipped outcomes";
  }
  return conditions;
}

}  // namespace

std::optional<Certificate> Problem::certificate() const {
  std::optional<Certificate> certificate = certificate_of(*learner_);
  if (certificate) {
    const auto in_units = [&](std::optional<double>& bound) {
      if (bound) {
        *bound *= description_.outcome.range();
      }
    };
    in_units(certificate->regret_bound);
    for (RegretBound& bound : certificate->bounds) {
      in_units(bound.value);
      in_units(bound.per_switch);
      bound.conditions += conditions_of_feedback(counts_);
    }
    if (unreported_since_ > 0) {
      end_bounds(*certificate, unreported_since_, kReadingNotReported);
    }
  }
  return certificate;
}

// --- Saving and restoring -----------------------------------------------------------------------

std::string Problem::save() const {
  StateWriter writer(kProblemState);
  writer.add(std::string_view(to_json(description_)));
  writer.add(std::string_view(learner_->save()));
  for (const std::uint64_t* count : fields_of(counts_)) {
    writer.add(*count);
  }
  writer.add(unreported_since_);
  writer.add(graph_number_);
  // A graph is written once: the present one, and those of earlier decisions if they are others.
  std::vector<Graph> graphs = {graph_};
  const auto number_of = [&](const Graph& graph) {
    const auto found =
        std::ranges::find_if(graphs, [&](const Graph& known) { return known.same_as(graph); });
    return static_cast<std::uint64_t>(found - graphs.begin());
  };
  for (const auto& [id, outstanding] : outstanding_) {
    if (number_of(outstanding.graph) == graphs.size()) {
      graphs.push_back(outstanding.graph);
    }
  }
  writer.add(std::uint64_t{graphs.size()});
  for (const Graph& graph : graphs) {
    write_graph(writer, graph);
  }
  writer.add(std::uint64_t{outstanding_.size()});
  for (const auto& [id, outstanding] : outstanding_) {
    writer.add(id);
    writer.add(std::uint64_t{outstanding.decision.arm});
    writer.add(outstanding.decision.probability);
    writer.add(number_of(outstanding.graph));
    write_available(writer, outstanding.available);
  }
  return writer.finish();
}

Problem Problem::restore(std::string_view state) {
  StateReader reader(state, kProblemState);
  Problem problem = [&] {
    try {
      return Problem(parse_problem_json(reader.text(), ""));
    } catch (const Error& error) {
      throw error.within("problem state");
    }
  }();
  problem.learner_ = restore_learner(reader.text());
  reader.require(problem.learner_->arms() == problem.names_->size(),
                 "has a learner of another number of arms");
  for (std::uint64_t* count : fields_of(problem.counts_)) {
    *count = reader.number();
  }
  problem.unreported_since_ = reader.number();
  problem.graph_number_ = reader.number();
  std::vector<Graph> graphs;
  const std::size_t graph_count = reader.count(sizeof(std::uint64_t));
  reader.require(graph_count > 0, "has no graph");
  for (std::size_t k = 0; k < graph_count; ++k) {
    graphs.push_back(read_graph(reader, *problem.names_));
  }
  problem.graph_ = graphs.front();
  const std::size_t outstanding = reader.count(5 * sizeof(std::uint64_t));
  for (std::size_t k = 0; k < outstanding; ++k) {
    const std::uint64_t id = reader.number();
    const std::uint64_t arm = reader.number();
    const double probability = reader.real();
    const std::uint64_t graph = reader.number();
    reader.require(arm < problem.names_->size() && graph < graphs.size(),
                   "has a decision for an arm or a graph that does not exist");
    reader.require(problem.outstanding_.find(id) == problem.outstanding_.end(),
                   "has a decision twice");
    problem.outstanding_.add(id, {{static_cast<Arm>(arm), probability, id},
                                  graphs[graph],
                                  read_available(reader, problem.names_->size())});
  }
  reader.require(problem.outstanding_.size() == problem.learner_->outstanding(),
                 "has other outstanding decisions than its learner");
  reader.finish();
  return problem;
}

Problem Problem::restored(LogReader& log) {
  Problem problem(log.problem());
  problem.graph_ = *log.problem().graph;  // the one that decisions of the log have
  while (const std::optional<LogRecord> record = log.next()) {
    try {
      problem.repeat(*record);
    } catch (const Error& error) {
      throw error.within(log.place());
    }
  }
  return problem;
}

Problem Problem::restore_from_log(const std::string& path, AfterRestoring log_use) {
  InputStream stream(path);
  LogReader reader(stream, path);
  Problem problem = restored(reader);
  if (log_use == AfterRestoring::append) {
    problem.log_ = LogWriter::resume(path, reader);
  }
  return problem;
}

Problem Problem::continue_log(ProblemDescription description, const std::string& path) {
  if (!std::filesystem::exists(path) || is_without_header(path)) {
    return Problem(std::move(description), path);
  }
  InputStream stream(path);
  LogReader reader(stream, path);
  try {
    check_same_problem(reader.problem(), checked(std::move(description)));
  } catch (const Error& error) {
    throw Error(reader.place(),
                fmt::format("{}: a problem that has changed needs a new log", error.what()));
  }
  Problem problem = restored(reader);
  problem.log_ = LogWriter::resume(path, reader);
  return problem;
}

void Problem::repeat(const LogRecord& record) {
  if (const auto* graph = std::get_if<LoggedGraph>(&record)) {
    graph_ = graph->graph;
    graph_number_ = graph->number;
  } else if (const auto* decision = std::get_if<LoggedDecision>(&record)) {
    repeat_decision(*decision);
  } else if (const auto* feedback = std::get_if<LoggedFeedback>(&record)) {
    tell(feedback->id, feedback->content);
  } else {
    forget(std::get<LoggedForget>(record).id);
  }
}

void Problem::repeat_decision(const LoggedDecision& decision) {
  if (decision.id != counts_.decisions + 1) {
    throw Error(
        fmt::format("\"decision\" is {}, expected {}: a log that a problem is restored from "
                    "has all decisions",
                    decision.id, counts_.decisions + 1));
  }
  const Graph present = std::exchange(graph_, decision.graph);
  const Choice choice = choose_among(decision.available, {});
  graph_ = present;
  if (choice.arm != decision.arm || choice.probability != decision.probability) {
    throw Error(fmt::format(
        "decision {} is {} with probability {}, expected {} with {}, which this problem draws: the "
        "log is of another version of hearsay, or was changed",
        decision.id, in_quotes((*names_)[decision.arm]), decision.probability,
        in_quotes(choice.name), choice.probability));
  }
}

std::string noise_warning(const Problem& problem) {
  const std::uint64_t count = problem.counts().beyond_noise_bound;
  if (count == 0) {
    return "";
  }
  const std::optional<double> noise_bound = noise_bound_of(problem.description());
  if (!noise_bound) {
    return fmt::format(
        "{}, though at weight 1 a reading is the outcome itself, without noise: a weight is wrong; "
        "`hearsay calibrate` finds weights from pairs of readings and outcomes (docs/calibrate.md)",
        count == 1 ? "1 reading of weight 1 is not a possible outcome"
                   : fmt::format("{} readings of weight 1 are not possible outcomes",
                                 grouped_digits(count)));
  }
  return fmt::format(
      "{} further from the possible outcomes than weights and the noise bound, {}, allow: a weight "
      "or the noise bound is wrong; `hearsay calibrate` finds them from pairs of readings and "
      "outcomes (docs/calibrate.md)",
      count == 1 ? "1 reading is" : fmt::format("{} readings are", grouped_digits(count)),
      *noise_bound);
}

// --- Segments -----------------------------------------------------------------------------------

ProblemDescription problem_of_segment(ProblemDescription description, std::string_view segment) {
  if (segment.empty() || !is_utf8(segment)) {
    throw Error("segment", fmt::format("is {}, expected a name in UTF-8", in_quotes(segment)));
  }
  // Shifted by one bit, because files hold only seeds below 2^63.
  description.seed = checksum(fmt::format("{} {}", description.seed, segment)).low >> 1U;
  return description;
}

std::string log_name_of_segment(std::string_view segment) {
  std::string name;
  for (const char c : segment) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_';
    name += stays ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  name += ".jsonl";
  constexpr std::size_t kLongest = 255;  // bytes of a name in the usual file systems
  if (name.size() > kLongest) {
    throw Error("segment", fmt::format("is {}, the name of whose log has {} bytes, expected at "
                                       "most {}",
                                       in_quotes(segment), name.size(), kLongest));
  }
  return name;
}

Segments::Segments(ProblemDescription description, std::string log_directory)
    : description_(checked(std::move(description))), log_directory_(std::move(log_directory)) {
  if (!log_directory_.empty()) {
    make_directories(log_directory_);
  }
}

Problem& Segments::operator[](std::string_view segment) {
  const auto found = problems_.find(segment);
  if (found != problems_.end()) {
    return found->second;
  }
  ProblemDescription description = problem_of_segment(description_, segment);
  const std::filesystem::path log =
      std::filesystem::path(log_directory_) / log_name_of_segment(segment);
  return problems_
      .emplace(segment, log_directory_.empty()
                            ? Problem(std::move(description))
                            : Problem::continue_log(std::move(description), log.string()))
      .first->second;
}

std::vector<std::string> Segments::names() const {
  std::vector<std::string> names;
  std::ranges::transform(problems_, std::back_inserter(names),
                         [](const auto& entry) { return entry.first; });
  return names;
}

}  // namespace hearsay
