#include "hearsay/graph/family_catalogue.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/registry.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/families.h"

namespace hearsay {
namespace {

constexpr std::string_view kPaper =
    "Kocak, Neu, Valko, Online learning with noisy side observations, AISTATS 2016";
constexpr std::string_view kDimacs =
    "Johnson and Trick (eds.), Cliques, Coloring, and Satisfiability: Second DIMACS Implementation "
    "Challenge, AMS 1996";
constexpr std::string_view kModel = "docs/model.md";

Registry<GraphFamily>& registry() {
  static Registry<GraphFamily> families(
      "family",
      {
          graph_family(
              {"grid", "arms on a square lattice, weights that decrease with the distance", kPaper},
              "--side 5 --unit-square --weight inverse-one-plus-square", Grid{}, make_grid),
          graph_family({"uniform", "every weight drawn uniformly from an interval", kPaper},
                       "--arms 100 --low 0.5 --high 1", Uniform{}, make_uniform),
          graph_family({"erdos-renyi", "every arc exists with the same probability, independently",
                        "Erdos and Renyi, On random graphs I, Publ. Math. Debrecen 6, 1959"},
                       "--arms 100 --p 0.1", ErdosRenyi{}, make_erdos_renyi),
          graph_family({"cliques", "disjoint cliques of equal size", kModel}, "--count 4 --size 6",
                       Cliques{}, make_cliques),
          graph_family({"star", "arm 0 and every other arm show each other", kModel}, "--arms 10",
                       Star{}, make_star),
          graph_family({"cycle", "each arm and the next show each other", kModel}, "--arms 10",
                       Cycle{}, make_cycle),
          graph_family({"complete", "every arm shows every arm: full information", kModel},
                       "--arms 10", Complete{}, make_complete),
          graph_family({"empty", "no arm shows another: bandit feedback", kModel}, "--arms 10",
                       Empty{}, make_empty),
          graph_family({"constant", "the same weight for every arc", kModel},
                       "--arms 25 --weight 0.5", Constant{}, make_constant),
          graph_family({"king", "a square board, arms a king's move apart show each other", kModel},
                       "--side 8", King{}, make_king),
          graph_family(
              {"hamming", "all bit words, adjacent if they differ in enough places", kDimacs},
              "--length 8 --distance 4", Hamming{}, make_hamming),
          graph_family({"johnson",
                        "bit words with a given number of ones, adjacent if they differ in enough "
                        "places",
                        kDimacs},
                       "--length 8 --ones 4 --distance 4", Johnson{}, make_johnson),
          graph_family(
              {"keller", "the neighbours of a vertex of Keller's graph",
               "Lagarias and Shor, Keller's cube-tiling conjecture is false in high dimensions, "
               "Bull. AMS 27, 1992"},
              "--dimension 4", Keller{}, make_keller),
      });
  return families;
}

}  // namespace

const std::deque<GraphFamily>& graph_families() {
  return registry().rows();
}

const GraphFamily& find_graph_family(std::string_view name) {
  return registry().find(name);
}

void register_graph_family(GraphFamily family) {
  family.make = [name = std::string(family.entry.name), arms = family.arms,
                 make = std::move(family.make)](const AnyOptions& options, const Stream& stream,
                                                std::uint64_t round, std::size_t threads) {
    const auto made = [&] {
      try {
        return make(options, stream, round, threads);
      } catch (const Error& error) {
        if (!error.place().empty()) {  // an option
          throw;
        }
        throw Error("family",
                    fmt::format("{}, round {}: {}", in_quotes(name), round, error.what()));
      }
    };
    Graph graph = made();
    if (const std::size_t stated = arms(options); graph.arms() != stated) {
      throw Error("family", fmt::format("{} made a graph of {} arms, expected {}, the number that "
                                        "it states for these options",
                                        in_quotes(name), graph.arms(), stated));
    }
    return graph;
  };
  registry().add(std::move(family));
}

}  // namespace hearsay
