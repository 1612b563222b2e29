#pragma once

// toml++ with its parser compiled in one place only (toml_document.cpp). Include this header, never
// toml++ itself.

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
