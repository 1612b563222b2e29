#include "hearsay/certificate/independent_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <iterator>
#include <utility>

#include "hearsay/certificate/random_integers.h"

namespace hearsay {

namespace {

// A changing independent set, with the arms that could be added (free) and those that could replace
// one member (swappable). Both are updated along lists of conflicts.
class ListedSet {
 public:
  explicit ListedSet(const ConflictGraph& graph)
      : graph_(graph),
        conflicts_(graph.size()),
        place_(graph.size(), elsewhere),
        position_(graph.size()) {
    for (Arm arm = 0; arm < graph.size(); ++arm) {
      put(arm, free_arms);
    }
  }

  std::size_t arms() const { return graph_.size(); }
  const std::vector<Arm>& members() const { return lists_[in]; }
  bool contains(Arm arm) const { return place_[arm] == in; }
  const std::vector<Arm>& free() const { return lists_[free_arms]; }
  const std::vector<Arm>& swappable() const { return lists_[swappable_arms]; }

  // The members that `arm` conflicts with.
  void conflicting(Arm arm, std::vector<Arm>& out) const {
    out.clear();
    for (const Arm other : graph_.of(arm)) {
      if (contains(other)) {
        out.push_back(other);
      }
    }
  }

  void add(Arm arm) {
    assert(place_[arm] == free_arms);
    put(arm, in);
    for (const Arm other : graph_.of(arm)) {
      if (++conflicts_[other] <= 2) {
        put(other, conflicts_[other] == 1 ? swappable_arms : elsewhere);
      }
    }
  }

  void remove(Arm arm) {
    assert(place_[arm] == in);
    put(arm, free_arms);
    for (const Arm other : graph_.of(arm)) {
      if (--conflicts_[other] <= 1) {
        put(other, conflicts_[other] == 1 ? swappable_arms : free_arms);
      }
    }
  }

 private:
  enum Place : std::uint8_t { in, free_arms, swappable_arms, elsewhere };

  void put(Arm arm, Place place) {
    if (place_[arm] != elsewhere) {
      std::vector<Arm>& old = lists_[place_[arm]];
      old[position_[arm]] = old.back();
      position_[old.back()] = position_[arm];
      old.pop_back();
    }
    place_[arm] = place;
    if (place != elsewhere) {
      position_[arm] = lists_[place].size();
      lists_[place].push_back(arm);
    }
  }

  const ConflictGraph& graph_;
  std::vector<std::uint32_t> conflicts_;  // with members
  std::vector<Place> place_;
  std::vector<std::size_t> position_;  // in the list of its place
  std::array<std::vector<Arm>, elsewhere> lists_;
};

// The same on rows of bits: free and swappable arms are computed from the rows of the members when
// they are needed.
class BitSet {
 public:
  explicit BitSet(const BitMatrix& compatible)
      : compatible_(compatible),
        inside_(compatible.words()),
        once_(compatible.words()),
        twice_(compatible.words()) {}

  std::size_t arms() const { return compatible_.size(); }
  const std::vector<Arm>& members() const { return members_; }
  bool contains(Arm arm) const { return (inside_[arm / 64] & bit(arm)) != 0; }
  const std::vector<Arm>& free() {
    count_conflicts();
    return free_;
  }
  const std::vector<Arm>& swappable() {
    count_conflicts();
    return swappable_;
  }

  void conflicting(Arm arm, std::vector<Arm>& out) const {
    out.clear();
    std::ranges::copy_if(members_, std::back_inserter(out),
                         [&](Arm member) { return !compatible_.joined(arm, member); });
  }

  void add(Arm arm) {
    members_.push_back(arm);
    inside_[arm / 64] |= bit(arm);
    is_current_ = false;
  }

  void remove(Arm arm) {
    *std::ranges::find(members_, arm) = members_.back();
    members_.pop_back();
    inside_[arm / 64] &= ~bit(arm);
    is_current_ = false;
  }

 private:
  static std::uint64_t bit(Arm arm) { return std::uint64_t{1} << (arm % 64); }

  // Counts the conflicts of each arm with the members, up to two. The bit of an arm in its own row
  // is 0, so each member has one conflict, with itself.
  void count_conflicts() {
    if (is_current_) {
      return;
    }
    is_current_ = true;
    std::ranges::fill(once_, 0);
    std::ranges::fill(twice_, 0);
    for (const Arm member : members_) {
      const std::span<const std::uint64_t> row = compatible_.row(member);
      for (std::size_t w = 0; w < row.size(); ++w) {
        twice_[w] |= once_[w] & ~row[w];
        once_[w] |= ~row[w];
      }
    }
    free_.clear();
    swappable_.clear();
    for (std::size_t w = 0; w < once_.size(); ++w) {
      const std::size_t beyond = (w + 1) * 64 > arms() ? (w + 1) * 64 - arms() : 0;
      const std::uint64_t valid = ~std::uint64_t{0} >> beyond;
      collect(w, ~once_[w] & valid, free_);
      collect(w, once_[w] & ~twice_[w] & ~inside_[w] & valid, swappable_);
    }
  }

