// `hearsay graph`, run as a program. Wrong files and wrong arguments must give exit code 2 and a
// message of one line that names the place, and leave no file behind.

#include <algorithm>
#include <array>
#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/text.h"
#include "hearsay/graph/graph.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using namespace std::string_view_literals;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

void expect_refused(const ProgramRun& run, const std::string& place, const std::string& message) {
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err.rfind("hearsay: " + place, 0), 0U) << run.err << "expected place: " << place;
  EXPECT_NE(run.err.find(message), std::string::npos) << run.err << "expected: " << message;
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  EXPECT_TRUE(run.err.ends_with('\n'));
}

struct BadFile {
  std::string_view name;
  std::string_view head;
  std::string_view rest;
  std::string_view place;  // follows the name of the file in the message
  std::string_view message;
};

constexpr auto kCsv = "played,seen,weight\n"sv;
constexpr auto kReal = "%%MatrixMarket matrix coordinate real general\n"sv;
constexpr auto kArray = "%%MatrixMarket matrix array real general\n"sv;
constexpr auto kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n"sv;

constexpr auto kBadFiles = std::to_array<BadFile>({
    {"a.csv", "", "", ":1: ", "expected the header"},
    {"a.csv", "", "0,1,1\n", ":1: ", "expected the header"},
    {"a.csv", kCsv, "", ": ", "no arcs"},
    {"a.csv", kCsv, "0,1\n", ":2: ", "expected played,seen,weight"},
    {"a.csv", kCsv, "0,1,1,1\n", ":2: ", "expected played,seen,weight"},
    {"a.csv", kCsv, "0,1,1\n\n0,x,1\n", ":4: ", "the arm is 'x'"},
    {"a.csv", kCsv, "0,1,1\n-1,0,1\n", ":3: ", "the arm is '-1'"},
    {"a.csv", kCsv, "0,1.0,1\n", ":2: ", "the arm is '1.0'"},
    {"a.csv", kCsv, "0,4294967295,1\n", ":2: ", "expected 0 to 65535 (--arms N"},
    {"a.csv", kCsv, "0,99999999999999999999,1\n", ":2: ", "the arm is '99999999999999999999'"},
    {"a.csv", kCsv, "0,1,1.0000001\n", ":2: ", "expected a number in [0, 1]"},
    {"a.csv", kCsv, "0,1,-0.5\n", ":2: ", "expected a number in [0, 1]"},
    {"a.csv", kCsv, "0,1,nan\n", ":2: ", "the weight is 'nan'"},
    {"a.csv", kCsv, "0,1,inf\n", ":2: ", "the weight is 'inf'"},
    {"a.csv", kCsv, "0,1,\n", ":2: ", "the weight is ''"},
    {"a.csv", kCsv, "0,1,0,5\n", ":2: ", "'0,1,0,5'"},
    {"a.csv", kCsv, "0,1,0x1\n", ":2: ", "the weight is '0x1'"},
    {"a.csv", kCsv, "0,1,1e-999\n", ":2: ", "the weight is '1e-999'"},
    {"a.csv", kCsv, "0,1,1\n1,0,1\n0,1,0.5\n", ":4: ", "arc (0, 1) is given twice"},
    {"a.csv", kCsv, "0,1,1\n1,1,0.5\n", ":3: ", "weight(1, 1) is 0.5, expected 1"},
    {"a.csv", kCsv, "1,1,0.5\r\n0,0,0.25\r\n", ":2: ", "weight(1, 1) is 0.5, expected 0.25"},
    {"a.csv", kCsv, "0,0,0\n", ":2: ", "weight(0, 0) is 0"},

    {"a.mtx", "", "", ":1: ", "not a Matrix Market file"},
    {"a.mtx", "", "3 3 1\n1 1 1\n", ":1: ", "not a Matrix Market file"},
    {"a.mtx", "", "\n%%MatrixMarket matrix coordinate real general\n",
     ":1: ", "not a Matrix Market file"},
    {"a.mtx", "", "%%MatrixMarket matrix table real general\n", ":1: ", "the layout is 'table'"},
    {"a.mtx", "", "%%MatrixMarket matrix array pattern general\n",
     ":1: ", "the field is 'pattern'"},
    {"a.mtx", "", "%%MatrixMarket matrix array complex general\n",
     ":1: ", "the field is 'complex'"},
    {"a.mtx", "", "%%MatrixMarket matrix array real hermitian\n",
     ":1: ", "the symmetry is 'hermitian'"},
    {"a.mtx", "", "%%MatrixMarket matrix array real general x\n", ":1: ", "more than five words"},
    {"a.mtx", kReal, "% nothing else\n", ":2: ", "expected the line of sizes"},
    {"a.mtx", kReal, "3 3\n", ":2: ", "expected the sizes: rows columns entries"},
    {"a.mtx", kReal, "3 4 0\n", ":2: ", "3 rows and 4 columns"},
    {"a.mtx", kReal, "0 0 0\n", ":2: ", "0 arms, expected 1"},
    {"a.mtx", kReal, "3 3 1000000000\n", ":2: ", "1000000000 entries in a file of"},
    {"a.mtx", kReal, "1000000 1000000 0\n", ":2: ", "expected at most 65536 (--arms 1000000"},
    {"a.mtx", kReal, "5000000000 5000000000 0\n", ":2: ", "expected 1 to 4294967295"},
    {"a.mtx", kArray, "100000 100000\n1\n", ":2: ", "10000000000 entries in a file of"},
    {"a.mtx", kReal, "3 3 2\n1 2 0.5\n", ":3: ", "the file ends after 1 entries, expected 2"},
    {"a.mtx", kReal, "3 3 1\n1 2 0.5\n2 1 1\n", ":4: ", "expected the end of the file"},
    {"a.mtx", kReal, "3 3 1\n0 1 0.5\n", ":3: ", "the index is '0', expected 1 to 3"},
    {"a.mtx", kReal, "3 3 1\n1 4 0.5\n", ":3: ", "the index is '4', expected 1 to 3"},
    {"a.mtx", kReal, "3 3 1\n1 2 0.5 7\n", ":3: ", "expected row column weight"},
    {"a.mtx", kReal, "3 3 1\n1 2\n", ":3: ", "the weight is ''"},
    {"a.mtx", kReal, "3 3 1\n1 2 2\n", ":3: ", "the weight is '2'"},
    {"a.mtx", kReal, "3 3 2\n1 2 1\n1 2 1\n", ":4: ", "arc (0, 1) is given twice"},
    {"a.mtx", kSymmetric, "% c\n3 3 2\n2 1 1\n1 2 1\n", ":5: ", "is given twice"},
    {"a.mtx", "", "%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 0.5\n",
     ":3: ", "expected an integer"},
    {"a.mtx", kArray, "2 2\n1\n0\n0.5 1\n", ":5: ", "expected one weight per line"},
    {"a.mtx", kArray, "2 2\n1\n0\n0.5\n0.25\n", ":6: ", "weight(1, 1) is 0.25, expected 1"},

    {"a.clq", "", "", ":1: ", "expected p edge ARMS EDGES"},
    {"a.clq", "", "c only\nc comments\n", ":2: ", "expected p edge ARMS EDGES"},
    {"a.clq", "", "e 1 2\np edge 2 1\n", ":1: ", "an edge before the p line"},
    {"a.clq", "", "p edge 2 1\np edge 2 1\ne 1 2\n", ":2: ", "a second p line"},
    {"a.col", "", "p matrix 2 1\ne 1 2\n", ":1: ", "expected p edge ARMS EDGES (or p col)"},
    {"a.col", "", "p edge 2\ne 1 2\n", ":1: ", "expected p edge ARMS EDGES (or p col)"},
    {"a.col", "", "p edge 0 0\n", ":1: ", "0 arms, expected 1"},
    {"a.col", "", "p edge 4000000000 0\n", ":1: ", "expected at most 65536"},
    {"a.dimacs", "", "p edge 3 1\ne 1 4\n", ":2: ", "U and V from 1 to 3"},
    {"a.dimacs", "", "p edge 3 1\ne 0 1\n", ":2: ", "U and V from 1 to 3"},
    {"a.dimacs", "", "p edge 3 1\ne 1 2 1\n", ":2: ", "expected e U V"},
    {"a.dimacs", "", "c x\np edge 3 3\ne 1 2\n",
     ":2: ", "3 edges stated, expected 1 (lines listed)"},
    {"a.dimacs", "", "p edge 3 1\ne 1 2\nn 1 5\n", ":3: ", "begins with c, p or e"},

    {"a.npy", "", "", ": byte 0: ", "not a NumPy file"},
    {"a.npy", "", "played,seen,weight\n", ": byte 0: ", "not a NumPy file"},
    {"a.npy", "", "\x93NUMPY\x04\0\x10\0    "sv, ": byte 6: ", "format version 4.0"},
    {"a.npy", "", "\x93NUMPY\x01\0\xff\xff    "sv, ": byte 8: ", "the header has 65535 bytes"},

    {"a.txt", "", "", ": ", "has the unknown ending '.txt'"},
    {"graph", "", "", ": ", "has no ending"},
});

