#include "benchmarks/plain_run.h"

#include "benchmarks/plain_loop.h"

namespace hearsay::benchmarks {
namespace {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

double play_plain_run(std::size_t arms, const std::vector<double>& weights,
                      const std::vector<double>& losses, std::size_t rounds, std::uint64_t seed) {
  PlainWix learner(arms, weights);
  SplitMix64 random(seed);
  std::vector<double> seen(arms);
  double suffered = 0;
  const std::size_t rows = losses.size() / arms;
  for (std::size_t t = 0; t < rounds; ++t) {
    const double* loss = losses.data() + t % rows * arms;
    const std::size_t arm = learner.draw(random.uniform());
    suffered += loss[arm];
    const double* weight = weights.data() + arm * arms;
    for (std::size_t i = 0; i < arms; ++i) {
      seen[i] = weight[i] * loss[i] + (1 - weight[i]) * (2 * random.uniform() - 1);
    }
    learner.observe(arm, seen.data());
  }
  return suffered;
}

}  // namespace hearsay::benchmarks
