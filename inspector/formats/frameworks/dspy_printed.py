"""What `dspy.inspect_history()` prints: the time of each call, its messages, and its response.

stanfordnlp/dspy, `dspy/utils/inspect_history.py` (`pretty_print_history`). Colours of a terminal are left out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_TIME = re.compile(r"\[(\d{4}-\d\d-\d\d[T ][\d:.]+|Unknown time)\]\s*")
_ROLE = re.compile(r"(System|Developer|User|Assistant|Tool) message:\s*")
_MORE = re.compile(r"\s*\(and (\d+) other completions\)\s*")
_CALL = re.compile(r"([\w.-]+): (.*)")


def is_printed(text: str) -> bool:
    """Return whether the head of a text is that of a printed history: a time, and below it the head of a message."""
    lines = (line for line in _COLOUR.sub("", text).splitlines() if line.strip())
    first, second = next(lines, ""), next(lines, "")
    return bool(_TIME.fullmatch(first) and _ROLE.fullmatch(second))


def entries_in(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the calls of a printed history as entries of `lm.history`, each with its place.

    `others` is the number of completions that were not printed.
    """
    entry: dict[str, Any] = {}
    place = ""
    held: list[str] = []
    for number, line in enumerate(_COLOUR.sub("", text).splitlines(), 1):
        if time := _TIME.fullmatch(line):
            if entry:
                yield place, _finished(entry)
            entry, place, held = {"messages": [], "kwargs": {}, "timestamp": time[1]}, f"line {number}", []
        elif role := _ROLE.fullmatch(line):
            held = []
            entry.setdefault("messages", []).append({"role": role[1].lower(), "lines": held})
        elif line.strip() == "Response:":
            held = entry.setdefault("response", [])
        elif line.strip() == "Tool calls:":
            held = _calls_of(entry)
        elif more := _MORE.fullmatch(line):
            entry["others"] = int(more[1])
        else:
            held.append(line)
    if entry:
        yield place, _finished(entry)


def _calls_of(entry: dict[str, Any]) -> list[str]:
    """Return the list for the lines of calls: those of the last message before the response, else of the answer."""
    owner = entry["messages"][-1] if entry.get("messages") and "response" not in entry else entry
    return owner.setdefault("calls", [])


def _finished(entry: dict[str, Any]) -> Mapping[str, Any]:
    messages = [
        {"role": one["role"], "content": _text(one["lines"]), **_calls(one)} for one in entry.get("messages", ())
    ]
    output = {"text": _text(entry.get("response", [])), **_calls(entry)}
    told = {key: entry[key] for key in ("timestamp", "others") if key in entry}
    return {"messages": messages, "kwargs": {}, "outputs": [output] if any(output.values()) else [], **told}


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip()


def _calls(held: Mapping[str, Any]) -> dict[str, Any]:
    found = [match for line in held.get("calls", ()) if (match := _CALL.fullmatch(line.strip()))]
    calls = [{"id": "", "function": {"name": match[1], "arguments": match[2]}} for match in found]
    return {"tool_calls": calls} if calls else {}
