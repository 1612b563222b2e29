#pragma once

// Claims as a table on standard output, its columns wrapped to fit a terminal.

#include "reproduce/claims.h"

namespace hearsay::cli {

void print_claims(const Claims& claims);

}  // namespace hearsay::cli
