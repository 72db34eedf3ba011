"""A single memory of any store: the meaning of its fields, under the names that stores and users give them.

Knows no file: the module of each format finds the records of its store.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from inspector.formats.unique_ids import with_unique_ids
from inspector.model import MOST_TOKENS, Memory, Problem, ScoreScale, Severity, changed
from inspector.reading.json import unwrapped
from inspector.reading.values import as_number, as_text, as_truth, as_whole, comma_strings, parse_time

CONTENT_NAMES = ("content", "text", "memory", "document", "page_content", "fact", "data")
_TYPES = ("type", "memory_type")
_THREADS = ("thread_id", "session_id", "run_id")
_AGENTS = ("agent", "agent_id")
_FIGURES = {
    "priority": (("priority",), 100.0),
    "confidence": (("confidence",), 1.0),
}
_DISTANCES = ("distance", "_distance")
_SCORES = ("similarity", "score", *_DISTANCES)
_LEAST_RISING = 3
"""How many scores must rise down a list of results, best first, to be taken for distances."""
_TIMES = ("time", "timestamp", "created_at", "created", "date", "updated_at")
_TAGS = ("tags", "categories", "speaker", "user_id")
_SOURCES = ("source_messages", "source_message_ids", "message_id", "dia_id", "source_episode_id", "episodes")
_NESTED = ("metadata", "meta_data")
_IDS = ("id", "uuid", "memory_id", "_id")
_PLATFORM = re.compile(r"[\w -]{1,20}$")  # the name of a platform; a path or address names a document
_OTHERS = ("category", "status", "durability", "source", "tokens", "pinned", "excluded", "metadata", "meta_data")
KNOWN = frozenset((*CONTENT_NAMES, *_IDS, *_TYPES, *_THREADS, *_AGENTS, *_TIMES, *_TAGS, *_SOURCES, *_OTHERS)).union(
    _SCORES, *(names for names, _ in _FIGURES.values())
)
_CALLED_SO = frozenset(("memory", "fact", "memory_id", "memory_type"))
_TEXTS = frozenset(("content", "text"))
_UNUSED = frozenset(("vector", "vectors", "embedding", "hash", "version", "vector_id", "embedding_model"))


class MemoryReader:
    """Reads the memories of a file; each defect is reported once for each field and kind.

    `unknown` is the severity of a field without a place in a memory: "info" for a foreign store.
    """

    def __init__(self, file: str, unknown: Severity = "info") -> None:
        self.file = file
        self._unknown_severity: Severity = unknown
        self._unknown: dict[str, None] = {}
        self._defects: dict[tuple[str, str], str] = {}
        self._times: Counter[tuple[str, str]] = Counter()
        self._has_distances = False

    def read(self, fields: Mapping[str, Any], place: str, id_: str = "", tokens: bool = False) -> Memory | None:
        """Return the memory of a record; None if it has no text.

        `place` is the place of the record, `id_` its id if the store keeps it elsewhere. With `tokens`, a recorded
        token count overrides counting, which only our own files may do.
        """
        flat = _flat(fields)
        texts = {name: as_text(flat[name]) for name in CONTENT_NAMES if _is_text(flat.get(name))}
        content = next((text for text in texts.values() if text.strip()), "")
        if not content:
            self.note(place, f"expected text under {', '.join(CONTENT_NAMES[:-1])} or {CONTENT_NAMES[-1]}")
            return None
        self._unknown.update((str(name), None) for name in flat if name not in KNOWN and name not in _UNUSED)
        self._unknown.update((name, None) for name, text in texts.items() if text.strip() and text != content)
        figures = {field: self._figure(flat, place, names, highest) for field, (names, highest) in _FIGURES.items()}
        return Memory(
            id=id_ or _first_text(flat, _IDS),
            content=content,
            type=_first_text(flat, _TYPES).lower(),  # some stores write FACT for the policies' fact
            category=_first_text(flat, ("category",)),
            time=self._time(flat, place),
            tokens=self._tokens(flat, place) if tokens else None,
            status=_first_text(flat, ("status",)),
            durability=_first_text(flat, ("durability",)),
            source=_platform(flat.get("source")),
            thread_id=_first_text(flat, _THREADS),
            source_messages=_words(flat, _SOURCES),
            agent=_first_text(flat, _AGENTS),
            similarity=self._score(flat, place),
            pinned=self._truth(flat, place, "pinned"),
            excluded=self._truth(flat, place, "excluded"),
            tags=_words(flat, _TAGS),
            **figures,
        )

    def note(self, place: str, message: str, field: str = "") -> None:
        """Note a defect of a record or of a field of it; the first place is named, others of the kind are counted."""
        self._defects.setdefault((field, message), f"{place}.{field}" if field else place)
        self._times[field, message] += 1

    def unique(self, memories: Iterable[Memory], place: str) -> tuple[Memory, ...]:
        """Return the memories with unique ids; those without an id become `memory0`, `memory1`, …."""
        named = [memory if memory.id else changed(memory, id=f"memory{i}") for i, memory in enumerate(memories)]
        found, problems = with_unique_ids(named, lambda _: (self.file, place))
        for problem in problems:
            self.note(problem.place, "an id is there twice; the later memory got one of its own", "id")
        return found

    def scale(self, memories: Sequence[Memory], least_rising: int = _LEAST_RISING) -> ScoreScale | None:
        """Return the scale of the scores of the memories of a set, None if nothing tells it.

        Scores that are named distances are. So are scores that rise from the first memory to the last, `least_rising`
        of them or more: stores list the results of a search from the best.
        """
        if self._has_distances:
            return "distance"
        scores = [memory.similarity for memory in memories if memory.similarity is not None]
        if len(scores) < max(least_rising, len(memories)) or any(after <= one for one, after in pairwise(scores)):
            return None
        rising = "scores rise from the first memory to the last, as distances do; the lowest was taken as the best"
        self.note("$", rising, "score")
        return "distance"

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems noted so far, and a problem that names the fields without a place in a memory."""
        told = [
            Problem(self.file, place, _counted(message, self._times[field, message]), "warning")
            for (field, message), place in self._defects.items()
        ]
        if self._unknown:
            names = ", ".join(list(self._unknown)[:20])
            more = f" and {len(self._unknown) - 20} more" if len(self._unknown) > 20 else ""
            message = f"{names}{more}: not known as a field of a memory here; skipped in every one"
            told.append(Problem(self.file, "", message, self._unknown_severity))
        return tuple(told)

    def _figure(self, flat: Mapping[str, Any], place: str, names: Iterable[str], highest: float) -> float | None:
        name = next((name for name in names if flat.get(name) not in (None, "")), "")
        if not name:
            return None
        figure = as_number(flat[name])
        if figure is None:
            self.note(place, f"expected a number from 0 to {highest:g}", name)
            return None
        if not 0 <= figure <= highest:
            self.note(place, f"expected 0 to {highest:g}; the nearest was taken", name)
        return min(highest, max(0.0, figure))

    def _score(self, flat: Mapping[str, Any], place: str) -> float | None:
        """Return the score as it is recorded, on whatever scale."""
        name = next((name for name in _SCORES if flat.get(name) not in (None, "")), "")
        score = as_number(flat[name]) if name else None
        if name and score is None:
            self.note(place, "expected a number", name)
        self._has_distances |= score is not None and name in _DISTANCES
        return None if score is None else float(score)  # a saved workspace has no more digits

    def _truth(self, flat: Mapping[str, Any], place: str, name: str) -> bool:
        value = flat.get(name)
        if value is None:
            return False
        if as_truth(value, default=True) != as_truth(value, default=False):
            self.note(place, "expected true or false", name)
        return as_truth(value)

    def _time(self, flat: Mapping[str, Any], place: str) -> Any:
        for name in _TIMES:
            value = flat.get(name)
            if value not in (None, ""):
                time = parse_time(value)
                if time is not None:
                    return time
                self.note(place, "expected a time such as 2024-05-06T07:08:09Z", name)
        return None

    def _tokens(self, flat: Mapping[str, Any], place: str) -> int | None:
        value = flat.get("tokens")
        if value in (None, ""):
            return None
        tokens = as_whole(value)
        if tokens is None or not 0 <= tokens <= MOST_TOKENS:
            self.note(place, f"expected a whole number of tokens, at most {MOST_TOKENS:,}", "tokens")
            return None
        return tokens


