"""Random and invalid arguments give a result or an exception, and never crash the interpreter."""

import hearsay
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

REFUSED = (ValueError, TypeError, MemoryError, OverflowError)
# The examples are the same in every run, and few enough to take seconds.
FEW_EXAMPLES = settings(max_examples=150, derandomize=True, deadline=None, database=None)

kinds = st.one_of(
    arrays.boolean_dtypes(),
    arrays.integer_dtypes(endianness="?"),
    arrays.unsigned_integer_dtypes(endianness="?"),
    arrays.floating_dtypes(endianness="?"),
    arrays.complex_number_dtypes(),
    arrays.unicode_string_dtypes(max_len=3),
    arrays.datetime64_dtypes(),
)


@st.composite
def layouts(draw, array):
    """The array unchanged, read-only, with negative or long strides, in Fortran order or unaligned."""
    layout = draw(st.sampled_from(["as it is", "read-only", "negative", "strided", "fortran", "unaligned"]))
    if layout == "read-only":
        array.setflags(write=False)
    elif layout == "negative":
        array = array[(slice(None, None, -1),) * array.ndim]
    elif layout == "strided":
        array = numpy.repeat(array, 2, axis=0)[::2] if array.ndim else array
    elif layout == "fortran":
        array = numpy.asfortranarray(array)
    elif layout == "unaligned" and array.dtype == float:
        buffer = numpy.zeros(array.nbytes + 1, dtype="u1")
        unaligned = buffer[1:].view(float).reshape(array.shape)
        unaligned[...] = array
        array = unaligned
    return array


