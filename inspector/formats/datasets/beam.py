"""BEAM: long chats of a user with an assistant, and questions about them.

github.com/mohammadtavakoli78/BEAM: `chat.json` has batches of `turns`, lists of `{role, id, time_anchor, content}`, of
which the largest have one list for each plan; a user's text ends with a mark of the generation (`->-> 1,1`).
`probing_questions.json` has the questions by ability, with `source_chat_ids`. A row of the set on Hugging Face
(Mohammadta/BEAM) has `chat` and, as the text of a Python value, `probing_questions`.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import role_of
from inspector.formats.saved_chats import SavedChat, in_line, surest, values_of, workspace_of
from inspector.formats.turn_times import later
from inspector.formats.unique_ids import unique_texts
from inspector.model import Message, Probe, Workspace
from inspector.reading.json import unwrapped
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time, stem

_MARK = re.compile(r"\s*->->\s*[\d,\s]*(?:N/A)?\s*\Z")
_ABILITIES = frozenset(
    (
        *("abstention", "contradiction_resolution", "event_ordering", "information_extraction", "knowledge_update"),
        *("instruction_following", "multi_session_reasoning", "preference_following", "summarization"),
        "temporal_reasoning",
    )
)
_DEEPEST = 12
_EXPECTED = "batches of turns, or questions by ability"


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats or questions of BEAM."""
    return surest(source, lambda value: 0.95 if _is_batch(value) or _is_row(value) or _is_questions(value) else 0.0)


def _is_batch(value: Any) -> bool:
    """Return whether a value is a batch of turns, or an object of plans that hold them."""
    fields = mapping(value)
    if "batch_number" in fields and isinstance(fields.get("turns"), list):
        return True
    plans = (one for key, one in fields.items() if as_text(key).startswith("plan-"))
    return any("batch_number" in mapping(batch) for plan in plans for batch in items_of(plan)[:1])


def _is_row(value: Any) -> bool:
    fields = mapping(value)
    return "probing_questions" in fields and isinstance(fields.get("chat"), list)


def _is_questions(value: Any) -> bool:
    fields = mapping(value)
    asked = [one for key, held in fields.items() if key in _ABILITIES for one in objects(held)]
    return len(fields.keys() & _ABILITIES) > 1 and any("question" in one for one in asked)


def load(source: FileSource) -> Workspace:
    """Return the chats and questions of a file. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    probes: list[Probe] = []
    batches: list[tuple[str, Any]] = []
    for place, value in values_of(source, notes):
        if _is_row(value):
            id_ = as_text(value.get("conversation_id")) or f"{stem(source.path)}-{len(chats) + 1}"
            chats.append(_chat([(f"{place}.chat", value["chat"])], id_, notes, place))
            probes += _probes(_literal(value["probing_questions"]), id_, f"{id_}:", notes, f"{place}.probing_questions")
        elif _is_batch(value):
            batches.append((place, value))
        elif _is_questions(value):
            probes += _probes(value, "", "", notes, place)
        else:
            notes.add(place, f"expected {_EXPECTED}; it was left out", "error")
    if batches:
        chats.append(_chat(batches, stem(source.path), notes, "$"))
    chats = [chat for chat in chats if chat.nodes]
    if not chats and not probes:
        raise notes.unreadable("$", f"expected {_EXPECTED}, found none")
    return workspace_of(chats, source, notes, probes=tuple(probes))


def _literal(value: Any) -> Any:
    """Return the questions: an object, or the text of one as JSON or as Python writes it."""
    opened = unwrapped(value)
    try:
        return ast.literal_eval(opened) if isinstance(opened, str) else opened
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return opened


def _chat(values: list[tuple[str, Any]], id_: str, notes: Notes, place: str) -> SavedChat:
    turns = [turn for at, value in values for turn in _turns(value, at, _DEEPEST)]
    names = unique_texts(_turn_id(turn.get("id"), number) for number, (_, turn) in enumerate(turns))
    found: list[tuple[str, Message]] = []
    day: datetime | None = None
    since = 0
    for name, (at, turn) in zip(names, turns, strict=True):
        role, text = role_of(turn), turn.get("content")
        if role is None or not isinstance(text, str):
            notes.add(at, "expected a turn with role and content; it was left out", "error")
            continue
        told = _time(turn.get("time_anchor"))
        day, since = (told, 0) if told and told != day else (day, since + 1)
        found.append((at, Message(name, role, _MARK.sub("", text), time=later(day, since))))
    nodes = in_line(found)
    return SavedChat(nodes, next(reversed(nodes), None), place, id_)


def _turn_id(id_: Any, number: int) -> str:
    return f"t{as_text(id_)}" if isinstance(id_, int | str) else f"m{number}"


def _turns(value: Any, place: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the turns in lists and objects of lists, in order."""
    if isinstance(value, Mapping):
        if "role" in value or "content" in value:
            yield place, value
            return
        inside = [(f"{place}.{key}", one) for key, one in value.items() if isinstance(one, list)]
    else:
        inside = [(f"{place}[{number}]", one) for number, one in enumerate(items_of(value))]
    for at, one in inside if depth else ():
        yield from _turns(one, at, depth - 1)


def _time(value: Any) -> datetime | None:
    """Return a day as the data writes it: March-15-2024; or in any usual way."""
    try:
        return datetime.strptime(as_text(value), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError:
        return parse_time(value)


def _probes(value: Any, chat: str, prefix: str, notes: Notes, place: str) -> Iterator[Probe]:
    """Yield the questions of all abilities; one without sources has no evidence, as those that nothing answers."""
    number = 0
    for ability, asked in mapping(value).items():
        for index, one in enumerate(items_of(asked)):
            number += 1
            question = as_text(mapping(one).get("question") or "").strip()
            if not question:
                notes.add(f"{place}.{ability}[{index}]", "expected an object with a question; it was left out")
                continue
            cited = tuple(dict.fromkeys(f"t{id_}" for id_ in _ids(mapping(one).get("source_chat_ids"), _DEEPEST)))
            answer = as_text(mapping(one).get("answer")).strip()
            yield Probe(f"{prefix}q{number}", cited, chat, query=question, category=as_text(ability), answer=answer)
    if not number:
        notes.add(place, "expected questions by ability, found none")


def _ids(value: Any, depth: int) -> Iterator[str]:
    """Yield the ids of turns in lists and objects of lists."""
    if isinstance(value, int | str):
        yield as_text(value)
    elif depth:
        for one in value.values() if isinstance(value, Mapping) else items_of(value):
            yield from _ids(one, depth - 1)


FORMAT = Format("beam", "BEAM chats and questions", sniff, load, "batches of `turns`, or questions by ability")
