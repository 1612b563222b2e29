#pragma once

// Ctrl-C as something to look at. Once one of these exists, the first Ctrl-C (or termination
// request) is kept in mind; a second one ends the program as usual.

namespace hearsay::cli {

class Interrupt {
 public:
  Interrupt();

  bool came() const;
};

}  // namespace hearsay::cli
