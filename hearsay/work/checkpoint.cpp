#include "hearsay/work/checkpoint.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/work/unit_file.h"

namespace hearsay {
namespace {

bool is_number(std::string_view text) {
  std::uint64_t number = 0;
  return read_number(text, number);
}

bool is_checkpoint_file(std::string_view name) {
  constexpr std::string_view kBegin = "unit-";
  constexpr std::string_view kEnd = ".state";
  name = without_temporary_ending(name);
  return name == "units" || name.ends_with(kCallersFileEnding) ||
         (name.starts_with(kBegin) && name.ends_with(kEnd) &&
          is_number(name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size())));
}

}  // namespace

Checkpoint::Checkpoint(std::string directory, const Plan& plan, Curves& curves)
    : plan_(&plan), directory_(std::move(directory)), path_(directory_ + "/units") {
  make_directories(directory_);
  file_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file_.get() < 0) {
    fail_to_write(path_, errno);
  }
  // A file system may have no locks, which is accepted; a lock of another process is not.
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw Error(path_, "is in use by another process, expected to be the only one");
  }
  const std::string bytes = read_file(path_);
  const std::string header = unit_file_header(plan);
  if (header.starts_with(bytes)) {  // new, or killed before the header was complete
    append(header);
    sync();
  } else {
    UnitFileContents contents = read_unit_file(bytes, path_, plan, curves);
    done_ = std::move(contents.units);
    size_ = contents.whole_bytes;
    if (::ftruncate(file_.get(), static_cast<::off_t>(size_)) != 0) {
      throw_system_error(path_, "could not be written", errno);
    }
  }
}

// If this fails, the file is as before.
void Checkpoint::append(std::string_view bytes) {
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ::ssize_t put = ::pwrite(file_.get(), bytes.data() + written, bytes.size() - written,
                                   static_cast<::off_t>(size_ + written));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      const int code = errno;
      // If this fails too, the torn entry is ignored when the file is read.
      [[maybe_unused]] const int cut = ::ftruncate(file_.get(), static_cast<::off_t>(size_));
      throw_system_error(path_, "could not be written", code);
    }
    written += static_cast<std::size_t>(put);
  }
  size_ += bytes.size();
}

void Checkpoint::add(std::size_t unit, std::span<const CurvePoint> points) {
  append(unit_file_entry(*plan_, unit, points));
  std::error_code ignored;  // a state that is left behind is ignored, as its unit is done
  std::filesystem::remove(state_path(unit), ignored);
}

std::string Checkpoint::state_path(std::size_t unit) const {
  return fmt::format("{}/unit-{}.state", directory_, unit);
}

std::string Checkpoint::state(std::size_t unit) const {
  const std::string path = state_path(unit);
  return std::filesystem::exists(path) ? read_file(path) : std::string();
}

void Checkpoint::save_state(std::size_t unit, std::string_view state) {
  write_file(state_path(unit), state);
}

void Checkpoint::sync() {
  if (::fsync(file_.get()) != 0) {
    throw_system_error(path_, "could not be written", errno);
  }
}

void remove_checkpoints(const std::string& directory) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_symlink(directory, error)) {  // what it leads to was not made by us
    return;
  }
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && !entry.is_symlink()) {
      remove_checkpoints(entry.path().string());
    } else if (is_checkpoint_file(name)) {
      remove_file(entry.path().string());
    }
  }
  fs::remove(directory, error);  // fails, as it should, if something else is in it
}

}  // namespace hearsay
