# The longest tests are started first, so that none of them runs last, alone on one core. The longest one comes first here.
set(longest_tests
  ReproduceCommand.EndsWithTheSameBytesWhetherStoppedOrNot
  PaperLemma1.CertificatesBoundTheMeanRegret)
list(LENGTH longest_tests cost)
foreach(test IN LISTS longest_tests)
  set_tests_properties(${test} PROPERTIES COST ${cost})
  math(EXPR cost "${cost} - 1")
endforeach()

include(${CMAKE_CURRENT_LIST_DIR}/require_tests.cmake)
require_tests(longest_first.cmake ${longest_tests})
