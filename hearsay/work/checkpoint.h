#pragma once

// What of a plan is done, on disk, so that a run that was stopped, killed or ran out of disk goes
// on where it was. A directory with
//
//   units          the units that are done, appended one by one, each with a checksum
//   unit-N.state   where unit N was when it was last saved, for units that take long
//
// A record that was torn by a crash is ignored: its unit is done again. What cannot be written
// throws std::system_error, and leaves what was there.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/work/plan.h"
#include "hearsay/work/records.h"

namespace hearsay {

class Checkpoint {
 public:
  // Opens the one in `directory`, whose units it puts in place in `records`, or begins one. Throws
  // Error where it is another experiment's. `plan` outlives it.
  Checkpoint(std::string directory, const Plan& plan, Records& records);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  // Done when it was opened.
  const std::vector<std::size_t>& done() const { return done_; }

  void add(std::size_t unit, std::span<const CurvePoint> records);

  // Where a unit under way is; empty where nothing is known.
  std::string state(std::size_t unit) const;
  void save_state(std::size_t unit, std::string_view state);

  // Waits until what was added is on the disk, and a power cut cannot take it.
  void sync();

  // All is done: deletes it.
  void remove();

 private:
  std::string state_path(std::size_t unit) const;

  const Plan* plan_;
  std::string directory_;
  std::string path_;
  int file_ = -1;
  std::size_t size_ = 0;
  std::vector<std::size_t> done_;
};

}  // namespace hearsay
