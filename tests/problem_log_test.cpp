// The log of a problem: what is written reads back, torn and compressed files, and refusals.

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/descriptor.h"
#include "hearsay/base/error.h"
#include "hearsay/base/gzip.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_writer.h"
#include "hearsay/problem/logged_rounds.h"
#include "tests/full_disk.h"
#include "tests/message_of.h"
#include "tests/program.h"

namespace hearsay {
namespace {

const ProblemDescription kProblem = {.names = {"a", "b", "c"},
                                     .outcome = {.kind = OutcomeKind::reward, .low = 0, .high = 10},
                                     .graph = Graph::sparse(3, {{0, 1, 0.5}, {2, 0, 0.25}})};

constexpr const char* kHeader =
    R"({"hearsay_log": 1, "problem": {"names": ["a", "b", "c"], "outcome": {"kind": "reward", "low": 0, "high": 10}, "graph": {"arcs": [["a", "b", 0.5], ["c", "a", 0.25]]}}})"
    "\n";

struct ReadLog {
  std::vector<LogRecord> records = {};
  std::size_t ignored_bytes = 0;
};

ReadLog read_all(const std::string& text) {
  std::istringstream stream(text);
  LogReader reader(stream, "log");
  ReadLog log;
  while (auto record = reader.next()) {
    log.records.push_back(std::move(*record));
  }
  log.ignored_bytes = reader.ignored_bytes();
  return log;
}

std::string refusal(const std::string& lines) {
  return message_of([&] { read_all(kHeader + lines); });
}

std::string gzipped(const std::string& text) {
  const testing::ScratchDirectory directory;
  const std::string path = directory.file("text.gz");
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  return read_file(path);
}

TEST(ProblemLog, EveryRecordReadsBackAsItWasWritten) {
  const ArmNames names(kProblem.names);
  const Graph second = Graph::sparse(3, {{1, 2, 1.0 / 3}});
  const std::string text =
      log_lines::header(kProblem) + "\n" + log_lines::graph({2, second}, names) + "\n" +
      log_lines::decision({.id = 5,
                           .arm = 1,
                           .probability = 0.1,
                           .probabilities = {0.2, 0.1, 0.7},
                           .graph = second,
                           .time = "2026-11-17T09:00:00Z",
                           .available = {1, 2}},
                          1, names) +
      "\n" +
      log_lines::feedback({5, {.outcome = 1.0 / 3, .readings = {{2, 0.1}, {0, {}}}}}, names) +
      "\n" +
      log_lines::feedback(
          {6, {.outcome = 2, .readings = {{2, -0.5}}, .form = ReadingForm::observation}}, names) +
      "\n" + log_lines::forget({7}) + "\n";
  const ReadLog log = read_all(text);
  ASSERT_EQ(log.records.size(), 5);
  EXPECT_EQ(log.ignored_bytes, 0);
  const auto& graph = std::get<LoggedGraph>(log.records[0]);
  EXPECT_EQ(graph.number, 2);
  EXPECT_EQ(graph.graph.weight(1, 2), 1.0 / 3);
  EXPECT_EQ(graph.graph.arc_count(), 1);
  const auto& decision = std::get<LoggedDecision>(log.records[1]);
  EXPECT_EQ(decision.id, 5);
  EXPECT_EQ(decision.arm, 1);
  EXPECT_EQ(decision.probability, 0.1);
  EXPECT_EQ(decision.probabilities, (std::vector<double>{0.2, 0.1, 0.7}));
  EXPECT_EQ(decision.graph.weight(0, 1), 0.5);  // graph 1, as the record says
  EXPECT_EQ(decision.time, "2026-11-17T09:00:00Z");
  EXPECT_EQ(decision.available, (std::vector<Arm>{1, 2}));
  const auto& feedback = std::get<LoggedFeedback>(log.records[2]);
  EXPECT_EQ(feedback.id, 5);
  EXPECT_EQ(feedback.content.outcome, 1.0 / 3);
  ASSERT_EQ(feedback.content.readings.size(), 2);  // in the order of the names
  EXPECT_EQ(feedback.content.readings[0].arm, 0);
  EXPECT_EQ(feedback.content.readings[0].value, std::nullopt);
  EXPECT_EQ(feedback.content.readings[1].value, 0.1);
  EXPECT_EQ(std::get<LoggedFeedback>(log.records[3]).content.form, ReadingForm::observation);
  EXPECT_EQ(std::get<LoggedForget>(log.records[4]).id, 7);
}

TEST(ProblemLog, ADecisionHasTheLastGraphUnlessItNamesOne) {
  const ReadLog log = read_all(std::string(kHeader) +
                               R"({"decision": 1, "arm": "a", "probability": 1}
{"graph": 4, "arcs": [["a", "c", 0.75]]}
{"decision": 2, "arm": "a", "probability": 1}
{"decision": 3, "arm": "a", "probability": 1, "graph": 1}
)");
  EXPECT_EQ(std::get<LoggedDecision>(log.records[0]).graph.weight(0, 1), 0.5);
  EXPECT_EQ(std::get<LoggedDecision>(log.records[2]).graph.weight(0, 1), 0);
  EXPECT_EQ(std::get<LoggedDecision>(log.records[2]).graph.weight(0, 2), 0.75);
  EXPECT_EQ(std::get<LoggedDecision>(log.records[3]).graph.weight(0, 1), 0.5);
}

TEST(ProblemLog, ADecisionMayListAllArmsAsAvailable) {
  const ReadLog log =
      read_all(std::string(kHeader) +
               R"({"decision": 1, "arm": "a", "probability": 1, "available": ["c", "b", "a"]}
)");
  EXPECT_TRUE(std::get<LoggedDecision>(log.records[0]).available.empty());  // not restricted
}

TEST(ProblemLog, ATornLastLineIsIgnoredWhereverItIsTorn) {
  const std::string line = R"({"decision": 1, "arm": "a", "probability": 0.5})";
  for (std::size_t size = 0; size < line.size(); ++size) {
    const ReadLog log = read_all(kHeader + line.substr(0, size));
    EXPECT_EQ(log.records.size(), 0) << size;
    EXPECT_EQ(log.ignored_bytes, size);
  }
  EXPECT_EQ(read_all(kHeader + line).records.size(), 1);  // it lacks only the newline
  // A torn line that is not the last is an error.
  EXPECT_EQ(refusal("{\"forget\": 1\n{\"forget\": 1}\n"),
            "log:2: is not JSON at column 13, expected one object per line");
  // So is a last line that is JSON, but no record.
  EXPECT_EQ(
      refusal("{\"remember\": 1}"),
      "log:2: has none of \"decision\", \"feedback\", \"forget\" and \"graph\", expected one");
}

TEST(ProblemLog, CompressedLogsReadAsPlainOnes) {
  const std::string first = std::string(kHeader) + "{\"forget\": 1}\n";
  std::string second;
  for (int i = 2; i < 50'000; ++i) {
    second += fmt::format("{{\"forget\": {}}}\n", i);
  }
  // Two files one after the other, as `cat a.gz b.gz` gives them.
  const ReadLog log = read_all(gzipped(first) + gzipped(second));
  ASSERT_EQ(log.records.size(), 49'999);
  EXPECT_EQ(std::get<LoggedForget>(log.records.back()).id, 49'999);

  const std::string zipped = gzipped(first + second);
  EXPECT_EQ(message_of([&] { read_all(zipped.substr(0, zipped.size() / 2)); }),
            "log: ends in the middle of compressed data, expected a complete file");
  std::string damaged = zipped;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  EXPECT_NE(message_of([&] { read_all(damaged); }), "");
}

// What is read from a pipe if its first byte is read before the others are written.
std::string from_pipe(const std::string& bytes) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const Descriptor out(ends[0]);
  std::thread writer([&, in = Descriptor(ends[1])] {
    EXPECT_EQ(::write(in.get(), bytes.data(), 1), 1);
    for (int waiting = 1; waiting != 0; std::this_thread::yield()) {
      EXPECT_EQ(::ioctl(in.get(), FIONREAD, &waiting), 0);
    }
    EXPECT_EQ(::write(in.get(), bytes.data() + 1, bytes.size() - 1),
              static_cast<ssize_t>(bytes.size() - 1));
    // The end of the pipe is closed with the function.
  });
  InputStream source(out.get(), "pipe");
  UnzippedStream stream(source, "pipe");
  std::ostringstream text;
  text << stream.rdbuf();
  writer.join();
  return text.str();
}

TEST(ProblemLog, CompressedLogsAreRecognizedIfTheirFirstByteComesAlone) {
  EXPECT_EQ(from_pipe(gzipped(kHeader)), kHeader);
  EXPECT_EQ(from_pipe(kHeader), kHeader);
  EXPECT_EQ(from_pipe("\x1f\n"), "\x1f\n");
  std::istringstream alone("\x1f");
  UnzippedStream stream(alone, "log");
  EXPECT_EQ(stream.peek_available(), "\x1f");
}

TEST(ProblemLog, ErrorsNameTheLineThatIsWrong) {
  EXPECT_EQ(message_of([&] { read_all(""); }),
            "log:1: is empty, expected a log, which begins with {\"hearsay_log\": 1, ...}");
  EXPECT_EQ(message_of([&] { read_all("{\"arms\": 3}\n"); }),
            "log:1: has no \"hearsay_log\", expected a log, which begins with {\"hearsay_log\": 1, "
            "...}");
  EXPECT_EQ(message_of([&] { read_all("{\"hearsay_log\": 2, \"more\": 1}\n"); }),
            "log:1: \"hearsay_log\" is 2, expected 1: it was written by a newer hearsay");
  EXPECT_EQ(message_of([&] { read_all("{\"hearsay_log\": 1}\n"); }),
            "log:1: has no \"problem\", expected one");
  EXPECT_EQ(message_of([&] { read_all("{\"hearsay_log\": 1, \"problem\": {\"names\": []}}\n"); }),
            "log:1: names: is empty, expected a name for each arm");
  EXPECT_EQ(refusal("\n{\"forget\": 0}\n"),
            "log:3: \"forget\" is 0, expected a whole number from 1 to 9007199254740992");
  EXPECT_EQ(refusal("{\"forget\": \"" + std::string(10'000, 'x') + "\"}\n"),
            "log:2: \"forget\" is a value of type string, expected a whole number from 1 to "
            "9007199254740992");
  EXPECT_EQ(refusal("{\"forget\": 1, \"why\": 2}\n"),
            "log:2: has the key \"why\", expected only forget");
  EXPECT_EQ(refusal("{\"decision\": 1, \"arm\": \"other\", \"probability\": 1}\n"),
            "log:2: \"arm\": there is no arm 'other', expected the name of an arm");
  EXPECT_EQ(refusal("{\"decision\": 1, \"arm\": \"a\", \"probability\": 1.5}\n"),
            "log:2: \"probability\" is 1.5, expected a number in [0, 1]");
  EXPECT_EQ(refusal("{\"decision\": 1, \"arm\": \"a\"}\n"),
            "log:2: has no \"probability\", expected one");
  EXPECT_EQ(
      refusal("{\"decision\": 1, \"arm\": \"a\", \"probability\": 1, \"probabilities\": [1]}\n"),
      "log:2: \"probabilities\" is an array of 1, expected an array of 3");
  EXPECT_EQ(refusal("{\"decision\": 1, \"arm\": \"a\", \"probability\": 1, \"probabilities\": [1, "
                    "0.5, 0]}\n"),
            "log:2: the probabilities sum to 1.5, expected 1");
  EXPECT_EQ(refusal("{\"decision\": 1, \"arm\": \"a\", \"probability\": 1, \"graph\": 2}\n"),
            "log:2: \"graph\" is 2, expected the number of a recent graph");
  EXPECT_EQ(
      refusal("{\"decision\": 1, \"arm\": \"a\", \"probability\": 1, \"available\": [\"b\"]}\n"),
      "log:2: \"available\" does not contain the arm that was played, expected it among them");
  EXPECT_EQ(refusal("{\"decision\": 2, \"arm\": \"a\", \"probability\": 1}\n{\"decision\": 2, "
                    "\"arm\": \"a\", \"probability\": 1}\n"),
            "log:3: \"decision\" is 2, expected more than 2, the id of the previous decision");
  EXPECT_EQ(refusal("{\"graph\": 1, \"arcs\": []}\n"),
            "log:2: \"graph\" is 1, expected more than 1, the number of the previous graph");
  EXPECT_EQ(refusal("{\"graph\": 2, \"arcs\": [[\"a\", \"b\", 2]]}\n"),
            "log:2: the arc from 'a' to 'b' has weight 2, expected a number in [0, 1]");
  EXPECT_EQ(refusal("{\"feedback\": 1, \"outcome\": \"5\"}\n"),
            "log:2: \"outcome\" is string, expected a number");
  EXPECT_EQ(refusal("{\"feedback\": 1, \"outcome\": 1e999}\n"),
            "log:2: has a number too large for a double, expected at most 1.8e308");
  EXPECT_EQ(refusal("{\"feedback\": 1, \"outcome\": 5, \"outcome\": 6}\n"),
            "log:2: has the key 'outcome' twice, expected it once");
  EXPECT_EQ(refusal("{\"feedback\": 1, \"outcome\": 5, \"readings\": {\"b\": 1, \"b\": 1}}\n"),
            "log:2: has the key 'b' twice, expected it once");
  EXPECT_EQ(refusal("{\"feedback\": 1, \"outcome\": 5, \"readings\": {}, \"observations\": {}}\n"),
            "log:2: has \"readings\" and \"observations\", expected one of them at most");
}

TEST(ProblemLog, KeepsOnlyTheLastGraphsIfTheyHaveTooManyArms) {
  // Each of these graphs takes few bytes in the file, but memory for every arm.
  std::string names;
  for (int i = 0; i < 100'000; ++i) {
    names += fmt::format("{}\"{}\"", i == 0 ? "" : ",", i);
  }
  std::string log =
      fmt::format("{{\"hearsay_log\": 1, \"problem\": {{\"names\": [{}]}}}}\n", names);
  for (int i = 2; i <= 50; ++i) {
    log += fmt::format("{{\"graph\": {}, \"arcs\": [[\"1\", \"2\", {}]]}}\n", i, 1.0 / i);
  }
  const auto decision = [](int graph) {
    return fmt::format("{{\"decision\": 1, \"arm\": \"7\", \"probability\": 1, \"graph\": {}}}\n",
                       graph);
  };
  // There is room for 2^22 / 100,000 = 41.9 graphs, which are those from 10 to 50.
  EXPECT_EQ(message_of([&] { read_all(log + decision(10)); }), "");
  EXPECT_EQ(message_of([&] { read_all(log + decision(9)); }),
            "log:51: \"graph\" is 9, expected the number of a recent graph");
}

TEST(LoggedRounds, DropTheOldestDecisionsIfTheirGraphsTakeTooMuchMemory) {
  constexpr std::size_t kArms = std::size_t{1} << 14U;
  constexpr std::size_t kMost = kMostOutstandingArms / kArms;
  std::string names;
  for (std::size_t i = 0; i < kArms; ++i) {
    names += fmt::format("{}\"{}\"", i == 0 ? "" : ",", i);
  }
  const std::string header =
      fmt::format("{{\"hearsay_log\": 1, \"problem\": {{\"names\": [{}]}}}}\n", names);
  // One graph more than there is room for, each of one arc, and a decision for each.
  const auto log_of = [&](const auto& weight_of) {
    std::string log = header;
    for (std::size_t i = 1; i <= kMost + 1; ++i) {
      log +=
          fmt::format("{{\"graph\": {}, \"arcs\": [[\"1\", \"2\", {}]]}}\n", i + 1, weight_of(i));
      log += fmt::format("{{\"decision\": {}, \"arm\": \"7\", \"probability\": 1}}\n", i);
    }
    return log;
  };
  const auto refusal_of_rounds = [](const std::string& log) {
    return message_of([&] {
      std::istringstream stream(log);
      LogReader reader(stream, "log");
      LoggedRounds rounds(reader);
      while (rounds.next()) {
      }
    });
  };
  const std::string different = log_of([](std::size_t i) { return 1.0 / static_cast<double>(i); });
  EXPECT_EQ(refusal_of_rounds(different + "{\"feedback\": 2, \"outcome\": 1}\n"), "");
  EXPECT_EQ(refusal_of_rounds(different + "{\"feedback\": 1, \"outcome\": 1}\n"),
            fmt::format(
                "log:{}: decision 1 is not outstanding: it had its feedback, was forgotten, or was "
                "dropped when too many decisions, or decisions with different graphs of more "
                "than 4194304 arms together, awaited feedback",
                2 * kMost + 4));
  // Equal graphs count once.
  const std::string equal = log_of([](std::size_t /*i*/) { return 0.5; });
  EXPECT_EQ(refusal_of_rounds(equal + "{\"feedback\": 1, \"outcome\": 1}\n"), "");
}

TEST(LogWriter, AppendsAndRemovesLinesAndContinuesAfterATornLine) {
  const testing::ScratchDirectory directory;
  const std::string path = directory.file("log.jsonl");
  {
    LogWriter writer = LogWriter::create(path);
    writer.append(log_lines::header(kProblem));
    writer.append(log_lines::forget({1}));
    writer.append(log_lines::forget({2}));
    writer.remove_last_line();
  }
  EXPECT_EQ(read_file(path), log_lines::header(kProblem) + "\n{\"forget\": 1}\n");
  EXPECT_EQ(message_of([&] { LogWriter::create(path); }),
            path + ": exists already, expected the path of a new log");
  const auto continue_with = [&](const std::string& line) {
    InputStream stream(path);
    LogReader reader(stream, path);
    while (reader.next()) {
    }
    LogWriter::resume(path, reader).append(line);
  };
  std::ofstream(path, std::ios::app) << "{\"forget\": 2";  // torn
  continue_with("{\"forget\": 3}");
  std::ofstream(path, std::ios::app) << "{\"forget\": 4}";  // complete, without a newline
  continue_with("{\"forget\": 5}");
  EXPECT_EQ(read_file(path), log_lines::header(kProblem) +
                                 "\n{\"forget\": 1}\n{\"forget\": 3}\n{\"forget\": "
                                 "4}\n{\"forget\": 5}\n");
  write_file(path, gzipped(read_file(path)));
  EXPECT_EQ(message_of([&] { continue_with("{\"forget\": 6}"); }),
            path + ": is compressed, expected a plain file to append to");
}

TEST(LogWriter, ALogWithoutACompleteHeaderIsOverwrittenAndExplainedByReaders) {
  const testing::ScratchDirectory directory;
  const std::string path = directory.file("log.jsonl");
  const std::string header = log_lines::header(kProblem);
  for (std::size_t size = 0; size < header.size(); size += size < 40 ? 1 : 29) {
    std::ofstream(path) << header.substr(0, size);  // faster than write_file(), which syncs
    EXPECT_EQ(message_of([&] { read_all(read_file(path)); }),
              size == 0 ? "log:1: is empty, expected a log, which begins with {\"hearsay_log\": 1, "
                          "...}"
                        : "log:1: ends within the first line, which was cut short when it was "
                          "written, expected a complete one: there are no rounds, create the "
                          "problem again with this log");
    LogWriter::create(path).append(header);
    EXPECT_EQ(read_file(path), header + "\n");
  }
  // What is complete, or was not written as the beginning of a log, is left alone.
  for (const std::string& text : {header, header + "\n", header.substr(0, 30) + "\n",
                                  std::string("{\"arms\": "), std::string("\n")}) {
    std::ofstream(path) << text;
    EXPECT_EQ(message_of([&] { LogWriter::create(path); }),
              path + ": exists already, expected the path of a new log");
    EXPECT_EQ(read_file(path), text);
  }
}

TEST(LogWriter, NothingIsWrittenAfterATornLineThatCannotBeRemoved) {
  // A file in memory that may not shrink, and has room for a part of the next line.
  const Descriptor file(::memfd_create("log", MFD_ALLOW_SEALING));
  const std::string text = log_lines::header(kProblem) + "\n";
  ASSERT_EQ(::write(file.get(), text.data(), text.size()), static_cast<::ssize_t>(text.size()));
  ASSERT_EQ(::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
  const std::string path = fmt::format("/proc/self/fd/{}", file.get());
  InputStream stream(path);
  LogReader reader(stream, path);
  ASSERT_FALSE(reader.next());
  LogWriter writer = LogWriter::resume(path, reader);
  {
    const FullDisk full(text.size() + 5);
    EXPECT_ANY_THROW(writer.append(log_lines::forget({1})));
  }
  EXPECT_EQ(read_file(path), text + "{\"for");
  EXPECT_NE(message_of([&] { writer.append(log_lines::forget({1})); }).find("not permitted"),
            std::string::npos);
  EXPECT_EQ(read_all(read_file(path)).ignored_bytes, 5);
}

std::vector<LoggedRound> rounds_of(const std::string& lines) {
  std::istringstream stream(kHeader + lines);
  LogReader reader(stream, "log");
  LoggedRounds logged_rounds(reader);
  std::vector<LoggedRound> rounds;
  while (auto round = logged_rounds.next()) {
    rounds.push_back(std::move(*round));
  }
  return rounds;
}

TEST(LoggedRounds, JoinsDecisionsWithLateFeedbackInTheModelsTerms) {
  const std::vector<LoggedRound> rounds = rounds_of(
      R"({"decision": 1, "arm": "a", "probability": 0.5, "probabilities": [0.5, 0.25, 0.25]}
{"decision": 2, "arm": "c", "probability": 0.25}
{"decision": 3, "arm": "b", "probability": 0.125}
{"feedback": 3, "outcome": 10}
{"forget": 2}
{"feedback": 1, "outcome": 4, "readings": {"b": 2.5}}
)");
  ASSERT_EQ(rounds.size(), 2);
  EXPECT_EQ(rounds[0].decision, 3);
  EXPECT_EQ(rounds[0].arm, 1);
  EXPECT_EQ(rounds[0].probability, 0.125);
  EXPECT_EQ(rounds[0].loss, 0);
  ASSERT_EQ(rounds[0].observations.size(), 1);
  EXPECT_EQ(rounds[1].decision, 1);
  EXPECT_EQ(rounds[1].probabilities, (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_EQ(rounds[1].loss, 0.6);
  ASSERT_EQ(rounds[1].observations.size(), 2);
  EXPECT_EQ(rounds[1].observations[0].value, 0.6);
  EXPECT_EQ(rounds[1].observations[1].arm, 1);
  EXPECT_EQ(rounds[1].observations[1].value, 0.5 * 0.75);
}

TEST(LoggedRounds, ErrorsNameTheLineOfFeedbackWithoutADecision) {
  const auto refusal_of_rounds = [](const std::string& lines) {
    return message_of([&] { rounds_of(lines); });
  };
  const std::string decision = "{\"decision\": 1, \"arm\": \"a\", \"probability\": 1}\n";
  EXPECT_EQ(refusal_of_rounds("{\"feedback\": 1, \"outcome\": 5}\n"),
            "log:2: decision 1 is not outstanding, expected one that awaits feedback");
  EXPECT_EQ(refusal_of_rounds(decision + "{\"forget\": 2}\n"),
            "log:3: decision 2 is not outstanding, expected one that awaits feedback");
  EXPECT_EQ(refusal_of_rounds(decision + "{\"feedback\": 1, \"outcome\": 50}\n"),
            "log:3: the outcome of 'a' is 50, expected a reward from 0 to 10");
  EXPECT_EQ(refusal_of_rounds(decision + "{\"feedback\": 1, \"outcome\": 5}\n"),
            "log:3: no reading of 'b', expected one of every arm that 'a' shows, or "
            "missing_readings = \"thin\"");
}

}  // namespace
}  // namespace hearsay
