#include "hearsay/learner/rows.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/lockstep.h"

namespace hearsay {
namespace {

void apply_spec(const LearnerSpec& spec, Schedule& schedule) {
  if (spec.rate) {
    schedule.fixed_rate = spec.rate;
  }
  if (spec.exploration) {
    schedule.fixed_exploration = spec.exploration;
  }
  if (!schedule.fixed_rate && !schedule.adaptive_rate) {
    throw Error("learner",
                fmt::format("{} has a schedule without a rate, expected Schedule::fixed_rate or "
                            "Schedule::adaptive_rate to be set",
                            in_quotes(spec.name)));
  }
  if (!(schedule.exploration_per_rate >= 0 &&
        schedule.exploration_per_rate <= std::numeric_limits<double>::max())) {
    throw Error("learner",
                fmt::format("{} has a schedule with an exploration of {} times the rate, "
                            "expected a finite number >= 0",
                            in_quotes(spec.name), schedule.exploration_per_rate));
  }
}

}  // namespace

LearnerFactory learner_factory(
    std::function<std::unique_ptr<RestorableLearner>(const LearnerSpec&)> make) {
  return {.make = make, .restore = [make](const LearnerSpec& spec, StateReader& reader) {
            reader.require_room(spec.arms, sizeof(double));
            auto learner = make(spec);
            learner->load(reader);
            return learner;
          }};
}

LearnerRow ftrl_row(LearnerRow row, std::function<FtrlParts(const LearnerSpec&)> parts) {
  row.exact = learner_factory(
      [parts = std::move(parts), information = row.information](const LearnerSpec& spec) {
        FtrlParts made = parts(spec);
        apply_spec(spec, made.schedule);
        return make_ftrl(spec, information, std::move(made));
      });
  return row;
}

LearnerRow ftrl_rule_row(LearnerRow row, std::function<FtrlRule(const LearnerSpec&)> rule) {
  row = ftrl_row(std::move(row),
                 [rule](const LearnerSpec& spec) { return ftrl_parts(spec, rule(spec)); });
  row.lockstep = [rule, information = row.information](const LearnerSpec& spec, std::size_t runs,
                                                       RangeCheck range_check) {
    FtrlRule made = rule(spec);
    apply_spec(spec, made.schedule);
    return make_lockstep(spec, information, made, runs, range_check);
  };
  row.runs_in_lockstep = [rule = std::move(rule)](const LearnerSpec& spec) {
    return runs_in_lockstep(spec, rule(spec));
  };
  return row;
}

LearnerRow exponential_weights_row(LearnerRow row, Lazy lazy,
                                   std::function<ExponentialWeights(const LearnerSpec&)> parts) {
  const auto parts_of = [parts = std::move(parts)](const LearnerSpec& spec) {
    ExponentialWeights made = parts(spec);
    apply_spec(spec, made.schedule);
    return made;
  };
  row = ftrl_rule_row(std::move(row),
                      [parts_of](const LearnerSpec& spec) { return rule_of(parts_of(spec)); });
  if (lazy == Lazy::yes) {
    row.lazy = learner_factory([parts_of, information = row.information](const LearnerSpec& spec) {
      return make_lazy(spec, information, parts_of(spec));
    });
    row.runs_lazily = [parts_of](const LearnerSpec& spec) { return runs_lazily(parts_of(spec)); };
  }
  return row;
}

LearnerRow index_policy_row(LearnerRow row, std::function<Index(const LearnerSpec&)> index) {
  return policy_row(std::move(row), [index = std::move(index)](const LearnerSpec& spec) {
    return least_index(index(spec));
  });
}

LearnerRow policy_row(LearnerRow row, std::function<Policy(const LearnerSpec&)> policy) {
  row.exact = learner_factory(
      [policy = std::move(policy), information = row.information](const LearnerSpec& spec) {
        return make_policy(spec, information, policy(spec));
      });
  return row;
}

}  // namespace hearsay
