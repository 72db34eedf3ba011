"""The words that reach users are those of the field: no old name stands in a text that is shown.

Keys of files, options, names in braces and in backticks are not prose, and are left out before a text is looked at.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import pytest

from inspector.analysis.reference import finding_articles, policy_articles, reason_articles
from inspector.assembly.policy import policy_sentence, policy_title
from inspector.assembly.presets import load_presets
from inspector.cli import group
from inspector.plugins import policies
from tests.told import written_pages

_ROOT = Path(__file__).resolve().parent.parent
_PACKAGE = _ROOT / "inspector"
_FORBIDDEN = {
    "history": "conversation",
    "overhead": "formatting",
    "reserve": "reply, kept free for the reply",
    "draft": "next message",
    "spent": "in the prompt, used",
    "shoot-?out": "side by side",
    "surviv(?:e|al|or|ors|es)": "must stay, which items flip",
    "knobs?": "setting",
    "probes?": "question",
    "exclu(?:de|des|ded|ding|sions?)": "leave out",
    "oracle": "most that could fit",
    "ceiling": "most that could fit",
    "misfits?": "the first that did not fit",
    "horizon": "how long each lasts",
    "residual": "adds up",
    "remarks?": "finding",
    "recorder": "recorded requests",
    "protected tail": "newest always kept",
    "guaranteed exchanges": "newest always kept",
    "set by hand": "set by you",
}
"""Words that no user reads, each with the word in its place."""
_WORDS = re.compile(rf"\b({'|'.join(_FORBIDDEN)})\b", re.IGNORECASE)
_NO_PROSE = re.compile(r"`[^`]*`|\{[^}]*\}|--[\w-]+|\b\w+(?:[_.]\w+)+|\([a-z]+\)|\*\.[\w.]+|\w+=\w+")
"""Keys, options, names of files, and names in braces, brackets and backticks."""
_NOT_SHOWN = "testing"
"""Texts for authors of plug-ins."""
_CODE = ("__init__.py", "model/__init__.py", "pages/snippets.py", "formats/chat_logs/plain.py", "assembly/soundness.py")
"""Names of Python, lines of other programs, words of their languages, or errors of a policy for its author."""


def old_words(text: str) -> list[str]:
    """Return the old words in the prose of a text."""
    return [found[0] for found in _WORDS.finditer(_NO_PROSE.sub(" ", text))]


def _is_shown(text: str) -> bool:
    """Return whether a string can be a text: of several words, or a title. Others are keys."""
    return " " in text.strip() or text[:1].isupper()


def _docstrings(tree: ast.AST) -> set[int]:
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _texts_in(module: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that may be shown, with their lines."""
    tree = ast.parse(module.read_text("utf-8"))
    unread = _docstrings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in unread:
            continue
        if _is_shown(node.value):
            yield node.lineno, node.value


def _modules() -> Iterable[Path]:
    names = {path.relative_to(_PACKAGE).as_posix(): path for path in sorted(_PACKAGE.rglob("*.py"))}
    return [path for name, path in names.items() if not name.startswith(_NOT_SHOWN) and name not in _CODE]


def test_no_string_of_the_program_has_an_old_word() -> None:
    found = [
        f"{module.relative_to(_ROOT)}:{line}: {word} in {text!r}"
        for module in _modules()
        for line, text in _texts_in(module)
        for word in old_words(text)
    ]
    assert not found, "\n".join(found)


def _commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in [*group.list_commands(context), "window"]:
        command = group.get_command(context, name)
        assert command is not None
        yield name, command


@pytest.mark.parametrize(("name", "command"), list(_commands()))
def test_no_help_of_a_command_has_an_old_word(name: str, command: click.Command) -> None:
    shown = click.Context(command, info_name=name)
    told = command.get_help(shown).partition("\n")[2]  # the first line is the name of the command
    assert not old_words(told)


def test_no_reason_finding_policy_or_parameter_has_an_old_word() -> None:
    known, presets = policies()[0], load_presets()
    articles = [*reason_articles(known, presets), *finding_articles(), *policy_articles(known, presets)]
    texts = [
        (article.name, text)
        for article in articles
        for text in (article.summary, *article.paragraphs, *(fact for _, fact in article.facts))
    ]
    assert not [(name, old_words(text)) for name, text in texts if _is_shown(text) and old_words(text)]


def _prose(file: Path) -> str:
    """Return a page without its blocks of code and its HTML."""
    lines = file.read_text("utf-8").splitlines()
    told = "\n".join("" if line.startswith("    ") else line for line in lines)
    return re.sub(r"^```.*?^```", "", told, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    "file", ["README.md", "samples/README.md", *(f"docs/pages/{name}" for name in written_pages())]
)
def test_no_page_for_users_has_an_old_word(file: str) -> None:
    assert not old_words(_prose(_ROOT / file))


def test_each_policy_has_a_title_and_one_plain_sentence() -> None:
    known = policies()[0]
    titles = {name: policy_title(name, kind) for name, kind in known.items()}
    assert len(set(titles.values())) == len(titles)
    as_their_makers_write = {"llama.cpp", "text-generation-webui", "vLLM"}
    named = {title: title[0].isupper() or title in as_their_makers_write for title in titles.values()}
    assert all(named[title] and "_" not in title and len(title.split()) <= 4 for title in titles.values())
    sentences = [policy_sentence(kind) for kind in known.values()]
    assert all(sentence.endswith(".") and "_" not in sentence and len(sentence) <= 120 for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The history budget", ["history"]),
        ("`history_share` and --exclude, {history}", []),
        ("Whole conversation first (reserve)", []),
        ("Kept as a reserve for the reply", ["reserve"]),
        ("Survival of 12 probes", ["Survival", "probes"]),
        ("3 tokens spent; residual 0", ["spent", "residual"]),
    ],
)
def test_old_words_are_found_in_prose_only(text: str, words: list[str]) -> None:
    assert old_words(text) == words
