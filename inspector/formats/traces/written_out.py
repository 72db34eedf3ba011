"""Messages as Python prints them: `role='user' content='Hi' tool_calls=[…]`, and lines that begin with a role.

Instrumentations write them in place of JSON: the text of a model of pydantic (Arize-ai/openinference,
`openinference-instrumentation-agno`), whose values are read as literals of Python, never run, those of other classes
left out; and `user: Hi` (openlit/openlit, `sdk/python/src/openlit/__helpers.py`; the text of LlamaIndex's messages).
"""

import ast
import re
from typing import Any

_NAME = re.compile(r"\s*([A-Za-z_]\w*)=")
_BEGINNING = re.compile(r"\s*role=['\"]")
_SPOKEN = re.compile(r"^(system|developer|user|human|assistant|ai|tool|function): ?", re.MULTILINE)
_OPEN, _CLOSED = "([{<", ")]}>"
_LONGEST = 2_000_000  # characters


def printed_message(text: Any) -> dict[str, Any] | None:
    """Return the fields of a printed message; None if the text is none."""
    if not isinstance(text, str) or len(text) > _LONGEST or not _BEGINNING.match(text):
        return None
    fields: dict[str, Any] = {}
    place = 0
    while match := _NAME.match(text, place):
        place = _end(text, match.end())
        fields.setdefault(match[1], _literal(text[match.end() : place]))
    return {key: value for key, value in fields.items() if value is not None}


def spoken_messages(text: str) -> list[dict[str, Any]]:
    """Return the messages of a text in which each begins with its role (`user: Hi`); none if the text does not."""
    marks = list(_SPOKEN.finditer(text)) if _SPOKEN.match(text) else []
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    said = (
        [(mark[1], text[mark.end() : end].rstrip("\n")) for mark, end in zip(marks, ends, strict=True)] if marks else []
    )
    return [{"role": role, "content": "" if said_ == "None" else said_} for role, said_ in said]


def _end(text: str, start: int) -> int:
    """Return the end of the value that begins here: the first space outside of brackets and quotes."""
    depth, quote, place = 0, "", start
    while place < len(text):
        letter = text[place]
        if quote:
            if letter == "\\":
                place += 1
            elif letter == quote:
                quote = ""
        elif letter in "'\"":
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSED:
            depth -= 1
        elif letter == " " and depth <= 0:
            return place
        place += 1
    return len(text)


def _literal(text: str) -> Any:
    """Return a literal of Python; None for anything else."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
