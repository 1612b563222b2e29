#include "hearsay/work/block.h"

#include <algorithm>

#include "hearsay/base/state.h"

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

void write_unit(StateWriter& writer, const Unit& unit) {
  for (const std::size_t part : {unit.sequence, unit.cell, unit.begin, unit.end}) {
    writer.add(std::uint64_t{part});
  }
}

void require_unit(StateReader& reader, const Unit& unit) {
  for (const std::size_t part : {unit.sequence, unit.cell, unit.begin, unit.end}) {
    reader.require(reader.number() == part, "belongs to another unit");
  }
}

Block::Block(const Plan& plan, const Unit& unit)
    : plan_(&plan),
      unit_(unit),
      records_(unit.runs() * plan.points().size()),
      group_(make_group(plan, unit)) {}

void Block::advance(std::uint64_t rounds) {
  const std::uint64_t end =
      rounds_ + std::min(rounds, plan_->experiment().environment.horizon - rounds_);
  while (rounds_ < end) {
    group_->play_round();
    ++rounds_;
    if (rounds_ == plan_->points()[points_]) {
      record();
    }
  }
}

void Block::record() {
  const std::size_t points = plan_->points().size();
  for (std::size_t run = 0; run < unit_.runs(); ++run) {
    records_[run * points + points_] = group_->point(run);
  }
  ++points_;
}

std::string Block::save() const {
  StateWriter writer("unit");
  write_unit(writer, unit_);
  writer.add(rounds_);
  save_points(writer, records_);
  group_->save(writer);
  return writer.finish();
}

void Block::restore(std::string_view state) {
  StateReader reader(state, "unit");
  require_unit(reader, unit_);
  rounds_ = reader.number();
  reader.require(rounds_ <= plan_->experiment().environment.horizon, "is beyond the horizon");
  points_ = static_cast<std::size_t>(std::ranges::count_if(
      plan_->points(), [&](std::uint64_t point) { return point <= rounds_; }));
  load_points(reader, records_);
  group_->load(reader);
  reader.finish();
}

}  // namespace hearsay
