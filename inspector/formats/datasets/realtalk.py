"""REALTALK: chats of two people over many days, with questions.

Layout: github.com/danny911kr/REALTALK, `data/Chat_*.json`: `{name{speaker_1, speaker_2}, session_N[{clean_text,
speaker, date_time, img_file[], img_url[], dia_id}], session_N_date_time, events_session_N, qa[{question, answer,
evidence, category}]}`. The second speaker is the assistant, and the questions are probes, whose categories are those of
LoCoMo.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from inspector.formats.datasets.locomo import evidence_of, name_of_category
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.turn_times import later
from inspector.formats.unique_ids import unique_texts
from inspector.model import Message, Probe, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, parse_time, stem, strings

_SESSION = re.compile(r"session_(\d{1,9})$")
_EXPECTED = "a chat with sessions and two speakers"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats of REALTALK."""
    return surest(source, lambda value: 0.95 if _is_chat(value) else 0.0)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    turns = (turn for key in _sessions(fields) for turn in items_of(fields[key])[:3])
    return any("speaker" in mapping(turn) and mapping(turn).keys() & {"clean_text", "dia_id"} for turn in turns)


def _sessions(fields: Mapping[str, Any]) -> list[str]:
    """Return the keys of the sessions, in order."""
    found = [(int(match[1]), str(key)) for key in fields if (match := _SESSION.match(str(key)))]
    return [key for _, key in sorted(found)]


def load(source: FileSource) -> Workspace:
    """Return each chat with its questions. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    probes: list[Probe] = []
    for place, value in values_of(source, notes):
        if not _is_chat(value):
            notes.add(place, f"expected {_EXPECTED}; it was left out", "error")
            continue
        id_ = stem(source.path) if not chats else f"{stem(source.path)}-{len(chats) + 1}"
        chats.append(_chat(value, id_, notes, place))
        probes += _probes(value, id_, notes, place)
    if not chats:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes, probes=tuple(probes))


def _chat(value: Mapping[str, Any], id_: str, notes: Notes, place: str) -> SavedChat:
    names = mapping(value.get("name"))
    first, second = (as_text(names.get(key)) for key in ("speaker_1", "speaker_2"))
    found = [pair for key in _sessions(value) for pair in _turns(value, key, second, notes, f"{place}.{key}")]
    ids = unique_texts(message.id or f"m{number}" for number, (_, message) in enumerate(found))
    placed = [(at, changed(message, id=name)) for name, (at, message) in zip(ids, found, strict=True)]
    for (at, before), (_, after) in zip(found, placed, strict=True):
        if before.id and before.id != after.id:
            notes.add(at, f"the turn id {before.id} is there twice; the later one is {after.id}")
    nodes = in_line(placed)
    return SavedChat(
        nodes, next(reversed(nodes), None), place, id_, f"{first} and {second}" if first and second else ""
    )


def _turns(value: Mapping[str, Any], key: str, second: str, notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    start = _time(value.get(f"{key}_date_time"))
    if not isinstance(value[key], list):
        notes.add(place, "expected a list of turns; the session was left out", "error")
    for number, turn in enumerate(items_of(value[key])):
        fields, at = mapping(turn), f"{place}[{number}]"
        text = next((fields[name] for name in ("clean_text", "text") if isinstance(fields.get(name), str)), None)
        links = [*strings(fields.get("img_url")), *strings(fields.get("img_file"))]
        if text is None and not links:
            notes.add(at, "expected a turn with clean_text; it was left out", "error")
            continue
        speaker = as_text(fields.get("speaker"))
        yield (
            at,
            Message(
                as_text(fields.get("dia_id")),
                "assistant" if second and speaker == second else "user",
                as_text(text),
                speaker,
                _time(fields.get("date_time")) or later(start, number),
                metadata={"image_links": links} if links else {},
            ),
        )


def _time(value: Any) -> datetime | None:
    """Return a time as the data writes it: 29.12.2023, 22:42:04; or in any usual way."""
    try:
        return datetime.strptime(as_text(value), "%d.%m.%Y, %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return parse_time(value)


def _probes(value: Mapping[str, Any], id_: str, notes: Notes, place: str) -> Iterator[Probe]:
    for number, asked in enumerate(items_of(value.get("qa"))):
        fields = mapping(asked)
        question = as_text(fields.get("question")).strip()
        if not question:
            notes.add(f"{place}.qa[{number}]", "expected an object with a question; it was left out")
            continue
        cited = evidence_of(fields.get("evidence"))
        category = name_of_category(fields.get("category"))
        answer = as_text(fields.get("answer")).strip()
        yield Probe(f"{id_}:q{number + 1}", cited, id_, query=question, category=category, answer=answer)


FORMAT = Format("realtalk", "REALTALK chats", sniff, load, "`session_1` of turns with `clean_text` and `speaker`")