// A NumPy file with a wrong header, followed by a number of zero bytes.
struct BadHeader {
  std::string_view dict;
  std::size_t zeros;
  std::string_view place;
  std::string_view message;
};

constexpr auto kBadHeaders = std::to_array<BadHeader>({
    {"no dict", 0, ": byte 10: ", "expected {"},
    {"{'descr': '<f8'", 0, ": byte 25: ", "expected }"},
    {"{'descr': '>f8', 'fortran_order': False, 'shape': (1, 1)}", 8,
     ": descr: ", "is '>f8', expected '<f8'"},
    {"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1)}", 8,
     ": descr: ", "expected '<f8'"},
    {"{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 1)}", 8,
     ": fortran_order: ", "expected True or False"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 8, ": shape: ", "has 1 dimensions"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, -1)}", 8,
     ": shape: ", "contains something other than sizes"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1)}", 16,
     ": shape: ", "as many rows as columns"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 0)}", 0, ": shape: ", "0 arms"},
    {"{'descr': '<f8', 'fortran_order': False}", 8, ": shape: ", "is missing"},
    {"{'shape': (1, 1), 'shape': (1, 1)}", 8, ": byte 36: ", "given twice"},
    {"{'extra': 1}", 8, ": byte 19: ", "unknown header key 'extra'"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)} x", 8,
     ": byte 68: ", "expected only blanks"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 8,
     ": byte 93: ", "the file ends, expected 4294967296 x 4294967296"},
});

