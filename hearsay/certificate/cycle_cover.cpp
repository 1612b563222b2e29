#include "hearsay/certificate/cycle_cover.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "hearsay/certificate/clique_cover.h"

namespace hearsay {

CycleCoverSearch::CycleCoverSearch(const ConflictGraph& graph, std::uint64_t seed,
                                   const Effort& effort)
    : graph_(graph),
      random_(seed, 2),
      group_of_(graph.size()),
      is_uncovered_(graph.size(), true),
      distance_(graph.size(), kNotReached),
      before_(graph.size()),
      number_(graph.size(), kAbsent) {
  constexpr std::size_t kLongest = 15;
  std::vector<Arm> arms(graph.size());
  std::iota(arms.begin(), arms.end(), Arm{0});
  std::ranges::stable_sort(arms, {}, [&](Arm arm) { return graph.degree(arm); });
  std::vector<CoverGroup> groups;
  StopPoll poll(effort);
  pack_cycles(groups, arms, 3, kLongest, poll);
  cover_rest(groups, arms, effort);
  for (CoverGroup& group : groups) {
    add(std::move(group));
  }
  is_uncovered_.assign(graph.size(), false);
}

// Looks for an odd cycle of at most `most` uncovered arms near `start`, breadth first, until an arm
// is in conflict with another one at the same distance. Writes it to cycle_.
bool CycleCoverSearch::find_odd_cycle(Arm start, std::size_t most) {
  std::vector<Arm> reached = {start};
  distance_[start] = 0;
  bool found = false;
  for (std::size_t i = 0; i < reached.size() && !found; ++i) {
    const Arm arm = reached[i];
    if (2 * std::size_t{distance_[arm]} + 1 > most) {
      break;
    }
    work_ += graph_.degree(arm);
    for (const Arm other : graph_.of(arm)) {
      if (!is_uncovered_[other]) {
        continue;
      }
      if (distance_[other] == kNotReached) {
        distance_[other] = distance_[arm] + 1;
        before_[other] = arm;
        reached.push_back(other);
      } else if (distance_[other] == distance_[arm]) {
        // The paths back from both arms meet in `start` at the latest.
        cycle_ = {arm};
        std::vector<Arm> way_back = {other};
        while (before_[cycle_.back()] != before_[way_back.back()]) {
          cycle_.push_back(before_[cycle_.back()]);
          way_back.push_back(before_[way_back.back()]);
        }
        cycle_.push_back(before_[cycle_.back()]);
        cycle_.insert(cycle_.end(), way_back.rbegin(), way_back.rend());
        found = true;
        break;
      }
    }
  }
  for (const Arm arm : reached) {
    distance_[arm] = kNotReached;
  }
  return found;
}

void CycleCoverSearch::pack_cycles(std::vector<CoverGroup>& groups, std::span<const Arm> arms,
                                   std::size_t shortest, std::size_t longest, StopPoll& poll) {
  for (std::size_t length = shortest; length <= longest; length += 2) {
    for (const Arm arm : arms) {
      const std::uint64_t before = work_;
      while (is_uncovered_[arm] && find_odd_cycle(arm, length)) {
        for (const Arm member : cycle_) {
          is_uncovered_[member] = false;
        }
        groups.push_back({cycle_, cycle_.size() / 2});
      }
      poll.throw_if_stopped(4 * (work_ - before) + 1);
    }
  }
}

void CycleCoverSearch::cover_rest(std::vector<CoverGroup>& groups, std::span<const Arm> arms,
                                  const Effort& effort) {
  std::vector<Arm> rest;
  std::ranges::copy_if(arms, std::back_inserter(rest), [&](Arm arm) { return is_uncovered_[arm]; });
  std::ranges::sort(rest);
  const ConflictGraph graph = induced(graph_, rest, number_);
  for (const Arm arm : rest) {
    number_[arm] = kAbsent;
    work_ += graph_.degree(arm);
  }
  CliqueCoverSearch search(graph, 1, effort);
  search.improve(8 * (graph.size() + graph.entries()), 0, effort);
  work_ += 8 * (graph.size() + graph.entries());
  for (CoverGroup& clique : search.cover()) {
    for (Arm& arm : clique.arms) {
      arm = rest[arm];
    }
    groups.push_back(std::move(clique));
  }
}

void CycleCoverSearch::add(CoverGroup group) {
  std::size_t place = groups_.size();
  if (unused_.empty()) {
    groups_.emplace_back();
  } else {
    place = unused_.back();
    unused_.pop_back();
  }
  for (const Arm arm : group.arms) {
    group_of_[arm] = place;
  }
  bound_ += group.bound;
  groups_[place] = std::move(group);
}

void CycleCoverSearch::improve(std::uint64_t steps, std::size_t enough, const Effort& effort) {
  work_ = 0;
  StopPoll poll(effort);
  for (std::uint64_t before = 0; work_ < steps && bound_ > enough; before = work_) {
    rebuild(choose_region());
    if (poll.stopped(4 * (work_ - before))) {
      return;
    }
  }
}

// Chooses groups around a random arm, of a few dozen arms in total.
std::vector<std::size_t> CycleCoverSearch::choose_region() {
  constexpr std::size_t kMostArms = 48;
  std::vector<std::size_t> region = {group_of_[random_.below(graph_.size())]};
  std::vector<Arm> arms = groups_[region[0]].arms;
  for (std::size_t i = 0; i < arms.size() && arms.size() < kMostArms; ++i) {
    work_ += graph_.degree(arms[i]);
    for (const Arm other : graph_.of(arms[i])) {
      const std::size_t group = group_of_[other];
      if (arms.size() + groups_[group].arms.size() <= kMostArms && random_.below(3) != 0 &&
          std::ranges::find(region, group) == region.end()) {
        region.push_back(group);
        arms.insert(arms.end(), groups_[group].arms.begin(), groups_[group].arms.end());
      }
    }
  }
  return region;
}

// Covers the arms of the groups anew, and keeps the new groups if their bound is no worse.
void CycleCoverSearch::rebuild(const std::vector<std::size_t>& region) {
  constexpr std::size_t kLongest = 11;
  std::vector<Arm> arms;
  std::size_t bound = 0;
  for (const std::size_t group : region) {
    arms.insert(arms.end(), groups_[group].arms.begin(), groups_[group].arms.end());
    bound += groups_[group].bound;
  }
  work_ += 4 * arms.size();
  for (std::size_t i = arms.size(); i > 1; --i) {
    std::swap(arms[i - 1], arms[random_.below(i)]);
  }
  for (const Arm arm : arms) {
    is_uncovered_[arm] = true;
  }
  std::vector<CoverGroup> groups;
  const Effort unlimited;
  StopPoll poll(unlimited);
  pack_cycles(groups, arms, 3 + 2 * random_.below(3), kLongest, poll);
  cover_rest(groups, arms, unlimited);
  for (const Arm arm : arms) {
    is_uncovered_[arm] = false;
  }
  if (bound_of(groups) > bound) {
    return;
  }
  bound_ -= bound;
  for (const std::size_t group : region) {
    groups_[group] = {{}, 0};
    unused_.push_back(group);
  }
  for (CoverGroup& group : groups) {
    add(std::move(group));
  }
}

Cover CycleCoverSearch::cover() const {
  Cover cover;
  std::ranges::copy_if(groups_, std::back_inserter(cover),
                       [](const CoverGroup& group) { return !group.arms.empty(); });
  return cover;
}

}  // namespace hearsay
