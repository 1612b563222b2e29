#pragma once

// The graphs and losses that an experiment describes. Each function throws Error at the option, or
// the file, that is wrong.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "hearsay/environment/losses.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// The absolute path of a file whose path is relative to `directory`. Throws Error if it is not
// UTF-8, because experiment.toml and the report could not name it.
std::string data_path(const std::string& directory, const std::string& path);

// Parse `bytes`, the contents of `file`. If file.checksum is set, the bytes must have that
// checksum; otherwise it is set to theirs.
FileGraph parse_graph_file(DataFile file, std::string_view bytes);
LossesInFile parse_losses_file(DataFile file, std::string_view bytes);

// Whether the graph depends on the stream that make_graph() is given.
bool is_random(const GraphSource& source);

// `round` distinguishes graphs that are drawn from one stream.
Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round);

// The number of arms. No graph is made for it.
std::size_t arms_of(const GraphSource& source);

// Throws Error if the losses are for another number of arms, or end before the horizon.
void check_losses(const LossSource& source, std::size_t arms, std::uint64_t horizon);

std::unique_ptr<Losses> make_losses(const LossSource& source, std::size_t arms,
                                    const Stream& stream);

}  // namespace hearsay
