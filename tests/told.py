"""What README, documentation and samples tell: their texts, and how tests read and run them."""

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
from click.testing import CliRunner

from inspector.cli import group
from inspector.resources import samples_folder

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "pages"
README = (ROOT / "README.md").read_text("utf-8")
SAMPLES_TEXT = (samples_folder() / "README.md").read_text("utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
SAMPLES = shlex.quote(samples_folder().as_posix())
_COMMAND = re.compile(r"^    (prompt-inspector .*)$", re.MULTILINE)
PRINTED = {
    "replay": "prompts replayed",
    "assemble": "items",
    "explain": "Dropped",
    "compare": "naive",
    "memories": "in the prompt",
    "fidelity": "facts kept",
    "count": "Exact, qwen2.5",
    "tokens": "characters per token",
    "conversations": "of 6",
    "tokenizers": "which is exact",
    "survival": "item,parameter,from,to,action,exact",
    "recall": "With memories",
    "recommend": "Verdict",
    "models": "US dollars per million tokens",
    "presets": "evenings",
    "search": "Harbour talks",
    "sweep": "naive",
    "check": "all is well",
    "snippet": "trim_messages",
}
"""What the answer of each command holds that its description promises."""
WRITTEN = (".png", ".csv", ".parquet", ".html", "messages.json", ".jsonl")
"""Endings of files that commands write."""


@cache
def page(name: str) -> str:
    """The text of a page written by hand."""
    return (PAGES / name).read_text("utf-8")


def written_pages() -> list[str]:
    """The pages written by hand, by their paths in the site."""
    return sorted(path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.md"))


def commands_in(text: str) -> list[str]:
    """The commands of a text, about the samples that are here."""
    return [re.sub(r"(?<= )samples(?=[ /]|$)", lambda _: SAMPLES, one) for one in _COMMAND.findall(text)]


def words_of(command: str) -> list[str]:
    return shlex.split(command)[1:]


def run(command: str) -> str:
    """What a command prints: run in this process, but for the window, which is the only one of a process."""
    words = words_of(command)
    if words[0] in group.list_commands(click.Context(group)):
        done = CliRunner().invoke(group, words, prog_name="prompt-inspector", catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
        return done.stdout
    arguments = [sys.executable, "-m", "inspector", *words]
    shown = subprocess.run(arguments, capture_output=True, encoding="utf-8", timeout=240)
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


def table(heading: str, text: str) -> list[list[str]]:
    """The rows of the first table whose heading begins so, cell by cell."""
    lines = text[text.index(f"| {heading} |") :].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def marked(text: str) -> set[str]:
    """The words that are set as code."""
    return set(re.findall(r"`([^`\n]+)`", text))


def blocks(kind: str, text: str) -> list[tuple[str, str]]:
    """The blocks of code of a kind: the title of each, "" without one, and its text."""
    found = re.findall(rf'^```{kind}(?: title="([^"]*)")?\n(.*?)^```', text, re.MULTILINE | re.DOTALL)
    return [(title, block) for title, block in found]
