#include "cliquer_number.h"

#include <cliquer/cliquer.h>

int cliquer_number(int vertices, const unsigned* ends, size_t edges, int cap) {
  clique_options options = *clique_default_options;
  options.time_function = NULL; /* the default function prints */
  graph_t* graph = graph_new(vertices);
  for (size_t k = 0; k < edges; ++k) {
    GRAPH_ADD_EDGE(graph, (int)ends[2 * k], (int)ends[2 * k + 1]);
  }
  int number = cap;
  set_t large = NULL;
  if (cap < vertices) {
    large = clique_unweighted_find_single(graph, cap, cap, FALSE, &options);
  }
  if (large != NULL) {
    set_free(large);
  } else {
    number = clique_unweighted_max_weight(graph, &options);
  }
  graph_free(graph);
  return number < cap ? number : cap;
}
