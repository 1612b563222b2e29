#pragma once

// A sequential source of random numbers for tests, the same in every run, and random graphs.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : stream_(seed, Purpose::test) {}

  double uniform() { return stream_.uniform(++drawn_); }
  bool chance(double p) { return uniform() < p; }  // true with probability p

  double between(double low, double high) { return low + (high - low) * uniform(); }

  // A uniform whole number from 0 to n - 1.
  std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(n));
  }

 private:
  Stream stream_;
  std::uint64_t drawn_ = 0;
};

// The weights of a directed graph in row-major order, some of them exactly 0 and some exactly 1.
inline std::vector<double> random_weights(RandomSource& dice, std::size_t n,
                                          double self_weight = 1) {
  std::vector<double> weights(n * n);
  for (double& weight : weights) {
    weight = dice.uniform();
    if (dice.chance(0.2)) {
      weight = 0;
    } else if (dice.chance(0.2)) {
      weight = 1;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    weights[i * n + i] = self_weight;
  }
  return weights;
}

inline Graph random_graph(RandomSource& dice, std::size_t n, double self_weight = 1) {
  return Graph::dense(n, random_weights(dice, n, self_weight));
}

}  // namespace hearsay
