#include "hearsay/environment/losses.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/npy.h"
#include "hearsay/base/registry.h"
#include "hearsay/base/text.h"

namespace hearsay::losses {
namespace {

void check(bool holds, const char* key, const std::string& what) {
  if (!holds) {
    throw Error(key, what);
  }
}

void check_arms(std::size_t arms, std::size_t at_least) {
  check(arms >= at_least, "arms", fmt::format("is {}, expected at least {}", arms, at_least));
}

// Limits the positions of all walks of all arms to 1 GiB.
constexpr std::size_t kMostWalks = std::size_t{1} << 27U;

constexpr RealRange kGaps = {0, 0.5};
constexpr WholeRange kArmNumbers = {0, std::numeric_limits<Arm>::max()};
constexpr std::string_view kGap = "by how much the mean loss of the best arm is lower";
constexpr std::string_view kBest = "the best arm";

void check_best(Arm best, std::size_t arms) {
  check(best < arms, "best", fmt::format("is {}, expected an arm from 0 to {}", best, arms - 1));
}

[[noreturn]] void refuse_state() {
  throw Error("losses",
              "the state does not fit these losses, expected the numbers that save() returned");
}

// Returns the first number of a state, which is the number of rounds so far. Throws Error unless
// `expected` more numbers follow.
std::uint64_t rounds_of(std::span<const double> state, std::size_t expected) {
  if (state.size() != 1 + expected || !(state[0] >= 0 && state[0] < 0x1p53)) {
    refuse_state();
  }
  return static_cast<std::uint64_t>(state[0]);
}

// Calls use(begin, end) for consecutive parts of 0 to size - 1 and notes the work of each. Losses
// of very many arms or walks take long to make, to draw and to copy. After Interrupted they must be
// discarded.
template <class Use>
void in_parts(std::size_t size, Use&& use) {
  constexpr std::size_t kPart = Interruption::kStepsBetween;  // even, as fill_uniform() needs it
  for (std::size_t begin = 0; begin < size; begin += kPart) {
    const std::size_t end = std::min(size, begin + kPart);
    use(begin, end);
    note_work(end - begin);
  }
}

void fill_uniform_in_parts(const Stream& stream, std::uint64_t round, std::span<double> out) {
  in_parts(out.size(), [&](std::size_t begin, std::size_t end) {
    stream.fill_uniform(round, out.subspan(begin, end - begin), begin);
  });
}

std::vector<double> state_of(std::uint64_t rounds, std::span<const double> rest) {
  std::vector<double> state;
  state.reserve(1 + rest.size());
  state.push_back(static_cast<double>(rounds));
  in_parts(rest.size(), [&](std::size_t begin, std::size_t end) {
    const std::span<const double> part = rest.subspan(begin, end - begin);
    state.insert(state.end(), part.begin(), part.end());
  });
  return state;
}

class WalkLosses final : public Losses {
 public:
  WalkLosses(const Walks& options, const Stream& stream)
      : options_(options),
        stream_(stream),
        positions_(filled<double>(options.walks * options.arms)) {
    // Rounds are counted from 1, so round 0 of the stream is free for the initial positions.
    fill_uniform_in_parts(stream_, 0, positions_);
  }

  std::size_t arms() const override { return options_.arms; }

  void next(std::span<double> out) override {
    ++round_;
    const std::size_t walk = round_ % options_.walks;
    const bool first_use = round_ <= options_.walks;
    in_parts(options_.arms, [&](std::size_t begin, std::size_t end) {
      for (std::size_t arm = begin; arm < end; ++arm) {
        double& value = positions_[walk * options_.arms + arm];
        if (!first_use) {
          value = std::clamp(value + options_.step * stream_.normal(round_, arm), 0.0, 1.0);
        }
        out[arm] = value;
      }
    });
  }

  std::vector<double> save() const override { return state_of(round_, positions_); }
  void restore(std::span<const double> state) override {
    round_ = rounds_of(state, positions_.size());
    std::ranges::copy(state.subspan(1), positions_.begin());
  }

