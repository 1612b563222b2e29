#pragma once

// Simulates a full disk.

#include <csignal>
#include <cstdint>

#include <sys/resource.h>

namespace hearsay {

// While an object of this class exists, files cannot grow beyond a size, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(std::uintmax_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    struct ::rlimit full = limit_;
    full.rlim_cur = size;
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*handler_)(int);
  struct ::rlimit limit_ = {};
};

}  // namespace hearsay
