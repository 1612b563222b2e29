#pragma once

// Where losses come from, round after round, each in [0, 1]. Losses that react to what is played
// are AdaptiveLosses; all others are oblivious, and several runs may share them.
//
// Each kind is a struct of options with a function that makes the losses; loss_kinds() has the
// kinds by name. A program may register kinds of its own before it uses them.

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

  // Fixes the losses of the coming round; `out` has one place for each arm.
  virtual void next(std::span<double> out) = 0;

  // The state as numbers. Losses made from the same options and stream continue from it with the
  // same bits; `restore` throws Error for what cannot be such a state.
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Losses that depend on what has been played. Only these are told it.
class AdaptiveLosses : public Losses {
 public:
  // What was played in the round that was last fixed.
  virtual void played(Arm arm) = 0;
};

// Each function makes one kind of losses, and throws Error for options that make no sense. Numbers
// come from `stream` alone, so the same stream gives the same losses.
namespace losses {

// The paper's: for every arm `walks` Gaussian random walks, interleaved. Round t uses walk
// t mod `walks`, which takes one step when it is used again; clipped to [0, 1].
struct Walks {
  std::size_t arms = 0;
  std::size_t walks = 20;
  double step = 0.01;  // standard deviation

  static const FieldTable<Walks>& fields();  // all but arms
  void check() const;
};
std::unique_ptr<Losses> walks(const Walks& options, const Stream& stream);

// 0 or 1, of mean 1/2; 1/2 - gap for the best arm.
struct Bernoulli {
  std::size_t arms = 0;
  double gap = 0.2;  // at most 1/2
  Arm best = 0;

  static const FieldTable<Bernoulli>& fields();  // all but arms
  void check() const;
};
std::unique_ptr<Losses> bernoulli(const Bernoulli& options, const Stream& stream);

// As bernoulli, but every `period` rounds another arm, drawn at random, is the best.
struct Switching {
  std::size_t arms = 0;
  double gap = 0.2;
  std::uint64_t period = 1000;

  static const FieldTable<Switching>& fields();  // all but arms
};
std::unique_ptr<Losses> switching(const Switching& options, const Stream& stream);

// Arm 0 is good (mean 1/4) until round `turn`, then bad (1). Arm 1 is fair (mean 1/2), then perfect
// (0): the best over both phases, if the second is as long as the first. The others: 3/4
// throughout.
struct Trap {
  std::size_t arms = 0;  // at least 2
  std::uint64_t turn = 1000;

  static const FieldTable<Trap>& fields();  // all but arms
  void check() const;
};
std::unique_ptr<Losses> trap(const Trap& options, const Stream& stream);

// Losses that are given as numbers; several Losses may share a table.
struct Table {
  std::size_t arms = 0;
  std::vector<double> values;  // a row a round
};
// Throws Error when it is asked for more rounds than there are.
std::unique_ptr<Losses> replayed(std::shared_ptr<const Table> table);

// From a file, by its ending: .csv (rows of numbers, no header) or .npy (rounds x arms).
std::unique_ptr<Losses> from_file(const std::string& path);

// What is in such a file. `name`: what messages call it, and its ending. Throws Error at
// "name:line" (.npy: at a byte, a key or a round).
Table parse_table(std::string_view bytes, const std::string& name);

// Adaptive: raises the loss of what the learner has favoured. An arm's mean is 1/2 (1/2 - gap for
// the best) plus strength * (its share of the plays, the last `memory` or so, - 1/arms).
struct Adversary {
  std::size_t arms = 0;
  double gap = 0.2;
  double strength = 0.5;  // at most 1/2
  double memory = 100;    // rounds, at least 1
  Arm best = 0;

  static const FieldTable<Adversary>& fields();  // all but arms
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

// A kind from the function that makes such losses; it is adaptive if they are AdaptiveLosses. The
// options have a member `arms`, which is set to the number of arms of the graph.
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

// In the order in which they were registered, those of hearsay first.
const std::deque<LossKind>& loss_kinds();

// Throws Error if there is none of that name.
const LossKind& find_loss_kind(std::string_view name);

// Not while other threads use the kinds. Throws Error if the name is taken.
void register_loss_kind(LossKind kind);

}  // namespace hearsay