 private:
  Walks options_;
  Stream stream_;
  std::vector<double> positions_;  // positions_[walk * arms + arm]
  std::uint64_t round_ = 0;
};

// Losses of 0 or 1 with means that set_means() sets in each round.
template <class Base>
class CoinLosses : public Base {
 public:
  CoinLosses(std::size_t arms, const Stream& stream) : means_(arms, 0.5), stream_(stream) {}

  std::size_t arms() const override { return means_.size(); }

  void next(std::span<double> out) override {
    ++round_;
    set_means(round_, means_);
    fill_uniform_in_parts(stream_, round_, out);
    std::ranges::transform(out, means_, out.begin(),
                           [](double u, double mean) { return u < mean ? 1.0 : 0.0; });
  }

  std::vector<double> save() const override { return state_of(round_, means_); }
  void restore(std::span<const double> state) override {
    round_ = rounds_of(state, means_.size());
    std::ranges::copy(state.subspan(1), means_.begin());
  }

 protected:
  // Rounds are counted from 1. On entry `means` has the means of the previous round, initially 1/2.
  virtual void set_means(std::uint64_t round, std::span<double> means) = 0;

 private:
  std::vector<double> means_;
  Stream stream_;
  std::uint64_t round_ = 0;
};

class BernoulliLosses final : public CoinLosses<Losses> {
 public:
  BernoulliLosses(const Bernoulli& options, const Stream& stream)
      : CoinLosses(options.arms, stream), options_(options) {}

 private:
  void set_means(std::uint64_t /*round*/, std::span<double> means) override {
    means[options_.best] = 0.5 - options_.gap;
  }

  Bernoulli options_;
};

class SwitchingLosses final : public CoinLosses<Losses> {
 public:
  SwitchingLosses(const Switching& options, const Stream& stream)
      : CoinLosses(options.arms, stream), options_(options), stream_(stream) {}

 private:
  void set_means(std::uint64_t round, std::span<double> means) override {
    if ((round - 1) % options_.period != 0) {
      return;
    }
    std::ranges::fill(means, 0.5);
    // The indices below `arms` are used for the losses themselves.
    const double u = stream_.uniform(round, options_.arms + 2);
    means[static_cast<std::size_t>(u * static_cast<double>(options_.arms))] = 0.5 - options_.gap;
  }

  Switching options_;
  Stream stream_;
};

class TrapLosses final : public CoinLosses<Losses> {
 public:
  TrapLosses(const Trap& options, const Stream& stream)
      : CoinLosses(options.arms, stream), options_(options) {}

 private:
  void set_means(std::uint64_t round, std::span<double> means) override {
    std::ranges::fill(means, 0.75);
    means[0] = round <= options_.turn ? 0.25 : 1.0;
    means[1] = round <= options_.turn ? 0.5 : 0.0;
  }

  Trap options_;
};

class AdversaryLosses final : public CoinLosses<AdaptiveLosses> {
 public:
  AdversaryLosses(const Adversary& options, const Stream& stream)
      : CoinLosses(options.arms, stream),
        options_(options),
        shares_(options.arms, 1 / static_cast<double>(options.arms)) {}

  void played(Arm arm) override {
    const double newest = 1 / options_.memory;
    for (double& share : shares_) {
      share *= 1 - newest;
    }
    shares_[arm] += newest;
  }

  // Saves the shares instead of the means, which follow from them.
  std::vector<double> save() const override {
    std::vector<double> state = CoinLosses::save();
    std::ranges::copy(shares_, state.begin() + 1);
    return state;
  }
  void restore(std::span<const double> state) override {
    CoinLosses::restore(state);
    std::ranges::copy(state.subspan(1), shares_.begin());
  }

 private:
  void set_means(std::uint64_t /*round*/, std::span<double> means) override {
    const double equal_share = 1 / static_cast<double>(arms());
    for (std::size_t arm = 0; arm < means.size(); ++arm) {
      const double base = arm == options_.best ? 0.5 - options_.gap : 0.5;
      means[arm] = std::clamp(base + options_.strength * (shares_[arm] - equal_share), 0.0, 1.0);
    }
  }

