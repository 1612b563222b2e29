#pragma once

// Prints the claims of the paper as a table to standard output, wrapped to fit the
// terminal, and then how many hold.

#include "reproduce/claims.h"

namespace hearsay::cli {

void print_claims(const reproduce::Claims& claims);

}  // namespace hearsay::cli
