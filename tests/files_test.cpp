#include "hearsay/graph/files.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"
#include "hearsay/random/stream.h"
#include "tests/message_of.h"
#include "tests/program.h"

namespace hearsay {
namespace {

std::string print(GraphFormat format, const Graph& graph) {
  std::string bytes;
  print_graph(format, graph, "printed", [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

// The bits of every weight, row by row.
std::vector<std::uint64_t> bits_of(const Graph& graph) {
  std::vector<std::uint64_t> bits;
  for (Arm played = 0; played < graph.arms(); ++played) {
    for (Arm seen = 0; seen < graph.arms(); ++seen) {
      bits.push_back(std::bit_cast<std::uint64_t>(graph.weight(played, seen)));
    }
  }
  return bits;
}

// Random weights that include 0, 1, the smallest positive numbers and numbers with many digits. An
// arc exists with probability `arc_probability`.
std::vector<double> edge_case_weights(std::size_t arms, double self_weight, double arc_probability,
                                      std::uint64_t seed) {
  const Stream stream(seed, Purpose::test);
  const std::array special = {1.0, std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::min(), 1 - 0x1p-53, 0.1};
  std::vector<double> weights(arms * arms);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double u = stream.uniform(0, k);
    weights[k] = u >= arc_probability        ? 0
                 : u < 0.2 * arc_probability ? special[k % 5]
                                             : stream.uniform(1, k);
  }
  for (std::size_t arm = 0; arm < arms; ++arm) {
    weights[arm * arms + arm] = self_weight;
  }
  return weights;
}

std::vector<Arc> arcs_of(std::size_t arms, const std::vector<double>& weights) {
  std::vector<Arc> arcs;
  for (Arm played = 0; played < arms; ++played) {
    for (Arm seen = 0; seen < arms; ++seen) {
      if (weights[played * arms + seen] > 0) {
        arcs.push_back({played, seen, weights[played * arms + seen]});
      }
    }
  }
  return arcs;
}

TEST(Files, WeightsReadBackToTheSameBitsInEveryFormatAndStorage) {
  for (const std::size_t arms : std::initializer_list<std::size_t>{1, 2, 3, 17, 40}) {
    for (const double self_weight : {1.0, 0.3}) {
      for (const double arc_probability : {0.0, 0.1, 1.0}) {
        const auto weights = edge_case_weights(arms, self_weight, arc_probability, arms);
        const Graph dense = Graph::dense(arms, weights);
        const Graph sparse = Graph::sparse(arms, arcs_of(arms, weights));
        ASSERT_EQ(bits_of(dense), bits_of(sparse));
        for (const GraphFormat format : {GraphFormat::npy, GraphFormat::arc_npy,
                                         GraphFormat::matrix_market, GraphFormat::arc_csv}) {
          for (const Graph& graph : {dense, sparse}) {
            const Graph read_back = parse_graph(format, print(format, graph), "back");
            EXPECT_EQ(bits_of(read_back), bits_of(graph))
                << arms << ' ' << self_weight << ' ' << arc_probability << ' '
                << static_cast<int>(format);
            EXPECT_EQ(read_back.self_weight(), self_weight);
          }
        }
      }
    }
  }
}

TEST(Files, DimacsGraphsReadBack) {
  for (const Graph& graph : {make_king({.side = 7}), make_complete({.arms = 9}),
                             make_empty({.arms = 5}), make_star({.arms = 1})}) {
    const Graph read_back =
        parse_graph(GraphFormat::dimacs, print(GraphFormat::dimacs, graph), "back");
    EXPECT_EQ(bits_of(read_back), bits_of(graph));
  }
}

TEST(Files, DimacsRefusesWeightsAndDirections) {
  EXPECT_THROW(print(GraphFormat::dimacs, make_constant({.arms = 3, .weight = 0.5})), Error);
  EXPECT_THROW(print(GraphFormat::dimacs, Graph::sparse(2, {{0, 1, 1}})), Error);
  EXPECT_THROW(print(GraphFormat::dimacs, Graph::dense(1, {0.5})), Error);
}

TEST(Files, GraphsWithManyArcsAreStoredDensely) {
  EXPECT_TRUE(parse_graph(GraphFormat::arc_csv,
                          print(GraphFormat::arc_csv, make_complete({.arms = 8})), "x")
                  .is_dense());
  EXPECT_FALSE(
      parse_graph(GraphFormat::arc_csv, print(GraphFormat::arc_csv, make_cycle({.arms = 40})), "x")
          .is_dense());
}

// The graph that every text passed to expect_example describes: 0 -> 1 with weight 0.5, 2 -> 0 with
// weight 1.
const std::vector<double> kExample = {1, 0.5, 0, 0, 1, 0, 1, 0, 1};

void expect_example(GraphFormat format, const std::string& text) {
  EXPECT_EQ(bits_of(parse_graph(format, text, "example")), bits_of(Graph::dense(3, kExample)))
      << text;
}

TEST(Files, CsvIsReadInAllItsVariants) {
  expect_example(GraphFormat::arc_csv, "played,seen,weight\n0,1,0.5\n2,0,1\n");
  expect_example(GraphFormat::arc_csv, "played,seen,weight\r\n0,1,5e-1\r\n\r\n2,0,1.0");
  expect_example(GraphFormat::arc_csv, "played,seen,weight\n 2 , 0 , 1\n0,1,.5\n1,1,1\n");
  expect_example(GraphFormat::arc_csv, "\xEF\xBB\xBFplayed,seen,weight\n0,1,0.5\n2,0,1\n");
  EXPECT_EQ(parse_graph(GraphFormat::arc_csv, "played,seen,weight\n", "x", {.arms = 4}).arms(), 4);
  EXPECT_EQ(
      parse_graph(GraphFormat::arc_csv, "played,seen,weight\n0,1,1\n", "x", {.arms = 4}).arms(), 4);
}

TEST(Files, CsvKeepsTheNamesOfTheArmsAndTheirOrder) {
  const std::vector<std::string> names = {"c", "b, or \"d\"", " a", "7"};
  // Arm 3 has no arcs, and arm 2 is seen before arm 1.
  for (const double self_weight : {1.0, 0.25}) {
    const Graph graph = Graph::dense(4, std::vector<double>{self_weight, 0, 0.5, 0,   //
                                                            0.25, self_weight, 0, 0,  //
                                                            0, 0.75, self_weight, 0,  //
                                                            0, 0, 0, self_weight});
    std::string bytes;
    print_graph(
        GraphFormat::arc_csv, graph, "x", [&](std::string_view piece) { bytes += piece; }, names);
    const NamedGraph read = parse_named_graph(GraphFormat::arc_csv, bytes, "x");
    EXPECT_EQ(read.names, names) << bytes;
    EXPECT_EQ(read.graph.arms(), 4);
    const std::vector<std::string> reversed(names.rbegin(), names.rend());
    const Graph mapped = parse_graph(GraphFormat::arc_csv, bytes, "x", {.names = reversed});
    for (Arm i = 0; i < 4; ++i) {
      for (Arm j = 0; j < 4; ++j) {
        EXPECT_EQ(read.graph.weight(i, j), graph.weight(i, j));
        EXPECT_EQ(mapped.weight(3 - i, 3 - j), graph.weight(i, j));
      }
    }
  }
}

TEST(Files, CsvWithAmbiguousNamesOrNumbersIsRefused) {
  const auto refusal = [](const std::string& text, const std::vector<std::string>& names) {
    return message_of([&] { parse_graph(GraphFormat::arc_csv, text, "x.csv", {.names = names}); });
  };
  const std::string named = "played_name,seen_name,weight\n";
  const std::vector<std::string> names = {"home", "shop"};
  EXPECT_EQ(refusal(named + "home,shop,0.5\n", names), "");
  EXPECT_EQ(refusal(named + "home,shop,0.5\nhome,shpo,0.5\n", names),
            "x.csv:3:6: there is no arm 'shpo', expected 'shop'");
  EXPECT_EQ(refusal(named + "home,shop,1.5\n", names),
            "x.csv:2:11: the weight is '1.5', expected a number in [0, 1]");
  EXPECT_EQ(refusal(named + "home,shop\n", names),
            "x.csv:2: has 2 fields, expected played_name,seen_name,weight");
  EXPECT_EQ(refusal(named + "home,,1\n", {}),
            "x.csv:2:6: the arm is '', expected a name in UTF-8 without control characters");
  EXPECT_EQ(refusal(named, {}), "x.csv: has no arcs, so the arms are unknown: expected an arc");
  EXPECT_EQ(refusal("played,seen,weight\nhome,shop,0.5\n", names),
            "x.csv:2: the arm is 'home', expected 0 to 1; names need the header "
            "played_name,seen_name,weight");
  // Numbers that are also names.
  const std::string numbers = "played,seen,weight\n0,1,0.5\n";
  EXPECT_EQ(refusal(numbers, {"0", "1"}), "");
  EXPECT_EQ(refusal(numbers, {"17", "4"}), "");
  EXPECT_EQ(refusal(numbers, {"1", "0"}),
            "x.csv: has numbers of arms, but 1 is also the name of arm 0, expected names "
            "and the header played_name,seen_name,weight");
  EXPECT_EQ(message_of([] {
              print_graph(
                  GraphFormat::arc_csv, Graph::sparse(1, {}), "x.csv", [](std::string_view) {},
                  std::vector<std::string>{"a\nb"});
            }),
            "x.csv: cannot hold the name 'a?b', expected UTF-8 without control characters");
}

TEST(Files, MatrixMarketIsReadInAllItsVariants) {
  const auto format = GraphFormat::matrix_market;
  expect_example(
      format,
      "%%MatrixMarket matrix coordinate real general\n% a comment\n\n3 3 2\n1 2 0.5\n3 1 1\n");
  expect_example(format,
                 "%%matrixmarket MATRIX Coordinate Real General\r\n3 3 2\r\n3 1 1\r\n1 2 .5");
  expect_example(format,
                 "%%MatrixMarket matrix array real general\n3 3\n1\n0\n1\n0.5\n1\n0\n0\n0\n1\n");
  // In a symmetric file, an entry stands for both directions.
  const Graph pattern = parse_graph(
      format, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "x");
  EXPECT_EQ(bits_of(pattern), bits_of(Graph::dense(3, {1, 1, 0, 1, 1, 1, 0, 1, 1})));
  const Graph triangle = parse_graph(
      format, "%%MatrixMarket matrix array real symmetric\n3 3\n1\n0.5\n0.25\n1\n0\n1\n", "x");
  EXPECT_EQ(bits_of(triangle), bits_of(Graph::dense(3, {1, 0.5, 0.25, 0.5, 1, 0, 0.25, 0, 1})));
  const Graph integer = parse_graph(
      format, "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 1\n2 1 0\n", "x");
  EXPECT_EQ(bits_of(integer), bits_of(Graph::dense(2, {1, 1, 0, 1})));
}

TEST(Files, DimacsIsReadInAllItsVariants) {
  const auto path_bits = bits_of(Graph::dense(3, {1, 1, 0, 1, 1, 1, 0, 1, 1}));
  for (const char* text : {
           "c a path\np edge 3 2\ne 1 2\ne 2 3\n", "p col 3 2\r\ne 2 1\r\ne 3 2\r\n",
           "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",       // lists and counts both directions
           "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",       // lists both directions, counts edges
           "p edge 3 4\ne 1 2\ne 2 3\n",                     // lists edges, counts both directions
           "p edge\t3   3 \ne 1 2\ne 1 2\n\nc late\ne 2 3",  // lists an edge twice, counts lines
       }) {
    EXPECT_EQ(bits_of(parse_graph(GraphFormat::dimacs, text, "x")), path_bits) << text;
  }
}

// The bytes of a NumPy file with that header.
std::string npy(int version, const std::string& dict, const std::string& values) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    bytes += static_cast<char>(dict.size() >> (8 * k) & 0xFF);
  }
  return bytes + dict + values;
}

template <class Value>
std::string raw(const std::vector<Value>& values) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Files, NpyIsReadInAllItsVariants) {
  const auto format = GraphFormat::npy;
  expect_example(format, npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }\n",
                             raw(kExample)));
  expect_example(format,
                 npy(3, R"({"shape":(3,3),"fortran_order":False,"descr":"<f8"})", raw(kExample)));
  expect_example(format, npy(2, "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 3), }   \n",
                             raw<float>({1, 0, 1, 0.5F, 1, 0, 0, 0, 1})));
  // 20 columns are more than one strip of the transposition.
  const auto weights = edge_case_weights(20, 1, 1, 7);
  std::vector<double> columns(400);
  for (std::size_t k = 0; k < 400; ++k) {
    columns[k % 20 * 20 + k / 20] = weights[k];
  }
  EXPECT_EQ(bits_of(parse_graph(
                format,
                npy(1, "{'descr':'<f8','fortran_order':True,'shape':(20,20)}", raw(columns)), "x")),
            bits_of(Graph::dense(20, weights)));
}

