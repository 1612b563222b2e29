#include "hearsay/certificate/independent_set.h"

#include <algorithm>
#include <cassert>

#include "hearsay/random/stream.h"

namespace hearsay {

std::vector<Arm> greedy_independent_set(const ConflictGraph& graph) {
  const std::size_t n = graph.size();
  std::vector<std::size_t> degree(n);
  std::vector<std::vector<Arm>> buckets;
  const auto file = [&](Arm arm) {
    if (buckets.size() <= degree[arm]) {
      buckets.resize(degree[arm] + 1);
    }
    buckets[degree[arm]].push_back(arm);
  };
  for (Arm arm = 0; arm < n; ++arm) {
    degree[arm] = graph.of(arm).size();
    file(arm);
  }
  std::vector<bool> gone(n);
  std::vector<Arm> set;
  for (std::size_t least = 0; least < buckets.size();) {
    if (buckets[least].empty()) {
      ++least;
      continue;
    }
    const Arm arm = buckets[least].back();
    buckets[least].pop_back();
    if (gone[arm] || degree[arm] != least) {
      continue;  // an entry from before its degree fell
    }
    gone[arm] = true;
    set.push_back(arm);
    for (const Arm out : graph.of(arm)) {
      if (gone[out]) {
        continue;
      }
      gone[out] = true;
      for (const Arm nearer : graph.of(out)) {
        if (!gone[nearer]) {
          --degree[nearer];
          file(nearer);
          least = std::min(least, degree[nearer]);
        }
      }
    }
  }
  return set;
}

std::size_t IndependentSetSearch::Dice::below(std::size_t bound) {
  if (rolled_.empty()) {
    for (const std::uint64_t bits : Stream(seed_, Purpose::search).bits(rolls_++)) {
      rolled_.push_back(static_cast<std::uint32_t>(bits));
      rolled_.push_back(static_cast<std::uint32_t>(bits >> 32U));
    }
  }
  const std::uint64_t drawn = rolled_.back();
  rolled_.pop_back();
  return (drawn * bound) >> 32U;
}

IndependentSetSearch::IndependentSetSearch(const ConflictGraph& graph, std::uint64_t seed)
    : graph_(graph),
      dice_(seed),
      conflicts_(graph.size()),
      place_(graph.size(), Place::elsewhere),
      position_(graph.size()),
      tabu_until_(graph.size()),
      moved_(graph.size()) {
  for (Arm arm = 0; arm < graph.size(); ++arm) {
    put(arm, Place::free);
  }
}

void IndependentSetSearch::put(Arm arm, Place place) {
  if (place_[arm] != Place::elsewhere) {
    std::vector<Arm>& old = list(place_[arm]);
    old[position_[arm]] = old.back();
    position_[old.back()] = position_[arm];
    old.pop_back();
  }
  place_[arm] = place;
  if (place != Place::elsewhere) {
    position_[arm] = list(place).size();
    list(place).push_back(arm);
  }
}

void IndependentSetSearch::add(Arm arm) {
  assert(place_[arm] == Place::free);
  put(arm, Place::in);
  moved_[arm] = now_;
  for (const Arm other : graph_.of(arm)) {
    Conflicts& conflicts = conflicts_[other];
    conflicts.sum += arm;
    if (++conflicts.count <= 2) {
      put(other, conflicts.count == 1 ? Place::swappable : Place::elsewhere);
    }
  }
}

void IndependentSetSearch::remove(Arm arm) {
  assert(place_[arm] == Place::in);
  put(arm, Place::free);
  moved_[arm] = now_;
  for (const Arm other : graph_.of(arm)) {
    Conflicts& conflicts = conflicts_[other];
    conflicts.sum -= arm;
    if (--conflicts.count <= 1) {
      put(other, conflicts.count == 1 ? Place::swappable : Place::free);
    }
  }
}

void IndependentSetSearch::insert(std::span<const Arm> set) {
  for (const Arm arm : set) {
    if (place_[arm] == Place::free) {
      add(arm);
    }
  }
}

void IndependentSetSearch::force(Arm arm) {
  for (const Arm other : graph_.of(arm)) {
    if (place_[other] == Place::in) {
      remove(other);
      tabu_until_[other] = now_ + 7;
    }
  }
  add(arm);
}

void IndependentSetSearch::step() {
  ++now_;
  const auto choose = [&](const std::vector<Arm>& arms) {
    // The one that has rested longest among a few (all, where they are few).
    constexpr std::size_t kLook = 32;
    const std::size_t looks = std::min(kLook, arms.size());
    const std::size_t start = arms.empty() ? 0 : dice_.below(arms.size());
    const Arm* chosen = nullptr;
    for (std::size_t k = 0; k < looks; ++k) {
      const Arm& arm = arms[(start + k) % arms.size()];
      if (!is_tabu(arm) && (chosen == nullptr || moved_[arm] < moved_[*chosen])) {
        chosen = &arm;
      }
    }
    return chosen;
  };
  const std::vector<Arm>& in = list(Place::in);
  if (const Arm* arm = choose(list(Place::free)); arm != nullptr) {
    add(*arm);
  } else if (arm = choose(list(Place::swappable));
             arm != nullptr && now_ - grown_ < graph_.size() + 100) {
    const Arm enters = *arm;
    const Arm leaves = conflicts_[enters].sum;
    remove(leaves);
    add(enters);
    tabu_until_[leaves] = now_ + 7 + dice_.below(6);
  } else if (in.size() < graph_.size()) {
    Arm forced = static_cast<Arm>(dice_.below(graph_.size()));
    while (place_[forced] == Place::in) {
      forced = static_cast<Arm>(dice_.below(graph_.size()));
    }
    keep_best();  // only here does the set shrink
    force(forced);
    grown_ = now_;
    size_since_force_ = in.size();
  }
  if (in.size() > size_since_force_) {
    size_since_force_ = in.size();
    grown_ = now_;
  }
}

void IndependentSetSearch::keep_best() {
  if (list(Place::in).size() > best_.size()) {
    best_ = list(Place::in);
  }
}

bool IndependentSetSearch::run(std::size_t size, std::uint64_t steps, const Effort& effort) {
  const std::vector<Arm>& in = list(Place::in);
  for (std::uint64_t k = 0; in.size() < size && k < steps; ++k) {
    if (k % 1024 == 0 && effort.stopped()) {
      break;
    }
    step();
  }
  while (in.size() >= size && !list(Place::free).empty()) {
    add(list(Place::free).back());
  }
  keep_best();
  return best_.size() >= size;
}

}  // namespace hearsay
