"""MT-Bench: questions of two turns, and the answers of models to them.

Layout: github.com/lm-sys/FastChat, `llm_judge/data`: `{question_id, category, turns[], reference[]?}`, and answers
`{question_id, model_id, choices[{index, turns[]}], tstamp}`, which do not repeat the questions.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import Node, SavedChat, in_line, read_chats, surest
from inspector.model import Message, Role, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time


def sniff(source: FileSource) -> float:
    """Return how likely the file holds questions or answers of MT-Bench."""
    return surest(source, lambda value: 0.95 if _is_row(value) else 0.0)


def _is_row(value: Any) -> bool:
    row = mapping(value)
    return "question_id" in row and (_are_texts(row.get("turns")) or _are_choices(row))


def _are_texts(value: Any) -> bool:
    return bool(items_of(value)) and all(isinstance(text, str) for text in items_of(value))


def _are_choices(row: Mapping[str, Any]) -> bool:
    return "model_id" in row and any(_are_texts(choice.get("turns")) for choice in objects(row.get("choices")))


def load(source: FileSource) -> Workspace:
    """Return a conversation for each question, or each answer. Raise UnreadableError if there is none."""
    return read_chats(source, _is_row, _chat, "a question with turns, or an answer with choices")


def _chat(row: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    name = as_text(row["question_id"])
    if _are_choices(row):
        return _answer(row, name, notes, place)
    nodes = in_line(_said(row["turns"], "user", items_of(row.get("reference")), place))
    category = as_text(row.get("category"))
    title = f"{category} {name}".strip()
    return SavedChat(nodes, next(reversed(nodes), None), place, name, title)


def _said(turns: Any, role: Role, references: tuple[Any, ...], place: str) -> Iterator[tuple[str, Message]]:
    for number, text in enumerate(items_of(turns)):
        reference = references[number] if number < len(references) else None
        kept = {"reference": as_text(reference)} if isinstance(reference, str) else {}
        yield f"{place}.turns[{number}]", Message("", role, as_text(text), metadata=kept)


def _answer(row: Mapping[str, Any], name: str, notes: Notes, place: str) -> SavedChat:
    """Return the choices as branches; the first is active."""
    nodes: dict[str, Node] = {}
    leaf = None
    time = parse_time(row.get("tstamp"))
    for number, choice in enumerate(items_of(row["choices"])):
        at, above = f"{place}.choices[{number}]", ""
        if not _are_texts(mapping(choice).get("turns")):
            notes.add(at, "expected a choice with turns; it was left out", "error")
            continue
        for turn, text in enumerate(items_of(choice["turns"])):
            id_ = f"c{number}t{turn}"
            nodes[id_] = Node(above, (Message("", "assistant", as_text(text), time=time),), f"{at}.turns[{turn}]")
            above = id_
        leaf = leaf or above
    return SavedChat(nodes, leaf, place, name, f"Answers to {name}", model=as_text(row["model_id"]))


FORMAT = Format("mt_bench", "MT-Bench questions or answers", sniff, load, "`question_id` with `turns` or `choices`")
