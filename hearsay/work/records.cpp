#include "hearsay/work/records.h"

#include <algorithm>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

// A record is preceded by its size, in decimal digits and a line break.
constexpr std::size_t kSizeDigits = 12;

// The next record of `rest`, which it is taken off; empty where no whole one is there.
std::string_view take_record(std::string_view& rest) {
  std::size_t size = 0;
  if (rest.size() <= kSizeDigits || rest[kSizeDigits] != '\n' ||
      !read_number(rest.substr(0, kSizeDigits), size) || size > rest.size() - kSizeDigits - 1) {
    return {};
  }
  const std::string_view record = rest.substr(kSizeDigits + 1, size);
  rest.remove_prefix(kSizeDigits + 1 + size);
  return record;
}

}  // namespace

Records::Records(const Plan& plan)
    : plan_(&plan), records_(place(plan.experiment().sequences, 0, 0)) {}

std::size_t Records::place(std::size_t sequence, std::size_t cell, std::size_t repetition) const {
  const std::size_t run =
      (sequence * plan_->cells().size() + cell) * plan_->experiment().repetitions + repetition;
  return run * plan_->points().size();
}

std::span<CurvePoint> Records::of(const Unit& unit) {
  return std::span(records_).subspan(place(unit.sequence, unit.cell, unit.begin),
                                     unit.runs() * plan_->points().size());
}

std::span<const CurvePoint> Records::of(std::size_t sequence, std::size_t cell,
                                        std::size_t repetition) const {
  return std::span(records_).subspan(place(sequence, cell, repetition), plan_->points().size());
}

std::string unit_file_header(const Plan& plan) {
  return fmt::format("hearsay units of {}\n", plan.fingerprint());
}

std::string unit_file_record(const Plan& plan, std::size_t unit,
                             std::span<const CurvePoint> records) {
  StateWriter writer("unit-result");
  writer.add(std::uint64_t{unit});
  write_unit(writer, plan.units()[unit]);
  save_points(writer, records);
  const std::string bytes = writer.finish();
  return fmt::format("{:0{}}\n", bytes.size(), kSizeDigits) + bytes;
}

UnitFileContents read_unit_file(std::string_view bytes, const std::string& name, const Plan& plan,
                                Records& records) {
  const std::string header = unit_file_header(plan);
  if (!bytes.starts_with(header)) {
    throw Error(name, "is of another experiment or another version, expected this one's");
  }
  UnitFileContents contents;
  std::string_view rest = bytes.substr(header.size());
  contents.whole_bytes = header.size();
  for (std::string_view record = take_record(rest); !record.empty(); record = take_record(rest)) {
    try {
      StateReader reader(record, "unit-result");
      const std::uint64_t unit = reader.number();
      if (unit >= plan.units().size()) {
        break;
      }
      require_unit(reader, plan.units()[unit]);
      std::vector<CurvePoint> read(records.of(plan.units()[unit]).size());
      load_points(reader, read);
      reader.finish();
      std::ranges::copy(read, records.of(plan.units()[unit]).begin());
      contents.units.push_back(unit);
    } catch (const Error&) {  // damaged: what follows cannot be trusted either
      break;
    }
    contents.whole_bytes = bytes.size() - rest.size();
  }
  return contents;
}

}  // namespace hearsay
