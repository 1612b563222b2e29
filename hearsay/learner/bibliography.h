#pragma once

// The papers that learners come from, for `hearsay list --bibtex`.

#include <span>
#include <string_view>

namespace hearsay {

struct Paper {
  std::string_view reference;  // the text of LearnerRow::reference
  std::string_view key;        // of the BibTeX entry
  std::string_view bibtex;     // the whole entry
};

std::span<const Paper> papers();

// Null if the reference is not in the list: it is a page of the documentation, or belongs to a
// learner that a program has registered.
const Paper* paper_of(std::string_view reference);

}  // namespace hearsay
