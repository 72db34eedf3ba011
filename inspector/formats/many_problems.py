"""The problems of one file when there are many: the first are listed, and the others counted."""

from collections.abc import Iterable

from inspector.model import Problem, Severity

MOST_LISTED = 200
"""So many problems of a file that have a place are listed; nobody reads more."""


def listed(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """The problems of a file without repetitions: those of it as a whole, the first of its places, and how many more.

    What counts the others is as severe as the worst of them.
    """
    found = list(dict.fromkeys(problems))
    placed = [problem for problem in found if problem.place]
    more = placed[MOST_LISTED:]
    if not more:
        return tuple(found)
    beyond = {id(problem) for problem in more}
    severities = {problem.severity for problem in more}
    severity: Severity = "error" if "error" in severities else "warning" if "warning" in severities else "info"
    count = Problem(file, "", f"{len(more):,} more problems are in this file; these are the first", severity)
    return (*(problem for problem in found if id(problem) not in beyond), count)
