"""Commands are declared apart from what they run: the words that their options list are those that are known there."""

import re

import click
import pytest

from inspector.analysis.archive.listing import SORTING
from inspector.cli import COMMAND_GROUPS, group
from inspector.cli.check_formats import WRITERS
from inspector.cli.commands import check, conversations, export, snippet
from inspector.formats.chat_exports import CHAT_EXPORTS
from inspector.model import SCORE_SCALES
from inspector.pages.snippets import SYSTEMS


def test_listed_words_are_those_that_are_known() -> None:
    assert list(WRITERS) == list(check.FORMATS)
    assert list(SORTING) == list(conversations.COLUMNS)
    assert list(CHAT_EXPORTS) == list(export.LAYOUTS)
    assert list(SYSTEMS) == list(snippet.SYSTEMS)


@pytest.mark.parametrize("name", ["assemble", "check"])
def test_the_scales_of_scores_are_named(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    told = next(one.help for one in command.params if isinstance(one, click.Option) and "--scores" in one.opts)
    assert told is not None
    assert tuple(re.split(r", ", told.partition(": ")[2].rstrip("."))) == SCORE_SCALES


def test_every_command_has_the_name_under_which_it_is_listed() -> None:
    listed = [name for commands in COMMAND_GROUPS.values() for name in commands]
    found = [group.get_command(click.Context(group), name) for name in listed]
    assert [command.name for command in found if command is not None] == listed