  static void collect(std::size_t word, std::uint64_t bits, std::vector<Arm>& out) {
    for (; bits != 0; bits &= bits - 1) {
      out.push_back(static_cast<Arm>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }

  const BitMatrix& compatible_;
  std::vector<Arm> members_;
  std::vector<std::uint64_t> inside_;  // the members as bits
  bool is_current_ = false;
  std::vector<std::uint64_t> once_;
  std::vector<std::uint64_t> twice_;
  std::vector<Arm> free_;
  std::vector<Arm> swappable_;
};

template <class Set>
class TabuSearch {
 public:
  TabuSearch(Set set, std::uint64_t seed)
      : set_(std::move(set)), random_(seed), tabu_until_(set_.arms()), moved_(set_.arms()) {}

  std::vector<Arm> run(const SetSearch& search, const Effort& effort) {
    for (const Arm arm : search.start) {
      set_.conflicting(arm, conflicting_);
      if (conflicting_.empty() && !set_.contains(arm)) {
        set_.add(arm);
      }
    }
    for (std::uint64_t k = 0; size() < search.size && k < search.steps; ++k) {
      if (k % 1024 == 0 && effort.stopped()) {
        break;
      }
      step();
    }
    while (!set_.free().empty()) {
      set_.add(set_.free().back());
    }
    keep_best();
    return std::move(best_);
  }

 private:
  std::size_t size() const { return set_.members().size(); }

  void step() {
    ++now_;
    const Arm* arm = least_recently_moved(set_.free());
    if (arm == nullptr && now_ - grown_ < set_.arms() + 100) {
      arm = least_recently_moved(set_.swappable());
    }
    if (arm != nullptr) {
      enter(*arm);
    } else if (size() < set_.arms()) {
      keep_best();  // the set shrinks only here
      auto forced = static_cast<Arm>(random_.below(set_.arms()));
      while (set_.contains(forced)) {
        forced = static_cast<Arm>(random_.below(set_.arms()));
      }
      enter(forced);
      largest_ = 0;
    }
    if (size() > largest_) {
      largest_ = size();
      grown_ = now_;
    }
  }

  // Of a few arms that are not tabu, the one that has not moved for the longest time; null if there
  // is none.
  const Arm* least_recently_moved(const std::vector<Arm>& arms) {
    constexpr std::size_t kLook = 32;
    const std::size_t looks = std::min(kLook, arms.size());
    const std::size_t start = looks == 0 ? 0 : random_.below(arms.size());
    const Arm* chosen = nullptr;
    for (std::size_t k = 0, at = start; k < looks; ++k, at = at + 1 == arms.size() ? 0 : at + 1) {
      const Arm& arm = arms[at];
      if (tabu_until_[arm] <= now_ && (chosen == nullptr || moved_[arm] < moved_[*chosen])) {
        chosen = &arm;
      }
    }
    return chosen;
  }

  void enter(Arm arm) {
    set_.conflicting(arm, conflicting_);
    for (const Arm other : conflicting_) {
      set_.remove(other);
      moved_[other] = now_;
      tabu_until_[other] = now_ + 7 + random_.below(6);
    }
    set_.add(arm);
    moved_[arm] = now_;
  }

  void keep_best() {
    if (size() > best_.size()) {
      best_ = set_.members();
    }
  }

  Set set_;
  RandomIntegers random_;
  std::vector<std::uint64_t> tabu_until_;
  std::vector<std::uint64_t> moved_;
  std::uint64_t now_ = 0;
  std::uint64_t grown_ = 0;  // the step in which largest_ last rose
  std::size_t largest_ = 0;  // the largest size since a random arm was last added
  std::vector<Arm> conflicting_;
  std::vector<Arm> best_;
};

}  // namespace

std::vector<Arm> greedy_independent_set(const ConflictGraph& conflicts, const Effort& effort) {
  StopPoll poll(effort);
  std::vector<bool> taken(conflicts.size());
  std::vector<bool> excluded(conflicts.size());
  for (const Arm arm : few_conflicts_first(conflicts)) {
    if (!excluded[arm]) {
      taken[arm] = true;
      for (const Arm other : conflicts.of(arm)) {
        excluded[other] = true;
      }
      poll.throw_if_stopped(2 * conflicts.degree(arm));
    }
  }
  std::vector<Arm> set;
  for (Arm arm = 0; arm < conflicts.size(); ++arm) {
    if (taken[arm]) {
      set.push_back(arm);
    }
  }
  return set;
}

std::vector<Arm> search_independent_set(const ConflictGraph& conflicts, const SetSearch& search,
                                        const Effort& effort) {
  return TabuSearch(ListedSet(conflicts), search.seed).run(search, effort);
}

std::vector<Arm> search_independent_set(const BitMatrix& compatible, const SetSearch& search,
                                        const Effort& effort) {
  return TabuSearch(BitSet(compatible), search.seed).run(search, effort);
}

}  // namespace hearsay
