# The label `threads`: the tests that the tsan preset runs. ThreadSanitizer finds data races only where several threads
# run, and makes everything ten times slower, so these are the tests that start more than one thread, in the library or in
# the program; at least one for each place that starts threads, which a test (Threads) compares with the sources. Left out:
# cli/mpi/main.cpp, because ThreadSanitizer does not understand the MPI library, and tests that take many minutes
# (ReproduceCommand, RunCommand.EndsWithTheSameBytesAfter...) and run the same code.
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

include(${CMAKE_CURRENT_LIST_DIR}/require_tests.cmake)
require_tests(threads.cmake ${tests_with_threads})
