#pragma once

// The losses of all arms in [0, 1], round by round. Losses that depend on the arms played are
// AdaptiveLosses. All others are oblivious, and several runs may share them.
//
// Each kind of losses has a struct of options and a function that makes the losses;
// find_loss_kind() finds a kind by name. A program may register kinds of its own before it uses
// them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

class Losses {
 public:
  Losses() = default;
  Losses(const Losses&) = delete;
  Losses& operator=(const Losses&) = delete;
  virtual ~Losses() = default;

  virtual std::size_t arms() const = 0;

  // Writes the losses of the coming round to `out`, which has one element for each arm.
  virtual void next(std::span<double> out) = 0;

  // The state as numbers. Losses made from the same options and stream continue with the same bits
  // after restore(), which throws Error if `state` does not fit.
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Losses that depend on the arms played so far.
class AdaptiveLosses : public Losses {
 public:
  // Receives the arm played in the round of the last next().
  virtual void played(Arm arm) = 0;
};

// Each function makes one kind of losses, and throws Error at the name of an option that is out of
// its range. All random numbers come from `stream`, so the same stream gives the same losses.
namespace losses {

// The losses of the paper: `walks` interleaved Gaussian random walks for every arm, clipped to
// [0, 1]. Round t uses walk t mod `walks`, which takes one step each time it is used again.
struct Walks {
  std::size_t arms = 0;
  std::size_t walks = 20;
  double step = 0.01;  // standard deviation

  static const FieldTable<Walks>& fields();  // without arms
  void check() const;
};
std::unique_ptr<Losses> walks(const Walks& options, const Stream& stream);

// Every loss is 0 or 1, with mean 1/2, or 1/2 - gap for the best arm.
struct Bernoulli {
  std::size_t arms = 0;
  double gap = 0.2;  // at most 1/2
  Arm best = 0;

  static const FieldTable<Bernoulli>& fields();  // without arms
  void check() const;
};
std::unique_ptr<Losses> bernoulli(const Bernoulli& options, const Stream& stream);

// As bernoulli, but the best arm is drawn anew every `period` rounds.
struct Switching {
  std::size_t arms = 0;
  double gap = 0.2;
  std::uint64_t period = 1000;

  static const FieldTable<Switching>& fields();  // without arms
  void check() const;
};
std::unique_ptr<Losses> switching(const Switching& options, const Stream& stream);

// The mean losses change after round `turn`: for arm 0 from 1/4 to 1, for arm 1 from 1/2 to 0. All
// other arms have mean 3/4 throughout. If both phases are equally long, arm 1 is the best overall.
struct Trap {
  std::size_t arms = 0;  // at least 2
  std::uint64_t turn = 1000;

  static const FieldTable<Trap>& fields();  // without arms
  void check() const;
};
std::unique_ptr<Losses> trap(const Trap& options, const Stream& stream);

// The losses of every round as numbers.
struct Table {
  std::size_t arms = 0;
  std::vector<double> values;  // one row for each round
};

// Losses from a table, which several Losses may share. next() throws Error after the last round.
std::unique_ptr<Losses> replayed(std::shared_ptr<const Table> table);

// Losses from a file, .csv (rows of numbers, no header) or .npy (rounds x arms).
std::unique_ptr<Losses> from_file(const std::string& path);

// Parses the bytes of such a file. `name` is its name in messages, whose ending gives the format.
// Throws Error at "name:line" (.npy: at a byte, a key or a round).
Table parse_table(std::string_view bytes, const std::string& name);

// Adaptive losses of 0 or 1 that rise for the arms played often. The mean of an arm is 1/2 (1/2 -
// gap for the best arm) + strength * (share - 1 / arms), clipped to [0, 1]. `share` is the arm's
// share of the plays, where past plays are discounted by 1 - 1 / memory per round.
struct Adversary {
  std::size_t arms = 0;
  double gap = 0.2;
  double strength = 0.5;  // at most 1/2
  double memory = 100;    // rounds, at least 1
  Arm best = 0;

  static const FieldTable<Adversary>& fields();  // without arms
  void check() const;
};
std::unique_ptr<AdaptiveLosses> adversary(const Adversary& options, const Stream& stream);

}  // namespace losses

struct LossKind {
  CatalogueEntry entry;
  AnyOptions defaults;
  bool is_adaptive = false;

  // Each throws Error at the name of an option that is out of its range.
  std::function<void(const AnyOptions& options, std::size_t arms)> check;
  std::function<std::unique_ptr<Losses>(const AnyOptions& options, std::size_t arms,
                                        const Stream& stream)>
      make;
};

// Describes a kind by the function that makes its losses; the kind is adaptive if the function
// makes AdaptiveLosses. The options must have a member `arms`, which is set to the number of arms
// of the graph.
template <class Options, class Made>
LossKind loss_kind(const CatalogueEntry& entry, const Options& defaults,
                   std::unique_ptr<Made> (*make)(const Options&, const Stream&)) {
  const auto with_arms = [](const AnyOptions& options, std::size_t arms) {
    Options given = options.as<Options>();
    given.arms = arms;
    return given;
  };
  return {entry, defaults, std::is_base_of_v<AdaptiveLosses, Made>,
          [with_arms](const AnyOptions& options, std::size_t arms) {
            check_options(with_arms(options, arms));
          },
          [with_arms, make](const AnyOptions& options, std::size_t arms, const Stream& stream)
              -> std::unique_ptr<Losses> { return make(with_arms(options, arms), stream); }};
}

// All kinds in the order of registration, the built-in ones first.
const std::deque<LossKind>& loss_kinds();

// Throws Error if there is no kind of that name.
const LossKind& find_loss_kind(std::string_view name);

// Must not be called while other threads use the kinds. Throws Error if the name is taken.
void register_loss_kind(LossKind kind);

}  // namespace hearsay