// A file is not held in memory: pieces of it are read, the first one with the header.
TEST(Files, NpyReadFromAFileMatchesNpyReadFromMemory) {
  const testing::ScratchDirectory scratch;
  const Stream stream(1, Purpose::test);
  for (const std::size_t arms : {1U, 90U, 91U, 300U}) {  // below and above the first piece
    const Graph graph = make_uniform({.arms = arms}, stream, 0);
    const std::vector<double> weights(graph.weights().values().begin(),
                                      graph.weights().values().end());
    const std::vector<float> floats(weights.begin(), weights.end());
    for (const char* order : {"True", "False"}) {
      const auto header = [&](const char* type) {
        return fmt::format("{{'descr':'{}','fortran_order':{},'shape':({},{})}}", type, order, arms,
                           arms);
      };
      for (const std::string& bytes :
           {npy(1, header("<f8"), raw(weights)), npy(2, header("<f4"), raw(floats))}) {
        scratch.write("graph.npy", bytes);
        EXPECT_EQ(bits_of(read_graph(scratch.file("graph.npy"))),
                  bits_of(parse_graph(GraphFormat::npy, bytes, "x")));
        scratch.write("graph.npy", bytes.substr(0, bytes.size() - 1));
        EXPECT_THROW(read_graph(scratch.file("graph.npy")), Error);
      }
    }
  }
}

