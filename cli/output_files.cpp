#include "cli/output_files.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/report/html.h"

namespace hearsay::cli {

void check_outputs(const std::string& input, const std::vector<OutputFile>& outputs) {
  std::vector<std::string> taken = {input};
  for (const auto& [option, path] : outputs) {
    for (const std::string& other : taken) {
      std::error_code error;
      if (!path.empty() && (path == other || std::filesystem::equivalent(path, other, error))) {
        throw Error(option, fmt::format("is {}, which this call {}, expected another file",
                                        in_quotes(path), other == input ? "reads" : "writes"));
      }
    }
    taken.push_back(path);
  }
}

void check_report(const std::string& path) {
  if (!path.empty() && !report_available()) {
    throw Error("--report", "this build has no report page, expected one with HEARSAY_WEB");
  }
}

}  // namespace hearsay::cli
