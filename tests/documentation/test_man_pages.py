"""The manual pages have every command and every option, and troff reads every character as it is meant."""

import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from docs.man import man_pages, write_man_pages
from inspector.cli import COMMAND_GROUPS, group

COMMANDS = ("window", *(name for commands in COMMAND_GROUPS.values() for name in commands))
PAGES = man_pages()


def shown(text: str) -> str:
    """The text that troff would show, by the escapes of groff_char(7) and the fonts of man(7)."""
    text = re.sub(r"\\f[BRI]|\\&", "", text)
    for escape, sign in ((r"\-", "-"), (r"\(ga", "`"), (r"\(aq", "'"), (r"\e", "\\")):
        text = text.replace(escape, sign)
    return text


def test_every_command_has_a_page_and_is_listed() -> None:
    assert set(PAGES) == {"prompt-inspector.1", *(f"prompt-inspector-{name}.1" for name in COMMANDS)}
    whole = shown(PAGES["prompt-inspector.1"]).splitlines()
    assert [name for name in COMMANDS if f"prompt-inspector-{name}" not in whole] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_described(name: str) -> None:
    context = click.Context(group, info_name="prompt-inspector")
    command = group.get_command(context, name)
    assert command is not None
    page = shown(PAGES[f"prompt-inspector-{name}.1"]).splitlines()
    own = click.Context(command, info_name=name, parent=context)
    options = [one for one in command.get_params(own) if isinstance(one, click.Option)]
    records = [record for one in options if (record := one.get_help_record(own))]
    assert records
    for names, told in records:
        assert page[page.index(names) + 1] == " ".join(told.split())
    assert " ".join((command.help or "").split("\n\n")[0].split()) in page


@pytest.mark.parametrize("name", PAGES)
def test_only_known_requests_begin_a_line(name: str) -> None:
    requests = {line.split()[0] for line in PAGES[name].splitlines() if line[:1] in (".", "'")}
    assert {".TH", ".SH"} <= requests <= {".TH", ".SH", ".PP", ".TP", ".br"}
    assert PAGES[name].startswith('.TH "PROMPT')


def test_they_are_written_again_over_themselves(tmp_path: Path) -> None:
    first = write_man_pages(tmp_path / "man")
    assert write_man_pages(tmp_path / "man") == first
    assert {path.name: path.read_text("utf-8").removesuffix("\n") for path in first} == PAGES


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_groff_has_nothing_to_warn_of(tmp_path: Path) -> None:
    files = list(map(str, write_man_pages(tmp_path)))
    done = subprocess.run(["groff", "-man", "-ww", "-Kutf8", "-Tutf8", *files], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
