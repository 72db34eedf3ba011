"""A recorded session of a small agent, for the picture of recorded requests: made here, of no real application."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_BEGIN = datetime(2026, 5, 4, 9, 12, tzinfo=UTC)
_MODEL = "gpt-5-mini"
_SYSTEM = (
    "You are the agent of a harbour office. Read before you write, change one thing at a time, and say in a sentence "
    "what you did. Charts are in charts/, tides in tides.csv, notices to mariners in notices/."
)
_TOOLS = {
    "read_file": "Read a file of the office, whole or from line to line.",
    "search": "Find the lines with certain words in all files of the office.",
    "write_file": "Write a file, whole. What was there is kept as a version.",
    "send_mail": "Send a mail to the skippers on the list, with a subject and a text.",
    "book_berth": "Book a berth for a ship from a day to a day, by her name and length.",
}
_TIDES = "\n".join(
    f"{day:02}.05.,{5 + day % 7:02}:40,{1.2 + day % 5 / 10:.1f} m,{11 + day % 7}:55,4.1 m" for day in range(1, 29)
)
_NOTICE = (
    "Notice 14. The light on the north mole is out until further notice. Vessels keep to the southern half of the "
    "channel between dusk and dawn, and call the office on channel 12 before they enter. "
)
_STEPS: tuple[tuple[str, str, dict[str, str], str], ...] = (
    ("When can the Aurora enter on Thursday? She draws 3.2 m.", "read_file", {"path": "tides.csv"}, _TIDES),
    ("", "search", {"words": "Aurora"}, "berths.csv:12: Aurora,24 m,3.2 m,berth 7\nnotices/14.txt:3: Aurora"),
    ("", "read_file", {"path": "notices/14.txt"}, _NOTICE * 4),
    ("", "", {}, "From 09:40 to 14:10; the light on the north mole is out, so keep to the south."),
    ("Is the light repaired?", "read_file", {"path": "notices/14.txt"}, _NOTICE * 4),
    ("", "", {}, "No: notice 14 still holds."),
    ("Write that into the log.", "write_file", {"path": "log.txt", "text": "Aurora: Thursday, 09:40."}, "written"),
    ("", "", {}, "It is in the log."),
)  # fmt: skip


def write_session(path: Path) -> None:
    """Write the requests of the session as `prompt-inspector record` does, a line each."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": _SYSTEM}]
    lines: list[str] = []
    tools = [_tool(name, about) for name, about in _TOOLS.items()]
    for number, (asked, tool, given, told) in enumerate(_STEPS):
        if asked:
            messages.append({"role": "user", "content": asked})
        answer: dict[str, Any] = {"role": "assistant", "content": told if not tool else None}
        if tool:
            call = {"name": tool, "arguments": json.dumps(given)}
            answer["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": call}]
        lines.append(_line(number, messages, tools, answer))
        messages.append(answer)
        if tool:
            messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": told})
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _tool(name: str, about: str) -> dict[str, Any]:
    properties = {"path": {"type": "string"}, "text": {"type": "string"}, "words": {"type": "string"}}
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


def _line(number: int, messages: list[dict[str, Any]], tools: list[dict[str, Any]], answer: dict[str, Any]) -> str:
    request = {"model": _MODEL, "messages": messages, "tools": tools}
    stop = "tool_calls" if "tool_calls" in answer else "stop"
    response = {
        "id": f"r{number}",
        "model": _MODEL,
        "choices": [{"index": 0, "message": answer, "finish_reason": stop}],
    }
    value = {
        "time": (_BEGIN + timedelta(seconds=14 * number)).isoformat(timespec="milliseconds"),
        "path": "/v1/chat/completions",
        "request": request,
        "response": response,
        "usage": None,
        "status": 200,
        "seconds": 1.5 + number % 3 / 4,
    }
    return json.dumps(value, ensure_ascii=False)
