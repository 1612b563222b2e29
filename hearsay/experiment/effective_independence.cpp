#include "hearsay/experiment/effective_independence.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

// Fills in the result of each point by its graph, one thread a graph, and keeps the points that are
// done. `graph_of(point)` makes the graph.
template <class Point, class MakeGraph>
void solve(std::vector<Point>& points, const MakeGraph& graph_of, const Effort& effort,
           const GraphProgress& progress) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < points.size(); i = next++) {
        const Effort alone{.threads = 1, .stop = effort.stop};
        points[i].result = effective_independence(graph_of(points[i]), {.effort = alone});
        if (points[i].result.exact) {
          const std::scoped_lock lock(mutex);
          ++done;
          if (progress) {
            progress(done, points.size());
          }
        }
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = points.size();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < effort.threads; ++i) {
      others.emplace_back(work);
    }
    work();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  std::erase_if(points, [](const Point& point) { return !point.result.exact; });
}

}  // namespace

std::vector<RandomGraphPoint> random_graphs(const RandomGraphs& experiment, const Effort& effort,
                                            const GraphProgress& progress) {
  std::vector<RandomGraphPoint> points;
  for (const UniformLaw& law : experiment.laws) {
    for (const std::size_t arms : experiment.sizes) {
      for (std::size_t graph = 0; graph < experiment.graphs; ++graph) {
        points.push_back({.law = law, .arms = arms, .graph = graph, .result = {}});
      }
    }
  }
  const auto graph_of = [&](const RandomGraphPoint& point) {
    // The size is the round: graphs of different sizes share no draws.
    return make_uniform({.arms = point.arms, .low = point.law.low, .high = point.law.high},
                        Stream(experiment.seed, Purpose::graph, point.graph), point.arms);
  };
  solve(points, graph_of, effort, progress);
  return points;
}

std::vector<GridPoint> unit_square_grids(const UnitSquareGrids& experiment, const Effort& effort,
                                         const GraphProgress& progress) {
  std::vector<GridPoint> points;
  for (const DistanceWeight& weight : experiment.weights) {
    for (std::size_t side = experiment.first_side; side <= experiment.last_side; ++side) {
      points.push_back({.weight = weight, .side = side, .result = {}});
    }
  }
  const auto graph_of = [](const GridPoint& point) {
    return make_grid({.side = point.side, .spacing = std::nullopt, .weight = point.weight});
  };
  solve(points, graph_of, effort, progress);
  return points;
}

}  // namespace hearsay
