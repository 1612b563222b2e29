#pragma once

/* cliquer's headers do not compile as C++, so this function is implemented in C. */

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): for C too */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns min(size of the largest clique, cap). Edge k joins ends[2 k] and ends[2 k + 1]. */
int cliquer_number(int vertices, const unsigned* ends, size_t edges, int cap);

#ifdef __cplusplus
}
#endif
