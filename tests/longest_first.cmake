# The longest tests are started first, so that none of them runs last, alone on one core. The longest one comes first here.
set(longest_tests
  ReproduceCommand.EndsWithTheSameBytesWhetherStoppedOrNot
  PaperLemma1.CertificatesBoundTheMeanRegret)
list(LENGTH longest_tests cost)
foreach(test IN LISTS longest_tests)
  set_tests_properties(${test} PROPERTIES COST ${cost})
  math(EXPR cost "${cost} - 1")
endforeach()

# ctest ignores names that it does not know, see threads.cmake.
if(hearsay_tests_TESTS)
  list(REMOVE_ITEM longest_tests ${hearsay_tests_TESTS})
  if(longest_tests)
    message(FATAL_ERROR "tests/longest_first.cmake: there is no test ${longest_tests}, expected names of tests")
  endif()
endif()
