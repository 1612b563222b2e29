"""A class for every learner: ``Exp3Wix(arms=25)`` is ``Learner("exp3-wix", arms=25)``.

They are made from the core's catalogue, so a learner that is added there is here too. The parameters are
Learner's, and so is their orientation: row = played.
"""

from hearsay._core import Learner, learner_catalogue


def _class_of(name, summary, reference):
    def __init__(self, **parameters):
        Learner.__init__(self, name, **parameters)

    class_name = "".join(part.capitalize() for part in name.split("-"))
    doc = f"{summary}. {reference}.\n\nThe same as Learner({name!r}, ...), row = played.\n"
    return type(
        class_name,
        (Learner,),
        {"__init__": __init__, "__doc__": doc, "__module__": __name__, "learner": name},
    )


#: By the learner's name.
learner_classes = {entry[0]: _class_of(*entry) for entry in learner_catalogue()}
globals().update({each.__name__: each for each in learner_classes.values()})