// The file as numpy writes it, and files with other orders of keys and arcs.
TEST(Files, ArcNpyIsReadInAllItsVariants) {
  const auto format = GraphFormat::arc_npy;
  struct Record {
    std::uint32_t played;
    std::uint32_t seen;
    double weight;
  };
  const std::string fields = "[('played', '<u4'), ('seen', '<u4'), ('weight', '<f8')]";
  expect_example(format,
                 npy(1, "{'descr': " + fields + ", 'fortran_order': False, 'shape': (2,), }   \n",
                     raw<Record>({{0, 1, 0.5}, {2, 0, 1}})));
  expect_example(format, npy(3, "{'shape':(3,),'fortran_order':False,'descr':" + fields + "}",
                             raw<Record>({{2, 0, 1}, {1, 1, 1}, {0, 1, 0.5}})));
  const std::string no_arcs =
      npy(1, "{'descr': " + fields + ", 'fortran_order': False, 'shape': (0,)}", "");
  EXPECT_EQ(parse_graph(format, no_arcs, "x", {.arms = 4}).arms(), 4);
}

TEST(Files, SmallFilesWithManyArmsNeedTheNumberOfArms) {
  const std::string text = "p edge 70000 1\ne 1 70000\n";
  EXPECT_THROW(parse_graph(GraphFormat::dimacs, text, "x"), Error);
  EXPECT_EQ(parse_graph(GraphFormat::dimacs, text, "x", {.arms = 70000}).arms(), 70000);
}

