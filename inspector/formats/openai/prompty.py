"""Prompty files: settings in YAML between `---`, and below them turns under `system:`, `user:` and `assistant:`.

Layout: github.com/microsoft/prompty, `runtime/prompty/prompty/parsers.py` (`PromptyChatParser`: a line that is a role,
with attributes in brackets at most; text before the first is the system prompt) and `core.py`. Templates stay as they
are written; `![thread]` stands for the turns of the caller.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES
from inspector.formats.paths import at_path, word_at
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, mapping, objects

_FRONT = re.compile(r"\ufeff?---[ \t]*\n(?P<front>(?:.*?\n)?)---[ \t]*(?:\n|\Z)(?P<body>.*)", re.DOTALL)
_TURN = re.compile(
    r"\s*#?\s*(?P<role>assistant|function|system|user|developer|tool)(?:\[[^\]\n]*\])?\s*:\s*", re.IGNORECASE
)
_MODELS = ("model.configuration.azure_deployment", "model.configuration.model", "model.configuration.name")
_OF_MODELS = frozenset(("id", "api", "apiType", "provider", "connection"))
_KEYS = frozenset(("model", "inputs", "sample", "inputSchema", "template", "parameters", "tools"))


def sniff(source: FileSource) -> float:
    """Return how likely this is a Prompty file: a turn below settings, or the settings of a model above any text."""
    if source.shape not in ("text", "yaml") or not source.utf8.startswith((b"---", b"\xef\xbb\xbf---")):
        return 0.0
    found = _FRONT.match(source.text.replace("\r\n", "\n"))
    if found is None or not found["body"].strip():
        return 0.0
    settings = _settings(source, found["front"], Notes(source.path))
    if any(map(_TURN.fullmatch, found["body"].split("\n"))):
        return 0.95 if _KEYS & settings.keys() else 0.6
    model = mapping(settings.get("model"))
    return 0.95 if "configuration" in model else 0.8 if "name" in settings and model.keys() & _OF_MODELS else 0.0


def _settings(source: FileSource, front: str, notes: Notes) -> Mapping[str, Any]:
    """Return the settings; a template in them that is no YAML is noted."""
    try:
        return mapping(source.within(front.encode()).yaml)
    except UnreadableError as error:
        notes.add("", f"the settings before the turns could not be read: {error.problem.message}")
        return {}


def load(source: FileSource) -> Workspace:
    """Return the turns as a conversation. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    found = _FRONT.match(source.text.replace("\r\n", "\n"))
    if found is None:
        raise notes.unreadable("", "expected settings between lines of ---, and turns such as user: below, found none")
    settings = _settings(source, found["front"], notes)
    first = found["front"].count("\n") + 2
    messages = [message for message in _turns(found["body"], first) if message[1].content]
    if not messages:
        raise notes.unreadable("", "expected turns such as user: below the settings, found none")
    nodes = in_line(messages)
    chat = SavedChat(nodes, next(reversed(nodes), None), "", title=word_at(settings, ("name",)))
    chat.model = word_at(settings, (*_MODELS, "model.id", "model"))
    chat.tools = objects(at_path(settings, "model.parameters.tools") or settings.get("tools"))
    return workspace_of([chat], source, notes)


def _turns(body: str, first: int) -> Iterator[tuple[str, Message]]:
    word, start = "system", first
    said: list[str] = []
    for number, line in enumerate(body.split("\n"), first):
        if turn := _TURN.fullmatch(line):
            yield f"line {start}", Message("", ROLES[word], as_text("\n".join(said).strip()))
            word, start, said = turn["role"].lower(), number, []
        else:
            said.append(line)
    yield f"line {start}", Message("", ROLES[word], as_text("\n".join(said).strip()))


FORMAT = Format("prompty", "Prompty file", sniff, load, "settings between `---`, and turns such as `user:` below them")
