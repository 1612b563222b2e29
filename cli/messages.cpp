#include "cli/messages.h"

#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigtimedwait is POSIX
#include <unistd.h>

#include "cli/terminal.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {

namespace {

// While an object of this class exists, a write by this thread to a pipe that nobody reads fails
// instead of ending the program. It is used only for messages, which nobody has to read. Standard
// output keeps the usual behaviour, so that `hearsay list | head` ends early.
class WithoutBrokenPipeSignal {
 public:
  WithoutBrokenPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutBrokenPipeSignal() {
    constexpr timespec kAtOnce = {};
    while (::sigtimedwait(&pipe_, nullptr, &kAtOnce) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutBrokenPipeSignal(const WithoutBrokenPipeSignal&) = delete;
  WithoutBrokenPipeSignal& operator=(const WithoutBrokenPipeSignal&) = delete;

 private:
  sigset_t pipe_ = {};
  sigset_t before_ = {};
};

}  // namespace

void secure_standard_descriptors() {
  // Opened in increasing order, each gets the lowest number that is free: its own.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
      [[maybe_unused]] const int opened = ::open("/dev/null", mode);
    }
  }
}

void print_message(std::string_view text) {
  print_progress(fmt::format("hearsay: {}\n", on_one_line(text)));
}

void print_warning(std::string_view text) {
  print_progress(fmt::format("hearsay: {} {}\n", styled("warning:", Style::caution, STDERR_FILENO),
                             on_one_line(text)));
}

void print_error(std::string_view text) {
  print_progress(
      fmt::format("{} {}\n", styled("hearsay:", Style::bad, STDERR_FILENO), on_one_line(text)));
}

void print_progress(std::string_view text) {
  const WithoutBrokenPipeSignal without_signal;
  while (!text.empty()) {
    const ::ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shell_path(std::string_view path) {
  const bool is_like_option = path.size() > 1 && path.starts_with('-');
  return shell_word(is_like_option ? fmt::format("./{}", path) : std::string(path));
}

}  // namespace hearsay::cli
