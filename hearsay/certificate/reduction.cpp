#include "hearsay/certificate/reduction.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <queue>
#include <utility>

#include "hearsay/certificate/matching.h"

namespace hearsay {

// The changing graph. Entries of removed arms are deleted from a list of conflicts when it is read
// the next time.
class Reduction::Rewriter {
 public:
  Rewriter(Reduction& result, const ConflictGraph& graph, const Effort& effort)
      : result_(result),
        effort_(effort),
        poll_(effort),
        begin_(graph.size()),
        length_(graph.size()),
        degree_(graph.size()),
        alive_(graph.size(), true),
        is_waiting_(graph.size(), true),
        mark_(graph.size()) {
    pool_.reserve(graph.entries());
    for (Arm arm = 0; arm < graph.size(); ++arm) {
      begin_[arm] = pool_.size();
      length_[arm] = degree_[arm] = static_cast<std::uint32_t>(graph.degree(arm));
      pool_.insert(pool_.end(), graph.of(arm).begin(), graph.of(arm).end());
    }
    for (Arm arm = static_cast<Arm>(graph.size()); arm-- > 0;) {
      waiting_.push_back(arm);
    }
  }

  void apply_local_rules() {
    while (!waiting_.empty()) {
      const Arm arm = waiting_.back();
      waiting_.pop_back();
      is_waiting_[arm] = false;
      poll_.throw_if_stopped(10);
      if (alive_[arm]) {
        examine(arm);
      }
    }
  }

  // Returns true if it has changed anything.
  bool apply_linear_relaxation() {
    const std::vector<Arm> arms = alive_arms();
    const ConflictGraph graph = current(arms);
    const Crown crown = find_crown(graph, match_double_cover(graph, effort_), effort_);
    for (std::size_t i = 0; i < crown.taken.size(); ++i) {
      const Arm partner = crown.partner[i];
      record(Step::Kind::take, arms[crown.taken[i]],
             partner == DoubleCoverMatching::kUnmatched ? std::vector<Arm>{}
                                                        : std::vector<Arm>{arms[partner]});
      ++result_.taken_;
    }
    for (const Arm arm : crown.taken) {
      remove(arms[arm]);
    }
    for (const Arm arm : crown.removed) {
      remove(arms[arm]);
    }
    return !crown.taken.empty();
  }

  // Removes arms with many conflicts until the local rules leave nothing.
  void remove_all() {
    using Entry = std::pair<std::uint32_t, Arm>;  // an earlier degree, which may have fallen since
    std::priority_queue<Entry> by_degree;
    for (const Arm arm : alive_arms()) {
      by_degree.emplace(degree_[arm], arm);
    }
    while (!by_degree.empty()) {
      const auto [degree, arm] = by_degree.top();
      by_degree.pop();
      poll_.throw_if_stopped(50);
      if (!alive_[arm]) {
        continue;
      }
      if (degree_[arm] < degree) {
        by_degree.emplace(degree_[arm], arm);
        continue;
      }
      remove(arm);
      apply_local_rules();
    }
  }

  std::vector<Arm> alive_arms() const {
    std::vector<Arm> arms;
    for (Arm arm = 0; arm < alive_.size(); ++arm) {
      if (alive_[arm]) {
        arms.push_back(arm);
      }
    }
    return arms;
  }

  // The current graph. `arms` must be alive_arms().
  ConflictGraph current(std::span<const Arm> arms) {
    std::vector<Arm> number(alive_.size());
    for (std::size_t i = 0; i < arms.size(); ++i) {
      number[arms[i]] = static_cast<Arm>(i);
    }
    std::vector<std::size_t> begin(arms.size() + 1);
    std::vector<Arm> others;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      for (const Arm other : conflicts(arms[i])) {
        others.push_back(number[other]);
      }
      std::sort(others.begin() + static_cast<std::ptrdiff_t>(begin[i]), others.end());
      begin[i + 1] = others.size();
      poll_.throw_if_stopped(8 * (begin[i + 1] - begin[i]) + 1);
    }
    return {std::move(begin), std::move(others)};
  }

 private:
  std::span<const Arm> conflicts(Arm arm) {
    Arm* const first = pool_.data() + begin_[arm];
    if (length_[arm] != degree_[arm]) {
      Arm* const last =
          std::remove_if(first, first + length_[arm], [&](Arm other) { return !alive_[other]; });
      length_[arm] = static_cast<std::uint32_t>(last - first);
      assert(length_[arm] == degree_[arm]);
    }
    return {first, length_[arm]};
  }