def are_of_memories(names: Iterable[str]) -> bool:
    """Return whether fields or columns of these names, including a text, are those of memories.

    They are if a field is called a memory or a fact, if there is nothing but a text, or if most fields beside the text
    are known fields of memories.
    """
    given = {*names}
    beside = given - {*CONTENT_NAMES, *_IDS} - _UNUSED
    known = beside & KNOWN
    if given & _CALLED_SO:
        return True
    return len(known) > len(beside - known) or (not beside and bool(given & _TEXTS))


def has_content(fields: Mapping[str, Any]) -> bool:
    """Return whether a record has text under a name of a content."""
    flat = _flat(fields)
    return any(_is_text(flat.get(name)) and as_text(flat[name]).strip() for name in CONTENT_NAMES)


def _flat(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with those of a nested `metadata` beside them; a field of the record itself wins."""
    inner: dict[str, Any] = {}
    for name in _NESTED:
        nested = unwrapped(fields.get(name))
        inner |= nested if isinstance(nested, Mapping) else {}
    return {**inner, **{name: value for name, value in fields.items() if name not in inner or value is not None}}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool))


def _first_text(flat: Mapping[str, Any], names: Iterable[str]) -> str:
    return next((text for name in names if flat.get(name) is not None and (text := as_text(flat[name]).strip())), "")


def _platform(value: Any) -> str:
    text = as_text(value).strip()
    return text if _PLATFORM.match(text) else ""


def _words(flat: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    """Return the values under all of these names, each word once; a list may also be JSON text or comma-separated."""
    found = [unwrapped(flat[name]) for name in names if flat.get(name) is not None]
    return tuple(dict.fromkeys(word for value in found for word in comma_strings(value))) if found else ()


def _counted(message: str, times: int) -> str:
    return message if times == 1 else f"{message} (and {times - 1:,} more of the kind)"
