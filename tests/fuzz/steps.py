"""Steps that change a value: what is put in place of parts of it, left out, doubled, renamed, nested, moved."""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.fuzz.keys import NOTHING, changes_of
from tests.fuzz.odd import KEYS, TIMES, odd_text, odd_value
from tests.fuzz.raw import raw_mark

MOST_BYTES = 500_000
"""About as large as a mutation may make a document."""

_TIME = re.compile(r"time|date|created|updated|_at$|^ts$|stamp|now", re.IGNORECASE)

Holder = list[Any] | dict[Any, Any]
Slot = tuple[Any, Any]
"""A list or an object, and the place or key in it."""


def changed_value(value: Any, rng: random.Random, yaml_keys: bool = False) -> Any:
    """The value, itself changed once to six times; with `yaml_keys` some of its keys may be no texts."""
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


def _change_key(slot: Slot, slots: list[Slot], rng: random.Random) -> None:
    """A change of a key that is tried of every example: no reader may lose anything by it in silence."""
    holder, key = slot
    if isinstance(holder, dict) and isinstance(key, str):
        _, name, value = rng.choice(list(changes_of(key, holder.pop(key))))
        if value is not NOTHING:
            holder[name] = value


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
    slot[0][slot[1]] = raw_mark(rng)


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
    *(_change_key, _change_key, _change_key),
    *(_rename, _duplicate, _repeat, _nest, _raw, _swap, _edit_text, _edit_text),
)
