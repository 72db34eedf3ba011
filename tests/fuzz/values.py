"""Mutations of the structure of values: JSON documents, JSON lines and YAML, read, changed and written again."""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import yaml

from tests.fuzz.odd import KEYS, TIMES, odd_text, odd_value

MOST_BYTES = 500_000
"""About as large as a mutation may make a document."""

_MOST_YAML = 60_000  # letters; its writer takes a second for so many, and its reader, too
_MOST_BRACKETS = 1_500
"""The reader of YAML ends the process at a document that is nested some thousand levels deep."""

_RAW = "raw\ue000{}\ue000"
_MARK = re.compile("[\"']?raw\ue000(\\d+)\ue000[\"']?")
_RAW_TEXTS = (
    *("[" * depth + "]" * depth for depth in (400, 998, 1_001, 5_000, 100_000)),
    *('{"a":' * depth + "1" + "}" * depth for depth in (400, 998, 5_000, 50_000)),
    *("9" * 4_299, "9" * 5_000, "-" + "9" * 4_500, "1e99999", "0." + "1" * 5_000, "-0", "01", "NaN", "1e-99999"),
    *('{"a": 1, "a": 2}', '"\\ud83d"', '"\\u0000"', '"\\udc00\\ud83d"', "[1,]", "tru", '"', "//", "\x00", ""),
)
"""What stands in the text of a document in place of a value, since no value is written so."""
_TIME = re.compile(r"time|date|created|updated|_at$|^ts$|stamp|now", re.IGNORECASE)

Holder = list[Any] | dict[Any, Any]
Slot = tuple[Any, Any]
"""A list or an object, and the place or key in it."""


def mutated_json(data: bytes, rng: random.Random) -> bytes | None:
    """A changed JSON document; None for bytes that are none."""
    known = _json_text(data)
    return None if known is None else written_json(_mutated(json.loads(known), rng), rng)


def mutated_lines(data: bytes, rng: random.Random) -> bytes | None:
    """JSON lines of which some values were changed, or that stand elsewhere; None for bytes that are none."""
    known = _lines_text(data)
    if known is None:
        return None
    values = _mutated(json.loads(known), rng)
    lines = values if isinstance(values, list) else [values]
    return b"\n".join(written_json(line, rng, indent=None) for line in lines)


def mutated_yaml(data: bytes, rng: random.Random) -> bytes | None:
    """A changed YAML document, at times written as JSON, with YAML's own oddities; None for bytes that are none."""
    known = _yaml_text(data)
    if known is None:
        return None
    value = _mutated(json.loads(known), rng, yaml_keys=True)
    text = written_json(value, rng).decode("utf-8", "replace")
    if rng.random() < 0.7 and len(text) < _MOST_YAML:
        text = _written_yaml(value)
    if rng.random() < 0.3:
        lines = text.split("\n")
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(_YAML_LINES))
        text = "\n".join(lines)
    return text.encode("utf-8", "surrogatepass")


_YAML_LINES = (
    *("<<: *a", "a: &a [*a]", "x: !!python/object/apply:os.system ['true']", "? [x]\n: y", "- - - - x", "%YAML 1.3"),
    *("---", "...", "x: !!binary '?'", "x: !!timestamp 99999-01-01", "1: 2", "null: 3", "[a]: b", "{a: b}: c", "=: 1"),
    *("0x1F: 0o17", "x: !!set {a, b}", "x: !!omap [a: 1]", "\tx: 1", "  x: 1", "x: |2-\n x", "x: >+\n\n", "x: &a *a"),
    *("x: &a [1]\ny: [" + ", ".join(["*a"] * 50) + "]", "x: " + "[" * 600, "x: " + "- " * 2_000, "!<tag:x> y: 1"),
    *("x: .nan", "x: .inf", "x: 1:30:00", "x: 0b1", "x: 2024-13-45", "x: ~", "on: off", "x: 'unclosed", 'x: "\\ud800"'),
)


