#include "hearsay/experiment/block.h"

#include <algorithm>
#include <limits>

#include "hearsay/error.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/state.h"

namespace hearsay {

Block::Block(const Plan& plan, const Unit& unit)
    : plan_(&plan), unit_(unit), records_(unit.runs() * plan.points().size()) {
  const std::size_t environments = plan.is_oblivious() ? 1 : unit.runs();
  for (std::size_t i = 0; i < environments; ++i) {
    environments_.push_back(plan.environment(unit.sequence));
  }
  players_.resize(unit.runs());
  for (std::size_t i = 0; i < players_.size(); ++i) {
    players_[i].learner = make_learner(plan.cells()[unit.cell].learner);
    players_[i].run = make_run(i);
  }
}

std::unique_ptr<Run> Block::make_run(std::size_t player) const {
  return std::make_unique<Run>(environment_of(player), *players_[player].learner,
                               plan_->experiment().environment.noise,
                               plan_->luck(unit_.sequence, unit_.begin + player));
}

void Block::advance(std::uint64_t rounds) {
  const std::uint64_t end =
      rounds_ + std::min(rounds, plan_->experiment().environment.horizon - rounds_);
  while (rounds_ < end) {
    if (environments_.size() == 1) {
      const Round round = environments_.front()->next();
      for (Player& player : players_) {
        player.run->step(round);
      }
    } else {
      for (Player& player : players_) {
        player.run->step();
      }
    }
    ++rounds_;
    if (rounds_ == plan_->points()[points_]) {
      record();
    }
  }
}

void Block::record() {
  const std::size_t points = plan_->points().size();
  for (std::size_t i = 0; i < players_.size(); ++i) {
    const Player& player = players_[i];
    records_[i * points + points_] = {player.run->loss(), player.run->best_arm_loss(),
                                      player.learner->certificate().regret_bound.value_or(
                                          std::numeric_limits<double>::quiet_NaN())};
  }
  ++points_;
}

std::string Block::save() const {
  StateWriter writer;
  for (const std::size_t part : {unit_.sequence, unit_.cell, unit_.begin, unit_.end}) {
    writer.add(std::uint64_t{part});
  }
  writer.add(rounds_);
  for (const Record& record : records_) {
    writer.add(record.loss);
    writer.add(record.best_arm_loss);
    writer.add(record.bound);
  }
  for (const auto& environment : environments_) {
    const std::vector<double> state = environment->save();
    writer.add(std::uint64_t{state.size()});
    for (const double value : state) {
      writer.add(value);
    }
  }
  for (const Player& player : players_) {
    writer.add(std::string_view(player.learner->save()));
    player.run->save(writer);
  }
  return writer.finish();
}

void Block::restore(std::string_view state) {
  StateReader reader(state);
  for (const std::size_t part : {unit_.sequence, unit_.cell, unit_.begin, unit_.end}) {
    if (reader.number() != part) {
      throw Error("state", "is another unit's, expected one of this");
    }
  }
  rounds_ = reader.number();
  if (rounds_ > plan_->experiment().environment.horizon) {
    throw Error("state", "is beyond the horizon, expected one of this experiment");
  }
  points_ = static_cast<std::size_t>(std::ranges::count_if(
      plan_->points(), [&](std::uint64_t point) { return point <= rounds_; }));
  for (Record& record : records_) {
    record.loss = reader.real();
    record.best_arm_loss = reader.real();
    record.bound = reader.real();
  }
  for (const auto& environment : environments_) {
    std::vector<double> values(reader.count(sizeof(double)));
    std::ranges::generate(values, [&] { return reader.real(); });
    environment->restore(values);
  }
  for (std::size_t i = 0; i < players_.size(); ++i) {
    players_[i].learner = restore_learner(reader.text());
    players_[i].run = make_run(i);
    players_[i].run->load(reader);
  }
  reader.finish();
}

}  // namespace hearsay
