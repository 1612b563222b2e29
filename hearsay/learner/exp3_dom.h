#pragma once

// Exp3-DOM (Alon, Cesa-Bianchi, Gentile, Mansour, NIPS 2013): exponential weights, mixed with
// uniform draws from a small set of arms which together show all others exactly. It must be shown
// the graph before it draws.
//
// A graph whose greedy set has |Dom| arms is on level floor(log2 |Dom|), and each level has its own
// sums of estimates, rate and share of these draws (docs/learners.md).

#include <memory>
#include <vector>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Arms that together show every arm at weight 1, found greedily: each is the arm that shows the
// most arms not shown yet, the first of several. An arm shows itself. The arms are in the order in
// which they were chosen.
std::vector<Arm> greedy_dominating_set(const Graph& graph);

// The caller must have checked `spec`, which becomes part of the saved state.
std::unique_ptr<RestorableLearner> make_exp3_dom(const LearnerSpec& spec);

}  // namespace hearsay