  Adversary options_;
  std::vector<double> shares_;  // discounted share of the plays of each arm
};

class ReplayedLosses final : public Losses {
 public:
  explicit ReplayedLosses(std::shared_ptr<const Table> table) : table_(std::move(table)) {}

  std::size_t arms() const override { return table_->arms; }

  void next(std::span<double> out) override {
    const std::size_t rounds = table_->values.size() / arms();
    if (round_ >= rounds) {
      throw Error("losses", fmt::format("end after {} rounds, expected more rounds", rounds));
    }
    std::ranges::copy(std::span(table_->values).subspan(round_ * arms(), arms()), out.begin());
    ++round_;
  }

  std::vector<double> save() const override { return state_of(round_, {}); }
  void restore(std::span<const double> state) override { round_ = rounds_of(state, 0); }

 private:
  std::shared_ptr<const Table> table_;
  std::size_t round_ = 0;
};

}  // namespace

const FieldTable<Walks>& Walks::fields() {
  static const FieldTable<Walks> table = {
      field("walks", &Walks::walks, WholeRange{1, kMostWalks},
            "number of interleaved Gaussian walks of every arm; round t uses walk t mod walks"),
      field("step", &Walks::step, RealRange{0, 1}, "standard deviation of a step"),
  };
  return table;
}

const FieldTable<Bernoulli>& Bernoulli::fields() {
  static const FieldTable<Bernoulli> table = {
      field("gap", &Bernoulli::gap, kGaps, kGap),
      field("best", &Bernoulli::best, kArmNumbers, kBest),
  };
  return table;
}

const FieldTable<Switching>& Switching::fields() {
  static const FieldTable<Switching> table = {
      field("gap", &Switching::gap, kGaps, kGap),
      field("period", &Switching::period, WholeRange{.low = 1},
            "number of rounds after which the best arm is drawn anew"),
  };
  return table;
}

const FieldTable<Trap>& Trap::fields() {
  static const FieldTable<Trap> table = {
      field("turn", &Trap::turn, WholeRange{}, "the last round in which arm 0 is good"),
  };
  return table;
}

const FieldTable<Adversary>& Adversary::fields() {
  static const FieldTable<Adversary> table = {
      field("gap", &Adversary::gap, kGaps, kGap),
      field("strength", &Adversary::strength, RealRange{0, 0.5},
            "how much the mean loss of an arm rises with its share of the plays"),
      field("memory", &Adversary::memory, RealRange{.low = 1},
            "approximate number of past rounds that count in the share of the plays"),
      field("best", &Adversary::best, kArmNumbers, kBest),
  };
  return table;
}

void Walks::check() const {
  check_arms(arms, 1);
  losses::check(
      walks <= kMostWalks / arms, "walks",
      fmt::format("is {}, expected at most {} for {} arms", walks, kMostWalks / arms, arms));
}

void Bernoulli::check() const {
  check_arms(arms, 1);
  check_best(best, arms);
}

void Switching::check() const {
  check_arms(arms, 1);
}

void Trap::check() const {
  check_arms(arms, 2);
}

void Adversary::check() const {
  check_arms(arms, 1);
  check_best(best, arms);
}

std::unique_ptr<Losses> walks(const Walks& options, const Stream& stream) {
  check_options(options);
  return std::make_unique<WalkLosses>(options, stream);
}

std::unique_ptr<Losses> bernoulli(const Bernoulli& options, const Stream& stream) {
  check_options(options);
  return std::make_unique<BernoulliLosses>(options, stream);
}

std::unique_ptr<Losses> switching(const Switching& options, const Stream& stream) {
  check_options(options);
  return std::make_unique<SwitchingLosses>(options, stream);
}

std::unique_ptr<Losses> trap(const Trap& options, const Stream& stream) {
  check_options(options);
  return std::make_unique<TrapLosses>(options, stream);
}

namespace {

// `place`: what messages call the table.
void check_values(const Table& table, const std::string& place) {
  const auto& [arms, values] = table;
  check_arms(arms, 1);
  check(values.size() % arms == 0, place.c_str(),
        fmt::format("{} numbers for {} arms, expected a multiple of the number of arms",
                    values.size(), arms));
  const auto wrong = std::ranges::find_if(values, [](double x) { return !(x >= 0 && x <= 1); });
  if (wrong != values.end()) {
    const auto index = static_cast<std::size_t>(wrong - values.begin());
    throw Error(place, fmt::format("round {}, arm {}: is {}, expected a number in [0, 1]",
                                   index / arms + 1, index % arms, *wrong));
  }
}

// Parses rows of numbers without a header.
Table parse_csv(std::string_view text, const std::string& name) {
  std::vector<double> values;
  std::size_t arms = 0;
  LineReader lines(without_byte_order_mark(text), name);
  while (lines.next()) {
    std::string_view rest = lines.line();
    std::size_t columns = 0;
    for (; columns == 0 || !rest.empty(); ++columns) {
      const std::string_view field = take_field(rest, ',');
      double value = 0;
      if (!read_number(field, value) || !(value >= 0 && value <= 1)) {
        lines.fail(fmt::format("column {} is {}, expected a number in [0, 1]", columns + 1,
                               in_quotes(field)));
      }
      values.push_back(value);
    }
    if (lines.line().ends_with(',')) {
      lines.fail("ends in a comma, expected a number after it");
    }
    if (arms != 0 && columns != arms) {
      lines.fail(fmt::format("has {} columns, expected {} as in the lines above", columns, arms));
    }
    arms = columns;
  }
  check(arms != 0, name.c_str(), "is empty, expected a row of losses for each round");
  return {arms, std::move(values)};
}

Table parse_npy(std::string_view bytes, const std::string& name) {
  const NpyHeader header = read_npy_header(bytes, name);
  Table table{header.columns, read_npy_values(bytes, header)};
  check_values(table, name);
  return table;
}

}  // namespace

Table parse_table(std::string_view bytes, const std::string& name) {
  const bool npy = name.ends_with(".npy");
  check(npy || name.ends_with(".csv"), name.c_str(),
        "has an unknown ending, expected .csv or .npy");
  return npy ? parse_npy(bytes, name) : parse_csv(bytes, name);
}

std::unique_ptr<Losses> replayed(std::shared_ptr<const Table> table) {
  check_values(*table, "losses");
  return std::make_unique<ReplayedLosses>(std::move(table));
}

std::unique_ptr<Losses> from_file(const std::string& path) {
  return replayed(std::make_shared<const Table>(parse_table(read_file(path), path)));
}

std::unique_ptr<AdaptiveLosses> adversary(const Adversary& options, const Stream& stream) {
  check_options(options);
  return std::make_unique<AdversaryLosses>(options, stream);
}

}  // namespace hearsay::losses

