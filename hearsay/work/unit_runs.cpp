#include "hearsay/work/unit_runs.h"

#include <algorithm>

#include "hearsay/base/state.h"
#include "hearsay/work/unit_file.h"

namespace hearsay {
namespace {

std::unique_ptr<RunGroup> make_group(const Plan& plan, const Unit& unit) {
  std::vector<RunKey> keys;
  for (std::size_t repetition = unit.begin; repetition < unit.end; ++repetition) {
    keys.push_back(plan.run_key(unit.sequence, repetition));
  }
  return make_run_group(plan.cells()[unit.cell].learner, plan.experiment().environment.noise, keys,
                        [&] { return plan.environment(unit.sequence); });
}

}  // namespace

UnitRuns::UnitRuns(const Plan& plan, const Unit& unit)
    : plan_(&plan),
      unit_(unit),
      points_(unit.runs() * plan.points().size()),
      group_(make_group(plan, unit)) {}

void UnitRuns::advance(std::uint64_t rounds) {
  const std::uint64_t end =
      rounds_ + std::min(rounds, plan_->experiment().environment.horizon - rounds_);
  while (rounds_ < end) {
    group_->play_round();
    ++rounds_;
    if (rounds_ == plan_->points()[recorded_]) {
      record_point();
    }
  }
}

void UnitRuns::record_point() {
  const std::size_t points_per_run = plan_->points().size();
  for (std::size_t run = 0; run < unit_.runs(); ++run) {
    points_[run * points_per_run + recorded_] = group_->point(run);
  }
  ++recorded_;
}

std::string UnitRuns::save() const {
  StateWriter writer("unit");
  write_unit(writer, unit_);
  writer.add(rounds_);
  save_points(writer, points_);
  group_->save(writer);
  return writer.finish();
}

void UnitRuns::restore(std::string_view state) {
  StateReader reader(state, "unit");
  require_unit(reader, unit_);
  rounds_ = reader.number();
  reader.require(rounds_ <= plan_->experiment().environment.horizon, "is beyond the horizon");
  recorded_ = static_cast<std::size_t>(std::ranges::count_if(
      plan_->points(), [&](std::uint64_t point) { return point <= rounds_; }));
  load_points(reader, points_);
  group_->load(reader);
  reader.finish();
}

}  // namespace hearsay
