#pragma once

// Finds graph families by name, each with a table of its options. Experiment files, the command
// line and Python use this catalogue. A program may register families of its own before it uses
// them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string_view>
#include <type_traits>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

struct GraphFamily {
  CatalogueEntry entry;
  std::string_view example;  // options on the command line
  AnyOptions defaults;
  bool is_random = false;  // whether the graph depends on the stream and the round

  // Returns the number of arms. Throws Error as `make` does.
  std::function<std::size_t(const AnyOptions& options)> arms;

  // Makes the graph, which is the same for any number of threads. Throws Error at the name of an
  // option that is out of its range.
  std::function<Graph(const AnyOptions& options, const Stream& stream, std::uint64_t round,
                      std::size_t threads)>
      make;
};

// Describes a family by the function that makes its graphs: make(options), or, for a random family,
// make(options, stream, round) or make(options, stream, round, threads). The options must have a
// member `arms` or a function arm_count().
template <class Options, class Make>
GraphFamily graph_family(const CatalogueEntry& entry, std::string_view example,
                         const Options& defaults, Make make) {
  constexpr bool kThreaded =
      std::is_invocable_v<Make, const Options&, const Stream&, std::uint64_t, std::size_t>;
  constexpr bool kRandom = std::is_invocable_v<Make, const Options&, const Stream&, std::uint64_t>;
  const auto arms = [](const AnyOptions& options) -> std::size_t {
    options.check();
    if constexpr (requires(const Options& given) { given.arm_count(); }) {
      return options.as<Options>().arm_count();
    } else {
      return options.as<Options>().arms;
    }
  };
  return {entry,
          example,
          defaults,
          kThreaded || kRandom,
          arms,
          [make](const AnyOptions& options, [[maybe_unused]] const Stream& stream,
                 [[maybe_unused]] std::uint64_t round, [[maybe_unused]] std::size_t threads) {
            if constexpr (kThreaded) {
              return make(options.as<Options>(), stream, round, threads);
            } else if constexpr (kRandom) {
              return make(options.as<Options>(), stream, round);
            } else {
              return make(options.as<Options>());
            }
          }};
}

// All families in the order of registration, the built-in ones first.
const std::deque<GraphFamily>& graph_families();

// Throws Error if there is no family of that name.
const GraphFamily& find_graph_family(std::string_view name);

// Must not be called while other threads use the catalogue. Throws Error if the name is taken. From
// then on `make` throws Error if a graph has another number of arms than `arms` states.
void register_graph_family(GraphFamily family);

}  // namespace hearsay
