#pragma once

// Graphs and losses from what an experiment says of them. Each function throws Error naming the
// option, or the file, that is wrong.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hearsay/environment/losses.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Whether the graph is drawn, so that another stream gives another one.
bool is_random(const GraphSource& source);

// `round` tells apart graphs that are drawn from one stream.
Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round);

// The losses in a file, which must be of so many arms and at least so many rounds.
losses::Table read_losses(const DataFile& file, std::size_t arms, std::uint64_t horizon);

// `in_file`: what read_losses gave where they are in a file.
std::unique_ptr<Losses> make_losses(const LossPlan& plan, std::size_t arms,
                                    std::shared_ptr<const losses::Table> in_file,
                                    const Stream& stream);

}  // namespace hearsay
