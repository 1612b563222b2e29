// Writes the first inputs of the fuzzers that read saved states: make_corpus DIRECTORY. They are
// made by the code that is tested, because states that another version has saved are refused at
// their first bytes, and would lead the fuzzers nowhere.

#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "fuzz/checkpoint_plan.h"
#include "hearsay/base/bytes.h"
#include "hearsay/graph/families.h"
#include "hearsay/play/run.h"
#include "hearsay/work/unit_file.h"
#include "hearsay/work/unit_runs.h"
#include "tests/every_learner.h"

namespace {

namespace fs = std::filesystem;
using hearsay::write_file;

// Every learner with every engine that it has, after some rounds and with a decision that awaits
// feedback.
void write_learners(const fs::path& directory) {
  fs::create_directories(directory);
  const hearsay::Graph graph = hearsay::make_grid({.side = 2});
  int number = 0;
  for (const hearsay::LearnerSpec& spec : hearsay::every_engine(graph.arms())) {
    const auto environment = hearsay::make_environment(
        hearsay::losses::bernoulli({.arms = spec.arms},
                                   hearsay::Stream(1, hearsay::Purpose::losses)),
        hearsay::graphs::fixed(graph));
    const auto learner = hearsay::make_learner(spec);
    hearsay::Run run(*environment, *learner, {}, {});
    run.steps(3);
    if (hearsay::Informed* informed = hearsay::informed_of(*learner)) {
      informed->see_graph(graph);
    }
    learner->adopt(1);
    write_file(directory / (std::to_string(++number) + "-" + spec.name), learner->save());
  }
}

// The first byte of an input says whether units ('0') or the state of one unit ('1') follow.
void write_checkpoints(const fs::path& directory) {
  fs::create_directories(directory);
  const hearsay::Plan& plan = checkpoint_plan();
  std::string units = hearsay::unit_file_header(plan);
  for (std::size_t unit = 0; unit < plan.units().size(); ++unit) {
    hearsay::UnitRuns runs(plan, plan.units()[unit]);
    runs.advance(5);
    write_file(directory / ("state-" + std::to_string(unit)), "1" + runs.save());
    runs.advance(plan.experiment().environment.horizon);
    units += hearsay::unit_file_entry(plan, unit, runs.points());
  }
  write_file(directory / "units", "0" + units);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: make_corpus DIRECTORY\n";
    return 2;
  }
  try {
    const fs::path directory = arguments[1];
    write_learners(directory / "state");
    write_checkpoints(directory / "checkpoint");
  } catch (const std::exception& error) {
    std::cerr << "make_corpus: " << error.what() << '\n';
    return 1;
  }
}
