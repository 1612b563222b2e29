#include "hearsay/certificate/independence_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/certificate/set_check.h"

namespace hearsay {
namespace {

using Status = CheckedClaim::Status;

struct Verdict {
  Status status = Status::not_verified;
  std::string reason;
};

Verdict verified(std::string reason) {
  return {Status::verified, std::move(reason)};
}
Verdict not_verified(std::string reason) {
  return {Status::not_verified, std::move(reason)};
}
Verdict refuted(std::string reason) {
  return {Status::refuted, std::move(reason)};
}

constexpr const char* kLimitReached = "the search reached its limit of time or memory";

// Thrown when effort.stop returned true.
struct OutOfTime {};

// Answers the questions of the checks about the graph. Its functions throw OutOfTime.
class Inspector {
 public:
  Inspector(const Graph& graph, const Effort& effort)
      : graph_(graph), effort_(effort), place_(graph.arms(), kAbsent) {
    if (!graph.is_dense()) {
      seen_by_.resize(graph.arms());
      for (Arm played = 0; played < graph.arms(); ++played) {
        graph.for_each_seen(played, [&](Arm seen, double weight) {
          if (seen != played) {
            seen_by_[seen].push_back({played, weight});
          }
        });
        spend(graph.weights().row(played).size());
      }
    }
  }

  const Graph& graph() const { return graph_; }
  bool stopped() const { return effort_.stopped(); }

  // Returns a weight above `limit` between an arm of `added` and another arm of `members`, if there
  // is one.
  std::optional<Arc> weight_above(double limit, std::span<const Arm> added,
                                  const std::vector<Arm>& members) {
    const Marks marks(*this, members);
    std::optional<Arc> found;
    for (const Arm arm : added) {
      for_each_pair(arm, members, [&](Arm played, Arm seen, double weight) {
        if (weight > limit) {
          found = Arc{played, seen, weight};
        }
      });
      if (found) {
        break;
      }
    }
    return found;
  }

  // The conflicts among the arms of `group`, which are numbered by their positions in it. nullopt
  // if the lists would be too large.
  std::optional<ConflictLists> conflicts(const std::vector<Arm>& group, double threshold) {
    constexpr std::size_t kMostEntries = std::size_t{1} << 26U;
    const Marks marks(*this, group);
    ConflictLists lists(group.size());
    std::size_t entries = 0;
    for (std::size_t i = 0; i < group.size(); ++i) {
      std::vector<Arm>& list = lists[i];
      for_each_pair(group[i], group, [&](Arm played, Arm seen, double weight) {
        if (weight >= threshold) {
          list.push_back(place_[played == group[i] ? seen : played]);
        }
      });
      std::ranges::sort(list);
      list.erase(std::unique(list.begin(), list.end()), list.end());
      entries += list.size();
      if (entries > kMostEntries) {
        return std::nullopt;
      }
    }
    return lists;
  }

 private:
  static constexpr Arm kAbsent = ~Arm{0};

  // During its lifetime, place_[arm] is the position of each of the given arms.
  class Marks {
   public:
    Marks(Inspector& inspector, const std::vector<Arm>& arms) : inspector_(inspector), arms_(arms) {
      for (std::size_t i = 0; i < arms.size(); ++i) {
        inspector.place_[arms[i]] = static_cast<Arm>(i);
      }
    }
    ~Marks() {
      for (const Arm arm : arms_) {
        inspector_.place_[arm] = kAbsent;
      }
    }
    Marks(const Marks&) = delete;
    Marks& operator=(const Marks&) = delete;

   private:
    Inspector& inspector_;
    const std::vector<Arm>& arms_;
  };

  // Calls visit(played, seen, weight) for the weights between `arm` and the marked arms, which are
  // `members`.
  template <class Visit>
  void for_each_pair(Arm arm, const std::vector<Arm>& members, Visit&& visit) {
    if (graph_.is_dense()) {
      for (const Arm other : members) {
        if (other != arm) {
          visit(arm, other, graph_.weight(arm, other));
          visit(other, arm, graph_.weight(other, arm));
        }
      }
      spend(members.size());
      return;
    }
    graph_.for_each_seen(arm, [&](Arm seen, double weight) {
      if (seen != arm && place_[seen] != kAbsent) {
        visit(arm, seen, weight);
      }
    });
    for (const auto& [played, weight] : seen_by_[arm]) {
      if (place_[played] != kAbsent) {
        visit(played, arm, weight);
      }
    }
    spend(graph_.weights().row(arm).size() + seen_by_[arm].size());
  }

  void spend(std::size_t work) {
    constexpr std::size_t kWorkBetweenStops = 1'000'000;
    work_ += work + 1;
    if (work_ > kWorkBetweenStops) {
      work_ = 0;
      if (stopped()) {
        throw OutOfTime{};
      }
    }
  }

