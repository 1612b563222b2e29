"""A class for every learner: ``Exp3Wix(arms=25)`` is ``Learner("exp3-wix", arms=25)``.

The classes are made from the core's catalogue, so this module has every learner of the catalogue. Parameters
and methods are those of Learner; in graphs, row = played. scripts/reference writes the stub, learners.pyi.
"""

import inspect

from hearsay._core import Learner, learner_catalogue, learner_parameters


def _class_of(name, summary, reference, arguments):
    def __init__(self, **parameters):
        Learner.__init__(self, name, **parameters)

    @classmethod
    def restore(cls, state, *, seed=None, stream=None):
        restored = Learner.restore(state, seed=seed, stream=stream)
        if restored.name != name:
            raise ValueError(f"state: is of {restored.name}, expected one of {name}")
        return restored

    restore.__func__.__doc__ = Learner.restore.__doc__
    self = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    keywords = [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if default is ... else default,
        )
        for key, default in arguments.items()
    ]
    __init__.__signature__ = inspect.Signature([self, *keywords])
    described = learner_parameters()
    __init__.__doc__ = "".join(f"{key}: {described[key]}.\n" for key in arguments if key in described)
    class_name = "".join(part.capitalize() for part in name.replace(".", "-").split("-"))
    __init__.__qualname__ = f"{class_name}.__init__"  # as messages of Python have it
    doc = f"{summary}. {reference}.\n\nThe same as Learner({name!r}, ...). In graphs, row = played.\n"
    return type(
        class_name,
        (Learner,),
        # Without slots, an attribute that is misspelt would be set silently.
        {
            "__init__": __init__,
            "restore": restore,
            "__doc__": doc,
            "__module__": __name__,
            "__slots__": (),
            "learner": name,
        },
    )


#: The classes by the name of the learner.
learner_classes = {entry[0]: _class_of(*entry) for entry in learner_catalogue()}
globals().update({each.__name__: each for each in learner_classes.values()})
__all__ = ["learner_classes", *sorted(each.__name__ for each in learner_classes.values())]
