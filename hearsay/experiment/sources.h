#pragma once

// Graphs and losses from what an experiment says of them. Each function throws Error at the option,
// or the file, that is wrong.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hearsay/environment/losses.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Whether another stream gives another graph.
bool is_random(const GraphSource& source);

// `round` distinguishes graphs that are drawn from one stream.
Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round);

// The number of arms. No graph is made for it, but one in a file is read.
std::size_t arms_of(const GraphSource& source);

// Whether the losses depend on what is played.
bool is_adaptive(const LossSource& source);

// The losses in a file, which must have so many arms and at least so many rounds.
losses::Table read_losses(const DataFile& file, std::size_t arms, std::uint64_t horizon);

// `in_file`: what read_losses returned if they are in a file.
std::unique_ptr<Losses> make_losses(const LossSource& source, std::size_t arms,
                                    std::shared_ptr<const losses::Table> in_file,
                                    const Stream& stream);

}  // namespace hearsay