  const Graph& graph_;
  const Effort& effort_;
  std::vector<std::vector<std::pair<Arm, double>>> seen_by_;  // of a sparse graph: its columns
  std::vector<Arm> place_;
  std::size_t work_ = 0;
};

// Whether `group` has more than `bound` independent arms. nullopt if a limit of time or memory was
// reached before that was decided.
std::optional<bool> has_more(Inspector& inspector, const std::vector<Arm>& group, std::size_t bound,
                             double threshold) {
  if (group.size() <= bound) {
    return false;
  }
  const std::optional<ConflictLists> lists = inspector.conflicts(group, threshold);
  if (!lists) {
    return std::nullopt;
  }
  return has_independent_set(*lists, bound + 1, [&] { return inspector.stopped(); });
}

std::vector<Arm> all_arms(const Graph& graph) {
  std::vector<Arm> arms(graph.arms());
  for (std::size_t i = 0; i < arms.size(); ++i) {
    arms[i] = static_cast<Arm>(i);
  }
  return arms;
}

// alpha(threshold) >= the size of the witness.
Verdict check_witness(Inspector& inspector, const std::vector<Arm>& witness, double threshold) {
  const double below = std::nextafter(threshold, 0.0);
  if (const auto found = inspector.weight_above(below, witness, witness)) {
    return refuted(fmt::format("witness: weight({}, {}) is {}, expected less than the threshold {}",
                               found->played, found->seen, found->weight, threshold));
  }
  return verified("by the witness");
}

// alpha(threshold) <= upper.
Verdict check_cover(Inspector& inspector, const Cover& cover, std::size_t upper, double threshold) {
  const std::size_t arms = inspector.graph().arms();
  if (upper >= arms) {
    return verified("the graph has no more arms");
  }
  std::vector<bool> covered(arms);
  std::size_t bound = arms;
  for (const CoverGroup& group : cover) {
    for (const Arm arm : group.arms) {
      if (covered[arm]) {
        return refuted(fmt::format("cover: arm {} is in two groups, expected one", arm));
      }
      covered[arm] = true;
    }
    bound = bound - group.arms.size() + std::min(group.bound, group.arms.size());
  }
  if (bound > upper) {  // the cover does not prove the bound, so all arms are searched
    const std::optional<bool> more =
        has_more(inspector, all_arms(inspector.graph()), upper, threshold);
    if (!more) {
      return not_verified(fmt::format("the cover shows at most {}, and {}", bound, kLimitReached));
    }
    return *more ? refuted(fmt::format("there are {} independent arms", upper + 1))
                 : verified("by a search");
  }
  std::size_t searched = 0;
  for (std::size_t i = 0; i < cover.size(); ++i) {
    const std::optional<bool> more = has_more(inspector, cover[i].arms, cover[i].bound, threshold);
    if (!more) {
      return not_verified(fmt::format("cover[{}], {} arms of which at most {} are independent: {}",
                                      i, cover[i].arms.size(), cover[i].bound, kLimitReached));
    }
    if (*more) {
      return refuted(fmt::format("cover[{}]: at_most is {}, but {} of its arms are independent", i,
                                 cover[i].bound, cover[i].bound + 1));
    }
    searched += cover[i].bound > 1 ? 1U : 0U;
  }
  if (searched == 0) {
    return verified(fmt::format("by a cover of {} {}", bound, bound == 1 ? "clique" : "cliques"));
  }
  return verified(fmt::format("by a cover, {} of which {} searched",
                              searched == 1 ? "1 group" : fmt::format("{} groups", searched),
                              searched == 1 ? "was" : "were"));
}

// Checks a lower bound of an effective independence number. The diameter of a set is the
// largest strength of a pair in it (threshold_graph.h). Between the diameters of one set of the
// chain and of the next (a stretch of thresholds), alpha is at least the size of the first set, so
// the cost is least at the end of the stretch.
Verdict check_chain(Inspector& inspector, const std::vector<ChainLink>& chain, double lower,
                    const Cost& cost) {
  const double end = inspector.graph().self_weight();
  std::vector<Arm> set;
  std::vector<bool> member(inspector.graph().arms());
  double least = std::numeric_limits<double>::infinity();
  std::vector<double> weak_ends;  // the ends of stretches that do not prove the bound
  std::size_t size = 1;           // of the largest set so far; any arm alone is independent
  const auto end_stretch = [&](double threshold) {
    const double value = cost(size, threshold);
    least = std::min(least, value);
    if (value < lower) {
      weak_ends.push_back(threshold);
    }
  };
  double before = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const ChainLink& link = chain[i];
    const auto refuse = [&](const std::string& what) {
      return refuted(fmt::format("chain[{}]: {}", i, what));
    };
    if (link.largest_weight < before || link.largest_weight >= end) {
      return refuse(
          fmt::format("above is {}, expected a number from {} to below the self weight {}",
                      link.largest_weight, before, end));
    }
    for (const Arm arm : link.removed) {
      if (!member[arm]) {
        return refuse(fmt::format("arm {} is removed, expected an arm of the set", arm));
      }
      member[arm] = false;
    }
    std::erase_if(set, [&](Arm arm) { return !member[arm]; });
    for (const Arm arm : link.added) {
      if (member[arm]) {
        return refuse(fmt::format("arm {} is added, expected an arm outside the set", arm));
      }
      member[arm] = true;
      set.push_back(arm);
    }
    // Pairs of arms that were in the previous set have been checked already, against a lower limit.
    if (const auto found = inspector.weight_above(link.largest_weight, link.added, set)) {
      return refuse(fmt::format("weight({}, {}) is {}, expected at most {}", found->played,
                                found->seen, found->weight, link.largest_weight));
    }
    if (set.size() > size) {
      if (link.largest_weight > 0) {
        end_stretch(link.largest_weight);
      }
      size = set.size();
    }
    before = link.largest_weight;
  }
  end_stretch(end);
  if (weak_ends.empty()) {
    return verified(fmt::format("by a chain of {} independent sets", chain.size()));
  }
  // The claim is false if too few arms are independent at the end of a stretch.
  for (const double threshold : weak_ends) {
    std::size_t enough = 1;
    while (enough <= inspector.graph().arms() && cost(enough, threshold) < lower) {
      ++enough;
    }
    const std::optional<bool> more =
        has_more(inspector, all_arms(inspector.graph()), enough - 1, threshold);
    if (more && !*more) {
      return refuted(
          fmt::format("at the threshold {} there are no {} independent arms", threshold, enough));
    }
  }
  return not_verified(fmt::format("the chain shows at least {}", least));
}

class Checker {
 public:
  Checker(const Graph& graph, const Effort& effort) : graph_(graph), effort_(effort) {}

