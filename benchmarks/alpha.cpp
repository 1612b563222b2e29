// Compares the time to compute the effective independence number with the two clique solvers in
// Debian, cliquer and igraph, each called by a bisection over the thresholds; and the time for
// single independence numbers of DIMACS files. Every number is the CPU time of a separate process;
// for hearsay the wall-clock time with two threads is printed too. For graphs that are too hard to
// solve there is a table of the bounds after a given CPU time, with the time and the memory used.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hearsay/certificate/independence.h"
#include "hearsay/graph/complement.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/files.h"

#ifdef HEARSAY_CLIQUER
#include "benchmarks/cliquer_number.h"
#endif
#ifdef HEARSAY_IGRAPH
#include <igraph/igraph.h>
#endif

namespace hearsay {
namespace {

// Pairs of arms that are independent at a threshold, as a flat list.
using Pairs = std::vector<Arm>;

Pairs independent_pairs(const Graph& graph, double threshold) {
  Pairs pairs;
  for (Arm i = 0; i < graph.arms(); ++i) {
    for (Arm j = 0; j < i; ++j) {
      if (std::max(graph.weight(i, j), graph.weight(j, i)) < threshold) {
        pairs.insert(pairs.end(), {i, j});
      }
    }
  }
  return pairs;
}

// min(size of the largest clique, cap).
using CliqueNumber =
    std::function<std::size_t(std::size_t vertices, const Pairs&, std::size_t cap)>;

struct OtherSolver {
  std::string name;
  CliqueNumber clique_number;
};

#ifdef HEARSAY_IGRAPH
std::size_t igraph_number(std::size_t vertices, const Pairs& pairs, std::size_t cap) {
  igraph_vector_int_t edges;
  igraph_vector_int_init(&edges, 0);
  for (const Arm end : pairs) {
    igraph_vector_int_push_back(&edges, end);
  }
  igraph_t graph;
  igraph_create(&graph, &edges, static_cast<igraph_integer_t>(vertices),
                static_cast<bool>(IGRAPH_UNDIRECTED));
  igraph_integer_t number = 0;
  igraph_clique_number(&graph, &number);
  igraph_destroy(&graph);
  igraph_vector_int_destroy(&edges);
  return std::min(static_cast<std::size_t>(number), cap);
}
#endif

std::vector<OtherSolver> other_solvers() {
  std::vector<OtherSolver> all;
#ifdef HEARSAY_CLIQUER
  all.push_back({"cliquer", [](std::size_t vertices, const Pairs& pairs, std::size_t cap) {
                   const int most = static_cast<int>(std::min(cap, vertices));
                   return static_cast<std::size_t>(cliquer_number(
                       static_cast<int>(vertices), pairs.data(), pairs.size() / 2, most));
                 }});
#endif
#ifdef HEARSAY_IGRAPH
  all.push_back({"igraph", igraph_number});
#endif
  return all;
}

// Computes alpha* from independence numbers. alpha(eps) is non-decreasing, so between two
// thresholds it is at least its value at the lower one. An interval of thresholds is skipped if it
// cannot improve on the best value, and an independence number is computed only up to the size that
// is enough to skip its interval.
class Bisection {
 public:
  Bisection(const Graph& graph, const CliqueNumber& clique_number)
      : graph_(graph), clique_number_(clique_number) {
    for (const double weight : graph.weights().values()) {
      if (weight > 0) {
        thresholds_.push_back(weight);
      }
    }
    std::ranges::sort(thresholds_);
    thresholds_.erase(std::unique(thresholds_.begin(), thresholds_.end()), thresholds_.end());
  }

  double run() {
    best_ = static_cast<double>(graph_.arms());
    solve(0, thresholds_.size() - 1, 1);
    return best_;
  }