namespace hearsay {
namespace {

Registry<LossKind>& registry() {
  static Registry<LossKind> kinds(
      "losses",
      {
          loss_kind({"walks", "interleaved Gaussian random walks, clipped to [0, 1]",
                     "Kocak, Neu, Valko, AISTATS 2016"},
                    losses::Walks{}, losses::walks),
          loss_kind({"bernoulli", "0 or 1, the mean of one arm is lower by a gap",
                     "Lattimore, Szepesvari, Bandit Algorithms, 2020"},
                    losses::Bernoulli{}, losses::bernoulli),
          loss_kind({"switching", "as bernoulli, with a new best arm after every period",
                     "docs/model.md"},
                    losses::Switching{}, losses::switching),
          loss_kind({"trap", "two phases: the best arm of the first is the worst of the second",
                     "docs/model.md"},
                    losses::Trap{}, losses::trap),
          loss_kind(
              {"adversary", "adaptive: the mean loss of an arm rises with its share of the plays",
               "docs/model.md"},
              losses::Adversary{}, losses::adversary),
      });
  return kinds;
}

}  // namespace

const std::deque<LossKind>& loss_kinds() {
  return registry().rows();
}

const LossKind& find_loss_kind(std::string_view name) {
  return registry().find(name);
}

void register_loss_kind(LossKind kind) {
  registry().add(std::move(kind));
}

}  // namespace hearsay
