"""The problems of a file with many: the first are listed, and the others counted."""

from collections.abc import Iterable

from inspector.model import Problem, Severity

MOST_LISTED = 200
"""The number of listed problems with a place for each file; nobody reads more."""


def listed(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """Return a file's problems without duplicates: all without a place, the first with a place, and a count of others.

    The count is as severe as the worst of the counted problems.
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