 private:
  // Searches the thresholds first .. last, at which alpha is at least `least`.
  void solve(std::size_t first, std::size_t last, std::size_t least) {
    if (first > last || inverse_square_cost(least, thresholds_[last]) >= best_) {
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    const double enough = best_ * thresholds_[last] * thresholds_[last];
    const std::size_t number =
        clique_number_(graph_.arms(), independent_pairs(graph_, thresholds_[middle]),
                       static_cast<std::size_t>(std::ceil(enough)));
    best_ = std::min(best_, inverse_square_cost(number, thresholds_[middle]));
    if (middle > first) {
      solve(first, middle - 1, least);
    }
    solve(middle + 1, last, number);
  }

  const Graph& graph_;
  const CliqueNumber& clique_number_;
  std::vector<double> thresholds_;
  double best_ = 0;
};

struct Measured {
  double value = 0;
  double cpu = 0;
  double wall = 0;
};

// Runs `work` in a separate process, for at most `limit` seconds of CPU time.
std::optional<Measured> measure(const std::function<double()>& work, unsigned limit) {
  std::fflush(stdout);
  std::array<int, 2> ends = {};
  if (::pipe(ends.data()) != 0) {
    throw std::runtime_error("no pipe");
  }
  const auto start = std::chrono::steady_clock::now();
  const ::pid_t child = ::fork();
  if (child == 0) {
    const struct rlimit seconds = {limit, limit};
    ::setrlimit(RLIMIT_CPU, &seconds);
    const double value = work();
    const bool written = ::write(ends[1], &value, sizeof value) == sizeof value;
    ::_exit(written ? 0 : 1);
  }
  ::close(ends[1]);
  Measured measured;
  const bool done =
      ::read(ends[0], &measured.value, sizeof measured.value) == sizeof measured.value;
  ::close(ends[0]);
  int status = 0;
  struct rusage usage = {};
  ::wait4(child, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  measured.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  measured.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return done ? std::optional(measured) : std::nullopt;
}

std::string cell(const std::optional<Measured>& measured, double Measured::*field) {
  return measured ? fmt::format("{:.3f}", (*measured).*field) : "-";
}

struct Options {
  std::vector<std::size_t> sizes = {50, 100, 200, 500, 1000};
  std::size_t graphs = 3;
  unsigned limit = 60;
  double seconds = 10;
  std::string dimacs;
};

void print_header(const std::string& first) {
  fmt::print("| {} | value | hearsay | hearsay, 2 threads, wall |", first);
  for (const OtherSolver& solver : other_solvers()) {
    fmt::print(" {} |", solver.name);
  }
  fmt::print("\n|---|---|---|---|");
  for (std::size_t i = 0; i < other_solvers().size(); ++i) {
    fmt::print("---|");
  }
  fmt::print("\n");
}

// Prints one line: hearsay with one and with two threads, then the other solvers, which must give
// the same value.
void print_line(const std::string& name, const std::function<double(unsigned threads)>& ours,
                const std::function<double(const OtherSolver&)>& theirs, unsigned limit) {
  const std::optional<Measured> one = measure([&] { return ours(1); }, limit);
  const std::optional<Measured> two = measure([&] { return ours(2); }, limit);
  fmt::print("| {} | {} | {} | {} |", name,
             one   ? fmt::format("{:.4f}", one->value)
             : two ? fmt::format("{:.4f}", two->value)
                   : "-",
             cell(one, &Measured::cpu), cell(two, &Measured::wall));
  for (const OtherSolver& solver : other_solvers()) {
    const std::optional<Measured> other = measure([&] { return theirs(solver); }, limit);
    fmt::print(" {}{} |", cell(other, &Measured::cpu),
               other && one && other->value != one->value ? " (another value!)" : "");
  }
  fmt::print("\n");
}

void random_graphs(const Options& options) {
  print_header("U(0, 1), arms (graph)");
  for (const std::size_t arms : options.sizes) {
    for (std::size_t k = 0; k < options.graphs; ++k) {
      const Graph graph = make_uniform({.arms = arms}, Stream(1, Purpose::graph, k));
      print_line(
          fmt::format("{} ({})", arms, k),
          [&](unsigned threads) {
            return effective_independence(graph, {.effort = {.threads = threads}}).upper;
          },
          [&](const OtherSolver& solver) { return Bisection(graph, solver.clique_number).run(); },
          options.limit);
    }
  }
}

void dimacs_files(const Options& options) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(options.dimacs)) {
    if (entry.path().extension() == ".clq") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  fmt::print("\n");
  print_header("clique number of");
  for (const std::filesystem::path& file : files) {
    const Graph graph = complement(read_graph(file.string()));
    print_line(
        file.stem().string(),
        [&](unsigned threads) {
          return static_cast<double>(independence_number(graph, 1, {.threads = threads}).upper);
        },
        [&](const OtherSolver& solver) {
          return static_cast<double>(
              solver.clique_number(graph.arms(), independent_pairs(graph, 1), graph.arms()));
        },
        options.limit);
  }
}

// `arcs` arcs from every arm to random others, with weights U(0, 1).
Graph make_random_sparse(std::size_t arms, std::size_t arcs) {
  const Stream stream(1, Purpose::graph);
  std::vector<Arc> all;
  for (Arm arm = 0; arm < arms; ++arm) {
    std::vector<Arm> seen = {arm};
    for (std::uint64_t k = 0; seen.size() <= arcs; ++k) {
      const auto other = static_cast<Arm>(stream.uniform(arm, 2 * k) * static_cast<double>(arms));
      if (std::ranges::find(seen, other) == seen.end()) {
        seen.push_back(other);
        all.push_back({arm, other, stream.uniform(arm, 2 * k + 1)});
      }
    }
  }
  return Graph::sparse(arms, std::move(all));
}

using Triples = std::vector<std::array<std::size_t, 3>>;

// A Steiner triple system of three times as many points.
Triples tripled(std::size_t points, const Triples& triples) {
  Triples result;
  for (std::size_t point = 0; point < points; ++point) {
    result.push_back({3 * point, 3 * point + 1, 3 * point + 2});
  }
  for (const auto& [a, b, c] : triples) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        result.push_back({3 * a + i, 3 * b + j, 3 * c + (6 - i - j) % 3});
      }
    }
  }
  return result;
}

