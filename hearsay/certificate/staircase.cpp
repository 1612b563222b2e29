#include "hearsay/certificate/staircase.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace hearsay {

NestedSets nested_sets(const Strengths& strengths, const std::vector<Arm>& set,
                       const Effort& effort) {
  constexpr std::size_t kMostPairs = std::size_t{1} << 20U;
  const std::vector<WeightedPair> pairs = strengths.strongest_pairs(set, kMostPairs, effort);
  std::vector<bool> left_out(strengths.arms());
  std::vector<Arm> removed;
  NestedSets result;
  for (const WeightedPair& pair : pairs) {
    if (left_out[pair.first] || left_out[pair.second]) {
      continue;
    }
    if (result.prefixes.empty() || result.prefixes.back().diameter != pair.strength) {
      result.prefixes.push_back({set.size() - removed.size(), pair.strength});
    }
    left_out[pair.first] = true;
    removed.push_back(pair.first);
  }
  if (pairs.size() < kMostPairs) {  // no pairs of positive strength are left
    result.prefixes.push_back({set.size() - removed.size(), 0});
  }
  std::ranges::reverse(result.prefixes);
  std::ranges::copy_if(set, std::back_inserter(result.order),
                       [&](Arm arm) { return !left_out[arm]; });
  result.order.insert(result.order.end(), removed.rbegin(), removed.rend());
  return result;
}

std::vector<Arm> Staircase::Stair::set() const {
  std::vector<Arm> set(order->begin(), order->begin() + static_cast<std::ptrdiff_t>(size));
  std::ranges::sort(set);
  return set;
}

Staircase::Staircase(double end) : end_(end) {
  stairs_.push_back({.order = std::make_shared<std::vector<Arm>>(1, Arm{0})});
}

bool Staircase::add(NestedSets sets) {
  const auto order = std::make_shared<const std::vector<Arm>>(std::move(sets.order));
  std::vector<Stair> all;
  all.reserve(stairs_.size() + sets.prefixes.size());
  // In increasing diameter; of equal diameters the larger set first, and known sets before new
  // ones.
  const auto comes_first = [](const auto& a, const auto& b) {
    return a.diameter != b.diameter ? a.diameter < b.diameter : a.size > b.size;
  };
  bool has_new = false;
  std::size_t largest = 0;
  const auto add = [&](const Stair& stair, bool is_new) {
    if (stair.size > largest && stair.diameter < end_) {
      largest = stair.size;
      all.push_back(stair);
      has_new = has_new || is_new;
    }
  };
  auto known = stairs_.begin();
  for (const NestedSets::Prefix& each : sets.prefixes) {
    for (; known != stairs_.end() && !comes_first(each, *known); ++known) {
      add(*known, false);
    }
    add({each.size, each.diameter, order}, true);
  }
  for (; known != stairs_.end(); ++known) {
    add(*known, false);
  }
  if (has_new) {
    stairs_ = std::move(all);
  }
  return has_new;
}

double Staircase::end_of(std::size_t stair) const {
  return stair + 1 < stairs_.size() ? stairs_[stair + 1].diameter : end_;
}

const Staircase::Stair& Staircase::largest_at(double threshold) const {
  const auto wider =
      std::ranges::partition_point(stairs_, [&](const Stair& s) { return s.diameter < threshold; });
  return *std::prev(wider);
}

void Staircase::remove_redundant(
    const std::function<bool(std::size_t size, double end)>& is_too_low) {
  std::vector<Stair> kept = {stairs_.front()};
  for (std::size_t next = 1; next < stairs_.size();) {
    // The last stair to which the gap of the last kept one can extend without being too low; if
    // there is none, the next stair.
    const auto begin = stairs_.begin() + static_cast<std::ptrdiff_t>(next);
    const auto low = std::partition_point(begin, stairs_.end(), [&](const Stair& stair) {
      return !is_too_low(kept.back().size, stair.diameter);
    });
    if (low == stairs_.end() && !is_too_low(kept.back().size, end_)) {
      break;
    }
    const auto chosen = low == begin ? begin : std::prev(low);
    kept.push_back(*chosen);
    next = static_cast<std::size_t>(chosen - stairs_.begin()) + 1;
  }
  stairs_ = std::move(kept);
}

std::vector<ChainLink> chain_of(const Staircase& stairs, std::size_t arms) {
  std::vector<ChainLink> chain;
  std::vector<Arm> before;
  std::vector<std::size_t> last(arms);  // the number of the last set with this arm
  for (const Staircase::Stair& stair : stairs.stairs()) {
    ChainLink link{stair.diameter, {}, {}};
    const std::size_t number = chain.size() + 1;
    const std::span<const Arm> set = std::span(*stair.order).first(stair.size);
    for (const Arm arm : set) {
      if (number == 1 || last[arm] + 1 != number) {
        link.added.push_back(arm);
      }
      last[arm] = number;
    }
    std::ranges::copy_if(before, std::back_inserter(link.removed),
                         [&](Arm arm) { return last[arm] != number; });
    before.assign(set.begin(), set.end());
    chain.push_back(std::move(link));
  }
  return chain;
}

}  // namespace hearsay
