#include <iostream>

#include <hearsay/graph/graph.h>
#include <hearsay/version.h>

int main() {
  const auto graph = hearsay::Graph::sparse(2, {{.played = 0, .seen = 1, .weight = 0.25}});
  std::cout << "hearsay " << hearsay::kVersion << ": " << graph.arms() << " arms, "
            << graph.arc_count() << " arc\n";
}
