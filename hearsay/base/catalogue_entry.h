#pragma once

// What `hearsay list` shows of anything that has a name.

#include <string_view>

namespace hearsay {

struct CatalogueEntry {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view reference;  // where it comes from
};

}  // namespace hearsay
