#include "fuzz/graph_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hearsay::fuzz::check_reader(hearsay::GraphFormat::arc_npy, data, size);
  return 0;
}
