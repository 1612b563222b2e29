#include "hearsay/play/round.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {

void require_same_arms(std::size_t learner_arms, std::size_t environment_arms) {
  if (learner_arms != environment_arms) {
    throw Error(
        fmt::format("the learner has {} arms, expected {}, the number of arms of the environment",
                    learner_arms, environment_arms));
  }
}

void save_environment(StateWriter& writer, const Environment& environment) {
  const std::vector<double> state = environment.save();
  writer.add(std::uint64_t{state.size()});
  for (const double value : state) {
    writer.add(value);
  }
}

void load_environment(StateReader& reader, Environment& environment) {
  std::vector<double> state(reader.count(sizeof(double)));
  std::ranges::generate(state, [&] { return reader.real(); });
  environment.restore(state);
}

void ArmLosses::add(std::span<const double> losses) {
  std::ranges::transform(totals_, losses, totals_.begin(), std::plus<>());
}

double ArmLosses::best() const {
  return std::ranges::min(totals_);
}

void ArmLosses::save(StateWriter& writer) const {
  for (const double total : totals_) {
    writer.add(total);
  }
}

void ArmLosses::load(StateReader& reader) {
  std::ranges::generate(totals_, [&] { return reader.real(); });
}

Graph all_shown(std::size_t arms) {
  return Graph::dense(arms, filled(arms * arms, 1.0));
}

ShownGraph::ShownGraph(Information information, std::size_t arms)
    : sees_all_(information == Information::true_losses),
      all_(sees_all_ ? all_shown(arms) : Graph::sparse(1, {})) {}

}  // namespace hearsay
