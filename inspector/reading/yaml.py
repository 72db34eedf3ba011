"""Text to YAML values by YAML 1.2 rules: `no`, `1e3`, `1.10` and dates stay the text that was written.

Safe loader only, and no alias bombs. Knows no file format.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from inspector.model import Problem
from inspector.reading.syntax import syntax_problem, text_place
from inspector.reading.unreadable import UnreadableError
from inspector.reading.yaml_loader import SCALARS, CoreLoader, PlainLoader, WrittenNumber

_Loader = CoreLoader | PlainLoader

_MAX_NODES = 1_000_000  # what the aliases of a document may expand to
MAX_DEPTH = 150
"""How deep a document may be nested; what is read can be written again, which takes Python's stack."""
MAX_BYTES = 20_000_000
"""What is longer is not looked at as YAML: that is read slowly."""
MAX_VALUES = 3_000_000  # in memory each takes 0.7 kB, and 10 µs to read
_DIRECTIVE = re.compile(r"(?:\A|[\n\r\x85\u2028\u2029])\ufeff?%[A-Z]")
_KEY_LINE = re.compile(r"""(?:[A-Za-z_][\w .-]*|"[^"\n]*"|'[^'\n]*')\s*:(?:\s|$)|- \S""")
_OWN_KEY = re.compile(r"[A-Za-z_][\w .-]*:(?=\s|$)")
_NESTED = re.compile(r"[ \t]+\S|- (?:- |[\w\"'.-]+[ \w.-]*:(?:\s|$)|[\[{])|\S[^\n]*:\s*(?:[\[{|>&!]|$)")
_HEAD, _LONG = 64_000, 500_000  # characters
_MOST_REPEATED = 2
# Text that stands well as a block of lines, and text that only a quoted scalar with escapes keeps as it is.
_BLOCK_TEXT = re.compile(
    r"[^\s#](?:[^\S\n\r\t\x85\xa0\u2028\u2029\ufeff]?[^\s\x00-\x1f\x7f-\x9f\ufeff]|\n+(?=[^\s]))*$"
)
_NEEDS_ESCAPES = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]|^\s|\s$")
_MOST_DIRECTIVES = 100  # libyaml compares each with all before it


class YamlMapping(dict[str, Any]):
    """A document read from YAML, so that a reader with a schema knows that plain scalars may be meant as text."""

    __slots__ = ()


class _Dumper(yaml.CSafeDumper):
    """The safe writer, quoting what YAML 1.1 or 1.2 would take for something else than text."""


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and _BLOCK_TEXT.match(text) else '"' if _NEEDS_ESCAPES.search(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_number(dumper: yaml.CSafeDumper, number: WrittenNumber) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:float", str(number))


def _set_up() -> None:
    for tag, pattern, first in SCALARS:
        letters = [*first, ""] if tag == "null" else list(first)
        _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), letters)
    _Dumper.add_representer(str, _represent_text)
    _Dumper.add_representer(WrittenNumber, _represent_number)
    _Dumper.add_representer(YamlMapping, yaml.CSafeDumper.represent_dict)


_set_up()


def dump(value: Any) -> str:
    """A plain value (objects, lists, text, numbers) as YAML that `parse` reads back as the same value.

    ValueError for one that is nested too deep for it.
    """
    if is_too_deep(value):
        raise ValueError("it holds a value that is nested too deep")
    return yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120, default_flow_style=False)


def is_too_deep(value: Any) -> bool:
    """Whether a plain value is nested deeper than YAML is read here."""
    values = [value]
    for _ in range(MAX_DEPTH):
        values = [inner for held in values for inner in _inner(held)]
    return any(isinstance(held, dict | list) for held in values)


