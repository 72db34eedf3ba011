"""The error of an unusable file."""

from collections.abc import Sequence

from inspector.model import Problem


class UnreadableError(ValueError):
    """Nothing of a file is usable; `problem` names the file, the place in it and the expectation.

    `also` are the faults of its parts that caused this, each with its own place.
    """

    def __init__(self, problem: Problem, also: Sequence[Problem] = ()) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.also = tuple(also)
