#pragma once

// The estimators of an FtrlRule (estimator.h) for runs in lockstep. In each round, see() computes
// what follows from the graph and the probabilities, for all batches together, and estimate() the
// estimates of one batch from its observations. Each run has the bits that the estimator of a
// single run gives.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/learner/lockstep_kernels.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/weighting.h"
#include "hearsay/simd/lanes.h"
#include "hearsay/simd/product.h"

namespace hearsay {

// What the runs of a batch draw from, and the arms that they have drawn.
struct LaneDraws {
  Lanes rate;
  Lanes exploration;
  std::vector<Lanes> probabilities;
  LaneArms played{};
};

class LockstepEstimator {
 public:
  LockstepEstimator(const LearnerSpec& spec, const FtrlRule& rule, std::size_t runs,
                    RangeCheck range_check);

  // Computes the divisors and the terms of all batches. Throws Error if the graph has another
  // number of arms.
  void see(const Graph& graph, std::span<const LaneDraws> draws);

  // Makes the estimates of batch `index`, on a dense or on a sparse graph
  // (LockstepLearners::learn).
  void estimate(std::size_t index, const LaneDraws& draws, std::span<const Lanes> weights,
                std::span<const Lanes> observations);
  void estimate(std::size_t index, const LaneDraws& draws,
                std::span<const std::vector<Observation>> observations);

  std::span<const Lanes> estimates(std::size_t index) const { return batches_[index].estimates; }

  // How many observations of each lane are out of range.
  const Lanes& out_of_range(std::size_t index) const { return batches_[index].out_of_range; }

  EstimateTerms terms(std::size_t index, const LaneDraws& draws, std::size_t lane) const {
    const lockstep::Terms& terms = batches_[index].terms;
    return {
        .q = terms.q[lane],
        .bias = floor_ || from_own_ ? terms.bias[lane] : draws.exploration[lane] * terms.q[lane],
        .second_moment = terms.second_moment[lane]};
  }

 private:
  // The current round of sixteen runs.
  struct Batch {
    std::vector<Lanes> per_divisor;  // holds the coverages at first, unless estimates are centred
    std::vector<Lanes> estimates;
    lockstep::Terms terms;
    Lanes out_of_range;
    // For centred estimates; otherwise empty.
    std::vector<Lanes> centred;  // coverages
    std::vector<Lanes> plain;    // coverages
    std::vector<Lanes> centre;
    bool all_centred = false;  // no arm needs its plain coverage
  };

  // What one weighting gives for the arcs of a graph.
  struct Weighed {
    Coverage coverage;
    std::optional<PanelMatrix> panels;  // the coverage, if dense
    std::vector<double> gains;          // of a dense graph, row by row; 0 for weight 0
  };

  struct SeenGraph {
    std::optional<Weighed> plain;  // nullopt if estimates use only the loss of the arm played
    std::optional<Weighed> centred;
  };

  using Coverages = std::vector<Lanes> Batch::*;
  using ColumnsReady = PanelMatrix::ColumnsReady;

  std::size_t lanes_of(std::size_t index) const { return std::min(kLanes, runs_ - index * kLanes); }
  bool is_centred() const { return centred_weighting_ != nullptr; }
  SeenGraph look_at(const Graph& graph) const;
  Weighed weigh(const Graph& graph, const Weighting& weighting) const;
  void cover(std::span<const LaneDraws> draws);
  void cover_centred(std::span<const LaneDraws> draws);
  void multiply(const Weighed& weighed, std::span<const LaneDraws> draws,
                std::span<const std::size_t> batches, Coverages coverages,
                const ColumnsReady& columns_ready);
  void estimate_lane(Batch& batch, const LaneDraws& draws, std::size_t lane,
                     std::span<const Observation> observations);
  void estimate_from_own(std::size_t index, const LaneDraws& draws, const Lanes& losses);

  std::size_t arms_;
  double noise_bound_;
  std::optional<Floor> floor_;
  std::optional<BaselineEstimator> from_own_;   // if only the loss of the arm played is used
  std::shared_ptr<const Weighting> weighting_;  // of estimates that are not centred
  std::shared_ptr<const Weighting> centred_weighting_;  // null if estimates are not centred
  std::size_t runs_;
  RangeCheck range_check_;

  std::vector<Batch> batches_;
  std::vector<std::size_t> all_batches_;
  ForLastGraph<SeenGraph> seen_;
  // Buffers, so that a round allocates nothing.
  std::vector<Lanes> lane_gains_;
  std::vector<Lanes> lane_centred_gains_;
  std::vector<PanelMatrix::Product> products_;
  std::vector<std::size_t> not_safe_;
  std::vector<double> observed_weights_;
  std::vector<double> gains_;
  std::vector<double> centred_gains_;
  std::vector<double> probabilities_;
  std::vector<double> estimates_;
};

}  // namespace hearsay
