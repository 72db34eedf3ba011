"""The work of the text diff: two prompts compared on a worker. A snapshot is answered there, and sends nothing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from inspector.assembly.answer import complete_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.diff_text import WrittenLine, written_lines
from inspector.assembly.snapshots import snapshot_named
from inspector.assembly.text_diff import text_diff
from inspector.gui.session import Session
from inspector.tokens.choice import UnknownTokenizerError

NOT_THERE = "There is nothing to compare with yet."


def compare_texts(session: Session, name: str, show: Callable[[Sequence[WrittenLine] | str], None]) -> None:
    """Compare the prompt of now with that of a snapshot, or with "" of the baseline; a sentence where one has none."""
    now, baseline = session.answer, session.baseline_answer
    if now is None or (not name and baseline is None):
        show(NOT_THERE)
        return
    pipeline, cache = session.pipeline.fork(), session.cache
    scenario = snapshot_named(session.snapshots, name).scenario if name else now.scenario
    if scenario.summaries == "endpoint":
        scenario = replace(scenario, summaries=None)

    def request() -> Iterator[Sequence[WrittenLine] | str]:
        try:
            other = complete_answer(pipeline, scenario, cache) if name else baseline
        except (ScenarioError, UnknownTokenizerError) as problem:
            yield f"{name}: {problem}"
            return
        if other is not None:
            errors = [answer.assembly.error.message for answer in (other, now) if answer.assembly.error is not None]
            yield errors[0] if errors else tuple(written_lines(text_diff(other.assembly, now.assembly)))

    session.work("text_diff", request, show)
