#include "hearsay/runner/output_directory.h"

#include <algorithm>
#include <filesystem>
#include <list>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/work/checkpoint.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLock = ".lock";
constexpr std::string_view kCheckpoint = ".checkpoint";
constexpr const char* kManifest = "manifest";

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

// A directory of a similar name that does not exist.
std::string free_name(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.pop_back();
  }
  std::size_t number = 2;
  while (exists(fmt::format("{}-{}", path, number))) {
    ++number;
  }
  return fmt::format("{}-{}", path, number);
}

// The first lines in which the description of an experiment differs from another, for a message.
std::string difference(std::string_view held, std::string_view wanted) {
  LineReader held_lines(held, "");
  LineReader wanted_lines(wanted, "");
  bool more_held = held_lines.next();
  bool more_wanted = wanted_lines.next();
  while (more_held && more_wanted && held_lines.line() == wanted_lines.line()) {
    more_held = held_lines.next();
    more_wanted = wanted_lines.next();
  }
  return fmt::format(" ({} where this one has {})",
                     more_held ? in_quotes(held_lines.line()) : "no more",
                     more_wanted ? in_quotes(wanted_lines.line()) : "no more");
}

}  // namespace

OutputDirectory::OutputDirectory(std::string path, DirectoryUse use)
    : path_(std::move(path)),
      use_(std::move(use)),
      fingerprint_(checksum_text(use_.description)),
      described_(std::move(use_.data)) {
  described_.push_back({std::string(kExperimentFile), use_.description});
  check_without_lock();
  make_directories(path_);
  make_directories(own_file(""));
  const FileLock manifest_lock(own_file("lock"));
  lock_part();
  remove_temporary_files();
  check(read_manifest());
  if (is_finished()) {
    remove_checkpoints(checkpoint());  // left by a process that was killed
  } else if (use_.existing == Existing::refuse && exists(checkpoint())) {
    throw Error(path_,
                "holds an unfinished run of this experiment, expected the option resume to "
                "continue it or force to begin again");
  }
}

// Checks a directory that hearsay has not written to before anything is made in it, as a refusal
// must leave it as it is. The files that are found there may be those of another process that began
// in the meantime; the check with the lock then decides.
void OutputDirectory::check_without_lock() const {
  if (exists(own_file(""))) {
    return;
  }
  try {
    check({});
  } catch (const Error&) {
    if (!exists(own_file(""))) {
      throw;
    }
  }
}

std::string OutputDirectory::file(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

std::string OutputDirectory::own_file(std::string_view name) const {
  return fmt::format("{}/.hearsay/{}", path_, name);
}

std::string OutputDirectory::part_name() const {
  return use_.shard.is_whole() ? "run" : use_.shard.name();
}

std::string OutputDirectory::checkpoint() const {
  return own_file(fmt::format("{}.{}{}", part_name(), fingerprint_, kCheckpoint));
}

// The checkpoints of other experiments than the one in the manifest.
void OutputDirectory::remove_obsolete_checkpoints() const {
  for (const std::string& part : parts_with(kCheckpoint)) {
    if (!part.ends_with(fingerprint_)) {
      remove_checkpoints(own_file(part + std::string(kCheckpoint)));
    }
  }
}

// The caller has the lock of the manifest, so that no two processes try at the same time.
void OutputDirectory::lock_part() {
  const std::string path = own_file(part_name().append(kLock));
  part_lock_ = FileLock::try_lock(path);
  if (!part_lock_) {
    fail_as_in_use(path);
  }
  part_lock_->write_holder();
  if (use_.shard.is_whole()) {
    require_alone();
  } else {
    require_free("run");
  }
}

void OutputDirectory::require_free(std::string_view part) const {
  const std::string path = own_file(fmt::format("{}{}", part, kLock));
  if (exists(path) && !FileLock::try_lock(path)) {
    fail_as_in_use(path);
  }
}

void OutputDirectory::require_alone() const {
  for (const std::string& part : parts_with(kLock)) {
    if (part != part_name()) {
      require_free(part);
    }
  }
}

void OutputDirectory::fail_as_in_use(const std::string& lock) const {
  throw Error(path_, fmt::format("is in use by {}, expected no other process: wait until it ends, "
                                 "or choose another directory, such as {}",
                                 FileLock::holder(lock), free_name(path_)));
}

// The parts for which the directory .hearsay has a file or directory with this ending.
std::vector<std::string> OutputDirectory::parts_with(std::string_view ending) const {
  std::vector<std::string> parts;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(own_file(""), ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(ending) && name.size() > ending.size()) {
      parts.push_back(name.substr(0, name.size() - ending.size()));
    }
  }
  std::ranges::sort(parts);
  return parts;
}

