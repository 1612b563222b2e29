#pragma once

// Ctrl-C as something to look at.

namespace hearsay::cli {

// From now on the first Ctrl-C (or request to terminate) is kept in mind; a second one ends the
// program as usual.
void watch_for_interrupt();

bool interrupted();

}  // namespace hearsay::cli
