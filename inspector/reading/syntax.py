"""Where a text breaks the syntax that it is written in, told in one way for JSON, JSON lines and YAML."""

from inspector.model import Problem


def text_place(line: int, column: int) -> str:
    """A place in a text, both counted from 1."""
    return f"line {line:d}, column {column:d}"


def syntax_problem(path: str, language: str, place: str, what: str) -> Problem:
    """The problem of a text that breaks off being JSON or YAML at a `text_place` ("" where that is not known)."""
    return Problem(path, place, f"is not valid {language}: {what}")
