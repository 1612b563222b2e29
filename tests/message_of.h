#pragma once

// The messages of refused input.

#include <string>

#include "hearsay/base/error.h"

namespace hearsay {

// The message of the Error that `action` throws; empty if it throws none.
std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace hearsay