def written_json(value: Any, rng: random.Random, indent: int | None = 1) -> bytes:
    """The value as JSON, with the raw texts that stand in it."""
    options: dict[str, Any] = {
        "ensure_ascii": rng.random() < 0.6,
        "skipkeys": True,
        "indent": indent if rng.random() < 0.2 else None,
    }
    try:
        text = json.dumps(value, **options)
    except (RecursionError, ValueError):
        text = "[]"
    return _with_raw(text).encode("utf-8", "surrogatepass")


def _written_yaml(value: Any) -> str:
    try:
        return _with_raw(yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError):
        return "x: 1"


def _with_raw(text: str) -> str:
    """The text with what its marks stand for, until that is too much: a mark may be there ten thousand times."""
    left = MOST_BYTES

    def raw(found: re.Match[str]) -> str:
        nonlocal left
        meant = _RAW_TEXTS[int(found[1]) % len(_RAW_TEXTS)]
        left -= len(meant)
        return meant if left > 0 else "0"

    return _MARK.sub(raw, text)


@lru_cache(maxsize=64)
def _json_text(data: bytes) -> str | None:
    """The document as the shortest text that `json.loads` takes, so that a copy to change costs little."""
    try:
        return json.dumps(json.loads(data))
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=64)
def _lines_text(data: bytes) -> str | None:
    values = []
    for line in filter(bytes.strip, data.split(b"\n")):
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            values.append(line.decode("utf-8", "replace"))
    objects = sum(isinstance(value, dict) for value in values)
    return json.dumps(values) if objects >= 1 and objects >= len(values) / 2 else None


@lru_cache(maxsize=64)
def _yaml_text(data: bytes) -> str | None:
    if (
        len(data) > 4 * _MOST_YAML
        or max(data.count(b"["), data.count(b"{"), data.count(b"- ") - data.count(b"\n")) > _MOST_BRACKETS
    ):
        return None
    try:
        value = yaml.load(data, Loader=yaml.CSafeLoader)
        return json.dumps(value, default=str) if isinstance(value, dict | list) else None
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError, TypeError):
        return None


def _mutated(value: Any, rng: random.Random, yaml_keys: bool = False) -> Any:
    root: Holder = [value]
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        slots = list(_slots(root))
        step = _odd_key if yaml_keys and rng.random() < 0.1 else rng.choice(_STEPS)
        step(_picked(root, slots, rng), slots, rng)
    return root[0] if root else None


def _slots(root: Holder) -> Iterator[Slot]:
    """Every place that holds a value, from the root on."""
    waiting: list[Holder] = [root]
    while waiting:
        holder = waiting.pop()
        for key in list(holder if isinstance(holder, dict) else range(len(holder))):
            yield holder, key
            if isinstance(holder[key], list | dict):
                waiting.append(holder[key])


def _picked(root: Holder, slots: list[Slot], rng: random.Random) -> Slot:
    """Any slot, or one on a walk from the root, so that the few outer ones get their share."""
    if not slots:
        root.append(None) if isinstance(root, list) else root.update(x=None)
        return root, 0 if isinstance(root, list) else "x"
    if rng.random() < 0.5:
        return rng.choice(slots)
    holder: Holder = root
    while True:
        key = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
        inner = holder[key]
        if not isinstance(inner, list | dict) or not inner or rng.random() < 0.2:
            return holder, key
        holder = inner


Step = Callable[[Slot, list[Slot], random.Random], None]


