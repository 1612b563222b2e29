#include "hearsay/learner/rows.h"

#include <utility>

#include "hearsay/learner/lockstep.h"

namespace hearsay {
namespace {

void set_by(const LearnerSpec& spec, Schedule& schedule) {
  if (spec.rate) {
    schedule.fixed_rate = spec.rate;
  }
  if (spec.exploration) {
    schedule.fixed_exploration = spec.exploration;
  }
}

// A state holds at least a number for each arm. Checked before memory is allocated for them.
void require_room_for_arms(const LearnerSpec& spec, const StateReader& reader) {
  reader.require_room(spec.arms, sizeof(double));
}

}  // namespace

LearnerRow ftrl_row(LearnerRow row, std::function<FtrlParts(const LearnerSpec&)> parts) {
  const auto parts_of = [parts = std::move(parts)](const LearnerSpec& spec) {
    FtrlParts made = parts(spec);
    set_by(spec, made.schedule);
    return made;
  };
  const Information information = row.information;
  row.exact.make = [parts_of, information](const LearnerSpec& spec) {
    return make_ftrl(spec, information, parts_of(spec));
  };
  row.exact.restore = [parts_of, information](const LearnerSpec& spec, StateReader& reader) {
    require_room_for_arms(spec, reader);
    return restore_ftrl(spec, information, parts_of(spec), reader);
  };
  return row;
}

LearnerRow exponential_weights_row(LearnerRow row, Lazy lazy,
                                   std::function<ExponentialWeights(const LearnerSpec&)> parts) {
  const auto parts_of = [parts = std::move(parts)](const LearnerSpec& spec) {
    ExponentialWeights made = parts(spec);
    set_by(spec, made.schedule);
    return made;
  };
  const Information information = row.information;
  row = ftrl_row(std::move(row), [parts_of](const LearnerSpec& spec) {
    return ftrl_parts(spec.arms, parts_of(spec));
  });
  row.lockstep = [parts_of, information](const LearnerSpec& spec, std::size_t runs,
                                         Observations observations) {
    return make_lockstep(spec, information, parts_of(spec), runs, observations);
  };
  if (lazy == Lazy::yes) {
    row.lazy =
        LearnerFactory{[parts_of, information](const LearnerSpec& spec) {
                         return make_lazy(spec, information, parts_of(spec));
                       },
                       [parts_of, information](const LearnerSpec& spec, StateReader& reader) {
                         require_room_for_arms(spec, reader);
                         return restore_lazy(spec, information, parts_of(spec), reader);
                       }};
  }
  return row;
}

LearnerRow index_policy_row(LearnerRow row, std::function<Index(const LearnerSpec&)> index) {
  row.exact.make = [index](const LearnerSpec& spec) {
    return make_index_policy(spec, index(spec));
  };
  row.exact.restore = [index = std::move(index)](const LearnerSpec& spec, StateReader& reader) {
    require_room_for_arms(spec, reader);
    return restore_index_policy(spec, index(spec), reader);
  };
  return row;
}

}  // namespace hearsay
