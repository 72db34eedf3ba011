"""Definitions of tools as TypeScript, as OpenAI's models read them: three forms of one look.

`openai_definitions` has the forms of the chat models before GPT-5, which OpenAI has not published: they were found by
comparing counts of its API (hmarr/openai-chat-tokens, pamelafox/openai-messages-token-helper).
`harmony_definitions` is that of gpt-oss, from OpenAI's library (openai/harmony, src/encoding.rs).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]

_NUMBERS = ("number", "integer")
_DEEPEST = 60
"""The deepest nesting written; a schema nested deeper is written as `any`."""


def openai_definitions(tools: Sequence[Schema], form: str) -> str:
    """Return the definitions of functions as OpenAI's chat models read them.

    `form` is the way of the request: `functions` (2023) indents nested properties and leaves out their descriptions,
    `tools` (2024) does neither.
    """
    lines = ["namespace functions {", ""]
    for tool in tools:
        function = _mapping(tool.get("function"))
        if description := _text(function.get("description")):
            lines.append(f"// {description}")
        name, parameters = _text(function.get("name")), _mapping(function.get("parameters"))
        if _mapping(parameters.get("properties")):
            lines += [f"type {name} = (_: {{", *_Openai(form == "functions").properties(parameters, 0), "}) => any;"]
        else:
            lines.append(f"type {name} = () => any;")
        lines.append("")
    return "\n".join([*lines, "} // namespace functions"])


@dataclass(frozen=True, slots=True)
class _Openai:
    """Types as OpenAI's chat models read them; `indents` is the form of 2023."""

    indents: bool

    def properties(self, schema: Schema, depth: int) -> Iterator[str]:
        """Yield the lines of the properties of an object."""
        required = _items(schema.get("required"))
        margin = "  " * depth if self.indents else ""
        for name, given in _mapping(schema.get("properties")).items():
            declared = _mapping(given)
            description = _text(declared.get("description"))
            if description and not (self.indents and depth):
                yield f"{margin}// {description}"
            yield f"{margin}{name}{'' if name in required else '?'}: {self.type_of(declared, depth)},"

    def type_of(self, schema: Schema, depth: int) -> str:
        """Return the type of a schema."""
        variants, kind = _items(schema.get("anyOf")), schema.get("type")
        if depth > _DEEPEST:
            return "any"
        if variants:
            return " | ".join(self.type_of(_mapping(variant), depth) for variant in variants)
        if kind == "object":
            return "\n".join(["{", *self.properties(schema, depth + 1), "}"])
        if kind == "array":
            items = _mapping(schema.get("items"))
            return f"{self.type_of(items, depth)}[]" if items else "any[]"
        if isinstance(kind, list):
            return " | ".join("number" if one in _NUMBERS else str(one) for one in kind) or "any"
        values = _items(schema.get("enum"))
        if kind == "string":
            return " | ".join(f'"{value}"' for value in values) or "string"
        if kind in _NUMBERS:
            return " | ".join(str(value) for value in values) or "number"
        return str(kind) if kind in ("boolean", "null") else "any"


def harmony_definitions(tools: Sequence[Schema]) -> str:
    """Return the definitions of functions as openai-harmony writes them into the developer's message."""
    lines = ["# Tools\n", "## functions\n", "namespace functions {\n"]
    for tool in tools:
        function = _mapping(tool.get("function"))
        lines += [f"// {line}" for line in _lines(_text(function.get("description")))]
        parameters = function.get("parameters")
        given = f"_: {_harmony_type(parameters, '')}" if isinstance(parameters, Mapping) else ""
        lines.append(f"type {_text(function.get('name'))} = ({given}) => any;\n")
    return "\n".join([*lines, "} // namespace functions"])


def _harmony_type(schema: Any, margin: str) -> str:
    declared = _mapping(schema)
    kind = declared.get("type")
    if len(margin) > 4 * _DEEPEST:
        return "any"
    if isinstance(variants := declared.get("oneOf"), list):
        return "".join(f"\n{margin} | {_harmony_variant(variant, margin)}" for variant in variants)
    if isinstance(kind, list) and (names := [_type_name(one) for one in kind if isinstance(one, str)]):
        return " | ".join(names)
    if kind == "object":
        description = declared.get("description")
        head = f"{margin}// {description}\n" if isinstance(description, str) else ""
        return f"{head}{{\n{''.join(_harmony_properties(declared, margin))}{margin}}}"
    if kind == "string":
        return " | ".join(f'"{one}"' for one in _items(declared.get("enum")) if isinstance(one, str)) or "string"
    if kind == "array":
        return f"{_harmony_type(declared['items'], margin)}[]" if "items" in declared else "Array<any>"
    return _type_name(kind) if kind in (*_NUMBERS, "boolean") else "any"


