#pragma once

// Graphs to experiment on, each from a few numbers: a struct of options for each family and a
// function that makes the graph. An option that is out of its range throws Error at its name.
// Storage is chosen by how full a graph is; what would take many gigabytes is out of range (16384
// arms where all weights are stored, 2^27 arcs elsewhere).
//
// A graph of a random family is a function of (stream, round): the same graph for the same seed.
// family_catalogue.h has the families by name.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/base/fields.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// How a weight falls with the distance d of two arms.
struct DistanceWeight {
  enum class Law {
    inverse_square_cap,       // min(cap / d^2, 1)
    inverse_one_plus_square,  // 1 / (1 + d^2)
    inverse_square_one_plus,  // 1 / (1 + d)^2
  };
  Law law = Law::inverse_square_cap;
  double cap = 3;  // of inverse_square_cap

  double operator()(double squared_distance) const;
};

// "inverse-square-cap:3", "inverse-one-plus-square" or "inverse-square-one-plus".
DistanceWeight parse_distance_weight(std::string_view text);
std::string distance_weight_text(const DistanceWeight& weight);

// side x side arms on a square lattice, row by row.
struct Grid {
  std::size_t side = 5;
  std::optional<double> spacing = 1;  // none: the lattice fills [0, 1]^2
  DistanceWeight weight = {};

  std::size_t arm_count() const { return side * side; }
  static const FieldTable<Grid>& fields();
  void check() const;
};
Graph make_grid(const Grid& options);

// Which pairs of arms have a weight of their own: each direction, or both the same one.
enum class Directions { independent, symmetric };

// Every weight drawn uniformly from [low, high].
struct Uniform {
  std::size_t arms = 25;
  double low = 0;
  double high = 1;
  Directions directions = Directions::independent;

  static const FieldTable<Uniform>& fields();
  void check() const;
};
Graph make_uniform(const Uniform& options, const Stream& stream, std::uint64_t round = 0);

// Every arc there with this probability, independently of the others. Takes time and memory in
// proportion to the arcs: from one arc of a row to the next, the gap is drawn.
struct ErdosRenyi {
  std::size_t arms = 25;
  double probability = 0.5;
  double weight = 1;
  Directions directions = Directions::independent;

  static const FieldTable<ErdosRenyi>& fields();
  void check() const;
};
// The graph is the same for any number of threads; symmetric ones are made on one.
Graph make_erdos_renyi(const ErdosRenyi& options, const Stream& stream, std::uint64_t round = 0,
                       std::size_t threads = 1);

// Disjoint cliques of one size; arms of a clique follow one another.
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

// An arm and the next show each other.
struct Cycle {
  std::size_t arms = 25;

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

// One weight for every arc.
struct Constant {
  std::size_t arms = 25;
  double weight = 0.5;

  static const FieldTable<Constant>& fields();
};
Graph make_constant(const Constant& options);

// side x side arms, those a king's move apart show each other.
struct King {
  std::size_t side = 5;

  std::size_t arm_count() const { return side * side; }
  static const FieldTable<King>& fields();
};
Graph make_king(const King& options);

// The benchmark graphs of the second DIMACS challenge, after their generators; edges have weight 1.
// Their clique numbers are known, and are the independence numbers of their complements.

// All words of `length` bits; an edge where two differ in at least `distance` places.
struct Hamming {
  std::size_t length = 6;
  std::size_t distance = 4;

  std::size_t arm_count() const;
  static const FieldTable<Hamming>& fields();
  void check() const;
};
Graph make_hamming(const Hamming& options);

// The words of `length` bits of which `ones` are 1; edges as above.
struct Johnson {
  std::size_t length = 8;
  std::size_t ones = 2;
  std::size_t distance = 4;

  std::size_t arm_count() const;
  static const FieldTable<Johnson>& fields();
  void check() const;
};
Graph make_johnson(const Johnson& options);

// The neighbours of one vertex of Keller's graph: words over 0..3, an edge where two differ in at
// least two places, in one of them by exactly 2 (mod 4).
struct Keller {
  std::size_t dimension = 4;

  std::size_t arm_count() const;
  static const FieldTable<Keller>& fields();
};
Graph make_keller(const Keller& options);

}  // namespace hearsay