// Removes temporary files that were left by a process that was killed.
void OutputDirectory::remove_temporary_files() const {
  for (const std::string& name : parts_with(kTemporaryEnding)) {
    if (name.starts_with(part_name() + ".")) {
      remove_file(own_file(name + std::string(kTemporaryEnding)));
    }
  }
}

Manifest OutputDirectory::read_manifest() const {
  const std::string path = own_file(kManifest);
  return exists(path) ? parse_manifest(read_file(path), path) : Manifest();
}

bool OutputDirectory::is_as_listed(const ListedFile& listed) const {
  const std::string path = file(listed.name);
  return fs::is_regular_file(fs::symlink_status(path)) &&
         checksum_text(read_file(path)) == listed.checksum;
}

bool OutputDirectory::has(const OutputFile& described) const {
  const std::string path = file(described.name);
  return fs::is_regular_file(fs::symlink_status(path)) && read_file(path) == described.bytes;
}

bool OutputDirectory::is_listed(const Manifest& manifest, const std::string& name) const {
  return std::ranges::any_of(manifest.files, [&](const ListedFile& listed) {
    return listed.name == name && is_as_listed(listed);
  });
}

bool OutputDirectory::is_same_experiment(const Manifest& manifest) const {
  return manifest.fingerprint == fingerprint_;
}

bool OutputDirectory::is_finished() const {
  const Manifest manifest = read_manifest();
  return is_same_experiment(manifest) &&
         std::ranges::all_of(described_, [&](const OutputFile& each) { return has(each); }) &&
         std::ranges::all_of(use_.outputs, [&](const std::string& name) {
           return std::ranges::any_of(manifest.files, [&](const ListedFile& listed) {
             return listed.name == name && !listed.obsolete && is_as_listed(listed);
           });
         });
}

// A file that hearsay wrote, or a checkpoint; empty if there is none.
std::string OutputDirectory::first_content(const Manifest& manifest) const {
  for (const ListedFile& listed : manifest.files) {
    if (is_as_listed(listed)) {
      return listed.name;
    }
  }
  const std::vector<std::string> parts = parts_with(kCheckpoint);
  return parts.empty() ? "" : "a checkpoint";
}

// The content of another experiment, in words.
std::string OutputDirectory::described_content(const Manifest& manifest,
                                               const std::string& content) const {
  const std::string description(kExperimentFile);
  if (!is_listed(manifest, description)) {
    return content + " of another experiment";
  }
  const std::string held = read_file(file(description));
  if (held == use_.description) {
    return "the beginning of another experiment, which was to replace this one";
  }
  return content + " of another experiment" + difference(held, use_.description);
}

void OutputDirectory::check(const Manifest& manifest) const {
  if (!is_same_experiment(manifest)) {
    if (const std::string content = first_content(manifest); !content.empty()) {
      if (use_.existing != Existing::replace) {
        throw Error(path_,
                    fmt::format("holds {}, expected none: choose another directory, such as {}, or "
                                "the option force to replace it",
                                described_content(manifest, content), free_name(path_)));
      }
      require_alone();
    }
  }
  for (const std::string& name : use_.outputs) {
    check_file(manifest, name);
  }
  for (const OutputFile& each : described_) {
    check_file(manifest, each.name);
  }
  for (const ListedFile& listed : replaced_files(manifest)) {
    check_input(listed);
  }
}

// Throws Error if the file, which is going to be written, is there and hearsay did not write it.
void OutputDirectory::check_file(const Manifest& manifest, const std::string& name) const {
  if (exists(file(name)) && !is_listed(manifest, name)) {
    throw Error(file(name),
                fmt::format("was not written here by this version of hearsay, or was changed "
                            "since, expected no such file: move it away, or choose another "
                            "directory, such as {}",
                            free_name(path_)));
  }
}