// Wrong values of a NumPy file, after the header of a 2 x 2 array.
struct BadValues {
  std::vector<double> values;
  std::string place;
  std::string message;
};

std::string npy(std::string_view dict, std::string_view values) {
  std::string bytes("\x93NUMPY\x01\0"sv);
  bytes += static_cast<char>(dict.size() & 0xFFU);
  bytes += static_cast<char>(dict.size() >> 8U);
  return bytes.append(dict).append(values);
}

void expect_file_refused(std::string_view name, std::string_view bytes, std::string_view place,
                         std::string_view message) {
  SCOPED_TRACE(bytes);
  const ScratchDirectory scratch;
  scratch.write(name, bytes);
  const std::string path = scratch.file(name);
  const ProgramRun run = run_program({"graph", "convert", path, scratch.file("out.csv")});
  expect_refused(run, path + std::string(place), std::string(message));
  EXPECT_EQ(scratch.names(), std::vector<std::string>{std::string(name)});
}

TEST(GraphCommand, NamesThePlaceInAWrongFile) {
  for (const BadFile& bad : kBadFiles) {
    expect_file_refused(bad.name, std::string(bad.head).append(bad.rest), bad.place, bad.message);
  }
  for (const BadHeader& bad : kBadHeaders) {
    expect_file_refused("a.npy", npy(bad.dict, std::string(bad.zeros, '\0')), bad.place,
                        bad.message);
  }
  const std::vector<BadValues> bad_values = {
      {{1, 0, 0}, ": byte 91: ", "the file ends, expected 2 x 2"},
      {{1, 0, 0, 1, 1}, ": byte 99: ", "8 more bytes"},
      {{1, 0, 1.5, 1}, ": byte 83: ", "weight(1, 0) is 1.5"},
      {{1, -1e-300, 0, 1}, ": byte 75: ", "weight(0, 1) is -1e-300"},
      {{0, 0, 0, 0}, ": byte 67: ", "weight(0, 0) is 0"},
  };
  for (const BadValues& bad : bad_values) {
    std::string bytes(bad.values.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), bad.values.data(), bytes.size());
    const auto dict = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}"sv;
    expect_file_refused("a.npy", npy(dict, bytes), bad.place, bad.message);
  }
}

