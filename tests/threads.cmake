# The label `threads`: the tests that the tsan preset runs. ThreadSanitizer finds data races only where several threads
# run, and makes everything ten times slower, so these are the tests that start more than one thread, in the library or in
# the program; at least one for each place that starts threads, which a test (Threads) compares with the sources. Left out:
# cli/mpi/main.cpp, because ThreadSanitizer does not understand the MPI library, and tests of many minutes (ReproduceCommand, RunCommand.EndsWithTheSameBytesAfter...) that run the same code.
set(tests_with_threads
  # hearsay/work/workers.cpp: the runs of an experiment
  Workers.GiveTheSameBytesForAnyNumberOfThreads
  Workers.GiveALearnerTheSameRowsWhateverTheOtherLearnersAre
  Workers.ContinueFromACheckpointToTheSameBytes
  Workers.SaveTheirStateWhenStopped
  Workers.PassOnAnException
  RunExperiment.StopsWhenProgressSaysSoAndResumesToTheSameBytes
  RunExperiment.PassesOnWhatProgressThrowsAndKeepsTheCheckpoint
  # reproduce/graph_studies.cpp: many graphs at once
  GraphStudies.HaveTheSamePointsForAnyNumberOfThreads
  GraphStudies.FindTheBehaviourOfTheLawsThatThePaperDescribes
  GraphStudies.FindTheKnownValuesOfGrids
  GraphStudies.KeepWhatIsSolvedWhenStoppedAndDoNotSolveItAgain
  # hearsay/certificate/clique.cpp: the search in one graph
  CliqueProof.PortionsAndThreadsDoNotChangeWhatIsFound
  Independence.EveryFieldIsTheSameForAnyNumberOfThreads
  Independence.TheIntervalIsValidWheneverTheSearchIsStopped
  # hearsay/graph/families.cpp: random sparse graphs
  Families.ErdosRenyiIsTheSameForAnyNumberOfThreads
  Interruption.StopsLongSetupsAtTheFirstMiddleAndLastCall
  # cli/alpha.cpp and the rest of the program: progress, signals, all cores by default
  AlphaCommand.PrintsTheDocumentedJsonObject
  AlphaCommand.PrintsTheFirstBoundsIfThereIsNoTimeForASearch
  GraphCommand.MakesTheSameBytesForTheSameSeed
  RunCommand.GivesTheSameBytesForAnyNumberOfThreadsAndFromItsOwnExperimentFile
  RunCommand.StopsOnASignalAndSaysHowToContinue)
set_tests_properties(${tests_with_threads} PROPERTIES LABELS threads)

# ctest ignores names that it does not know: a test that is renamed would be lost here without a word. The list of tests
# is empty where they are not built.
if(hearsay_tests_TESTS)
  list(REMOVE_ITEM tests_with_threads ${hearsay_tests_TESTS})
  if(tests_with_threads)
    message(FATAL_ERROR "tests/threads.cmake: there is no test ${tests_with_threads}, expected names of tests")
  endif()
endif()
