"""The defaults of the package's functions are those of the core, which its documentation and the command have too."""

import inspect

import hearsay
import pytest
from hearsay import _core


@pytest.mark.parametrize(
    ("function", "least"),
    [("simulate", 6), ("evaluate", 7), ("calibrate", 3), ("Problem", 4)],
)
def test_defaults_are_those_of_the_core(function, least):
    given = {
        name: parameter.default
        for name, parameter in inspect.signature(getattr(hearsay, function)).parameters.items()
        if parameter.default not in (inspect.Parameter.empty, None)
    }
    core = _core.argument_defaults()[function]
    both = given.keys() & core.keys()
    assert len(both) >= least, both
    assert {name: given[name] for name in both} == {name: core[name] for name in both}


def test_the_default_outcome_is_that_of_the_core():
    core = _core.argument_defaults()["Problem"]
    assert inspect.signature(hearsay.Problem).parameters["outcome"].default == (core["kind"], core["low"], core["high"])
