#include "cli/program.h"

#include <csignal>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "hearsay/base/error.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongInput = 2;
constexpr int kBrokenPipe = 128 + SIGPIPE;  // as if the signal had ended the program

int fail(std::string_view what, int code) {
  std::cout.flush();
  print_error(what);
  return code;
}

// The exit code after everything was printed. A reader that closes its pipe early, such as `head`,
// has all it wants, so there is no message then.
int finish() {
  std::cout.flush();
  if (std::cout) {
    return 0;
  }
  return is_output_pipe_broken() ? kBrokenPipe
                                 : fail("standard output: could not be written", kFailure);
}

// Refuses empty options and arguments. The parser would treat `--out ""` as not given, and would
// take the next argument as the value of `--out=`.
void check_for_empty_arguments(std::span<char* const> arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const std::string_view before = arguments[i - 1];
    if (argument.empty()) {
      throw Error(before.starts_with("-") ? std::string(before) : fmt::format("argument {}", i),
                  "is empty, expected a value");
    }
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      throw Error(std::string(argument.substr(0, argument.size() - 1)),
                  "is empty, expected a value");
    }
  }
}

}  // namespace

void name_program(CLI::App& app, const std::string& name) {
  app.name(name);
  app.formatter(std::make_shared<HelpFormatter>());  // subcommands inherit formatter and flag
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", fmt::format("{} {}", name, kVersion),
                       "print the version and exit");
}

int run_program(CLI::App& app, int argc, char** argv) {
  secure_standard_descriptors();
  ignore_broken_pipes();
  // A file that grows beyond the limit of the process (ulimit -f) is then an error like a full
  // disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // A shell script starts its background jobs with SIGINT ignored. A script that sends it
  // nevertheless wants the job to stop.
  std::signal(SIGINT, SIG_DFL);
  try {
    check_for_empty_arguments(std::span(argv, static_cast<std::size_t>(argc)));
    app.parse(argc, argv);
    return finish();
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return finish();
  } catch (const OutputNotWritten&) {
    return finish();
  } catch (const CLI::ParseError& error) {
    return fail(error.what(), kWrongInput);
  } catch (const Error& error) {
    return fail(error.what(), kWrongInput);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kFailure);
  } catch (const std::exception& error) {
    return fail(error.what(), kFailure);
  }
}

}  // namespace hearsay::cli