  std::vector<CheckedClaim> run(const IndependenceClaims& claims) {
    if (claims.number) {
      check(*claims.number);
    }
    if (claims.alpha_star) {
      check("alpha*", *claims.alpha_star, inverse_square_cost);
    }
    if (claims.noise) {
      check("alpha^R", claims.noise->alpha_r, noise_cost(claims.noise->noise_bound));
    }
    return std::move(checked_);
  }

 private:
  void check(const IndependenceNumber& number) {
    const std::string quantity = fmt::format("alpha({})", number.threshold);
    add(fmt::format("{} >= {}", quantity, number.lower), [&](Inspector& inspector) {
      return check_witness(inspector, number.witness, number.threshold);
    });
    add(fmt::format("{} <= {}", quantity, number.upper), [&](Inspector& inspector) {
      return check_cover(inspector, number.cover, number.upper, number.threshold);
    });
  }

  void check(const std::string& name, const EffectiveIndependence& result, const Cost& cost) {
    add(fmt::format("{} >= {}", name, result.lower), [&](Inspector& inspector) {
      return check_chain(inspector, result.chain, result.lower, cost);
    });
    const std::string quantity = fmt::format("alpha({})", result.threshold);
    add(fmt::format("{} >= {}", quantity, result.independence_number), [&](Inspector& inspector) {
      return check_witness(inspector, result.witness, result.threshold);
    });
    const Status covered = add(
        fmt::format("{} <= {}", quantity, result.independence_upper), [&](Inspector& inspector) {
          return check_cover(inspector, result.cover, result.independence_upper, result.threshold);
        });
    add(fmt::format("{} <= {}", name, result.upper), [&](Inspector&) {
      if (result.threshold > graph_.self_weight()) {
        return refuted(fmt::format("threshold: {}, expected at most the self weight {}",
                                   result.threshold, graph_.self_weight()));
      }
      const double value = cost(result.independence_upper, result.threshold);
      if (!(value <= result.upper)) {
        return refuted(fmt::format("{} independent arms at the threshold {} give {}",
                                   result.independence_upper, result.threshold, value));
      }
      const std::string reason = fmt::format("by {} <= {}", quantity, result.independence_upper);
      return covered == Status::verified ? verified(reason)
                                         : not_verified(reason + ", which is not verified");
    });
  }

  template <class Check>
  Status add(std::string claim, Check&& check) {
    Verdict verdict;
    try {
      if (!inspector_) {
        inspector_.emplace(graph_, effort_);
      }
      verdict = check(*inspector_);
    } catch (const OutOfTime&) {
      verdict = not_verified("the check did not end in time");
    }
    checked_.push_back({std::move(claim), verdict.status, std::move(verdict.reason)});
    return checked_.back().status;
  }

  const Graph& graph_;
  const Effort& effort_;
  std::optional<Inspector> inspector_;
  std::vector<CheckedClaim> checked_;
};

}  // namespace

std::vector<CheckedClaim> check_claims(const Graph& graph, const IndependenceClaims& claims,
                                       const Effort& effort) {
  if (claims.arms != graph.arms()) {
    throw Error("arms", fmt::format("{}, expected {}, the number of arms of the graph", claims.arms,
                                    graph.arms()));
  }
  return Checker(graph, effort).run(claims);
}

}  // namespace hearsay
