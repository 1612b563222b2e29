#pragma once

// The finished part of a plan on disk, so that a run that was stopped, was killed or ran out of
// disk space can continue. It is a directory with
//
//   units          the finished units, appended one by one, each with a checksum
//   unit-N.state   the last saved state of unit N, for units that take long
//
// An entry that was torn by a crash is ignored: its unit is computed again. If something cannot be
// written, std::system_error is thrown, and what was there before stays. One process at a time uses
// a checkpoint: `units` is locked, and is never renamed.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/descriptor.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"

namespace hearsay {

class Checkpoint {
 public:
  // Opens the checkpoint in `directory` and reads its units into `curves`, or begins a new one.
  // Throws Error if it belongs to another experiment or is in use. `plan` must outlive it.
  Checkpoint(std::string directory, const Plan& plan, Curves& curves);

  // Indices of the units that were finished when the checkpoint was opened.
  const std::vector<std::size_t>& done() const { return done_; }

  // Adds a finished unit; `points` are those of UnitRuns::points().
  void add(std::size_t unit, std::span<const CurvePoint> points);

  // The last saved state of an unfinished unit; empty if there is none.
  std::string state(std::size_t unit) const;
  void save_state(std::size_t unit, std::string_view state);

  // Returns when all finished units are on the disk, where a power failure cannot erase them.
  // Unlike the other functions, it may be called while another thread calls one of them.
  void sync();

 private:
  void append(std::string_view bytes);
  std::string state_path(std::size_t unit) const;

  const Plan* plan_;
  std::string directory_;
  std::string path_;
  Descriptor file_;
  std::size_t size_ = 0;
  std::vector<std::size_t> done_;
};

// A caller may keep results of its own in the directory of a checkpoint, in files with this ending.
inline constexpr std::string_view kCallersFileEnding = ".solved";

// Deletes the files of all checkpoints in `directory` and in the directories below it, those with
// kCallersFileEnding too, and the directories if nothing else is in them. Other files stay.
void remove_checkpoints(const std::string& directory);

}  // namespace hearsay
