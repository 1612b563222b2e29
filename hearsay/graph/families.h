#pragma once

// Graph families for experiments: a struct of options for each family, and a function that makes
// the graph. The function throws Error at the name of an option that is out of its range. The
// ranges limit memory: at most 16384 arms if all weights are stored, at most 2^27 arcs otherwise.
// Storage is dense or sparse depending on the number of arcs.
//
// A graph of a random family is a function of (stream, round), so the same seed gives the same
// graph. family_catalogue.h finds families by name.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "hearsay/base/fields.h"
#include "hearsay/graph/distance_weight.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Arms on a square lattice, row by row: rows x side of them.
struct Grid {
  std::size_t side = 5;
  std::size_t rows = 0;               // 0 for as many as `side`
  std::optional<double> spacing = 1;  // nullopt if the lattice fills [0, 1]^2
  DistanceWeight weight = {};

  std::size_t row_count() const { return rows == 0 ? side : rows; }
  std::size_t arm_count() const { return side * row_count(); }
  static const FieldTable<Grid>& fields();
  void check() const;
};
Graph make_grid(const Grid& options);

// Whether the two directions of a pair of arms are drawn independently or have the same weight.
enum class Directions { independent, symmetric };

// Every weight is drawn uniformly from [low, high].
struct Uniform {
  std::size_t arms = 25;
  double low = 0;
  double high = 1;
  Directions directions = Directions::independent;

  static const FieldTable<Uniform>& fields();
  void check() const;
};
Graph make_uniform(const Uniform& options, const Stream& stream, std::uint64_t round = 0);

// Every arc exists with this probability, independently of the others. The gap from one arc of a
// row to the next is drawn, so time and memory are proportional to the number of arcs.
struct ErdosRenyi {
  std::size_t arms = 25;
  double probability = 0.5;
  double weight = 1;
  Directions directions = Directions::independent;

  static const FieldTable<ErdosRenyi>& fields();
  void check() const;
};
// The graph is the same for any number of threads. Symmetric graphs are made on one thread.
Graph make_erdos_renyi(const ErdosRenyi& options, const Stream& stream, std::uint64_t round = 0,
                       std::size_t threads = 1);

// Disjoint cliques of equal size. The arms of a clique have consecutive indices.
struct Cliques {
  std::size_t count = 5;
  std::size_t size = 5;

  std::size_t arm_count() const { return count * size; }
  static const FieldTable<Cliques>& fields();
  void check() const;
};
Graph make_cliques(const Cliques& options);

// Arm 0 and every other arm show each other.
struct Star {
  std::size_t arms = 25;

  static const FieldTable<Star>& fields();
};
Graph make_star(const Star& options);

// Each arm and the next show each other; the last and arm 0 too.
struct Cycle {
  std::size_t arms = 25;
  bool directed = false;  // each arm shows the next one only

  static const FieldTable<Cycle>& fields();
};
Graph make_cycle(const Cycle& options);

// Every arm shows every arm: full information.
struct Complete {
  std::size_t arms = 25;

  static const FieldTable<Complete>& fields();
};
Graph make_complete(const Complete& options);

// No arm shows another: bandit feedback.
struct Empty {
  std::size_t arms = 25;

  static const FieldTable<Empty>& fields();
};
Graph make_empty(const Empty& options);

// Every arm shows every other arm with the same weight.
struct Constant {
  std::size_t arms = 25;
  double weight = 0.5;

  static const FieldTable<Constant>& fields();
};
Graph make_constant(const Constant& options);

// side x side arms on a board; arms a king's move apart show each other.
struct King {
  std::size_t side = 5;

  std::size_t arm_count() const { return side * side; }
  static const FieldTable<King>& fields();
};
Graph make_king(const King& options);

// The remaining families are benchmark graphs of the second DIMACS challenge, made as their
// generators make them, with edges of weight 1. Their clique numbers are known and equal the
// independence numbers of their complements.

// The arms are all words of `length` bits. Two words that differ in at least `distance` places are
// joined by an edge.
struct Hamming {
  std::size_t length = 6;
  std::size_t distance = 4;

  std::size_t arm_count() const;
  static const FieldTable<Hamming>& fields();
  void check() const;
};
Graph make_hamming(const Hamming& options);

// The arms are the words of `length` bits with exactly `ones` bits set. Edges are as in Hamming.
struct Johnson {
  std::size_t length = 8;
  std::size_t ones = 2;
  std::size_t distance = 4;

  std::size_t arm_count() const;
  static const FieldTable<Johnson>& fields();
  void check() const;
};
Graph make_johnson(const Johnson& options);

// The arms are the neighbours of one vertex of Keller's graph. Its vertices are words of digits 0
// to 3. Two words are joined by an edge if they differ in at least two places, in at least one of
// them by exactly 2 (mod 4).
struct Keller {
  std::size_t dimension = 4;

  std::size_t arm_count() const;
  static const FieldTable<Keller>& fields();
};
Graph make_keller(const Keller& options);

}  // namespace hearsay
