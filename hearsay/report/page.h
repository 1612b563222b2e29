#pragma once

// The page as it was built from web/, in pieces to be joined; empty if it was not built. Its text
// has kReportMark once, where the report is inserted.

#include <span>
#include <string_view>

namespace hearsay {

inline constexpr std::string_view kReportMark = "@REPORT@";

std::span<const std::string_view> page_pieces();

}  // namespace hearsay
