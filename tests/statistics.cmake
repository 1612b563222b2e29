# The label `statistics`: tests that repeat many runs to compare a mean or a share with what is claimed. The asan preset
# leaves them out: they would take two minutes there, and other tests run the same code.
set(statistical_tests
  LazyWeights.HaveTheRegretOfTheExactEngine
  Evaluate.IntervalsContainTheMeanAsOftenAsTheyClaim
  PaperLemma1.CertificatesBoundTheMeanRegret
  Calibrate.WeightsOfManyPairsAreThoseThatWerePlanted
  Calibrate.TheLimitOfTheLargestErrorHoldsForItsLawsAndAnyNumberOfPairs
  Bounds.AreAboveTheMeanRegret
  Comparison.RanksTheLearnersAsThePaperAndAsWeClaim)
set_tests_properties(${statistical_tests} PROPERTIES LABELS statistics)

# ctest ignores names that it does not know, see threads.cmake.
if(hearsay_tests_TESTS)
  list(REMOVE_ITEM statistical_tests ${hearsay_tests_TESTS})
  if(statistical_tests)
    message(FATAL_ERROR "tests/statistics.cmake: there is no test ${statistical_tests}, expected names of tests")
  endif()
endif()
