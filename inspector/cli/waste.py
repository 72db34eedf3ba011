"""prompt-inspector waste: what agents send for nothing, in tokens and money, and what to do about it."""

from typing import Any

from inspector.analysis.basis import Basis
from inspector.analysis.waste.ask import wastes
from inspector.analysis.waste.tables import WASTE, Wasted, advice_lines, waste_sentence, waste_value
from inspector.cli.answering import Telling, answer
from inspector.cli.asking import open_asked
from inspector.cli.loading import named_failures, open_cache, shown_result

_SHOWN_FROM = 20


def _below(wasted: Wasted) -> list[str]:
    return [waste_sentence(wasted), *advice_lines(wasted.found)]


_TELLING = Telling([WASTE], waste_value, below=_below)


def waste(
    paths: tuple[str, ...],
    scenario_file: str | None,
    settings: tuple[str, ...],
    answer_format: str,
    **given: Any,
) -> None:
    """Run `prompt-inspector waste` with the values of its options."""
    pipeline, scenario = open_asked(paths, scenario_file, settings, given, everywhere=given["conversation"] is None)
    with named_failures():
        basis = Basis(pipeline, scenario, open_cache())
        found = shown_result(wastes(basis, given["conversation"] is None), "Looking for waste", _SHOWN_FROM)
    answer(Wasted(found), _TELLING, answer_format)
