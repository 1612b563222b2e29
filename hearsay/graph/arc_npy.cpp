// NumPy files with an array of records (played, seen, weight), one arc of 16 bytes each. Binary
// records are faster to read than text.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/base/npy.h"
#include "hearsay/graph/formats.h"
#include "hearsay/graph/storage.h"

namespace hearsay::formats {
namespace {

constexpr NpyRecords kArcs = {"[('played','<u4'),('seen','<u4'),('weight','<f8')]", 16};

// The records of a file, decoded on access.
class Records {
 public:
  explicit Records(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size() / kArcs.record_size; }
  Arc operator[](std::size_t k) const {
    const char* record = bytes_.data() + k * kArcs.record_size;
    return {little_endian<std::uint32_t>(record), little_endian<std::uint32_t>(record + 4),
            std::bit_cast<double>(little_endian<std::uint64_t>(record + 8))};
  }

 private:
  std::string_view bytes_;
};

// What a first pass over the records finds.
struct Shape {
  std::size_t arms = 0;      // 1 + the largest index
  std::size_t diagonal = 0;  // number of records whose two arms are the same
  bool in_order = true;  // sorted by played, then seen, without weight 0, as print_arc_npy writes
};

// For sorted records with the whole diagonal: fills the rows directly, without a list of arcs.
Graph graph_in_order(const Records& records, std::size_t arms) {
  std::vector<std::size_t> row_begin(arms + 1);
  auto seen = filled<Arm>(records.size());
  auto weights = filled<double>(records.size());
  for (std::size_t k = 0; k < records.size(); ++k) {
    const Arc arc = records[k];
    ++row_begin[arc.played + 1];
    seen[k] = arc.seen;
    weights[k] = arc.weight;
    note_work(1);
  }
  std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
  return in_fitting_storage(
      Graph::sparse_rows(arms, std::move(row_begin), std::move(seen), std::move(weights)));
}

Graph graph_in_any_order(const Records& records, std::size_t arms) {
  auto arcs = filled<Arc>(records.size());
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    arcs[k] = records[k];
    note_work(1);
  }
  return graph_of_arcs(arms, std::move(arcs));
}

}  // namespace

Graph parse_arc_npy(std::string_view bytes, const std::string& name,
                    const GraphReadOptions& options) {
  const std::string_view values = read_npy_records(bytes, name, kArcs);
  const Records records(values);
  const auto place_of_record = [&](std::size_t k) {
    return fmt::format("{}: byte {}", name, bytes.size() - values.size() + k * kArcs.record_size);
  };
  const std::size_t most = most_arms(bytes.size(), options);
  Shape shape;
  Arc before;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const Arc arc = records[k];
    const std::size_t largest = std::max(arc.played, arc.seen);
    if (largest >= most) {
      throw Error(place_of_record(k), wrong_arm_message(fmt::to_string(largest), most, options));
    }
    shape.arms = std::max(shape.arms, largest + 1);
    shape.diagonal += arc.played == arc.seen ? 1 : 0;
    shape.in_order = shape.in_order && arc.weight != 0 &&
                     (k == 0 || before.played < arc.played ||
                      (before.played == arc.played && before.seen < arc.seen));
    before = arc;
    note_work(1);
  }
  const std::size_t arms = arms_of_list(shape.arms, name, options);
  try {
    return shape.in_order && shape.diagonal == arms ? graph_in_order(records, arms)
                                                    : graph_in_any_order(records, arms);
  } catch (const ArcError& error) {
    std::size_t k = records.size() - 1;  // if an arc is given twice, the last one is the fault
    while (k > 0 && (records[k].played != error.played() || records[k].seen != error.seen())) {
      --k;
    }
    throw Error(place_of_record(k), error.what());
  }
}

void print_arc_npy(const Graph& graph, const ByteSink& sink) {
  // The diagonal is written too: it gives the number of arms and the self weight.
  std::string text = npy_preamble(kArcs, graph.arc_count() + graph.arms());
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      append_little_endian(text, played);
      append_little_endian(text, seen);
      append_little_endian(text, std::bit_cast<std::uint64_t>(weight));
      flush_if_large(text, sink);
    });
  }
  sink(text);
}

}  // namespace hearsay::formats