TEST(Files, TheEndingOfTheNameChoosesTheFormat) {
  EXPECT_EQ(graph_format("a.npy"), GraphFormat::npy);
  EXPECT_EQ(graph_format("arcs.npy"), GraphFormat::npy);
  EXPECT_EQ(graph_format("a.arcs.npy"), GraphFormat::arc_npy);
  EXPECT_EQ(graph_format("a.b/c.mtx"), GraphFormat::matrix_market);
  EXPECT_EQ(graph_format("a.csv"), GraphFormat::arc_csv);
  for (const char* path : {"a.clq", "a.col", "a.dimacs"}) {
    EXPECT_EQ(graph_format(path), GraphFormat::dimacs);
  }
  for (const char* path : {"", "a", "a.txt", "a.npy/b", "a.NPY", "npy"}) {
    EXPECT_THROW(graph_format(path), Error) << path;
  }
}

TEST(Files, WritingReplacesTheWholeFileOrLeavesItUnchanged) {
  const testing::ScratchDirectory scratch;
  scratch.write("graph.csv", "previous contents");
  const Graph graph = make_grid({});
  write_graph(graph, scratch.file("graph.csv"));
  EXPECT_EQ(bits_of(read_graph(scratch.file("graph.csv"))), bits_of(graph));
  // This graph is refused after the temporary file has been created.
  scratch.write("graph.clq", "previous contents");
  EXPECT_THROW(write_graph(graph, scratch.file("graph.clq")), Error);
  EXPECT_EQ(scratch.read("graph.clq"), "previous contents");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"graph.clq", "graph.csv"}));
}

// CSV is not among the formats because it does not state the number of arcs.
TEST(Files, TruncatedFilesAreRefused) {
  for (const GraphFormat format :
       {GraphFormat::npy, GraphFormat::arc_npy, GraphFormat::matrix_market, GraphFormat::dimacs}) {
    const std::string whole = print(format, make_complete({.arms = 3}));
    // The last two bytes are not cut off: a file of text may end without an end of line.
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
      EXPECT_THROW(parse_graph(format, whole.substr(0, size), "cut"), Error) << size;
    }
  }
}

}  // namespace
}  // namespace hearsay
