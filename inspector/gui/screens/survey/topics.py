"""The topics of the survey as HTML: sentences, bars and tables."""

from collections.abc import Iterator, Sequence

from inspector.analysis.archive.topics import Bars, Columns, Topic, TopicPart, TopicTable
from inspector.drawings.named_bars import NamedBar
from inspector.gui.parts.page import bar, heading, muted, paragraph, plain, table
from inspector.gui.theme import theme

_WIDTH = 150


def topic_page(topic: Topic) -> str:
    """Return the HTML of a topic."""
    return "".join(text for part in topic.parts for text in _written(part))


def _written(part: TopicPart) -> Iterator[str]:
    match part:
        case Bars():
            yield heading(part.title)
            largest = max((one.value for one in part.bars), default=0) or 1
            yield table((_bar_line(one, largest) for one in part.bars), figures=())
        case Columns():
            yield heading(part.title)
            yield table(_bins(part), figures=(0, 2))
        case TopicTable():
            yield _table(part)
        case _:
            yield paragraph(part)


def _bar_line(one: NamedBar, largest: float) -> Sequence[str]:
    share = one.value / largest
    filled = share if one.part is None else one.part / largest
    return plain(one.name), bar(filled, theme().accent, share, _WIDTH), plain(one.shown)


def _bins(part: Columns) -> Iterator[Sequence[str]]:
    """Yield a line for each bin, without the empty bins at both ends."""
    filled = [place for place, value in enumerate(part.values) if value]
    most = max(part.values, default=0) or 1
    for place in range(filled[0], filled[-1] + 1) if filled else ():
        share = part.values[place] / most
        yield plain(part.names[place]), bar(share, theme().accent, share, _WIDTH), f"{part.values[place]:,}"


def _table(part: TopicTable) -> str:
    figures = [place for place, column in enumerate(part.columns) if column.is_figure]
    lines = ([plain(column.text(part.rows, row)) for column in part.columns] for row in range(len(part.rows)))
    return table([[muted(column.title) for column in part.columns], *lines], figures)
