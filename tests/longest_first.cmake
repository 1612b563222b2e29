# These are started first, so that the longest test does not run last and alone on one core.
set_tests_properties(ReproduceCommand.EndsWithTheSameBytesWhetherStoppedOrNot PROPERTIES COST 2)
set_tests_properties(Lemma1.CertificatesBoundTheMeanRegret PROPERTIES COST 1)
