# require_tests(FILE TEST...): fails unless each of these tests, which FILE lists, exists. ctest itself ignores names that
# it does not know, so a test that is renamed would silently drop out of a list. Where the tests are not built, nothing is
# checked.
function(require_tests file)
  if(hearsay_tests_TESTS)
    list(REMOVE_ITEM ARGN ${hearsay_tests_TESTS})
    if(ARGN)
      message(FATAL_ERROR "tests/${file}: there is no test ${ARGN}, expected names of tests")
    endif()
  endif()
endfunction()
