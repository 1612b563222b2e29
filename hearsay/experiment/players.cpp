#include "hearsay/experiment/players.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "hearsay/experiment/lockstep_runs.h"
#include "hearsay/experiment/run.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

double bound_of(const std::optional<Certificate>& certificate) {
  return certificate ? certificate->regret_bound.value_or(std::numeric_limits<double>::quiet_NaN())
                     : std::numeric_limits<double>::quiet_NaN();
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

// Any learner in any environment; one that answers to what is played is each run's own.
class OneByOne final : public Players {
 public:
  OneByOne(const Plan& plan, const Unit& unit)
      : noise_(plan.experiment().environment.noise), players_(unit.runs()) {
    const std::size_t environments = plan.is_oblivious() ? 1 : unit.runs();
    for (std::size_t i = 0; i < environments; ++i) {
      environments_.push_back(plan.environment(unit.sequence));
    }
    for (std::size_t i = 0; i < players_.size(); ++i) {
      players_[i].luck = plan.luck(unit.sequence, unit.begin + i);
      seat(i, make_learner(plan.cells()[unit.cell].learner));
    }
  }

  void play_round() override {
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
  }

  Record record(std::size_t run) const override {
    const Player& player = players_[run];
    return {player.run->loss(), player.run->best_arm_loss(),
            bound_of(certificate_of(*player.learner))};
  }

  void save(StateWriter& writer) const override {
    for (const auto& environment : environments_) {
      save_environment(writer, *environment);
    }
    for (const Player& player : players_) {
      writer.add(std::string_view(player.learner->save()));
      player.run->save(writer);
    }
  }

  void load(StateReader& reader) override {
    for (const auto& environment : environments_) {
      load_environment(reader, *environment);
    }
    for (std::size_t i = 0; i < players_.size(); ++i) {
      seat(i, restore_learner(reader.text()));
      players_[i].run->load(reader);
    }
  }

 private:
  struct Player {
    Luck luck;
    std::unique_ptr<Learner> learner;
    std::unique_ptr<Run> run;
  };

  void seat(std::size_t player, std::unique_ptr<Learner> learner) {
    Player& it = players_[player];
    it.learner = std::move(learner);
    it.run = std::make_unique<Run>(*environments_[environments_.size() == 1 ? 0 : player],
                                   *it.learner, noise_, it.luck);
  }

  Noise noise_;
  std::vector<std::unique_ptr<Environment>> environments_;  // one for all, or each its own
  std::vector<Player> players_;
};

// Many at once.
class InLockstep final : public Players {
 public:
  InLockstep(const Plan& plan, const Unit& unit)
      : environment_(plan.environment(unit.sequence)),
        runs_(plan.cells()[unit.cell].learner, plan.experiment().environment.noise,
              luck_of(plan, unit)) {}

  void play_round() override { runs_.step(environment_->next()); }

  Record record(std::size_t run) const override {
    return {runs_.loss(run), runs_.best_arm_loss(), bound_of(runs_.learners().certificate(run))};
  }

  void save(StateWriter& writer) const override {
    save_environment(writer, *environment_);
    runs_.save(writer);
  }
  void load(StateReader& reader) override {
    load_environment(reader, *environment_);
    runs_.load(reader);
  }

 private:
  static std::vector<Luck> luck_of(const Plan& plan, const Unit& unit) {
    std::vector<Luck> luck;
    for (std::size_t repetition = unit.begin; repetition < unit.end; ++repetition) {
      luck.push_back(plan.luck(unit.sequence, repetition));
    }
    return luck;
  }

  std::unique_ptr<Environment> environment_;
  LockstepRuns runs_;
};

}  // namespace

std::unique_ptr<Players> make_players(const Plan& plan, const Unit& unit) {
  if (plan.in_step(plan.cells()[unit.cell], unit.runs())) {
    return std::make_unique<InLockstep>(plan, unit);
  }
  return std::make_unique<OneByOne>(plan, unit);
}

}  // namespace hearsay
