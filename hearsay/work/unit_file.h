#pragma once

// Finished units as bytes, for checkpoints and shards: a header that names the experiment, then an
// entry with a checksum for every unit, in any order. An entry says which runs its unit has,
// because another version of hearsay may divide the runs into units in another way.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"

namespace hearsay {

// Which runs a saved state belongs to. require_unit() throws Error if they are not those of `unit`.
void write_unit(StateWriter& writer, const Unit& unit);
void require_unit(StateReader& reader, const Unit& unit);

std::string unit_file_header(const Plan& plan);

// `unit` is an index in plan.units().
std::string unit_file_entry(const Plan& plan, std::size_t unit, std::span<const CurvePoint> points);

struct UnitFileContents {
  std::vector<std::size_t> units;  // indices of the units that were read into the curves
  std::size_t whole_bytes = 0;     // size up to the first incomplete, damaged or unknown entry
};

// Reads the entries of a file into `curves`, up to the first one that is incomplete or damaged.
// `name` is what messages call the file. Throws Error if the header is that of another experiment.
UnitFileContents read_unit_file(std::string_view bytes, const std::string& name, const Plan& plan,
                                Curves& curves);

}  // namespace hearsay
