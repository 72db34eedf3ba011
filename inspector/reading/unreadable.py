"""The error of a file of which nothing can be used."""

from inspector.model import Problem


class UnreadableError(ValueError):
    """Nothing of a file can be used; `problem` names the file, the place in it and what was expected."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