// The problem of the smallest set of points that meets every triple, as a graph. It has an arm for
// each point, and for each triple three arms that are in conflict with each other, one for each of
// its points and in conflict with that point. A set of one arm of every triple and all points
// without a conflict is independent. With 27 and 45 points, these are the complements of MANN_a27
// and MANN_a45 of the DIMACS challenge.
Graph make_steiner_cover(std::size_t points) {
  Triples triples;
  if (points == 27) {
    triples = tripled(9, tripled(3, {{0, 1, 2}}));
  } else {  // 45: three times Bose's system of 15 points (x, i), x modulo 5 and i modulo 3
    for (std::size_t x = 0; x < 5; ++x) {
      triples.push_back({3 * x, 3 * x + 1, 3 * x + 2});
      for (std::size_t y = 0; y < x; ++y) {
        for (std::size_t i = 0; i < 3; ++i) {
          triples.push_back({3 * x + i, 3 * y + i, 3 * (3 * (x + y) % 5) + (i + 1) % 3});
        }
      }
    }
    triples = tripled(15, triples);
  }
  std::vector<Arc> arcs;
  const auto conflict = [&](std::size_t a, std::size_t b) {
    arcs.push_back({static_cast<Arm>(a), static_cast<Arm>(b), 1});
  };
  std::size_t arm = points;
  for (const auto& triple : triples) {
    for (std::size_t i = 0; i < 3; ++i) {
      conflict(arm + i, arm + (i + 1) % 3);
      conflict(arm + i, triple[i]);
    }
    arm += 3;
  }
  return Graph::sparse(arm, std::move(arcs));
}

struct Bounds {
  double lower = 0;
  double upper = 0;
};

