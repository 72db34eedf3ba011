"""Random definitions of tools: schemas with everything that makers write into JSON Schema, and some that is wrong."""

from random import Random
from typing import Any

Schema = dict[str, Any]

_WORDS = ("port", "hour", "Größe", "unit of length", "first\nsecond", "日本", 'say "so"', "")
_KINDS = ("string", "number", "integer", "boolean", "null", "object", "array", "oneOf", "anyOf", "list", "none", "ref")


def definitions(random: Random) -> list[Schema]:
    """One to three functions, as OpenAI's interface takes them."""
    return [_function(random, f"f{number}") for number in range(random.randint(1, 3))]


def _function(random: Random, name: str) -> Schema:
    function: Schema = {"name": name, "description": random.choice(_WORDS)}
    if random.random() < 0.9:
        function["parameters"] = {**_object(random, 0), **_some(random, title="Whole")}
    return {"type": "function", "function": function}


def _object(random: Random, depth: int) -> Schema:
    properties = {f"p{number}": _schema(random, depth + 1) for number in range(random.randint(0, 3))}
    required = [name for name in properties if random.random() < 0.5]
    return {"type": "object", "properties": properties, **({"required": required} if random.random() < 0.7 else {})}


def _schema(random: Random, depth: int) -> Schema:
    kind = random.choice(_KINDS if depth < 3 else _KINDS[:5])
    made: Schema = {}
    if kind == "object":
        made = _object(random, depth)
    elif kind == "array":
        made = {"type": "array", **({"items": _schema(random, depth + 1)} if random.random() < 0.8 else {})}
    elif kind in ("oneOf", "anyOf"):
        made = {kind: [_schema(random, depth + 1) for _ in range(random.randint(1, 3))]}
    elif kind == "list":
        made = {"type": random.sample(["string", "integer", "null", "array"], 2)}
    elif kind == "ref":
        made = {"$ref": "#/$defs/A"}
    elif kind != "none":
        made = {"type": kind}
    made |= _values(random, kind)
    return {**made, **_some(random, title="A title", description=random.choice(_WORDS), nullable=True)}


def _values(random: Random, kind: str) -> Schema:
    """Enums, defaults and examples, and limits that nobody writes."""
    if kind == "string":
        return _some(random, enum=["x", "y"], default=random.choice(["x", "noon"]), examples=["a", "b"], const="x")
    if kind == "integer":
        return _some(random, enum=[1, 2], default=5, minimum=1)
    if kind in ("object", "oneOf", "array"):
        return _some(random, default=random.choice([None, [], {"a": [1, True]}, "text"]))
    return _some(random, default=random.choice([None, True, 1.5]))


def _some(random: Random, **values: Any) -> Schema:
    return {name: value for name, value in values.items() if random.random() < 0.3}
