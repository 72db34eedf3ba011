"""Mutations of the structure of values: JSON documents, JSON lines and YAML, read, changed and written again."""

import json
import random
from functools import lru_cache
from typing import Any

import yaml

from tests.fuzz.raw import with_raw
from tests.fuzz.steps import changed_value

_MOST_YAML = 60_000  # letters; its writer takes a second for so many, and its reader, too
_MOST_BRACKETS = 1_500
"""The reader of YAML ends the process at a document that is nested some thousand levels deep."""


def mutated_json(data: bytes, rng: random.Random) -> bytes | None:
    """A changed JSON document; None for bytes that are none."""
    known = _json_text(data)
    return None if known is None else written_json(changed_value(json.loads(known), rng), rng)


def mutated_lines(data: bytes, rng: random.Random) -> bytes | None:
    """JSON lines of which some values were changed, or that stand elsewhere; None for bytes that are none."""
    known = _lines_text(data)
    if known is None:
        return None
    values = changed_value(json.loads(known), rng)
    lines = values if isinstance(values, list) else [values]
    return b"\n".join(written_json(line, rng, indent=None) for line in lines)


def mutated_yaml(data: bytes, rng: random.Random) -> bytes | None:
    """A changed YAML document, at times written as JSON, with YAML's own oddities; None for bytes that are none."""
    known = _yaml_text(data)
    if known is None:
        return None
    value = changed_value(json.loads(known), rng, yaml_keys=True)
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
    return with_raw(text).encode("utf-8", "surrogatepass")


def _written_yaml(value: Any) -> str:
    try:
        return with_raw(yaml.dump(value, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError):
        return "x: 1"


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
    brackets = max(data.count(b"["), data.count(b"{"), data.count(b"- ") - data.count(b"\n"))
    if len(data) > 4 * _MOST_YAML or brackets > _MOST_BRACKETS:
        return None
    try:
        value = yaml.load(data, Loader=yaml.CSafeLoader)
        return json.dumps(value, default=str) if isinstance(value, dict | list) else None
    except (yaml.YAMLError, UnicodeError, RecursionError, ValueError, TypeError):
        return None