def _harmony_properties(schema: Schema, margin: str) -> Iterator[str]:
    required = [name for name in _items(schema.get("required")) if isinstance(name, str)]
    for name, given in _mapping(schema.get("properties")).items():
        declared, head = _mapping(given), f"{name}{'' if name in required else '?'}"
        yield from _harmony_comments(declared, margin)
        if isinstance(variants := declared.get("oneOf"), list):
            yield _harmony_choice(declared, variants, head, margin)
            continue
        default = _default_of(declared)
        comment = f" // {default}" if default and "oneOf" not in declared else ""
        written = _nullable(declared, _harmony_type(given, f"{margin}    "))
        yield f"{margin}{head}: {written},{comment}\n"


def _harmony_comments(declared: Schema, margin: str) -> Iterator[str]:
    """Yield the lines above a property: title, description and examples."""
    title, description, examples = (declared.get(key) for key in ("title", "description", "examples"))
    if isinstance(title, str):
        yield f"{margin}// {title}\n{margin}//\n"
    if isinstance(description, str) and "oneOf" not in declared:
        yield f"{margin}// {description}\n"
    if _items(examples):
        yield f"{margin}// Examples:\n"
        yield from (f'{margin}// - "{example}"\n' for example in _items(examples) if isinstance(example, str))


def _harmony_choice(declared: Schema, variants: Sequence[Any], head: str, margin: str) -> str:
    """Return a property with `oneOf`: a line for each variant; a description like the first variant's stands once."""
    description, default = declared.get("description"), _default_of(declared)
    first = _mapping(variants[0]).get("description") if variants else None
    is_above = isinstance(description, str) and description != first
    lines = [f"// {description}"] if is_above else []
    lines += [f"// {default}"] if default else []
    lines.append(f"{head}:")
    for place, variant in enumerate(variants):
        own = _mapping(variant)
        said, own_default = own.get("description"), _default_of(own)
        is_said = isinstance(said, str) and said != description and not (place == 0 and is_above)
        comments = [*([said] if is_said else []), *([own_default] if own_default else [])]
        written = _nullable(own, _harmony_type(variant, f"{margin}   "))
        lines.append(f" | {written}" + (f" // {' '.join(comments)}" if comments else ""))
    return "".join(f"{margin}{line}\n" for line in [*lines, ","])


def _harmony_variant(variant: Any, margin: str) -> str:
    """Return a variant of a `oneOf` that is not a property, with its description and default behind it."""
    own = _mapping(variant)
    said = own.get("description")
    comments = [said] if isinstance(said, str) else []
    if "default" in own:
        default = own["default"]
        comments.append(f"default: {_compact(default) if _is_enum(own) else _quoted(default)}")
    written = _nullable(own, _harmony_type(variant, f"{margin}   "))
    return written + (f" // {' '.join(comments)}" if comments else "")


def _nullable(declared: Schema, written: str) -> str:
    return f"{written} | null" if declared.get("nullable") is True and "null" not in written else written


def _default_of(declared: Schema) -> str:
    """Return the comment on a default, "" without one; texts are quoted unless they are values of an enum."""
    if "default" not in declared:
        return ""
    default = declared["default"]
    return f"default: {default if isinstance(default, str) and _is_enum(declared) else _quoted(default)}"


def _quoted(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else _compact(default)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _is_enum(declared: Schema) -> bool:
    return bool(_items(declared.get("enum")))


def _type_name(kind: str) -> str:
    return "number" if kind == "integer" else kind


def _lines(text: str) -> list[str]:
    """Return the lines of a text as Rust divides it: at line feeds, without carriage returns before them."""
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]


def _mapping(value: Any) -> Schema:
    return value if isinstance(value, Mapping) else {}


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