// Prints one line: the bounds after `seconds` of CPU time, the CPU time used and the peak memory.
void print_bounds(const std::string& name, const Graph& graph, double seconds,
                  const std::function<Bounds(const Effort&)>& solve) {
  std::fflush(stdout);
  const ::pid_t child = ::fork();
  if (child == 0) {
    const std::clock_t start = std::clock();
    const auto taken = [&] { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; };
    const Bounds bounds = solve({.threads = 1, .stop = [&] { return taken() >= seconds; }});
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    fmt::print("| {} | {} | {:.6g} | {:.6g} | {:.2f} | {} |\n", name, graph.arms(), bounds.lower,
               bounds.upper, taken(), usage.ru_maxrss / 1024);
    std::fflush(stdout);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
}

void bounds_in_time(const Options& options) {
  const auto alpha_star = [](const Graph& graph) {
    return [&graph](const Effort& effort) {
      const EffectiveIndependence result = effective_independence(graph, {.effort = effort});
      return Bounds{result.lower, result.upper};
    };
  };
  const auto alpha_at = [](const Graph& graph, double threshold) {
    return [&graph, threshold](const Effort& effort) {
      const IndependenceNumber result = independence_number(graph, threshold, effort);
      return Bounds{static_cast<double>(result.lower), static_cast<double>(result.upper)};
    };
  };
  fmt::print(
      "\nBounds after {} CPU seconds\n\n| graph | arms | lower | upper | seconds | MB |\n"
      "|---|---|---|---|---|---|\n",
      options.seconds);
  for (const std::size_t arms : {600U, 1000U, 4000U, 10'000U, 100'000U}) {
    const Graph graph = make_random_sparse(arms, 5);
    print_bounds("alpha\\*, 5 arcs an arm, U(0, 1)", graph, options.seconds, alpha_star(graph));
  }
  for (const std::size_t arcs : {20U, 50U}) {
    const Graph graph = make_random_sparse(10'000, arcs);
    print_bounds(fmt::format("alpha\\*, {} arcs an arm, U(0, 1)", arcs), graph, options.seconds,
                 alpha_star(graph));
  }
  const auto erdos_renyi = [&](std::size_t arms, double probability) {
    const Graph graph = make_erdos_renyi(
        {.arms = arms, .probability = probability, .directions = Directions::symmetric},
        Stream(1, Purpose::graph));
    print_bounds(fmt::format("alpha(1), Erdos-Renyi, p = {}", probability), graph, options.seconds,
                 alpha_at(graph, 1));
  };
  erdos_renyi(8000, 0.00125);
  erdos_renyi(8000, 0.01);
  erdos_renyi(800, 0.35);
  erdos_renyi(400, 0.1);
  erdos_renyi(250, 0.1);
  erdos_renyi(200, 0.1);
  erdos_renyi(200, 0.05);
  for (const std::size_t points : {27U, 45U}) {
    const Graph graph = make_steiner_cover(points);
    print_bounds(fmt::format("alpha(1), Steiner triples of {} points", points), graph,
                 options.seconds, alpha_at(graph, 1));
  }
  const Graph keller = complement(make_keller({.dimension = 5}));
  print_bounds("alpha(1), complement of Keller's graph of dimension 5", keller, options.seconds,
               alpha_at(keller, 1));
  const Graph dense = make_uniform({.arms = 1500}, Stream(1, Purpose::graph));
  print_bounds("alpha\\*, U(0, 1)", dense, options.seconds, alpha_star(dense));
}

}  // namespace
}  // namespace hearsay

int main(int argc, char** argv) {
  hearsay::Options options;
  CLI::App app{"Compares the effective independence number with cliquer and igraph (CPU seconds)."};
  app.add_option("--sizes", options.sizes, "Arms of the random graphs");
  app.add_option("--graphs", options.graphs, "Random graphs of each size");
  app.add_option("--limit", options.limit, "CPU seconds for one measurement");
  app.add_option("--seconds", options.seconds,
                 "CPU seconds for each of the bounds; 0 omits their table");
  app.add_option("--dimacs", options.dimacs, "A directory with .clq files");
  CLI11_PARSE(app, argc, argv);
  if (!options.sizes.empty() && options.graphs > 0) {
    hearsay::random_graphs(options);
  }
  if (options.seconds > 0) {
    hearsay::bounds_in_time(options);
  }
  if (!options.dimacs.empty()) {
    hearsay::dimacs_files(options);
  }
}
