#pragma once

// Runs a check once with every instruction set of this machine, including the scalar one.

#include <cstdint>

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace hearsay {

template <class Check>
void with_every_target(Check&& check) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);  // 0 means all targets of this machine
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  choose(0);
  const std::int64_t all = hwy::SupportedTargets();
  for (std::int64_t rest = all; rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    choose(target);
    SCOPED_TRACE(hwy::TargetName(target));
    check();
  }
  choose(0);
}

}  // namespace hearsay
