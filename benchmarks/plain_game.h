#pragma once

// The game of bench_speed as a plain loop: exp3-wix by hand (plain_loop.h), losses from a table,
// and noise from a generator that costs next to nothing. Compiled for this very machine.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearsay::benchmarks {

// Plays `rounds` rounds, on rows of `losses` in turn. Returns the loss suffered.
double play_plain_game(std::size_t arms, const std::vector<double>& weights,
                       const std::vector<double>& losses, std::size_t rounds, std::uint64_t seed);

}  // namespace hearsay::benchmarks
