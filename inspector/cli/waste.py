"""prompt-inspector waste: what agents send for nothing, in tokens and money, and what to do about it."""

from typing import Any

import click

from inspector.analysis.basis import Basis
from inspector.analysis.waste.ask import wastes
from inspector.analysis.waste.tables import WASTE, Wasted, advice_lines, waste_sentence, waste_value
from inspector.cli.answering import Telling, answer, format_option
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, shown_result
from inspector.cli.options import paths_argument, scenario_options
from inspector.cli.sections import SectionedCommand

_SHOWN_FROM = 20


def _below(wasted: Wasted) -> list[str]:
    return [waste_sentence(wasted), *advice_lines(wasted.found)]


_TELLING = Telling([WASTE], waste_value, below=_below)


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@format_option
def waste(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Say what the agents of PATHS send for nothing, over their whole sessions.

    Tools never called, results repeated or out of date, encoded data in texts, nearly the same text again, prefixes
    broken by a time, thoughts carried along, and what a compaction lost that was asked for again: each with its
    tokens, its money and one thing to do, the worst first. Recorded requests are looked at by agent; of saved chats,
    those in which tools are called, or --conversation alone.
    """
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=given["conversation"] is None)
    with named_failures():
        basis = Basis(pipeline, scenario, open_cache())
        found = shown_result(wastes(basis, given["conversation"] is None), "Looking for waste", _SHOWN_FROM)
    answer(Wasted(found), _TELLING, answer_format)