@st.composite
def any_arrays(draw):
    shape = draw(arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
    objects = draw(st.integers(0, 9)) == 0
    kind, elements = (object, st.none() | st.integers()) if objects else (draw(kinds), None)
    return draw(layouts(draw(arrays.arrays(kind, shape, elements=elements))))


numbers = st.floats() | st.floats(0, 1) | st.sampled_from([0.0, 1.0, -0.0, numpy.nan, 2**70, -1, 2**31, 2**32])
junk = st.one_of(
    any_arrays(),
    numbers,
    st.none(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.lists(numbers, max_size=6),
    st.lists(st.lists(numbers, max_size=4), max_size=4),
    st.dictionaries(st.one_of(st.integers(-3, 8), st.integers(), st.text(max_size=2), numbers), numbers, max_size=6),
    # huge arrays that take no memory
    st.integers(0, 2).map(lambda dims: numpy.broadcast_to(0.5, (10**6,) * dims)),
    st.just(numpy.broadcast_to(0.5, (2**40,))),
)


def weights_strategy(arms):
    def complete(weights):
        numpy.fill_diagonal(weights, 1.0)
        return weights

    return arrays.arrays(float, (arms, arms), elements=st.floats(0, 1)).map(complete)


@FEW_EXAMPLES
@given(junk)
def test_graph_takes_any_weights(weights):
    try:
        graph = hearsay.Graph(weights)
    except REFUSED:
        return
    assert 0 <= graph.to_numpy().min() <= graph.to_numpy().max() <= 1
    assert numpy.array_equal(hearsay.Graph(graph.to_scipy()).to_numpy(), graph.to_numpy())


@FEW_EXAMPLES
@given(junk, st.none() | st.integers(-1, 9) | st.integers())
def test_from_arcs_takes_any_arcs(arcs, arms):
    if arms is not None and 10**6 < arms <= 2**28:  # valid, but takes gigabytes
        return
    try:
        graph = hearsay.Graph.from_arcs(arcs, arms)
    except REFUSED:
        return
    assert graph.arcs == len(graph.to_arcs()[0])


@FEW_EXAMPLES
@given(st.data())
def test_observe_takes_any_observations_and_an_error_changes_nothing(data):
    learner = hearsay.Learner("exp3-ivx", arms=4, seed=1)
    decision = learner.choose()
    before = learner.save()
    graph = data.draw(weights_strategy(4) | junk)
    observations = data.draw(
        arrays.arrays(float, 4, elements=st.floats(-1, 2) | st.just(numpy.nan)).flatmap(layouts) | junk
    )
    try:
        learner.observe(decision, graph, observations)
    except REFUSED:
        assert learner.save() == before
    else:
        assert learner.certificate.rounds == 1
        assert abs(learner.probabilities.sum() - 1) < 1e-12  # four additions, each within 1e-16


@FEW_EXAMPLES
@given(
    st.sampled_from(list(hearsay.learner_classes)) | st.text(max_size=4),
    st.fixed_dictionaries(
        {"arms": st.integers(-1, 5) | st.sampled_from([2**31, 2**32 - 1, 2**63, 2**64, 1.5, "3", None])},
        optional={
            "noise_bound": junk,
            "rate": junk | st.just("adaptive"),
            "exploration": junk | st.just("theory"),
            "threshold": junk,
            "alpha": junk,
            "horizon": st.integers(-1, 10**13) | junk,
            "delta": junk,
            "tuning": st.sampled_from(["paper", "sharp", "best", 1]),
            "out_of_range": st.sampled_from(["count", "refuse", "", None]),
            "engine": st.sampled_from(["exact", "lazy", "auto", "other"]),
            "max_outstanding": st.integers(-1, 3) | junk,
            "seed": st.integers() | junk,
            "stream": st.integers() | junk,
        },
    ),
)
def test_learner_takes_any_parameters(name, parameters):
    try:
        learner = hearsay.Learner(name, **parameters)
    except REFUSED:
        return
    for _ in range(4):
        if name in ("exp3-dom", "elp", "ucb-maxn", "gaussian-lp"):
            learner.see_graph(hearsay.Graph.from_arcs(numpy.empty((0, 3)), learner.arms))
        learner.choose()
    assert hearsay.Learner.restore(learner.save()).save() == learner.save()


@FEW_EXAMPLES
@given(st.integers(-2, 2**70) | junk, junk, st.integers(-2, 2**70) | junk)
def test_observe_takes_any_decision_and_an_error_changes_nothing(arm, probability, round_):
    learner = hearsay.Learner("exp3", arms=4, seed=1)
    learner.choose()
    before = learner.save()
    try:
        decision = hearsay.Decision(arm, probability, round_)
        learner.observe(decision, numpy.eye(4), {decision.arm: 0.5})
    except REFUSED:
        assert learner.save() == before


@FEW_EXAMPLES
@given(st.binary(max_size=40) | st.integers(0, 200).map(lambda i: hearsay.Learner("exp3", arms=3).save()[:i]))
def test_restore_refuses_any_damaged_state(state):
    try:
        hearsay.Learner.restore(state)
    except REFUSED:
        return
    raise AssertionError("a damaged state was accepted")


@FEW_EXAMPLES
@given(junk, junk | st.just("walks"), st.lists(junk, max_size=2), st.integers(-1, 20), st.integers(-1, 2))
def test_simulate_takes_any_arguments(environment, losses, learners, rounds, repetitions):
    try:
        hearsay.simulate(environment, learners or ["exp3"], rounds, repetitions, losses=losses, threads=1)
    except (*REFUSED, OSError):
        return


class Returns:
    """An environment and a learner whose methods return a given value."""

    def __init__(self, answer):
        self.answer = answer

    def next(self, history):
        return self.answer

    def choose(self, uniform):
        return self.answer

    def observe(self, decision, graph, observations):
        pass


@FEW_EXAMPLES
@given(
    junk | st.tuples(junk, junk) | st.tuples(st.lists(st.floats(0, 1), min_size=4, max_size=4), weights_strategy(4)),
    junk | st.integers(-1, 5),
)
def test_environments_and_learners_in_python_may_return_anything(round_, arm):
    for environment, learners in ((Returns(round_), ["exp3"]), (numpy.eye(4), [lambda arms: Returns(arm)])):
        try:
            hearsay.simulate(environment, learners, 5, 2)
        except (*REFUSED, DeprecationWarning):  # numpy warns about a truth value used as an index
            pass


tables = st.recursive(
    st.one_of(numbers, st.integers(), st.text(max_size=4), st.booleans(), st.none(), st.sampled_from(["grid", "exp3"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                "environment learners learner horizon graph family losses kind points seed repetitions file".split()
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@FEW_EXAMPLES
@given(st.dictionaries(st.sampled_from("environment learners points seed name".split()), tables, max_size=4))
def test_run_takes_any_dict(experiment):
    try:
        hearsay.run(experiment, threads=1)
    except (*REFUSED, OSError):
        return


@FEW_EXAMPLES
@given(junk, st.none() | numbers, st.none() | numbers)
def test_effective_independence_takes_any_arguments(graph, time_limit, noise_bound):
    try:
        result = hearsay.effective_independence(graph, time_limit, noise_bound)
    except REFUSED:
        return
    assert result.lower <= result.upper


def test_objects_without_init_are_refused():
    for kind in list(vars(hearsay._core).values()):
        if not isinstance(kind, type):
            continue
        empty = kind.__new__(kind)  # __init__ is not called
        for member, value in vars(kind).items():
            if not member.startswith("_") and not isinstance(value, staticmethod):
                with pytest.raises(REFUSED):
                    getattr(empty, member)()
        with pytest.raises(REFUSED):
            hearsay.Graph(empty)
        with pytest.raises(REFUSED):
            hearsay.Learner("exp3", arms=2).observe(empty, empty, [0.5, 0.5])
        with pytest.raises(REFUSED):
            hearsay.simulate(empty, [empty], 3)
        if "__repr__" in vars(kind):
            with pytest.raises(REFUSED):
                repr(empty)


def test_a_subclass_that_does_not_call_init_of_its_base_is_refused():
    class WithoutInit(hearsay.Learner):
        def __init__(self):
            pass

    with pytest.raises(TypeError):
        WithoutInit()


@FEW_EXAMPLES
@given(st.tuples(junk, junk, junk, junk) | st.tuples(junk) | junk)
def test_setstate_takes_any_state(state):
    for kind in (hearsay.Graph, hearsay.Learner, hearsay.Decision):
        try:
            kind.__new__(kind).__setstate__(state)
        except (*REFUSED, IndexError, RuntimeError):
            pass
