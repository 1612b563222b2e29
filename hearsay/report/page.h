#pragma once

// The page as built from web/, in pieces to be joined; none where it was not built. Its text holds
// kReportMark once, in the place where the report goes.

#include <span>
#include <string_view>

namespace hearsay {

inline constexpr std::string_view kReportMark = "@REPORT@";

std::span<const std::string_view> page_pieces();

}  // namespace hearsay
