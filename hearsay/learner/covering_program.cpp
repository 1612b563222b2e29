#include "hearsay/learner/covering_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <tuple>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

#ifdef HEARSAY_CLP
#include <exception>
#include <limits>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#endif

namespace hearsay {

#ifdef HEARSAY_CLP

namespace {

// The matrix in compressed columns: column j has the entries with by == j, in increasing order of
// `of`.
struct Columns {
  std::vector<int> begin;
  std::vector<int> rows;
  std::vector<double> amounts;
};

Columns columns_of(std::size_t size, std::span<const CoveringEntry> entries) {
  assert(std::ranges::is_sorted(entries, [](const auto& a, const auto& b) {
    return std::tie(a.by, a.of) < std::tie(b.by, b.of);
  }));
  Columns columns;
  columns.begin.resize(size + 1);
  for (const CoveringEntry& entry : entries) {
    columns.rows.push_back(static_cast<int>(entry.of));
    columns.amounts.push_back(entry.amount);
    ++columns.begin[entry.by + 1];
    note_work(1);
  }
  for (std::size_t j = 0; j < size; ++j) {
    columns.begin[j + 1] += columns.begin[j];
  }
  return columns;
}

// Ends the search when this thread is interrupted. The solver does not expect exceptions, so an
// exception of note_work() is kept until the solver has returned. The solver makes a copy of the
// handler.
class StopIfInterrupted final : public ClpEventHandler {
 public:
  StopIfInterrupted(std::size_t steps_of_iteration, std::exception_ptr& thrown)
      : steps_(steps_of_iteration), thrown_(&thrown) {}

  int event(Event which) override {
    constexpr int kContinue = -1;
    constexpr int kStop = 0;
    if (which == endOfIteration && !*thrown_) {
      try {
        note_work(steps_);
      } catch (...) {
        *thrown_ = std::current_exception();
      }
    }
    return *thrown_ ? kStop : kContinue;
  }

  ClpEventHandler* clone() const override { return new StopIfInterrupted(*this); }

 private:
  std::size_t steps_;
  std::exception_ptr* thrown_;
};

}  // namespace

bool has_covering_solver() {
  return true;
}

std::vector<double> cheapest_cover(std::span<const double> costs, std::span<const double> demands,
                                   std::span<const CoveringEntry> entries) {
  const std::size_t n = costs.size();
  const Columns columns = columns_of(n, entries);
  const std::vector<double> none(n, 0.0);
  const std::vector<double> unlimited(n, std::numeric_limits<double>::max());
  std::exception_ptr thrown;
  const StopIfInterrupted stop(entries.size(), thrown);
  ClpSimplex model;
  model.setLogLevel(0);
  model.passInEventHandler(&stop);
  model.loadProblem(static_cast<int>(n), static_cast<int>(n), columns.begin.data(),
                    columns.rows.data(), columns.amounts.data(), none.data(), unlimited.data(),
                    costs.data(), demands.data(), unlimited.data());
  note_work(entries.size());  // loadProblem() has copied them
  // Costs are positive, so the initial basis, x = 0, is dual feasible, and the dual simplex method
  // needs no first phase.
  model.dual();
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  std::vector<double> solution(n);
  if (model.status() == 0) {
    const double* x = model.primalColumnSolution();
    std::transform(x, x + n, solution.begin(), [](double value) { return std::max(value, 0.0); });
  } else {
    for (const CoveringEntry& entry : entries) {
      if (entry.by == entry.of) {
        solution[entry.by] = demands[entry.of] / entry.amount;
      }
    }
  }
  return solution;
}

#else

bool has_covering_solver() {
  return false;
}

std::vector<double> cheapest_cover(std::span<const double> /*costs*/,
                                   std::span<const double> /*demands*/,
                                   std::span<const CoveringEntry> /*entries*/) {
  throw Error(
      std::string("this build has no solver for covering programs, expected a build with ") +
      kCoveringSolver);
}

#endif

}  // namespace hearsay
