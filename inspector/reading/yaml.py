"""Text to YAML values by YAML 1.2 rules: `no`, `1e3`, `1.10` and dates stay the text that was written.

Safe loader only, and no alias bombs. Knows no file format.
"""

import re
from typing import Any

import yaml

from inspector.model import Problem
from inspector.reading.unreadable import UnreadableError

_MAX_NODES = 1_000_000  # what the aliases of a document may expand to
MAX_DEPTH = 500
_INDENT = re.compile(r"^[ \t?-]*", re.MULTILINE)
MAX_BYTES = 20_000_000
"""What is longer is not looked at as YAML: that is read slowly."""
_KEY_LINE = re.compile(r"""(?:[A-Za-z_][\w .-]*|"[^"\n]*"|'[^'\n]*')\s*:(?:\s|$)|- \S""")
# Text that stands well as a block of lines, and text that only a quoted scalar with escapes keeps as it is.
_BLOCK_TEXT = re.compile(
    r"[^\s#](?:[^\S\n\r\t\x85\xa0\u2028\u2029\ufeff]?[^\s\x00-\x1f\x7f-\x9f\ufeff]|\n+(?=[^\s]))*$"
)
_NEEDS_ESCAPES = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]|^\s|\s$")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.[0-9]+|\.[0-9]+|[0-9]+\.|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+|0[0-9]+)$")

_SCALARS = (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("null", r"~|null|Null|NULL|", "~nN"),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,400})", "-+0123456789"),
    ("float", _NUMBER.pattern.removesuffix("$"), "-+.0123456789"),
    ("merge", "<<", "<"),
)


class WrittenNumber(str):
    """A plain scalar that YAML calls a number and whose text would be lost as one, such as `1.10` or `1e3`."""

    __slots__ = ()


class YamlMapping(dict[str, Any]):
    """A document read from YAML, so that a reader with a schema knows that plain scalars may be meant as text."""

    __slots__ = ()


class _Loader(yaml.CSafeLoader):
    """The safe loader with the scalars of YAML 1.2's core schema, less those whose text would be lost."""


def _written_float(text: str) -> float | WrittenNumber:
    number = float(text)
    return number if repr(number) == text else WrittenNumber(text)


def _construct_number(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> Any:
    return _written_float(str(loader.construct_scalar(node)))


class _Dumper(yaml.CSafeDumper):
    """The safe writer, quoting what YAML 1.1 or 1.2 would take for something else than text."""


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and _BLOCK_TEXT.match(text) else '"' if _NEEDS_ESCAPES.search(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_number(dumper: yaml.CSafeDumper, number: WrittenNumber) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", str(number))


def _set_up() -> None:
    _Loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in _SCALARS:
        letters = [*first, ""] if tag == "null" else list(first)
        for side in (_Loader, _Dumper):
            side.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), letters)
    _Loader.add_constructor("tag:yaml.org,2002:float", _construct_number)
    _Dumper.add_representer(str, _represent_text)
    _Dumper.add_representer(WrittenNumber, _represent_number)
    _Dumper.add_representer(YamlMapping, yaml.CSafeDumper.represent_dict)


_set_up()


def dump(value: Any) -> str:
    """A plain value (objects, lists, text, numbers) as YAML that `parse` reads back as the same value."""
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120, default_flow_style=False)


def may_be_yaml(text: str) -> bool:
    """Whether the first line that says something is a key or an item of a list, as in YAML and in some other texts."""
    return _KEY_LINE.match(_first_line(text)) is not None


def says_yaml(text: str) -> bool:
    """Of a text that may be YAML: whether its beginning says that it is, so that the rest need not be read for it."""
    return _first_line(text).startswith("format:") or text.lstrip().startswith(("---", "%YAML"))


def _first_line(text: str) -> str:
    lines = text.split("\n", 200)
    return next((line for line in lines if line.strip() and not line.startswith(("#", "---", "%"))), "")


def looks_like_keys(text: str) -> bool:
    """Of a text that is not valid YAML: whether it was meant as YAML, because most lines are keys or indented."""
    lines = [line for line in text.split("\n")[:200] if line.strip() and not line.lstrip().startswith("#")]
    meant = sum(_KEY_LINE.match(line.lstrip()) is not None or line.startswith(("  ", "\t")) for line in lines)
    return meant > 0.8 * len(lines)


def parse(text: str, path: str) -> Any:
    """The first document of a YAML text. Raises UnreadableError with line and column."""
    if _may_be_deep(text) and _is_deep(text):
        raise UnreadableError(Problem(path, "", f"is nested deeper than {MAX_DEPTH:,} levels"))
    loader = _Loader(text)
    try:
        node = loader.get_node() if loader.check_node() else None
        if node is None:
            return None
        if "&" in text and "*" in text and _expanded_size(node) > _MAX_NODES:
            raise UnreadableError(Problem(path, "", f"its aliases expand to more than {_MAX_NODES:,} values"))
        value = loader.construct_document(node)
        return YamlMapping(value) if isinstance(value, dict) else value
    except yaml.YAMLError as error:
        raise UnreadableError(_problem(path, error)) from None
    except (RecursionError, ValueError, OverflowError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(Problem(path, "", f"is not usable YAML: {error}")) from None
    finally:
        loader.dispose()


def repeated_keys(text: str, levels: int) -> tuple[tuple[str, int], ...]:
    """Keys that stand twice in a mapping of the upper `levels` of a text that `parse` reads, each with its line.

    `parse` takes the last one, so that whoever writes the document anew would lose the first.
    """
    root = yaml.compose(text, Loader=_Loader)
    found: list[tuple[str, int]] = []
    mappings = [root]
    for _ in range(levels):
        mappings = [node for node in mappings if isinstance(node, yaml.MappingNode)]
        for mapping in mappings:
            known: set[str] = set()
            for key, _value in mapping.value:
                if key.value in known:
                    found.append((str(key.value), key.start_mark.line + 1))
                known.add(str(key.value))
        mappings = [value for mapping in mappings for _, value in mapping.value]
    return tuple(found)


def _may_be_deep(text: str) -> bool:
    """Whether the brackets and the indentation of a text leave room for deep nesting (two levels to a column)."""
    indent = max(len(prefix) for prefix in _INDENT.findall(text))
    return 2 * indent + text.count("[") + text.count("{") + 2 > MAX_DEPTH


def _is_deep(text: str) -> bool:
    """Whether a text is nested beyond the limit; libyaml's composer is recursive and would end the process."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_Loader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                return True
    except yaml.YAMLError:
        return False  # the parsing that follows says what is wrong, and stops at the same place
    return False


def _problem(path: str, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
    return Problem(path, place, f"is not valid YAML: {getattr(error, 'problem', None) or error}")


def _expanded_size(root: yaml.Node) -> float:
    """How many values the document has when every alias is written out; infinite for one that holds itself."""
    sizes: dict[int, float] = {}
    open_nodes: set[int] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        if id(node) in sizes:
            stack.pop()
            continue
        children = _children(node)
        waiting = [child for child in children if id(child) not in sizes]
        if id(node) in open_nodes:
            if waiting:
                return float("inf")
            stack.pop()
            open_nodes.discard(id(node))
            sizes[id(node)] = 1 + sum(sizes[id(child)] for child in children)
            continue
        open_nodes.add(id(node))
        if any(id(child) in open_nodes for child in waiting):
            return float("inf")
        stack.extend(waiting)
    return sizes[id(root)]


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []
