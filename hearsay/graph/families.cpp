#include "hearsay/graph/families.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"
#include "hearsay/base/threads.h"
#include "hearsay/graph/storage.h"

namespace hearsay {
namespace {

// Checks a range that depends on other options.
void check_range(const char* option, std::size_t value, std::size_t least, std::size_t most) {
  if (value < least || value > most) {
    throw Error(option,
                fmt::format("is {}, expected a whole number from {} to {}", value, least, most));
  }
}

// These limits keep stored weights, and lists of arcs during construction, within 2 GiB.
constexpr std::size_t kMostDenseArms = 16'384;
constexpr std::size_t kMostSide = 128;
static_assert(kMostSide * kMostSide == kMostDenseArms);
constexpr std::size_t kMostArcs = std::size_t{1} << 27U;
constexpr std::size_t kMostSparseArms = kMostArcs / 8;
constexpr std::size_t kMostWords = 8192;  // every pair of words may be an arc
static_assert(kMostWords * kMostWords <= kMostArcs);

constexpr double kSmallest = std::numeric_limits<double>::min();
constexpr double kLargest = std::numeric_limits<double>::max();

constexpr WholeRange kDenseArms = {1, kMostDenseArms};
constexpr WholeRange kSparseArms = {1, kMostSparseArms};
constexpr RealRange kWeights = {0, 1};
constexpr std::string_view kArms = "number of arms";

// The member `directions` as a flag.
template <class Options>
Field<Options> symmetric_field() {
  return {
      {.name = "symmetric",
       .summary = "both directions of a pair are the same; otherwise each is drawn independently",
       .type = FieldType::flag},
      [](const Options& options) { return options.directions == Directions::symmetric; },
      [](Options& options, const FieldValue& value) {
        options.directions =
            std::get<bool>(value) ? Directions::symmetric : Directions::independent;
      }};
}

// Gives the field a second name on the command line.
template <class Options>
Field<Options> with_alias(Field<Options> field, std::string_view alias) {
  field.info.alias = alias;
  return field;
}

// n is at most 32, so that nothing overflows.
std::size_t binomial(std::size_t n, std::size_t k) {
  std::size_t count = 1;  // every division is exact
  for (std::size_t i = 1; i <= k; ++i) {
    count = count * (n - k + i) / i;
  }
  return count;
}

void add_edge(std::vector<Arc>& arcs, Arm a, Arm b) {
  note_work(1);
  arcs.push_back({a, b, 1});
  arcs.push_back({b, a, 1});
}

// The graph whose arms are `words`, with weight 1 for every pair that adjacent() accepts.
template <class Word, class Adjacent>
Graph word_graph(const std::vector<Word>& words, Adjacent adjacent) {
  std::vector<Arc> arcs;
  for (Arm played = 0; played < words.size(); ++played) {
    for (Arm seen = 0; seen < words.size(); ++seen) {
      if (played != seen && adjacent(words[played], words[seen])) {
        arcs.push_back({played, seen, 1});
      }
    }
    note_work(words.size());
  }
  return graph_of_arcs(words.size(), std::move(arcs));
}

// Independent Bernoulli trials along every row of the matrix. The gaps between successes are drawn,
// so the cost is proportional to the number of successes.
struct BernoulliRows {
  const Stream& stream;
  std::uint64_t round;
  double probability;
  std::size_t arms;

  // Calls visit(arm) for every success in row `played` from arm `first` on.
  template <class Visit>
  void for_each_success(Arm played, std::size_t first, Visit visit) const {
    // -infinity if every trial succeeds, 0 if none does.
    const double log_of_failure = std::log1p(-probability);
    std::array<std::uint64_t, 2> drawn{};
    std::size_t at = first;
    for (std::uint64_t k = 0; log_of_failure < 0; ++k, ++at) {
      if (k % 2 == 0) {
        drawn = stream.bits(round, (std::uint64_t{played} << 32U) + k / 2);
      }
      const double gap = std::log1p(-to_uniform(drawn[k % 2])) / log_of_failure;
      if (at >= arms || gap >= static_cast<double>(arms - at)) {
        return;
      }
      at += static_cast<std::size_t>(gap);
      visit(static_cast<Arm>(at));
    }
  }
};

// Calls work(i), which returns its number of steps (note_work()), for every i < count, divided
// among the threads into contiguous ranges. `work` must not throw.
template <class Work>
void parallel_for(std::size_t count, std::size_t threads, Work work) {
  threads = std::min(threads, count);
  std::atomic<bool> interrupted = false;
  const auto do_part = [&](std::size_t part) {
    for (std::size_t i = count * part / threads; i < count * (part + 1) / threads && !interrupted;
         ++i) {
      note_work(work(i));
    }
  };
  std::vector<std::jthread> others;
  for (std::size_t part = 1; part < threads; ++part) {
    others.emplace_back(do_part, part);
  }
  try {
    do_part(0);
  } catch (...) {  // thrown by note_work(), which sees the Interruption of this thread only
    interrupted = true;
    throw;
  }
}

}  // namespace

const FieldTable<Grid>& Grid::fields() {
  // `unit_square` is not a member: it is true if and only if `spacing` has no value.
  static const FieldTable<Grid> table = {
      field("side", &Grid::side, WholeRange{1, kMostSide}, "arms along a side; side x side in all"),
      field("rows", &Grid::rows, WholeRange{0, kMostSide},
            "rows of `side` arms each; 0: as many as `side`"),
      {{.name = "unit_square",
        .summary = "scale the lattice to fill [0, 1] x [0, 1]",
        .type = FieldType::flag},
       [](const Grid& grid) { return !grid.spacing; },
       [](Grid& grid, const FieldValue& value) {
         grid.spacing = std::get<bool>(value) ? std::nullopt : std::optional(1.0);
       }},
      {{.name = "spacing",
        .summary = "distance between neighbours; not together with `unit_square`",
        .type = FieldType::real,
        .real = {kSmallest, kLargest},
        .optional = true},
       [](const Grid& grid) { return grid.spacing ? FieldValue(*grid.spacing) : FieldValue(); },
       [](Grid& grid, const FieldValue& value) {
         if (!grid.spacing) {
           throw Error("spacing", "is given together with `unit_square`, expected one of the two");
         }
         if (!std::holds_alternative<std::monostate>(value)) {
           grid.spacing = std::get<double>(value);
         }
       }},
      {{.name = "weight", .summary = kDistanceWeights, .type = FieldType::text, .pattern = "LAW"},
       [](const Grid& grid) { return distance_weight_text(grid.weight); },
       [](Grid& grid, const FieldValue& value) {
         try {
           grid.weight = parse_distance_weight(std::get<std::string>(value));
         } catch (const Error& error) {
           throw Error("weight", error.what());
         }
       }},
  };
  return table;
}

const FieldTable<Uniform>& Uniform::fields() {
  static const FieldTable<Uniform> table = {
      field("arms", &Uniform::arms, kDenseArms, kArms),
      field("low", &Uniform::low, kWeights, "smallest weight"),
      field("high", &Uniform::high, kWeights, "largest weight"),
      symmetric_field<Uniform>(),
  };
  return table;
}

const FieldTable<ErdosRenyi>& ErdosRenyi::fields() {
  static const FieldTable<ErdosRenyi> table = {
      field("arms", &ErdosRenyi::arms, kSparseArms, kArms),
      with_alias(
          field("probability", &ErdosRenyi::probability, RealRange{0, 1}, "probability of an arc"),
          "p"),
      field("weight", &ErdosRenyi::weight, kWeights, "weight of an arc"),
      symmetric_field<ErdosRenyi>(),
  };
  return table;
}

const FieldTable<Cliques>& Cliques::fields() {
  static const FieldTable<Cliques> table = {
      field("count", &Cliques::count, kSparseArms, "number of cliques"),
      field("size", &Cliques::size, WholeRange{1, kMostWords}, "arms of each clique"),
  };
  return table;
}

const FieldTable<Star>& Star::fields() {
  static const FieldTable<Star> table = {field("arms", &Star::arms, kSparseArms, kArms)};
  return table;
}

const FieldTable<Cycle>& Cycle::fields() {
  static const FieldTable<Cycle> table = {
      field("arms", &Cycle::arms, WholeRange{3, kMostSparseArms}, kArms),
      {{.name = "directed",
        .summary = "each arm shows the next, but not the other way round",
        .type = FieldType::flag},
       [](const Cycle& cycle) { return cycle.directed; },
       [](Cycle& cycle, const FieldValue& value) { cycle.directed = std::get<bool>(value); }}};
  return table;
}

const FieldTable<Complete>& Complete::fields() {
  static const FieldTable<Complete> table = {field("arms", &Complete::arms, kDenseArms, kArms)};
  return table;
}

const FieldTable<Empty>& Empty::fields() {
  static const FieldTable<Empty> table = {field("arms", &Empty::arms, kSparseArms, kArms)};
  return table;
}

const FieldTable<Constant>& Constant::fields() {
  static const FieldTable<Constant> table = {
      field("arms", &Constant::arms, kDenseArms, kArms),
      field("weight", &Constant::weight, kWeights, "weight of every arc"),
  };
  return table;
}

const FieldTable<King>& King::fields() {
  constexpr std::size_t kMostBoard = 2048;  // each arm has at most nine arcs
  static const FieldTable<King> table = {
      field("side", &King::side, WholeRange{1, kMostBoard}, "arms along a side")};
  return table;
}

const FieldTable<Hamming>& Hamming::fields() {
  static const FieldTable<Hamming> table = {
      field("length", &Hamming::length, WholeRange{1, 13}, "bits of a word"),  // 2^13 words
      field("distance", &Hamming::distance, WholeRange{1, 13},
            "two words are adjacent if they differ in at least this many places"),
  };
  return table;
}

const FieldTable<Johnson>& Johnson::fields() {
  static const FieldTable<Johnson> table = {
      field("length", &Johnson::length, WholeRange{1, 32}, "bits of a word"),
      field("ones", &Johnson::ones, WholeRange{1, 32}, "how many of them are 1"),
      field("distance", &Johnson::distance, WholeRange{1, 32},
            "two words are adjacent if they differ in at least this many places"),
  };
  return table;
}

const FieldTable<Keller>& Keller::fields() {
  static const FieldTable<Keller> table = {
      field("dimension", &Keller::dimension, WholeRange{2, 6}, "digits of a word")};
  return table;
}

void Grid::check() const {
  if (!spacing && row_count() != side) {
    throw Error("rows",
                fmt::format("is {}, expected {}, which is `side`, with `unit_square`", rows, side));
  }
  try {
    weight.check();
  } catch (const Error& error) {
    throw Error("weight", error.what());
  }
}

void Uniform::check() const {
  if (high < low) {
    throw Error("high", fmt::format("is {}, expected at least {}, which is `low`", high, low));
  }
}

void ErdosRenyi::check() const {
  const bool stored_dense = probability > 0.249;
  check_range("arms", arms, 1, stored_dense ? kMostDenseArms : kMostSparseArms);
  const double expected = probability * static_cast<double>(arms) * static_cast<double>(arms);
  if (expected > static_cast<double>(kMostArcs)) {
    throw Error("arms", fmt::format("is {}, which gives about {} arcs, expected at most {} arcs",
                                    arms, expected, kMostArcs));
  }
}

void Cliques::check() const {
  check_range("count", count, 1, std::min(kMostSparseArms / size, kMostArcs / (size * size)));
}

void Hamming::check() const {
  check_range("distance", distance, 1, length);
}

void Johnson::check() const {
  check_range("ones", ones, 1, length);
  check_range("distance", distance, 1, length);
  const std::size_t words = binomial(length, ones);
  if (words > kMostWords) {
    throw Error("ones", fmt::format("is {}, which gives {} words of {} bits, expected at most {}",
                                    ones, words, length, kMostWords));
  }
}

std::size_t Hamming::arm_count() const {
  return std::size_t{1} << length;
}

std::size_t Johnson::arm_count() const {
  return binomial(length, ones);
}

// Of the 4^n words, these are not adjacent to the vertex: the 3^n that differ from it by exactly 2
// in no place, and the n that differ from it in a single place, and there by 2.
std::size_t Keller::arm_count() const {
  std::size_t power_of_three = 1;
  for (std::size_t i = 0; i < dimension; ++i) {
    power_of_three *= 3;
  }
  return (std::size_t{1} << 2 * dimension) - power_of_three - dimension;
}

Graph make_grid(const Grid& options) {
  check_options(options);
  const std::size_t side = options.side;
  const std::size_t rows = options.row_count();

  // Indexed by the whole number dx^2 + dy^2, so that equal distances have exactly equal weights.
  std::vector<double> weight_at((side - 1) * (side - 1) + (rows - 1) * (rows - 1) + 1);
  for (std::size_t steps = 1; steps < weight_at.size(); ++steps) {
    const auto lattice = static_cast<double>(steps);
    const double squared = options.spacing ? lattice * *options.spacing * *options.spacing
                                           : lattice / static_cast<double>((side - 1) * (side - 1));
    weight_at[steps] = options.weight(squared);
  }
  weight_at[0] = 1;
  const std::size_t arms = options.arm_count();
  auto weights = filled<double>(arms * arms);
  const auto squared_gap = [](std::size_t a, std::size_t b) {
    return a > b ? (a - b) * (a - b) : (b - a) * (b - a);
  };
  for (std::size_t played = 0; played < arms; ++played) {
    for (std::size_t seen = 0; seen < arms; ++seen) {
      weights[played * arms + seen] = weight_at[squared_gap(played / side, seen / side) +
                                                squared_gap(played % side, seen % side)];
    }
    note_work(arms);
  }
  return Graph::dense(arms, std::move(weights));
}

Graph make_uniform(const Uniform& options, const Stream& stream, std::uint64_t round) {
  check_options(options);
  const std::size_t arms = options.arms;
  auto weights = filled<double>(arms * arms);
  constexpr std::size_t kAtOnce = Interruption::kStepsBetween;
  static_assert(kAtOnce % 2 == 0);  // as fill_uniform() requires
  for (std::size_t begin = 0; begin < weights.size(); begin += kAtOnce) {
    const std::span<double> some =
        std::span(weights).subspan(begin, std::min(kAtOnce, weights.size() - begin));
    stream.fill_uniform(round, some, begin);
    for (double& weight : some) {
      weight = std::min(options.low + (options.high - options.low) * weight, options.high);
    }
    note_work(some.size());
  }
  for (std::size_t played = 0; played < arms; ++played) {
    weights[played * arms + played] = 1;
    if (options.directions == Directions::symmetric) {
      for (std::size_t seen = 0; seen < played; ++seen) {
        weights[played * arms + seen] = weights[seen * arms + played];
      }
      note_work(played);
    }
  }
  return Graph::dense(arms, std::move(weights));
}

Graph make_erdos_renyi(const ErdosRenyi& options, const Stream& stream, std::uint64_t round,
                       std::size_t threads) {
  check_options(options);
  const std::size_t arms = options.arms;
  check_range("threads", threads, 1, kMostThreads);
  if (options.weight == 0) {
    return make_empty({.arms = arms});
  }
  const BernoulliRows rows{stream, round, options.probability, arms};
  if (options.directions == Directions::symmetric) {
    std::vector<Arc> arcs;
    for (Arm played = 0; played < arms; ++played) {
      rows.for_each_success(played, std::size_t{played} + 1, [&](Arm seen) {
        arcs.push_back({played, seen, options.weight});
        arcs.push_back({seen, played, options.weight});
        note_work(1);
      });
      note_work(1);
    }
    return graph_of_arcs(arms, std::move(arcs));
  }
  // The arcs are drawn twice, once to count them and once to store them, so that no memory is
  // needed besides the graph itself.
  const auto visit_row = [&](Arm played, auto visit) {
    bool self_visited = false;
    rows.for_each_success(played, 0, [&](Arm seen) {
      if (!self_visited && seen >= played) {
        visit(played, 1.0);
        self_visited = true;
      }
      if (seen != played) {
        visit(seen, options.weight);
      }
    });
    if (!self_visited) {
      visit(played, 1.0);
    }
  };
  std::vector<std::size_t> row_begin(arms + 1);
  parallel_for(arms, threads, [&](std::size_t played) {
    visit_row(static_cast<Arm>(played), [&](Arm, double) { ++row_begin[played + 1]; });
    return row_begin[played + 1];
  });
  std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
  auto columns = filled<Arm>(row_begin.back());
  auto weights = filled<double>(row_begin.back());
  parallel_for(arms, threads, [&](std::size_t played) {
    std::size_t next = row_begin[played];
    visit_row(static_cast<Arm>(played), [&](Arm seen, double weight) {
      columns[next] = seen;
      weights[next++] = weight;
    });
    return next - row_begin[played];
  });
  return in_fitting_storage(
      Graph::sparse_rows(arms, std::move(row_begin), std::move(columns), std::move(weights)));
}

Graph make_cliques(const Cliques& options) {
  check_options(options);
  std::vector<Arc> arcs;
  const std::size_t arms = options.count * options.size;
  for (std::size_t first = 0; first < arms; first += options.size) {
    for (std::size_t played = first; played < first + options.size; ++played) {
      for (std::size_t seen = first; seen < first + options.size; ++seen) {
        arcs.push_back({static_cast<Arm>(played), static_cast<Arm>(seen), 1});
      }
      note_work(options.size);
    }
  }
  return graph_of_arcs(arms, std::move(arcs));
}

Graph make_star(const Star& options) {
  check_options(options);
  const std::size_t arms = options.arms;
  std::vector<Arc> arcs;
  for (Arm leaf = 1; leaf < arms; ++leaf) {
    add_edge(arcs, 0, leaf);
  }
  return graph_of_arcs(arms, std::move(arcs));
}

Graph make_cycle(const Cycle& options) {
  check_options(options);
  const std::size_t arms = options.arms;
  std::vector<Arc> arcs;
  for (std::size_t arm = 0; arm < arms; ++arm) {
    const auto next = static_cast<Arm>((arm + 1) % arms);
    if (options.directed) {
      arcs.push_back({static_cast<Arm>(arm), next, 1});
    } else {
      add_edge(arcs, static_cast<Arm>(arm), next);
    }
  }
  return graph_of_arcs(arms, std::move(arcs));
}

Graph make_complete(const Complete& options) {
  check_options(options);
  const std::size_t arms = options.arms;
  return Graph::dense(arms, filled(arms * arms, 1.0));
}

Graph make_empty(const Empty& options) {
  check_options(options);
  const std::size_t arms = options.arms;
  return Graph::sparse(arms, {});
}

Graph make_constant(const Constant& options) {
  check_options(options);
  const std::size_t arms = options.arms;
  std::vector<double> weights = filled(arms * arms, options.weight);
  for (std::size_t arm = 0; arm < arms; ++arm) {
    weights[arm * arms + arm] = 1;
  }
  return Graph::dense(arms, std::move(weights));
}

Graph make_king(const King& options) {
  check_options(options);
  const std::size_t side = options.side;
  std::vector<Arc> arcs;
  const auto arm_at = [side](std::size_t row, std::size_t column) {
    return static_cast<Arm>(row * side + column);
  };
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      for (std::size_t r = row > 0 ? row - 1 : 0; r < std::min(row + 2, side); ++r) {
        for (std::size_t c = column > 0 ? column - 1 : 0; c < std::min(column + 2, side); ++c) {
          arcs.push_back({arm_at(row, column), arm_at(r, c), 1});
        }
      }
      note_work(9);
    }
  }
  return graph_of_arcs(side * side, std::move(arcs));
}

