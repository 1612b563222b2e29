#pragma once

// The directory to which a run, a merge or a reproduction writes.
//
//   experiment.toml          what is run; written at the start, with the files that it names if
//                            they are in memory alone
//   results.csv and others   the results; written at the end
//   run.json                 when and where the run was made and how long it took, if the caller
//                            gives it; the only file that may differ between equal runs
//   .hearsay/                belongs to hearsay:
//     manifest                 the experiment, and the files that hearsay wrote
//     lock                     locked while the manifest is read or changed
//     run.lock                 locked while the whole experiment is run or merged
//     shard-I-of-K.lock        locked while a shard is run
//     run.EXPERIMENT.checkpoint/, shard-I-of-K.EXPERIMENT.checkpoint/   while they are not
//                              finished; with the fingerprint of the experiment, so that a
//                              checkpoint is never taken for one of another experiment
//
// A directory holds one experiment at a time, and shards of it may be run there at the same time.
// Only files that the manifest lists and that have not been changed since are removed or replaced.
// If a process is killed at any time, the same call with Existing::resume, or the same call again,
// completes the directory.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/file_lock.h"
#include "hearsay/runner/manifest.h"
#include "hearsay/runner/run_options.h"

namespace hearsay {

// A file of results, to be written into the directory.
struct OutputFile {
  std::string name;
  std::string bytes;
};

// What a call does in its output directory.
struct DirectoryUse {
  std::string description;            // of the experiment: the bytes of experiment.toml
  std::vector<OutputFile> data = {};  // files that the description names, to be written beside it
  Shard shard = {};                   // the part of the experiment
  std::vector<std::string> outputs;   // the names of the files that finish() will be given
  std::vector<std::string> inputs;    // the paths of files that the call reads
  Existing existing = Existing::refuse;
};

class OutputDirectory {
 public:
  // Makes the directory, which may exist, and locks it for the lifetime of the object. Throws
  // Error, with no file changed, if another process is using it, or if files would have to be
  // replaced that are inputs, that hearsay did not write, or that `use.existing` protects.
  OutputDirectory(std::string path, DirectoryUse use);

  // Whether all outputs are there, as they were written.
  bool is_finished() const;

  // Removes the files to be replaced and writes experiment.toml and its data. A caller that has
  // nothing to compute need not call it: finish() does the same once the new files are safe on the
  // disk.
  void begin();

  // Where the caller may keep intermediate results between begin() and finish().
  std::string checkpoint() const;

  // Writes all outputs, or none of them if that fails; then deletes the checkpoint.
  void finish(std::span<const OutputFile> files);

  // The path of the file of this name in the directory.
  std::string file(std::string_view name) const;

 private:
  std::string own_file(std::string_view name) const;  // in .hearsay
  std::string part_name() const;                      // "run", "shard-1-of-2"
  std::vector<std::string> parts_with(std::string_view ending) const;
  void remove_temporary_files() const;
  void remove_obsolete_checkpoints() const;

  // The locks of the parts of the experiment.
  void lock_part();
  void require_free(std::string_view part) const;
  void require_alone() const;
  [[noreturn]] void fail_as_in_use(const std::string& lock) const;

  // What the directory holds.
  Manifest read_manifest() const;
  bool is_as_listed(const ListedFile& listed) const;
  bool has(const OutputFile& described) const;
  bool is_listed(const Manifest& manifest, const std::string& name) const;
  bool is_same_experiment(const Manifest& manifest) const;
  std::string first_content(const Manifest& manifest) const;
  std::string described_content(const Manifest& manifest, const std::string& content) const;
  std::vector<ListedFile> replaced_files(const Manifest& manifest) const;
  void check_without_lock() const;
  void check(const Manifest& manifest) const;
  void check_file(const Manifest& manifest, const std::string& name) const;
  void check_permissions(const Manifest& manifest) const;
  void check_input(const ListedFile& listed) const;

  void put_in_place(std::span<const OutputFile> files);

  std::string path_;
  DirectoryUse use_;
  std::string fingerprint_;            // of the experiment
  std::vector<OutputFile> described_;  // experiment.toml and its data
  std::optional<FileLock> part_lock_;
  bool begun_ = false;
};

inline constexpr std::string_view kExperimentFile = "experiment.toml";

}  // namespace hearsay
