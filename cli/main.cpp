#include <exception>
#include <iostream>
#include <new>

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/options.h"
#include "hearsay/error.h"
#include "hearsay/version.h"

namespace {

constexpr int kCouldNot = 1;
constexpr int kWrongInput = 2;

int complain(const char* what, int code) {
  std::cout.flush();
  fmt::print(stderr, "hearsay: {}\n", what);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Online learning with noisy side observations."};
  app.name("hearsay");
  app.set_version_flag("--version", hearsay::kVersion);
  hearsay::cli::add_run(app);
  hearsay::cli::add_merge(app);
  hearsay::cli::add_alpha(app);
  hearsay::cli::add_replay(app);
  hearsay::cli::add_graph(app);
  hearsay::cli::add_list(app);
  hearsay::cli::require_one_subcommand(app, "command", "COMMAND");
  try {
    app.parse(argc, argv);
    std::cout.flush();
    return std::cout ? 0 : complain("standard output: could not be written", kCouldNot);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), kWrongInput);
  } catch (const hearsay::Error& error) {
    return complain(error.what(), kWrongInput);
  } catch (const hearsay::cli::Failure& error) {
    return complain(error.what(), kCouldNot);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", kCouldNot);
  } catch (const std::exception& error) {
    return complain(error.what(), kCouldNot);
  }
}
