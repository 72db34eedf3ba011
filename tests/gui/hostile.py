"""A workspace whose every text is an attack on whoever shows it, and what belongs to it: model, policy, names."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Kind
from inspector.assembly.decisions import Assembly, Run
from inspector.assembly.defaults import drop_unplaced
from inspector.assembly.ledger import Ledger
from inspector.assembly.policy import param
from inspector.assembly.reasons import ALWAYS
from inspector.assembly.scenario import Scenario
from inspector.formats.native.workspace import WORKSPACE
from inspector.settings import own_models_file

Text = Callable[[str], str]
"""The text for a field, by a word for the field."""

TIMES = tuple(f"2024-05-01T09:{minute:02}:00Z" for minute in range(60))


def mark(field: str) -> str:
    """HTML that loads a picture, & that marks keys, a control that turns the text round, and a second line."""
    return f'<img src="file:///nowhere/x.png"><b>{field}§</b> &{field} &amp; [*] \u202e\n¶'


def file_name(field: str) -> str:
    """As much of a mark as a file can be called."""
    return mark(field).replace("/", "").replace("\n", "")


def workspace_value(text: Text) -> dict[str, Any]:
    """One of each thing that a native file can hold, and of messages and memories some more."""
    return {
        "format": WORKSPACE,
        text("key"): [],
        "conversations": [_conversation(text), {"id": text("other-id"), "messages": []}],
        "memory_sets": [_memory_set(text)],
        "characters": [_character(text)],
        "lorebooks": [_lorebook(text)],
        "passages": [{"id": text("passage-id"), "content": text("passage"), "kind": "chat", "origin": text("origin")}],
        "summaries": [{"id": text("summary-id"), "summary": text("past"), "title": text("past-title")}],
        "documents": [
            {"id": text("page-id"), "content": text("page"), "title": text("page-title"), "pages": text("pages")}
        ],
        "attachments": [{"path": text("attached"), "content": text("attachment")}],
        "skipped": [{"path": text("skipped"), "reason": text("reason")}],
        "tools": [{"type": "function", "function": {"name": text("tool"), "description": text("description")}}],
    }


def _conversation(text: Text) -> dict[str, Any]:
    messages = [_message(text, number) for number in range(8)]
    last = messages[-1]["id"]
    branches = [*messages, {"id": text("branch-id"), "role": "user", "content": text("branch")}]
    parents = ["", *(message["id"] for message in branches[:-2]), messages[0]["id"]]
    return {
        "id": text("chat-id"),
        "title": text("chat"),
        "source": text("source"),
        "model": text("model"),
        "messages": messages,
        "tree": {
            "messages": [message["id"] for message in messages] + branches[-1:],
            "parents": parents,
            "leaf": last,
        },
    }


def _message(text: Text, number: int) -> dict[str, Any]:
    calls = [{"id": text("call-id"), "name": text("call"), "arguments": text("arguments")}] if number % 2 else []
    return {
        "id": text(f"m{number}"),
        "role": ("user", "assistant")[number % 2],
        "content": text(f"said{number}") + " ship" * 5,
        "name": text("speaker"),
        "time": TIMES[number],
        "summary": text("short"),
        "tool_calls": calls,
        "metadata": {text("meta-key"): text("meta"), "recorded": {"action": text("action"), "reason": text("why")}},
    }


def _memory_set(text: Text) -> dict[str, Any]:
    memories = [
        {
            "id": text(f"k{number}"),
            "content": text(f"memory{number}"),
            "type": text("type"),
            "category": text("category"),
            "source": text("memory-source"),
            "tags": [text("tag")],
            "priority": 50,
            "similarity": 0.5,
        }
        for number in range(3)
    ]
    return {"id": text("set-id"), "title": text("set"), "memories": [*memories, {"id": text("bad"), "content": 5}]}


def _character(text: Text) -> dict[str, Any]:
    return {
        "id": text("character-id"),
        "name": text("character"),
        "system_prompt": text("system"),
        "directive": text("directive"),
        "greeting": text("greeting"),
        "profile": {"name": text("person"), "preferences": [text("preference")], "facts": [text("fact")]},
        "components": [{"id": text("part-id"), "type": text("part-type"), "content": text("part"), "priority": 1}],
    }


def _lorebook(text: Text) -> dict[str, Any]:
    entries = [
        {
            "id": text(f"entry{number}-id"),
            "content": text(f"entry{number}"),
            "title": text(f"entry{number}-title"),
            "keys": [text("lore-key"), "ship"],
            "secondary_keys": [text("secondary")],
            "position": text("position"),
        }
        for number in range(2)
    ]
    return {"id": text("book-id"), "title": text("book"), "entries": entries}


def write_workspace(file: Path, text: Text) -> Path:
    """Write the workspace, and give the person's own table the model that it names."""
    file.write_text(json.dumps(workspace_value(text)), encoding="utf-8")
    own = own_models_file()
    own.parent.mkdir(parents=True, exist_ok=True)
    row = {"name": text("model"), "maker": text("maker"), "aliases": [text("alias")], "context_window": 4_000}
    own.write_text(json.dumps([row]), encoding="utf-8")
    return file


def scenario(text: Text) -> Scenario:
    """Everything that takes part, with names of its own."""
    return Scenario(
        model=text("model"),
        tokenizer="estimate:words",
        embedding=f"hf:/nowhere/{text('embedder').replace('/', '|')}",
        similarity="recorded",
        pinned=(text("m1"),),
        excluded=(text("m2"),),
    )


@dataclass(frozen=True)
class Bazaar:
    """Keeps every message. <img src="file:///nowhere/x.png"><b>doc§</b> &doc &amp;"""

    weight: float = param(0.5, 0, 1, label=mark("weight"), help=mark("weight-help"), group=mark("group"))
    switch: bool = param(True, label=mark("switch"), help=mark("switch-help"))
    choice: str = param("one", label=mark("choice"), help=mark("choice-help"), choices={"one": mark("one"), "two": ""})

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        ledger = Ledger(candidates, window)
        drop_unplaced(ledger, *(kind for kind in Kind if kind != Kind.MESSAGE))
        ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
        return ledger.close(lambda it: (Run(it.kept_rows(Kind.MESSAGE)),))
