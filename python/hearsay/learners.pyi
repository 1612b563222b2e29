from typing import ClassVar

from hearsay._core import Learner

class _Named(Learner):
    learner: ClassVar[str]
    def __init__(
        self,
        *,
        arms: int,
        noise_bound: float = ...,
        rate: float | str | None = ...,
        exploration: float | str | None = ...,
        threshold: float | None = ...,
        delta: float | None = ...,
        tuning: str | None = ...,
        out_of_range: str = ...,
        engine: str = ...,
        max_outstanding: int = ...,
        seed: int = ...,
        stream: int = ...,
    ) -> None: ...

class Exp3(_Named): ...
class Exp3Basic(_Named): ...
class Exp3Ivx(_Named): ...
class Exp3Ix(_Named): ...
class Exp3Ixb(_Named): ...
class Exp3Ixt(_Named): ...
class Exp3Wix(_Named): ...
class Hedge(_Named): ...
class Uniform(_Named): ...

learner_classes: dict[str, type[_Named]]
