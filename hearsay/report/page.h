#pragma once

// The page as it was built from web/, in pieces to be joined; empty if it was not built. Its text
// has kReportMark once, where the report is inserted.

#include <span>
#include <string_view>

namespace hearsay {

inline constexpr std::string_view kReportMark = "@REPORT@";

std::span<const std::string_view> page_pieces();

// The message of an Error if it was not built.
inline constexpr const char* kNoPage =
    "this hearsay was built without the page of reports, expected a build with npm and HEARSAY_WEB";

}  // namespace hearsay