  void enqueue(Arm arm) {
    if (!is_waiting_[arm]) {
      is_waiting_[arm] = true;
      waiting_.push_back(arm);
    }
  }

  void record(Step::Kind kind, Arm arm, std::span<const Arm> others) {
    result_.others_.insert(result_.others_.end(), others.begin(), others.end());
    result_.steps_.push_back({kind, arm, result_.others_.size()});
  }

  void remove(Arm arm) {
    alive_[arm] = false;
    const std::span<const Arm> list(pool_.data() + begin_[arm], length_[arm]);
    for (const Arm other : list) {
      if (alive_[other]) {
        --degree_[other];
        enqueue(other);
      }
    }
    poll_.throw_if_stopped(4 * list.size());
  }

  void take(Arm arm) {
    const std::span<const Arm> others = conflicts(arm);
    record(Step::Kind::take, arm, others);
    ++result_.taken_;
    const std::vector<Arm> gone(others.begin(), others.end());
    alive_[arm] = false;
    for (const Arm other : gone) {
      alive_[other] = false;
    }
    for (const Arm other : gone) {
      remove(other);
    }
  }

  void examine(Arm arm) {
    switch (degree_[arm]) {
      case 0:
      case 1:
        take(arm);
        break;
      case 2: {
        const std::span<const Arm> pair = conflicts(arm);
        const Arm a = pair[0];
        const Arm b = pair[1];
        if (are_in_conflict(a, b)) {
          take(arm);
        } else {
          fold(arm, degree_[a] >= degree_[b] ? a : b, degree_[a] >= degree_[b] ? b : a);
        }
        break;
      }
      default:
        remove_dominating(arm);
    }
  }

  bool are_in_conflict(Arm a, Arm b) {
    const Arm few = degree_[a] < degree_[b] ? a : b;
    const std::span<const Arm> list = conflicts(few);
    poll_.throw_if_stopped(list.size());
    return std::ranges::find(list, few == a ? b : a) != list.end();
  }

  // The only two conflicts of `arm` are `a` and `b`. Some largest set has either both of them or
  // `arm`, so from now on `a` represents the choice of both.
  void fold(Arm arm, Arm a, Arm b) {
    record(Step::Kind::fold, arm, std::array{a, b});
    ++result_.taken_;
    alive_[arm] = false;
    alive_[b] = false;
    --degree_[a];
    ++stamp_;
    std::vector<Arm> merged;
    merged.reserve(degree_[a] + degree_[b]);
    for (const Arm other : conflicts(a)) {
      mark_[other] = stamp_;
      merged.push_back(other);
      enqueue(other);
    }
    const std::span<const Arm> of_b(pool_.data() + begin_[b], length_[b]);
    for (const Arm other : of_b) {
      if (!alive_[other]) {
        continue;
      }
      enqueue(other);
      if (mark_[other] == stamp_) {
        --degree_[other];  // `a` remains, `b` is removed
      } else {
        const std::span<Arm> list(pool_.data() + begin_[other], length_[other]);
        *std::ranges::find(list, b) = a;
        merged.push_back(other);
        poll_.throw_if_stopped(list.size());
      }
    }
    begin_[a] = pool_.size();
    length_[a] = degree_[a] = static_cast<std::uint32_t>(merged.size());
    pool_.insert(pool_.end(), merged.begin(), merged.end());
    enqueue(a);
    poll_.throw_if_stopped(4 * merged.size());
  }

  // Removes the arms that conflict with `arm` and with all conflicts of `arm`, because `arm` can
  // replace each of them.
  void remove_dominating(Arm arm) {
    constexpr std::size_t kMostWork = 256;
    const std::span<const Arm> list = conflicts(arm);
    std::size_t work = 0;
    for (const Arm other : list) {
      work += degree_[other];
      if (work > kMostWork) {
        return;
      }
    }
    poll_.throw_if_stopped(2 * work);
    ++stamp_;
    mark_[arm] = stamp_;
    for (const Arm other : list) {
      mark_[other] = stamp_;
    }
    const std::vector<Arm> candidates(list.begin(), list.end());
    for (const Arm candidate : candidates) {
      const std::span<const Arm> its = conflicts(candidate);
      const auto shared = static_cast<std::uint32_t>(
          std::ranges::count_if(its, [&](Arm other) { return mark_[other] == stamp_; }));
      if (shared == degree_[arm]) {
        record(Step::Kind::remove, candidate, std::array{arm});
        remove(candidate);
        mark_[candidate] = 0;
      }
    }
  }

