#include "cli/program.h"

#include <exception>
#include <iostream>
#include <new>

#include <fmt/core.h>

#include "cli/commands.h"
#include "hearsay/base/error.h"
#include "hearsay/version.h"

namespace hearsay::cli {
namespace {

constexpr int kCouldNot = 1;
constexpr int kWrongInput = 2;

int complain(const char* what, int code) {
  std::cout.flush();
  fmt::print(stderr, "hearsay: {}\n", what);
  return code;
}

}  // namespace

void name_program(CLI::App& app) {
  app.name("hearsay");
  app.set_version_flag("--version", kVersion);
}

int run_program(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    std::cout.flush();
    return std::cout ? 0 : complain("standard output: could not be written", kCouldNot);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), kWrongInput);
  } catch (const Error& error) {
    return complain(error.what(), kWrongInput);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kCouldNot);
  } catch (const std::exception& error) {
    return complain(error.what(), kCouldNot);
  }
}

}  // namespace hearsay::cli
