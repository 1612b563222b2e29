#include "cli/program.h"

#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string_view>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "hearsay/base/error.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kWrongInput = 2;

int fail(std::string_view what, int code) {
  std::cout.flush();
  print_message(what);
  return code;
}

// The exit code after everything was printed.
int finish() {
  std::cout.flush();
  return std::cout ? 0 : fail("standard output: could not be written", kFailure);
}

}  // namespace

void name_program(CLI::App& app) {
  app.name("hearsay");
  app.formatter(std::make_shared<HelpFormatter>());  // subcommands take over formatter and flag
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", kVersion, "print the version and exit");
}

int run_program(CLI::App& app, int argc, char** argv) {
  secure_standard_descriptors();
  try {
    app.parse(argc, argv);
    return finish();
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
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