TEST(GraphCommand, NamesThePlaceInAWrongFileOfArcRecords) {
  struct BadArcs {
    std::string_view type;
    std::string_view shape;
    std::vector<Arc> arcs;
    std::string_view place;
    std::string_view message;
  };
  const auto records = "[('played','<u4'),('seen','<u4'),('weight','<f8')]"sv;
  const auto in_a_string = "\"[('played','<u4'),('seen','<u4'),('weight','<f8')]\""sv;
  const auto misspelt = "[('pla yed','<u4'),('seen','<u4'),('weight','<f8')]"sv;
  const Arc good{0, 1, 1};
  const std::vector<BadArcs> all = {
      {"'<f8'", "(2,)", {good}, ": descr: ", "is '<f8', expected [('played','<u4')"},
      {"[('played','<u4')]", "(4,)", {good}, ": descr: ", "expected [('played','<u4'),('seen'"},
      {in_a_string, "(1,)", {good}, ": descr: ", "expected [('played'"},
      {misspelt, "(1,)", {good}, ": descr: ", "expected [('played'"},
      {"[('played','<u4'", "(1,)", {good}, ": byte ", "expected ]"},
      {records, "(1,1)", {good}, ": shape: ", "has 2 dimensions, expected 1"},
      {records, "(2,)", {good}, ": byte 122: ", "the file ends, expected 2 records of 16 bytes"},
      {records, "(1,)", {good, {1, 0, 1}}, ": byte 122: ", "16 more bytes"},
      {records, "(2,)", {good, {1, 0, 1.5}}, ": byte 122: ", "weight(1, 0) is 1.5"},
      {records, "(2,)", {good, good}, ": byte 122: ", "arc (0, 1) is given twice"},
      {records, "(2,)", {good, {70'000, 1, 1}}, ": byte 122: ", "expected 0 to 65535"},
      {records, "(0,)", {}, ": ", "no arcs"},
  };
  for (const BadArcs& bad : all) {
    std::string dict = "{'descr': ";
    dict.append(bad.type).append(",'fortran_order':False,'shape':").append(bad.shape).append("}");
    std::string bytes;
    for (const Arc& arc : bad.arcs) {
      bytes.append(std::bit_cast<std::array<char, sizeof(Arc)>>(arc).data(), sizeof(Arc));
    }
    expect_file_refused("a.arcs.npy", npy(dict, bytes), bad.place, bad.message);
  }
}

struct BadCall {
  std::string_view arguments;  // after "graph", separated by blanks; DIR is a temporary directory
  std::string_view place;
  std::string_view message;
};

constexpr auto kBadCalls = std::to_array<BadCall>({
    {"", "graph: ", "no COMMAND, expected one of make, info, convert"},
    {"draw", "graph: ", "'draw', expected one of make"},
    {"make", "graph make: ", "no FAMILY, expected one of grid, uniform"},
    {"make torus -o DIR/a.npy", "graph make: ", "'torus'"},
    {"make grid", "--output", "required"},
    {"make grid -o", "--output", "missing"},
    {"make grid -o DIR/a.xlsx", "DIR/a.xlsx: ", "has the unknown ending '.xlsx'"},
    {"make grid -o DIR/no/a.npy", "DIR/no/a.npy: ", "No such file or directory"},
    {"make grid -o DIR/sub.npy", "DIR/sub.npy: ", "is a directory"},
    {"make grid -o DIR/a.clq", "DIR/a.clq: ", "expected both 0 or both 1"},
    {"make grid --sides 4 -o DIR/a.npy", "", "--sides"},
    {"make grid --side 0 -o DIR/a.npy", "--side: ", "expected a whole number from 1 to 128"},
    {"make grid --side -3 -o DIR/a.npy", "--side: ", "is -3"},
    {"make grid --side 5x -o DIR/a.npy", "--side: ", "'5x'"},
    {"make grid --side 2.5 -o DIR/a.npy", "--side: ", "expected a whole number"},
    {"make grid --side 18446744073709551617 -o DIR/a.npy", "--side: ", "is 1.8446744073709552e+19"},
    {"make grid --spacing -1 -o DIR/a.npy", "--spacing: ", "is -1, expected a positive number"},
    {"make grid --spacing 1,5 -o DIR/a.npy", "--spacing: ", "expected a positive number"},
    {"make grid --spacing 1 --unit-square -o DIR/a.npy",
     "--spacing: ", "is given together with --unit-square"},
    {"make grid --weight inverse -o DIR/a.npy", "--weight: ", "'inverse'"},
    {"make grid --seed -1 -o DIR/a.npy", "--seed: ", "'-1'"},
    {"make grid extra -o DIR/a.npy", "", "extra"},
    {"make uniform --low nan -o DIR/a.npy", "--low: ", "nan"},
    {"make uniform --low 1 --high 0 -o DIR/a.npy",
     "--high: ", "expected at least 1, which is --low"},
    {"make erdos-renyi --p 1.5 -o DIR/a.npy", "--probability: ", "1.5"},
    {"make star --arms 0 -o DIR/a.npy", "--arms: ", "is 0"},
    {"make complete --arms 1000000 -o DIR/a.csv", "--arms: ", "1 to 16384"},
    {"make constant --weight 2 -o DIR/a.npy", "--weight: ", "is 2"},
    {"make keller --dimension 1 -o DIR/a.npy", "--dimension: ", "2 to 6"},
    {"make --from DIR/good.csv -o DIR/a.csv", "--from: ", "expected a .npy file"},
    {"make --from DIR/none.npy -o DIR/a.csv", "DIR/none.npy: ", "No such file or directory"},
    {"make --from DIR/none.npy", "--output: ", "is required with --from"},
    {"make --from DIR/none.npy -o DIR/a.xlsx", "DIR/a.xlsx: ", "has the unknown ending '.xlsx'"},
    {"make --from DIR/none.npy --kernel gaussian:1 -o DIR/a.csv", "--kernel: ", "--distances too"},
    {"make --from DIR/none.npy --distances --kernel gaussian:0 -o DIR/a.csv",
     "--kernel: ", "is gaussian:0, expected a positive number"},
    {"make --from DIR/none.npy --thin 2 -o DIR/a.csv", "--thin: ", "is 2"},
    {"make --from DIR/none.npy --nearest -1 -o DIR/a.csv", "--nearest: ", "'-1'"},
    {"make --from DIR/none.npy --symmetrize most -o DIR/a.csv",
     "--symmetrize: ", "'most', expected max, min or mean"},
    {"make --from DIR/none.npy grid -o DIR/a.csv", "", "grid"},
    {"make --thin 0.5 -o DIR/a.csv", "", "--from"},
    {"info", "GRAPH", "required"},
    {"info DIR/none.csv", "DIR/none.csv: ", "No such file or directory"},
    {"info DIR/sub.npy", "DIR/sub.npy: ", "is a directory"},
    {"info DIR/good.csv DIR/good.csv", "", "not expected"},
    {"info DIR/good.csv --arms 0", "--arms: ", "is 0, expected 1 to"},
    {"info DIR/good.csv --arms 9999999999", "--arms: ", "expected 1 to 268435456"},
    {"info DIR/good.csv --arms many", "--arms: ", "'many'"},
    {"info DIR/good.csv --arms 1", "DIR/good.csv:2: ", "expected 0 to 0"},
    {"info DIR/good.clq --arms 3", "DIR/good.clq:1: ", "2 arms, expected 3 as requested"},
    {"convert DIR/good.csv", "FILE", "required"},
    {"convert DIR/good.csv DIR/good.csv", "FILE: ", "which this call reads"},
    {"convert DIR/good.csv DIR/a.csv.gz", "DIR/a.csv.gz: ", "has the unknown ending '.gz'"},
    {"convert DIR/good.csv DIR/a.clq", "DIR/a.clq: ", "weight(0, 1) is 0.5"},
    {"convert DIR/good.csv DIR/a.csv --arms 0", "--arms: ", "is 0, expected 1 to"},
});

TEST(GraphCommand, NamesTheWrongArgument) {
  for (const BadCall& bad : kBadCalls) {
    SCOPED_TRACE(bad.arguments);
    const ScratchDirectory scratch;
    scratch.write("good.csv", std::string(kCsv).append("0,1,0.5\n"));
    scratch.write("good.clq", "p edge 2 1\ne 1 2\n");
    std::filesystem::create_directory(scratch.file("sub.npy"));
    const auto with_directory = [&](std::string_view text) {
      return text.starts_with("DIR/") ? scratch.file(text.substr(4)) : std::string(text);
    };
    std::vector<std::string> arguments = {"graph"};
    std::string_view rest = bad.arguments;
    for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
      arguments.push_back(with_directory(word));
    }
    expect_refused(run_program(arguments), with_directory(bad.place), std::string(bad.message));
    EXPECT_EQ(scratch.names(), (std::vector<std::string>{"good.clq", "good.csv", "sub.npy"}));
  }
}

TEST(GraphCommand, MakesTheSameBytesForTheSameSeed) {
  const ScratchDirectory scratch;
  const auto make = [&](const std::string& name, const std::string& seed) {
    const ProgramRun run = run_program(
        {"graph", "make", "uniform", "--arms", "20", "--seed", seed, "-o", scratch.file(name)});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.out + run.err, "");
    return scratch.read(name);
  };
  EXPECT_EQ(make("a.npy", "7"), make("b.npy", "7"));
  EXPECT_NE(make("a.npy", "7"), make("b.npy", "8"));
}

TEST(GraphCommand, LeavesNoTemporaryFileIfItIsInterrupted) {
  const ScratchDirectory scratch;
  StartedProgram program({HEARSAY_PROGRAM, "graph", "make", "cycle", "--arms", "4000000", "-o",
                          scratch.file("g.csv")});
  program.wait_until([&] { return !scratch.names().empty(); });  // until it writes
  program.signal(SIGINT);
  const ProgramRun ended = program.wait();
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_EQ(ended.err, "hearsay: interrupted\n");
  EXPECT_TRUE(scratch.names().empty());
}

TEST(GraphCommand, MakesGraphsAndPrintsTheirSummaries) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"grid", "--side", "3", "--unit-square", "--weight", "inverse-one-plus-square"},
       R"({"arms":9,"arcs":72,"density":1.0,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":0.3333333333333333,"largest_weight":0.8,"storage":"dense"})"},
      {{"uniform", "--arms", "4", "--low", "0.5", "--high", "0.5", "--symmetric"},
       R"({"arms":4,"arcs":12,"density":1.0,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":0.5,"largest_weight":0.5,"storage":"dense"})"},
      {{"erdos-renyi", "--arms", "5", "--p", "1", "--weight", "0.25"},
       R"({"arms":5,"arcs":20,"density":1.0,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":0.25,"largest_weight":0.25,"storage":"dense"})"},
      {{"cliques", "--count", "8", "--size", "2"},
       R"({"arms":16,"arcs":16,"density":0.06666666666666667,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":1.0,"largest_weight":1.0,"storage":"sparse"})"},
      {{"empty", "--arms", "11"},
       R"({"arms":11,"arcs":0,"density":0.0,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":null,"largest_weight":null,"storage":"sparse"})"},
      {{"hamming", "--length", "6", "--distance", "4"},
       R"({"arms":64,"arcs":1408,"density":0.3492063492063492,"symmetric":true,"self_weight":1.0,)"
       R"("smallest_weight":1.0,"largest_weight":1.0,"storage":"dense"})"},
  };
  for (const auto& [family, expected] : cases) {
    const ScratchDirectory scratch;
    const std::string path = scratch.file("made.mtx");
    std::vector<std::string> arguments = {"graph", "make"};
    arguments.insert(arguments.end(), family.begin(), family.end());
    arguments.insert(arguments.end(), {"-o", path});
    const ProgramRun made = run_program(arguments);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const ProgramRun info = run_program({"graph", "info", path, "--json"});
    EXPECT_EQ(info.exit_code, 0) << info.err;
    EXPECT_EQ(info.out, expected + "\n");
  }
}

