#include "reproduce/graph_studies.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "hearsay/random/stream.h"

namespace hearsay::reproduce {
namespace {

// Fills in the result of each point that has none, each graph on one thread. `graph_of(point)`
// makes the graph.
template <class Point, class MakeGraph>
void solve_each(std::span<Point> points, const MakeGraph& graph_of, const Effort& effort,
                const GraphProgress& progress) {
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].result.exact) {
      waiting.push_back(i);
    }
  }
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t done = points.size() - waiting.size();
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < waiting.size() && !effort.stopped(); i = next++) {
        Point& point = points[waiting[i]];
        const Effort alone{.threads = 1, .stop = effort.stop};
        EffectiveIndependence result = effective_independence(graph_of(point), {.effort = alone});
        if (result.exact) {
          const std::scoped_lock lock(mutex);
          point.result = std::move(result);
          ++done;
          if (progress) {
            progress(done, points.size());
          }
        }
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = waiting.size();
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
}

}  // namespace

std::string name_of(const WeightLaw& law) {
  return fmt::format("U({}, {})", law.low, law.high);
}

std::string formula(const DistanceWeight& weight) {
  switch (weight.law) {
    case DistanceWeight::Law::inverse_one_plus_square:
      return "1/(1+d^2)";
    case DistanceWeight::Law::inverse_square_one_plus:
      return "1/(1+d)^2";
    default:
      return fmt::format("min({}/d^2, 1)", weight.cap);
  }
}

std::vector<RandomGraphPoint> random_graph_points(const RandomGraphs& study) {
  std::vector<RandomGraphPoint> points;
  for (const WeightLaw& law : study.laws) {
    for (const std::size_t arms : study.sizes) {
      for (std::size_t graph = 0; graph < study.graphs; ++graph) {
        points.push_back({.law = law, .arms = arms, .graph = graph, .result = {}});
      }
    }
  }
  return points;
}

void solve(const RandomGraphs& study, std::span<RandomGraphPoint> points, const Effort& effort,
           const GraphProgress& progress) {
  const auto graph_of = [&](const RandomGraphPoint& point) {
    // The size is the round: graphs of different sizes share no draws.
    return make_uniform({.arms = point.arms, .low = point.law.low, .high = point.law.high},
                        Stream(study.seed, Purpose::graph, point.graph), point.arms);
  };
  solve_each(points, graph_of, effort, progress);
}

std::vector<GridPoint> grid_points(const UnitSquareGrids& study) {
  std::vector<GridPoint> points;
  for (const DistanceWeight& weight : study.weights) {
    for (std::size_t side = study.first_side; side <= study.last_side; ++side) {
      points.push_back({.weight = weight, .side = side, .result = {}});
    }
  }
  return points;
}

void solve(std::span<GridPoint> points, const Effort& effort, const GraphProgress& progress) {
  const auto graph_of = [](const GridPoint& point) {
    return make_grid({.side = point.side, .spacing = std::nullopt, .weight = point.weight});
  };
  solve_each(points, graph_of, effort, progress);
}

}  // namespace hearsay::reproduce
