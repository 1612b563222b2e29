#pragma once

// The papers that learners come from, for `hearsay list --bibtex`.

#include <span>
#include <string_view>

namespace hearsay {

struct Paper {
  std::string_view reference;  // as LearnerRow::reference has it
  std::string_view key;        // of the BibTeX entry
  std::string_view bibtex;     // the entry
};

std::span<const Paper> papers();

// Null if the reference is not a paper of the list: a page of docs, or that of a registered
// learner.
const Paper* paper_of(std::string_view reference);

}  // namespace hearsay
