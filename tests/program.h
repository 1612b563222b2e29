#pragma once

// Runs the program hearsay, or any other, and captures its output.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hearsay::testing {

// A new temporary directory, which the destructor deletes with everything in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hearsay-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("could not make a temporary directory");
    }
    path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }

  void write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }

  std::string read(std::string_view name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // The sorted names of all files and directories in it.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename().string());
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  std::filesystem::path path_;
};

// The checkpoint of the run in an output directory; empty if there is none.
inline std::string checkpoint_in(const std::string& directory) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/.hearsay", none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("run.") && name.ends_with(".checkpoint")) {
      return entry.path().string();
    }
  }
  return "";
}

struct ProgramRun {
  int exit_code = -1;  // 128 + the number of the signal, if a signal ended the program
  std::string out;
  std::string err;
};

// Whether the process has a handler for the signal, according to /proc.
inline bool catches(::pid_t process, int signal) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kCaught = "SigCgt:";
    if (line.starts_with(kCaught)) {
      return (std::stoull(line.substr(kCaught.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
    }
  }
  return false;
}

// A running program. The first of `arguments` is its path; `input` is its standard input. The
// destructor kills it if wait() was not called.
class StartedProgram {
 public:
  explicit StartedProgram(std::vector<std::string> arguments, std::string_view input = "") {
    scratch_.write("in", input);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, scratch_.file("in").c_str(), O_RDONLY,
                                     0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, scratch_.file("out").c_str(),
                                     O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, scratch_.file("err").c_str(),
                                     O_WRONLY | O_CREAT, 0600);
    const int failed = ::posix_spawnp(&child_, argv[0], &actions, nullptr, argv.data(), ::environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
      throw std::runtime_error("could not run " + arguments.front());
    }
  }
  ~StartedProgram() {
    if (child_ != 0) {
      signal(SIGKILL);
      wait();
    }
  }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  ::pid_t id() const { return child_; }
  void signal(int number) const { ::kill(child_, number); }

  // Waits until `condition` holds. Throws if the program ends before that.
  template <class Condition>
  void wait_until(Condition&& condition) const {
    while (!condition()) {
      siginfo_t state = {};
      ::waitid(P_PID, static_cast<::id_t>(child_), &state, WEXITED | WNOHANG | WNOWAIT);
      if (state.si_pid != 0) {
        throw std::runtime_error("the program ended too early: " + err());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  // What it has written to standard error so far.
  std::string err() const { return scratch_.read("err"); }

  // Waits until the program ends. Must be called at most once.
  ProgramRun wait() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
    return {.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            .out = scratch_.read("out"),
            .err = scratch_.read("err")};
  }

 private:
  ScratchDirectory scratch_;
  ::pid_t child_ = 0;
};

// Runs `hearsay ARGUMENTS...` to its end, with `input` as standard input.
inline ProgramRun run_program(std::vector<std::string> arguments, std::string_view input = "") {
  arguments.insert(arguments.begin(), HEARSAY_PROGRAM);
  return StartedProgram(std::move(arguments), input).wait();
}

}  // namespace hearsay::testing