// Throws Error if the file, which is going to be removed or replaced, is one that the call reads.
void OutputDirectory::check_input(const ListedFile& listed) const {
  const bool stays = std::ranges::any_of(described_, [&](const OutputFile& each) {
    return listed.name == each.name && listed.checksum == checksum_text(each.bytes);
  });
  std::error_code ignored;
  if (!stays && std::ranges::any_of(use_.inputs, [&](const std::string& input) {
        return fs::equivalent(input, file(listed.name), ignored);
      })) {
    throw Error(file(listed.name),
                "is an input of this call and would be replaced, expected "
                "another output directory");
  }
}

// Throws unless the permissions allow what put_in_place() is going to remove and replace, now or
// when the results are complete: a call that is refused must change nothing, and must not compute
// first.
void OutputDirectory::check_permissions(const Manifest& manifest) const {
  check_permission(path_);
  for (const std::string& name : use_.outputs) {
    check_permission(file(name));
  }
  for (const ListedFile& listed : replaced_files(manifest)) {
    check_permission(file(listed.name));
  }
}

// The files that put_in_place() removes or replaces.
std::vector<ListedFile> OutputDirectory::replaced_files(const Manifest& manifest) const {
  std::vector<ListedFile> replaced;
  for (const ListedFile& listed : manifest.files) {
    const bool is_output = std::ranges::find(use_.outputs, listed.name) != use_.outputs.end();
    if (listed.obsolete || !is_same_experiment(manifest) || is_output) {
      replaced.push_back(listed);
    }
  }
  return replaced;
}

void OutputDirectory::begin() {
  put_in_place({});
}

void OutputDirectory::finish(std::span<const OutputFile> files) {
  put_in_place(files);
  remove_checkpoints(checkpoint());
}

// Everything that needs space on the disk comes first, then the new manifest takes the place of the
// old one. From then on the directory belongs to the new experiment: a process that is killed later
// leaves files that are missing or listed as obsolete, and checkpoints of another experiment, all
// of which the next call repairs.
void OutputDirectory::put_in_place(std::span<const OutputFile> files) {
  if (part_lock_ && !part_lock_->is_in_place()) {
    throw Error(path_, "was deleted or replaced while it was in use, expected it to stay");
  }
  const FileLock manifest_lock(own_file("lock"));
  const Manifest before = read_manifest();
  check(before);
  check_permissions(before);
  const bool same = is_same_experiment(before);
  const bool begins_again = use_.existing == Existing::replace && !std::exchange(begun_, true);

  Manifest after{fingerprint_, {}};
  for (const ListedFile& listed : before.files) {
    if (exists(file(listed.name))) {
      after.files.push_back(listed);
      const bool is_output = std::ranges::find(use_.outputs, listed.name) != use_.outputs.end();
      after.files.back().obsolete = listed.obsolete || !same || (begins_again && is_output);
    }
  }
  std::list<NewFile> staged;
  const auto stage = [&](const OutputFile& each) {
    NewFile& next = staged.emplace_back(
        file(each.name),
        own_file(fmt::format("{}.{}{}", part_name(), each.name, kTemporaryEnding)));
    next.write(each.bytes);
    next.sync();
    after.add(each.name, checksum_text(each.bytes));
  };
  for (const OutputFile& each : described_) {
    if (!same || !has(each)) {
      stage(each);
    }
  }
  std::ranges::for_each(files, stage);
  NewFile manifest(own_file(kManifest),
                   own_file(fmt::format("{}.{}{}", part_name(), kManifest, kTemporaryEnding)));
  manifest.write(to_text(after));
  manifest.sync();

  manifest.commit();
  remove_obsolete_checkpoints();
  if (begins_again) {
    remove_checkpoints(checkpoint());
  }
  for (NewFile& next : staged) {
    next.commit();
  }
  for (const ListedFile& listed : after.files) {
    if (listed.obsolete && is_as_listed(listed)) {
      remove_file(file(listed.name));
    }
  }
}

}  // namespace hearsay