Graph make_hamming(const Hamming& options) {
  check_options(options);
  std::vector<std::uint32_t> words(std::size_t{1} << options.length);
  for (std::uint32_t word = 0; word < words.size(); ++word) {
    words[word] = word;
  }
  return word_graph(words, [&](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::size_t>(std::popcount(a ^ b)) >= options.distance;
  });
}

Graph make_johnson(const Johnson& options) {
  check_options(options);
  const std::size_t count = binomial(options.length, options.ones);
  // Each word is followed by the next larger one with the same number of ones (Gosper's hack): the
  // top bit of the lowest run of ones moves up by one place, and the other bits of that run move
  // down to the lowest places.
  std::vector<std::uint64_t> words;
  std::uint64_t word = (std::uint64_t{1} << options.ones) - 1;
  while (words.size() < count) {
    words.push_back(word);
    const std::uint64_t lowest = word & (~word + 1);
    const std::uint64_t carried = word + lowest;
    word = carried | ((word ^ carried) >> (std::countr_zero(word) + 2));
  }
  return word_graph(words, [&](std::uint64_t a, std::uint64_t b) {
    return static_cast<std::size_t>(std::popcount(a ^ b)) >= options.distance;
  });
}

Graph make_keller(const Keller& options) {
  check_options(options);
  const std::size_t dimension = options.dimension;  // 4^n - 3^n - n arms
  // Each digit takes two bits of a word.
  const auto adjacent = [dimension](std::uint32_t a, std::uint32_t b) {
    std::size_t different = 0;
    bool opposite = false;
    for (std::size_t place = 0; place < dimension; ++place) {
      const std::uint32_t gap = ((a >> 2 * place) - (b >> 2 * place)) % 4;
      different += gap != 0 ? 1 : 0;
      opposite = opposite || gap == 2;
    }
    return different >= 2 && opposite;
  };
  std::vector<std::uint32_t> words;
  for (std::uint32_t word = 0; word < std::uint32_t{1} << 2 * dimension; ++word) {
    if (adjacent(0, word)) {
      words.push_back(word);
    }
  }
  return word_graph(words, adjacent);
}

}  // namespace hearsay
