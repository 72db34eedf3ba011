"""Opening large files: time on the processor against what Python's json takes for the same, and the memory at most."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.bench.loading import write_chat
from tests.bench.measure import Row
from tests.bench.texts import chat_texts

MESSAGES = 1_000_000
EXPORT_MEGABYTES = 100
LARGE_MEGABYTES = 600
MOST_MEGABYTES = 1_000
TIMES_JSON = 3.0
SHARE_OF_JSON = 8.0
_TIMES = 5
_TURNS = (4, 10, 20, 40, 80)
# The highest resident size is asked of the process itself: the system's figure for a child begins with its parent's.
_CHILD = """
import json, os, sys, time
from pathlib import Path

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024
    import resource
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

{prepare}
start = time.process_time()
{work}
print(json.dumps([time.process_time() - start, peak() / 1e6]), file=sys.stderr)
"""
# Modules are imported before, as json is.
_LISTER = (
    "import numpy\nfrom inspector.formats import load_parts\nfrom inspector.formats.registry import built_in_formats\n"
    "load_parts([])\nassert built_in_formats()[:5]"
)
_LISTED = "part, *_ = load_parts([sys.argv[1]], listed_from=0)\nchat = part.workspace.conversations[-1]"
_LIST = _LISTER, _LISTED
_CHOOSE = f"{_LISTER}\n{_LISTED}", "assert chat.messages"
_OPEN = "from inspector.formats import load_workspace\nload_workspace([])", "load_workspace([sys.argv[1]])"
_ASSEMBLE = (
    "from inspector.cli import main\nsys.argv[1:] = ['assemble', sys.argv[1]]",
    "try:\n    main()\nexcept SystemExit:\n    pass",
)
_ASSEMBLE_JSON = _ASSEMBLE[0].replace("sys.argv[1]]", "sys.argv[1], '--format', 'json']"), _ASSEMBLE[1]
_LINES = "", "for line in open(sys.argv[1], 'rb'): json.loads(line)"
_DOCUMENT = "", "json.load(open(sys.argv[1], 'rb'))"


def rows() -> Iterator[Row]:
    """A chat of a million lines opened and assembled, and an export of many chats listed."""
    with tempfile.TemporaryDirectory() as folder:
        chat = write_chat(Path(folder, "chat.jsonl"), MESSAGES)
        (ours, peak), (theirs, _) = _measured(_OPEN, chat), _measured(_LINES, chat)
        what = f"{MESSAGES:,} JSONL messages opened"
        yield Row(what, ours, "json.loads line by line", theirs, at_most=TIMES_JSON)
        yield _peak(what, peak)
        yield _peak(f"{MESSAGES:,} JSONL messages assembled", _measured(_ASSEMBLE, chat)[1])
        yield _peak(f"{MESSAGES:,} of them as a JSON document", _measured(_ASSEMBLE_JSON, chat)[1], 1.2)
    with tempfile.TemporaryDirectory() as folder:
        export = _export(Path(folder, "conversations.json"), EXPORT_MEGABYTES, _chatgpt_chat)
        yield from _listed_rows("ChatGPT", export)
        whole, theirs, _ = _compared(_OPEN, export, export)
        yield Row("all of it read", whole, "json.load", theirs, at_most=TIMES_JSON)
    with tempfile.TemporaryDirectory() as folder:
        yield from _listed_rows(
            "Claude.ai", _export(Path(folder, "conversations.json"), EXPORT_MEGABYTES, _claude_chat)
        )
    with tempfile.TemporaryDirectory() as folder:
        export = _export(Path(folder, "conversations.json"), LARGE_MEGABYTES, _chatgpt_chat)
        what = f"ChatGPT export of {LARGE_MEGABYTES} MB listed, and one chat opened"
        yield _peak(what, _measured((_LISTER, f"{_LISTED}\nassert chat.messages"), export)[1])


def _listed_rows(vendor: str, export: Path) -> Iterator[Row]:
    """An export of many chats listed, and one chat of it opened."""
    ours, theirs, peak = _compared(_LIST, export, export)
    what = f"{vendor} export of {EXPORT_MEGABYTES} MB listed"
    yield Row(what, ours, "json.load", theirs, at_least=SHARE_OF_JSON)
    yield _peak(what, peak)
    last = export.with_name("last.json")
    last.write_bytes(json.dumps(json.loads(export.read_bytes())[-1]).encode())
    one, alone, _ = _compared(_CHOOSE, export, last)
    yield Row("one chat of that list opened", one, "json.load of it alone", alone, at_most=TIMES_JSON)


def _compared(script: tuple[str, str], file: Path, other: Path) -> tuple[float, float, float]:
    """Seconds of a script on a file and of json.load on the other, in turns, and megabytes of the script at most.

    Each is the median: what the machine does beside it takes as long as a list of chats.
    """
    pairs = [(_measured(script, file), _measured(_DOCUMENT, other)) for _ in range(_TIMES)]
    ours, theirs = (statistics.median(one[place][0] for one in pairs) for place in (0, 1))
    return ours, theirs, max(own[1] for own, _ in pairs)


def _peak(what: str, megabytes: float, gigabytes: float = 1.0) -> Row:
    return Row(f"memory at most, {what}", megabytes, "1 GB", MOST_MEGABYTES, at_most=gigabytes, unit="MB")


def _measured(script: tuple[str, str], file: Path) -> tuple[float, float]:
    """Seconds on the processor and megabytes at most of a process of its own, with caches of its own."""
    prepare, work = script
    command = [sys.executable, "-c", _CHILD.format(prepare=prepare, work=work), str(file)]
    with tempfile.TemporaryDirectory() as home:
        own = {**os.environ, "HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home}
        done = subprocess.run(
            command, check=True, env=own, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
    seconds, megabytes = json.loads(done.stderr.splitlines()[-1])
    return seconds, megabytes


def _export(file: Path, megabytes: int, chat: Callable[[int, list[str]], dict[str, Any]]) -> Path:
    """A list of so many megabytes of what `chat` makes of a number and the texts."""
    texts = chat_texts(5_000, seed=9)
    with file.open("wb") as written:
        number = 0
        while written.tell() < megabytes * 1_000_000:
            written.write((b", " if number else b"[") + json.dumps(chat(number, texts)).encode())
            number += 1
        written.write(b"]")
    return file


def _claude_chat(number: int, texts: list[str]) -> dict[str, Any]:
    time = "2025-06-27T10:46:02.123456Z"
    said: list[dict[str, Any]] = []
    for turn in range(_TURNS[number % len(_TURNS)]):
        first = 7 * number + turn
        text = "\n\n".join(texts[(first + place) % len(texts)] for place in range(1 + turn % 2 * (first % 5)))
        block = {"start_timestamp": time, "stop_timestamp": time, "type": "text", "text": text, "citations": []}
        sender = ("human", "assistant")[turn % 2]
        dates = {"created_at": time, "updated_at": time}
        known = {"uuid": f"{number:08x}-{turn:04x}-4aaa-8bbb-0123456789ab", "text": text, "content": [block]}
        said.append({**known, "sender": sender, **dates, "attachments": [], "files": []})
    head = {"uuid": f"c{number}", "name": f"Chat {number}", "created_at": time, "updated_at": time}
    return {**head, "account": {"uuid": "me"}, "chat_messages": said}


def _chatgpt_chat(number: int, texts: list[str]) -> dict[str, Any]:
    parent = f"{number}-root"
    nodes: dict[str, Any] = {parent: {"id": parent, "message": None, "parent": None, "children": []}}
    parent = _with_hidden_system(nodes, parent)
    for turn in range(_TURNS[number % len(_TURNS)]):
        name, first = f"{number:08x}-{turn:04x}-4aaa-8bbb-0123456789ab", 7 * number + turn
        said = "\n\n".join(texts[(first + place) % len(texts)] for place in range(1 + turn % 2 * (first % 5)))
        nodes[parent]["children"].append(name)
        nodes[name] = {"id": name, "message": _exported_message(name, turn, said), "parent": parent, "children": []}
        parent = name
    title, time = f"Chat {number}", 1_700_000_000.0 + number
    dates = {"create_time": time, "update_time": time}
    known = {"conversation_id": f"c{number}", "default_model_slug": "gpt-4o"}
    return {"title": title, **dates, "mapping": nodes, "current_node": parent, **known}


def _with_hidden_system(nodes: dict[str, Any], root: str) -> str:
    """Adds the blank message that every chat begins with; returns its id."""
    name = f"{root}-system"
    nodes[root]["children"].append(name)
    message = {**_exported_message(name, 0, ""), "author": {"role": "system", "name": None, "metadata": {}}}
    message["metadata"] = {"is_visually_hidden_from_conversation": True}
    nodes[name] = {"id": name, "message": message, "parent": root, "children": []}
    return name


def _exported_message(name: str, turn: int, said: str) -> dict[str, Any]:
    return {
        "id": name,
        "author": {"role": ("user", "assistant")[turn % 2], "name": None, "metadata": {}},
        "create_time": 1_700_000_000.0 + turn,
        "update_time": None,
        "content": {"content_type": "text", "parts": [said]},
        "status": "finished_successfully",
        "end_turn": bool(turn % 2),
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o", "finish_details": {"type": "stop"}, "timestamp_": "absolute"},
        "recipient": "all",
        "channel": None,
    }
