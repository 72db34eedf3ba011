"""Syntax errors in a text, reported alike for JSON, JSON lines and YAML."""

from inspector.model import Problem


def text_place(line: int, column: int) -> str:
    """Return a place in a text, both counted from 1."""
    return f"line {line:d}, column {column:d}"


def syntax_problem(path: str, language: str, place: str, what: str) -> Problem:
    """Return the problem of a text that stops being JSON or YAML at a `text_place` ("" if unknown)."""
    return Problem(path, place, f"is not valid {language}: {what}")
