# Begun first, so that the last test is not the longest one, alone on one core.
set_tests_properties(ReproduceCommand.EndsWithTheSameBytesStoppedOrNot PROPERTIES COST 2)
set_tests_properties(Lemma1.CertificatesBoundTheMeanRegret PROPERTIES COST 1)