def _inner(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def may_be_yaml(text: str) -> bool:
    """Whether the first line that says something is a key or an item of a list, as in YAML and in some other texts."""
    return _KEY_LINE.match(_first_line(text)) is not None


def says_yaml(text: str) -> bool:
    """Of a text that may be YAML: whether its beginning says that it is, so that the rest need not be read for it."""
    return _first_line(text).startswith("format:") or text.lstrip().startswith(("---", "%YAML"))


def reads_as_lines(text: str) -> bool:
    """Of a text that may be YAML: whether each line stands for itself, so that nobody should read it as a document.

    In the log of a chat the same names come again and again, where a document has a key once. What is long and has
    nothing inside of anything else is no document that anybody here reads, and reading it would take many seconds.
    """
    head = text[:_HEAD].split("\n---", 1)[0].split("\n")
    again = Counter(found[0] for line in head if (found := _OWN_KEY.match(line)))
    if max(again.values(), default=0) > _MOST_REPEATED:
        return True
    return len(text) > _LONG and not any(map(_NESTED.match, head))


def _first_line(text: str) -> str:
    lines = text[:_HEAD].split("\n", 200)  # of a line of gigabytes there would be a copy
    return next((line for line in lines if line.strip() and not line.startswith(("#", "---", "%"))), "")


def looks_like_keys(text: str) -> bool:
    """Of a text that is not valid YAML: whether it was meant as YAML, because most lines are keys or indented."""
    lines = [line for line in text.split("\n", 200)[:200] if line.strip() and not line.lstrip().startswith("#")]
    meant = sum(_KEY_LINE.match(line.lstrip()) is not None or line.startswith(("  ", "\t")) for line in lines)
    return meant > 0.8 * len(lines)


def parse(text: str, path: str) -> Any:
    """The first document of a YAML text. Raises UnreadableError with line and column."""
    with _loading(CoreLoader, text, path) as (loader, root):
        value = None if root is None else loader.construct_document(root)
        return YamlMapping(value) if isinstance(value, dict) else value


def parse_items(text: str, path: str, wanted: str = "a list") -> list[tuple[int, Any]]:
    """The items of a YAML list, each with its line; every scalar is the text that was written.

    Of an empty text none. Raises UnreadableError with the line for what is no list, or no YAML; `wanted` says in its
    message what the text should have been.
    """
    with _loading(PlainLoader, text, path) as (loader, root):
        if root is not None and not isinstance(root, yaml.SequenceNode):
            raise UnreadableError(Problem(path, f"line {root.start_mark.line + 1}", f"expected {wanted}"))
        nodes = root.value if root is not None else []
        return [(node.start_mark.line + 1, loader.construct_object(node, deep=True)) for node in nodes]


@contextmanager
def _loading(kind: type[_Loader], text: str, path: str) -> Iterator[tuple[_Loader, yaml.Node | None]]:
    """A loader of the kind and the root of the first document of a text that is known not to be too much for either.

    Raises UnreadableError, also in place of what is raised where the root is used.
    """
    loader = None
    try:
        _refuse_excess(kind, text, path)
        loader = kind(text)
        root = loader.get_node() if loader.check_node() else None
        if root is not None and "&" in text and "*" in text and _expanded_size(root) > _MAX_NODES:
            raise UnreadableError(Problem(path, "", f"its aliases expand to more than {_MAX_NODES:,} values"))
        yield loader, root
    except yaml.YAMLError as error:
        raise UnreadableError(_problem(path, error)) from None
    except (RecursionError, ValueError, OverflowError) as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(Problem(path, "", f"is not usable YAML: {error}")) from None
    finally:
        if loader is not None:
            loader.dispose()


def _refuse_excess(kind: type[_Loader], text: str, path: str) -> None:
    """Refuse what would end the process, because libyaml's composer is recursive, or take its memory and hours."""
    if len(_DIRECTIVE.findall(text)) > _MOST_DIRECTIVES:
        raise UnreadableError(Problem(path, "", f"has more than {_MOST_DIRECTIVES} directives"))
    if not _may_be_deep(text) and not _may_be_many(text):
        return
    depth = values = 0
    for event in yaml.parse(text, Loader=kind):
        begins = isinstance(event, yaml.CollectionStartEvent)
        depth += begins - isinstance(event, yaml.CollectionEndEvent)
        values += begins or isinstance(event, yaml.ScalarEvent | yaml.AliasEvent)
        if depth > MAX_DEPTH:
            raise UnreadableError(Problem(path, "", f"is nested deeper than {MAX_DEPTH:,} levels"))
        if values > MAX_VALUES:
            raise UnreadableError(Problem(path, "", f"holds more than {MAX_VALUES:,} values, too many for YAML"))


def repeated_keys(text: str, levels: int) -> tuple[tuple[str, int], ...]:
    """Keys that stand twice in a mapping of the upper `levels` of a text that `parse` reads, each with its line.

    `parse` takes the last one, so that whoever writes the document anew would lose the first.
    """
    with _loading(CoreLoader, text, "") as (_, root):
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
    """Whether the brackets and the indentation of a text leave room for deep nesting.

    A collection outside of brackets begins behind nothing but spaces and signs for others, two at most to a column.
    """
    columns = (MAX_DEPTH - text.count("[") - text.count("{")) // 2 - 2
    return columns <= 0 or re.search(rf"(?<![ \t?:-])[ \t?:-]{{{columns}}}", text) is not None


def _may_be_many(text: str) -> bool:
    """Whether there are signs enough in a text for too many values: each but the first comes after one of them."""
    return len(text) > MAX_VALUES // 2 and 2 * sum(map(text.count, "\n\r\x85\u2028\u2029,:-?[{")) > MAX_VALUES


def _problem(path: str, error: yaml.YAMLError) -> Problem:
    mark = getattr(error, "problem_mark", None)
    place = text_place(mark.line + 1, mark.column + 1) if mark else ""
    return syntax_problem(path, "YAML", place, getattr(error, "problem", None) or str(error))


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
