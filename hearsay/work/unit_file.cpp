#include "hearsay/work/unit_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

// An entry is preceded by its size, in decimal digits and a line break.
constexpr std::size_t kSizeDigits = 12;

// Takes the next entry off `rest`; empty if there is no whole one.
std::string_view take_entry(std::string_view& rest) {
  std::size_t size = 0;
  if (rest.size() <= kSizeDigits || rest[kSizeDigits] != '\n' ||
      !read_number(rest.substr(0, kSizeDigits), size) || size > rest.size() - kSizeDigits - 1) {
    return {};
  }
  const std::string_view entry = rest.substr(kSizeDigits + 1, size);
  rest.remove_prefix(kSizeDigits + 1 + size);
  return entry;
}

// Reads one entry into `curves` and returns the index of its unit. Throws Error if it is damaged or
// its unit is not one of the plan.
std::size_t read_entry(std::string_view entry, const Plan& plan, Curves& curves) {
  StateReader reader(entry, "unit-result");
  const std::uint64_t unit = reader.number();
  reader.require(unit < plan.units().size(), "belongs to an unknown unit");
  require_unit(reader, plan.units()[unit]);
  std::vector<CurvePoint> points(curves.of(plan.units()[unit]).size());
  load_points(reader, points);
  reader.finish();
  std::ranges::copy(points, curves.of(plan.units()[unit]).begin());
  return unit;
}

}  // namespace

void write_unit(StateWriter& writer, const Unit& unit) {
  for (const std::size_t part : {unit.sequence, unit.cell, unit.begin, unit.end}) {
    writer.add(std::uint64_t{part});
  }
}

void require_unit(StateReader& reader, const Unit& unit) {
  for (const std::size_t part : {unit.sequence, unit.cell, unit.begin, unit.end}) {
    reader.require(reader.number() == part, "belongs to another unit");
  }
}

std::string unit_file_header(const Plan& plan) {
  return fmt::format("hearsay units of {}\n", plan.fingerprint());
}

std::string unit_file_entry(const Plan& plan, std::size_t unit,
                            std::span<const CurvePoint> points) {
  StateWriter writer("unit-result");
  writer.add(std::uint64_t{unit});
  write_unit(writer, plan.units()[unit]);
  save_points(writer, points);
  const std::string bytes = writer.finish();
  return fmt::format("{:0{}}\n", bytes.size(), kSizeDigits) + bytes;
}

UnitFileContents read_unit_file(std::string_view bytes, const std::string& name, const Plan& plan,
                                Curves& curves) {
  const std::string header = unit_file_header(plan);
  if (!bytes.starts_with(header)) {
    throw Error(name, "belongs to another experiment or version, expected the same experiment");
  }
  UnitFileContents contents;
  std::string_view rest = bytes.substr(header.size());
  contents.whole_bytes = header.size();
  for (std::string_view entry = take_entry(rest); !entry.empty(); entry = take_entry(rest)) {
    try {
      contents.units.push_back(read_entry(entry, plan, curves));
    } catch (const Error&) {  // nothing after a damaged entry can be trusted either
      break;
    }
    contents.whole_bytes = bytes.size() - rest.size();
  }
  return contents;
}

}  // namespace hearsay
