#pragma once

// The run that bench_speed compares with: exp3-wix written by hand (plain_loop.h), with losses from
// a table and noise from a very fast generator, compiled for the instruction set of this machine.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hearsay::benchmarks {

// Plays `rounds` rounds, with the rows of `losses` in turn. Returns the loss suffered.
double play_plain_run(std::size_t arms, const std::vector<double>& weights,
                      const std::vector<double>& losses, std::size_t rounds, std::uint64_t seed);

}  // namespace hearsay::benchmarks
