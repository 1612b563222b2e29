"""A class for every learner: ``Exp3Wix(arms=25)`` is ``Learner("exp3-wix", arms=25)``.

The classes are made from the core's catalogue, so this module has every learner of the catalogue. Parameters
and methods are those of Learner; in graphs, row = played.
"""

from hearsay._core import Learner, learner_catalogue


def _class_of(name, summary, reference):
    def __init__(self, **parameters):
        Learner.__init__(self, name, **parameters)

    class_name = "".join(part.capitalize() for part in name.split("-"))
    doc = f"{summary}. {reference}.\n\nThe same as Learner({name!r}, ...). In graphs, row = played.\n"
    return type(
        class_name,
        (Learner,),
        {"__init__": __init__, "__doc__": doc, "__module__": __name__, "learner": name},
    )


#: The classes by the name of the learner.
learner_classes = {entry[0]: _class_of(*entry) for entry in learner_catalogue()}
globals().update({each.__name__: each for each in learner_classes.values()})
