"""Run logs of WhisperEngine's experiments: turns, each with a question and an answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, read_chats, surest
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_ASKED, _ANSWERED = "user_message", "assistant_response"
_SIDES: tuple[tuple[str, Role], ...] = ((_ASKED, "user"), (_ANSWERED, "assistant"))
_TITLES = ("model", "condition", "replication")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the turns of a run."""
    return surest(source, lambda value: 0.95 if _is_run(value) else 0.0)


def _is_run(value: Any) -> bool:
    turns = objects(mapping(value).get("turns"))
    return any({_ASKED, _ANSWERED} & turn.keys() for turn in turns)


def load(source: FileSource) -> Workspace:
    """Return the runs of a file as conversations. Raise UnreadableError if there is none."""
    return read_chats(source, _is_run, _read, f"a run of WhisperEngine (turns with {_ASKED} and {_ANSWERED})")


def _read(run: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    turns = enumerate(items_of(run["turns"]))
    nodes = in_line(said for index, turn in turns for said in _said(turn, notes, f"{place}.turns[{index}]"))
    named = (as_text(run.get(key)) for key in _TITLES)
    models = (run.get("model_id"), run.get("model"))
    return SavedChat(
        nodes,
        next(reversed(nodes), None),
        place,
        title=" ".join(filter(None, named)),
        model=next((as_text(model) for model in models if isinstance(model, str) and model), ""),
    )


def _said(turn: Any, notes: Notes, place: str) -> Iterator[tuple[str, Message]]:
    """Yield the messages of a turn; a missing side is noted, so that no answer is lost silently."""
    fields = mapping(turn)
    for key, role in _SIDES:
        if isinstance(fields.get(key), str):
            time = parse_time(fields.get("timestamp")) if key == _ANSWERED else None
            yield f"{place}.{key}", Message("", role, as_text(fields[key]), time=time)
        else:
            notes.add(f"{place}.{key}", "expected text; the message was left out", "error")


FORMAT = Format(
    "whisperengine_run", "WhisperEngine run log", sniff, load, "`turns` with `user_message` and `assistant_response`"
)
