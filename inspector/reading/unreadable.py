"""The error of a file of which nothing can be used."""

from collections.abc import Sequence

from inspector.model import Problem


class UnreadableError(ValueError):
    """Nothing of a file can be used; `problem` names the file, the place in it and what was expected.

    `also` are the faults of its parts, each with a place of its own, where nothing could be used because of them.
    """

    def __init__(self, problem: Problem, also: Sequence[Problem] = ()) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.also = tuple(also)
