#include "hearsay/learner/covering_program.h"

#include <algorithm>
#include <cmath>

#include "hearsay/base/error.h"

#ifdef HEARSAY_CLP
#include <limits>
#include <memory>

#include <coin/Clp_C_Interface.h>
#endif

namespace hearsay {

#ifdef HEARSAY_CLP

namespace {

struct DeleteModel {
  void operator()(Clp_Simplex* model) const { Clp_deleteModel(model); }
};

// Column j has the amounts by j, in increasing order of `of`.
struct Columns {
  std::vector<int> begin;
  std::vector<int> rows;
  std::vector<double> amounts;
};

Columns columns_of(std::size_t size, std::span<const CoveringEntry> entries) {
  std::vector<CoveringEntry> sorted(entries.begin(), entries.end());
  std::ranges::sort(sorted, [](const CoveringEntry& a, const CoveringEntry& b) {
    return a.by != b.by ? a.by < b.by : a.of < b.of;
  });
  Columns columns;
  columns.begin.resize(size + 1);
  for (const CoveringEntry& entry : sorted) {
    columns.rows.push_back(static_cast<int>(entry.of));
    columns.amounts.push_back(entry.amount);
    ++columns.begin[entry.by + 1];
  }
  for (std::size_t j = 0; j < size; ++j) {
    columns.begin[j + 1] += columns.begin[j];
  }
  return columns;
}

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
  const std::unique_ptr<Clp_Simplex, DeleteModel> model(Clp_newModel());
  Clp_setLogLevel(model.get(), 0);
  Clp_loadProblem(model.get(), static_cast<int>(n), static_cast<int>(n), columns.begin.data(),
                  columns.rows.data(), columns.amounts.data(), none.data(), unlimited.data(),
                  costs.data(), demands.data(), unlimited.data());
  Clp_primal(model.get(), 0);
  std::vector<double> solution(n);
  if (Clp_status(model.get()) == 0) {
    const double* x = Clp_primalColumnSolution(model.get());
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
  throw Error("this build has no solver for covering programs");
}

#endif

}  // namespace hearsay
