# The label `statistics`: tests that repeat many runs to compare a mean or a share with what is claimed, and the one that
# runs every example of --help. The asan preset leaves them out: they would take three minutes there, and other tests run
# the same code.
set(statistical_tests
  LazyWeights.HaveTheRegretOfTheExactEngine
  Evaluate.IntervalsContainTheMeanAsOftenAsTheyClaim
  PaperLemma1.CertificatesBoundTheMeanRegret
  Calibrate.WeightsOfManyPairsAreThoseThatWerePlanted
  Calibrate.TheLimitOfTheLargestErrorHoldsForItsLawsAndAnyNumberOfPairs
  Bounds.AreAboveTheMeanRegret
  Comparison.RanksTheLearnersAsThePaperAndAsWeClaim
  Program.HasExamplesThatRunInAClone)
set_tests_properties(${statistical_tests} PROPERTIES LABELS statistics)

include(${CMAKE_CURRENT_LIST_DIR}/require_tests.cmake)
require_tests(statistics.cmake ${statistical_tests})