  Reduction& result_;
  const Effort& effort_;
  StopPoll poll_;
  std::vector<Arm> pool_;  // the lists; a list that grows moves to the end
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> length_;
  std::vector<std::uint32_t> degree_;  // number of conflicts with arms that are not removed
  std::vector<bool> alive_;
  std::vector<bool> is_waiting_;
  std::vector<Arm> waiting_;  // to be examined
  std::vector<std::uint32_t> mark_;
  std::uint32_t stamp_ = 0;
};

Reduction::Reduction(const ConflictGraph& graph, Rules rules, const Effort& effort)
    : Reduction(graph.size()) {
  Rewriter rewriter(*this, graph, effort);
  rewriter.apply_local_rules();
  while (rules == Rules::all && rewriter.apply_linear_relaxation()) {
    rewriter.apply_local_rules();
  }
  kernel_arms_ = rewriter.alive_arms();
  kernel_ = rewriter.current(kernel_arms_);
}

std::vector<Arm> large_set(const ConflictGraph& graph, const Effort& effort) {
  Reduction steps(graph.size());
  Reduction::Rewriter rewriter(steps, graph, effort);
  rewriter.apply_local_rules();
  rewriter.remove_all();
  return steps.lift_set({});
}

std::span<const Arm> Reduction::others_of(std::size_t step) const {
  const std::size_t begin = step == 0 ? 0 : steps_[step - 1].others_end;
  return std::span(others_).subspan(begin, steps_[step].others_end - begin);
}

std::vector<Arm> Reduction::restrict_set(std::span<const Arm> set) const {
  std::vector<bool> contains(arms_);
  for (const Arm arm : set) {
    contains[arm] = true;
  }
  std::vector<Arm> kernel_set;
  for (Arm arm = 0; arm < kernel_arms_.size(); ++arm) {
    if (contains[kernel_arms_[arm]]) {
      kernel_set.push_back(arm);
    }
  }
  return kernel_set;
}

std::vector<Arm> Reduction::lift_set(std::span<const Arm> kernel_set) const {
  std::vector<bool> contains(arms_);
  for (const Arm arm : kernel_set) {
    contains[kernel_arms_[arm]] = true;
  }
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const std::span<const Arm> others = others_of(i);
    switch (steps_[i].kind) {
      case Step::Kind::take:
        contains[steps_[i].arm] = true;
        break;
      case Step::Kind::fold:
        contains[others[1]] = contains[others[0]];
        contains[steps_[i].arm] = !contains[others[0]];
        break;
      case Step::Kind::remove:
        break;
    }
  }
  std::vector<Arm> set;
  for (Arm arm = 0; arm < arms_; ++arm) {
    if (contains[arm]) {
      set.push_back(arm);
    }
  }
  return set;
}

Cover Reduction::lift_cover(Cover kernel_cover) const {
  std::vector<std::size_t> group(arms_);
  Cover cover;
  for (CoverGroup& kernel_group : kernel_cover) {
    for (Arm& arm : kernel_group.arms) {
      arm = kernel_arms_[arm];
      group[arm] = cover.size();
    }
    cover.push_back(std::move(kernel_group));
  }
  const auto add = [&](std::size_t to, Arm arm) {
    group[arm] = to;
    cover[to].arms.push_back(arm);
  };
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const Step& step = steps_[i];
    const std::span<const Arm> others = others_of(i);
    switch (step.kind) {
      case Step::Kind::take:
        cover.emplace_back();
        add(cover.size() - 1, step.arm);
        for (const Arm other : others) {
          add(cover.size() - 1, other);
        }
        break;
      case Step::Kind::fold:  // others[0] is in the cover already
        add(group[others[0]], step.arm);
        add(group[others[0]], others[1]);
        ++cover[group[others[0]]].bound;
        break;
      case Step::Kind::remove:
        add(group[others[0]], step.arm);
        break;
    }
  }
  for (CoverGroup& each : cover) {
    std::ranges::sort(each.arms);
  }
  return cover;
}

}  // namespace hearsay
