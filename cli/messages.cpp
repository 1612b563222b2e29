#include "cli/messages.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {

void secure_standard_descriptors() {
  // Opened in increasing order, each gets the lowest number that is free: its own.
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
      const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
      [[maybe_unused]] const int opened = ::open("/dev/null", mode);
    }
  }
}

void ignore_broken_pipes() {
  std::signal(SIGPIPE, SIG_IGN);
}

bool is_output_pipe_broken() {
  ::pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP)) != 0;
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

std::string name_of_input(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

}  // namespace hearsay::cli