def _replace(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    slot[0][slot[1]] = odd_value(rng)


def _replace_like(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """The value of another type that says nearly the same."""
    holder, key = slot
    value = holder[key]
    if isinstance(value, str):
        holder[key] = rng.choice(
            ([value], {"text": value}, list(value[:50]), len(value), value[:500].encode("utf-8", "surrogatepass").hex())
        )
    elif isinstance(value, list):
        holder[key] = rng.choice(
            (dict(enumerate(map(str, range(len(value))))), value[:1] and value[0], json_text(value))
        )
    elif isinstance(value, dict):
        holder[key] = rng.choice((list(value.values()), list(value), [value], json_text(value)))
    else:
        holder[key] = rng.choice((str(value), [value], {"value": value}, not value))


def json_text(value: Any) -> str:
    """The value as a text that holds its JSON, without keys that only YAML has."""
    try:
        return json.dumps(value, skipkeys=True)
    except (RecursionError, ValueError):
        return "[]"


def _unusual_time(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    times = [(holder, key) for holder, key in slots if isinstance(key, str) and _TIME.search(key)]
    holder, key = rng.choice(times) if times else slot
    holder[key] = rng.choice(TIMES)


def _graft(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """The value of another slot."""
    other, key = rng.choice(slots) if slots else slot
    slot[0][slot[1]] = _copied(other[key])


def _same_key(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """A value that another object has under this key: ids that are there twice, wrong parents, circles."""
    holder, key = slot
    alike = [other for other, name in slots if isinstance(other, dict) and name == key]
    if isinstance(holder, dict) and alike:
        holder[key] = _copied(rng.choice(alike)[key])


def _reference(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """A short text from anywhere in place of a short text: what names something else now names another, or itself."""
    short = [(other, key) for other, key in slots if isinstance(other[key], str) and 0 < len(other[key]) < 60]
    if short:
        (holder, key), (other, name) = rng.choice(short), rng.choice(short)
        holder[key] = other[name]


def _drop(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    del slot[0][slot[1]]


def _rename(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    holder, key = slot
    if isinstance(holder, dict):
        names = [name for _, name in slots if isinstance(name, str)]
        holder[rng.choice(names) if names and rng.random() < 0.5 else rng.choice(KEYS)] = holder.pop(key)


def _odd_key(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """A key that is no text, as only YAML has them."""
    holder, key = slot
    if isinstance(holder, dict):
        holder[rng.choice((1, -1, 1.5, None, True, (1, 2), float("nan"), 10**30))] = holder.pop(key)


def _duplicate(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    holder, key = slot
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), _copied(holder[key]))
    else:
        holder[rng.choice(KEYS)] = _copied(holder[key])


def _repeat(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """Many times the same item."""
    holder, key = slot
    text = json_text(holder[key])
    times = min(rng.choice((3, 60, 1_000, 10_000)), MOST_BYTES // (len(text) + 2))
    copies = json.loads(f"[{', '.join([text] * times)}]")  # not the same object: it would grow everywhere at once
    if isinstance(holder, list):
        holder[key:key] = copies
    else:
        holder[key] = copies


def _nest(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    holder, key = slot
    for _ in range(rng.choice((1, 2, 30, 300))):
        holder[key] = [holder[key]] if rng.random() < 0.5 else {"a": holder[key]}


def _raw(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    slot[0][slot[1]] = _RAW.format(rng.randrange(len(_RAW_TEXTS)))


def _swap(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """The values of two keys or places of one holder, changed for one another."""
    holder, key = slot
    other = rng.choice(list(holder)) if isinstance(holder, dict) else rng.randrange(len(holder))
    holder[key], holder[other] = holder[other], holder[key]


def _edit_text(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    texts = [(holder, key) for holder, key in slots if isinstance(holder[key], str)]
    if texts:
        holder, key = rng.choice(texts)
        text = holder[key]
        place = rng.randrange(len(text) + 1)
        holder[key] = text[:place] + odd_text(rng) + text[place + rng.choice((0, 0, 1, 10)) :]


def _copied(value: Any) -> Any:
    return json.loads(json_text(value)) if isinstance(value, list | dict) else value


_STEPS: tuple[Step, ...] = (
    *(_replace, _replace, _replace, _replace_like, _unusual_time, _graft, _same_key, _reference, _drop, _drop),
    *(_rename, _duplicate, _repeat, _nest, _raw, _swap, _edit_text, _edit_text),
)
