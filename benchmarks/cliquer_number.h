#pragma once

/* cliquer's headers are C and do not compile as C++: this much of it stands behind a C source. */

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): for C too */

#ifdef __cplusplus
extern "C" {
#endif

/* min(size of the largest clique, cap); edge k joins ends[2 k] and ends[2 k + 1]. */
int cliquer_number(int vertices, const unsigned* ends, size_t edges, int cap);

#ifdef __cplusplus
}
#endif
