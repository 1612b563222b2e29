#pragma once

// Exp3-DOM (Alon, Cesa-Bianchi, Gentile, Mansour, NIPS 2013): exponential weights that explore on a
// small set of arms which together show all others exactly. It must see the graph before it draws.
//
// A graph whose greedy set has |Dom| arms is on level floor(log2 |Dom|), and each level has sums of
// estimates, a rate and an exploration of its own (docs/learners.md).

#include <memory>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Arms that together show every arm at weight 1, by the greedy rule: the arm that shows most of
// those not shown yet, of several the first. An arm shows itself. In the order in which they were
// taken.
std::vector<Arm> greedy_dominating_set(const Graph& graph);

// `spec`, which the caller has checked, goes into the saved state.
std::unique_ptr<Learner> make_exp3_dom(const LearnerSpec& spec);

// From what save() wrote after the spec. Throws Error if the state is damaged.
std::unique_ptr<Learner> restore_exp3_dom(const LearnerSpec& spec, StateReader& reader);

}  // namespace hearsay
