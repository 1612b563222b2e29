#pragma once

// How many threads a caller may ask for: more than any machine has cores, and few enough that they
// can be started.

namespace hearsay {

inline constexpr unsigned kMostThreads = 4096;

}  // namespace hearsay
