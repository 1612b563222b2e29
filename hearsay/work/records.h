#pragma once

// What every run of a plan was at every point: the raw result, in one place a run whoever computed
// it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/work/block.h"
#include "hearsay/work/plan.h"

namespace hearsay {

class Records {
 public:
  // `plan` outlives it.
  explicit Records(const Plan& plan);

  // Run after run of the unit, point after point.
  std::span<CurvePoint> of(const Unit& unit);

  // Point after point.
  std::span<const CurvePoint> of(std::size_t sequence, std::size_t cell,
                                 std::size_t repetition) const;

 private:
  std::size_t place(std::size_t sequence, std::size_t cell, std::size_t repetition) const;

  const Plan* plan_;
  std::vector<CurvePoint> records_;
};

// Units as bytes, for checkpoints and shards: a header that names the experiment, then a record
// with a checksum for every unit, in any order. It says which runs the unit has, as another version
// may cut them in another way.
std::string unit_file_header(const Plan& plan);
std::string unit_file_record(const Plan& plan, std::size_t unit,
                             std::span<const CurvePoint> records);

struct UnitFileContents {
  std::vector<std::size_t> units;  // whose records are in place now
  std::size_t whole_bytes = 0;     // up to the first record that is torn, damaged or cut otherwise
};

// Throws Error, naming `name`, where the header is another experiment's.
UnitFileContents read_unit_file(std::string_view bytes, const std::string& name, const Plan& plan,
                                Records& records);

}  // namespace hearsay
