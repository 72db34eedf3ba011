"""The report of an archive as one HTML page: it loads nothing, needs no script, and opens from a file."""

from collections.abc import Iterator

from inspector.analysis.archive.summary import ArchiveSummary
from inspector.analysis.archive.topics import Bars, Columns, TopicPart, TopicTable, rows_of_files, topics
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.drawings.named_bars import histogram, named_bars
from inspector.figures import counted
from inspector.pages.parts import framed_drawing, heading, page, sentence, told_table
from inspector.tokens.models.table import DEFAULT_MODEL


def archive_page(summary: ArchiveSummary, setting: str) -> str:
    """Return the page; `setting` describes the setting of the prompts."""
    title = f"Report of {counted(len(summary.chats), 'chat')}"
    body = [heading(title, 1), sentence(f"Under {setting}.")]
    for topic in (*topics(summary), *rows_of_files(summary)):
        body.append(heading(topic.title))
        body += [text for part in topic.parts for text in _written(part)]
    return page(title, body)


def setting_words(scenario: Scenario, *, by_own_rules: bool = False) -> str:
    """Return the setting of prompts of many chats in words, `by_own_rules` if the program of each chat decides."""
    policy = f"the policy {scenario.policy or DEFAULT_POLICY}"
    named = ["the rules of the program that wrote each chat" if by_own_rules else policy]
    named += [f"preset {scenario.preset}"] if scenario.preset else []
    named += [f"the model that each file names, else {DEFAULT_MODEL}" if scenario.model is None else scenario.model]
    named += [f"a window of {scenario.context_window:,} tokens"] if scenario.context_window else []
    named += [f"{name}={value}" for name, value in scenario.parameters.items()]
    return ", ".join(named)


def _written(part: TopicPart) -> Iterator[str]:
    match part:
        case Bars():
            yield framed_drawing(named_bars(part.title, part.bars))
        case Columns():
            yield heading(part.title, 3)
            yield framed_drawing(histogram(part.title, part.names, part.values))
        case TopicTable():
            yield told_table(part.columns, part.rows, range(len(part.rows)))
        case _:
            yield sentence(part)
