#pragma once

// What `hearsay list` shows for each learner, graph family, kind of graph sequence, kind of losses
// and noise law.

#include <string_view>

namespace hearsay {

struct CatalogueEntry {
  std::string_view name;
  std::string_view summary;    // one line
  std::string_view reference;  // the paper or page that defines it
};

}  // namespace hearsay
