#include "cli/program.h"

#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "cli/commands.h"
#include "cli/messages.h"
#include "hearsay/base/error.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

constexpr int kCouldNot = 1;
constexpr int kWrongInput = 2;

int fail(std::string_view what, int code) {
  std::cout.flush();
  print_message(what);
  return code;
}

// The exit code after everything was printed.
int finish() {
  std::cout.flush();
  return std::cout ? 0 : fail("standard output: could not be written", kCouldNot);
}

}  // namespace

void name_program(CLI::App& app) {
  app.name("hearsay");
  app.set_version_flag("--version", kVersion);
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
    return fail("out of memory", kCouldNot);
  } catch (const std::exception& error) {
    return fail(error.what(), kCouldNot);
  }
}

}  // namespace hearsay::cli