TEST(GraphCommand, ConvertsThroughEveryFormatAndBackToTheSameBytes) {
  const ScratchDirectory scratch;
  const auto run = [&](std::vector<std::string> arguments) {
    const ProgramRun done = run_program(std::move(arguments));
    EXPECT_EQ(done.exit_code, 0) << done.err;
  };
  run({"graph", "make", "king", "--side", "4", "-o", scratch.file("a.npy")});
  const std::vector<std::string> files = {"a.npy",      "b.mtx", "c.csv",
                                          "d.arcs.npy", "d.clq", "e.npy"};
  for (std::size_t k = 0; k + 1 < files.size(); ++k) {
    run({"graph", "convert", scratch.file(files[k]), scratch.file(files[k + 1])});
  }
  EXPECT_EQ(scratch.read("a.npy"), scratch.read("e.npy"));
  EXPECT_EQ(scratch.names(), files);
}

TEST(GraphCommand, ConvertThinRemovesWeakArcs) {
  const ScratchDirectory scratch;
  scratch.write("all.csv", "played,seen,weight\n0,1,0.5\n1,0,0.25\n1,2,1\n");
  const ProgramRun done = run_program(
      {"graph", "convert", scratch.file("all.csv"), scratch.file("strong.csv"), "--thin", "0.5"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(scratch.read("strong.csv"),
            "played,seen,weight\n0,0,1\n0,1,0.5\n1,1,1\n1,2,1\n2,2,1\n");
  const ProgramRun refused = run_program(
      {"graph", "convert", scratch.file("all.csv"), scratch.file("none.csv"), "--thin", "1.5"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err, "hearsay: --thin: is 1.5, expected a number in [0, 1]\n");
}

std::string npy_matrix(const std::vector<double>& values) {
  std::string bytes;
  for (const double value : values) {
    bytes.append(std::bit_cast<std::array<char, sizeof(double)>>(value).data(), sizeof(double));
  }
  const std::string side = std::to_string(values.size() == 9 ? 3 : 2);
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': (" + side + ", " + side + ")}",
             bytes);
}

TEST(GraphCommand, MakesAGraphFromSimilaritiesOrDistances) {
  const ScratchDirectory scratch;
  const auto make = [&](const std::vector<double>& matrix, std::vector<std::string> options) {
    scratch.write("matrix.npy", npy_matrix(matrix));
    std::vector<std::string> arguments = {
        "graph", "make", "--from", scratch.file("matrix.npy"), "-o", scratch.file("out.csv")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun done = run_program(arguments);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out + done.err, "");
    return scratch.read("out.csv").substr(kCsv.size());
  };
  const std::vector<double> similarity = {0.9999999, 0.5, 0.25, 0.75, 1, 0, 0.125, 0, 1.0000001};
  EXPECT_EQ(make(similarity, {}), "0,0,1\n0,1,0.5\n0,2,0.25\n1,0,0.75\n1,1,1\n2,0,0.125\n2,2,1\n");
  EXPECT_EQ(make(similarity, {"--nearest", "1"}),
            "0,0,1\n0,1,0.5\n1,0,0.75\n1,1,1\n2,0,0.125\n2,2,1\n");
  EXPECT_EQ(make(similarity, {"--nearest", "1", "--thin", "0.2", "--symmetrize", "max"}),
            "0,0,1\n0,1,0.75\n1,0,0.75\n1,1,1\n2,2,1\n");
  EXPECT_EQ(make({0, 1, 3, 0}, {"--distances"}), "0,0,1\n0,1,0.5\n1,0,0.1\n1,1,1\n");
  EXPECT_EQ(make({0, 1, 3, 0}, {"--distances", "--kernel", "inverse-square-one-plus"}),
            "0,0,1\n0,1,0.25\n1,0,0.0625\n1,1,1\n");
}

TEST(GraphCommand, NamesTheByteOfAWrongSimilarity) {
  const ScratchDirectory scratch;
  scratch.write("matrix.npy", npy_matrix({1, 0, 1.5, 1}));
  const std::string path = scratch.file("matrix.npy");
  expect_refused(run_program({"graph", "make", "--from", path, "-o", scratch.file("out.csv")}),
                 path + ": byte 83: ", "similarity(1, 0) is 1.5, expected a number in [0, 1]");
  expect_refused(
      run_program({"graph", "make", "--from", path, "--distances", "-o", scratch.file("out.csv")}),
      path + ": byte 67: ", "distance(0, 0) is 1, expected 0");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"matrix.npy"});
}

TEST(GraphCommand, HelpShowsAnExample) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"graph", "make", "--help"},
        {"graph", "make", "grid", "--help"},
        {"graph", "make", "star", "--help"},
        {"graph", "info", "--help"},
        {"graph", "convert", "--help"}}) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_NE(run.out.find("hearsay graph ", run.out.find("Example")), std::string::npos)
        << run.out;
  }
}

}  // namespace
}  // namespace hearsay
