"""Long tables are put together without the library for tables, which writes the same."""

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console as RichConsole
from rich.text import Text

from inspector.cli import console
from inspector.cli.console import Console, Table, styled

WIDTH = 200
CELLS = st.one_of(
    st.text("ab é日本\U0001f600\t\x1b[", max_size=6), st.builds(styled, st.text("xy", max_size=5), st.just("red"))
)
ROWS = st.lists(st.tuples(st.lists(CELLS, max_size=3), st.sampled_from(["", "dim"]), st.booleans()), max_size=6)


@pytest.fixture(autouse=True)
def put_together_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_MANY_ROWS", 1)


def written(shown: object, width: int) -> list[tuple[str, str]]:
    """Each character with the style in which a terminal shows it; blanks have none."""
    file = io.StringIO()
    terminal = RichConsole(file=file, width=width, force_terminal=True, color_system="standard", highlight=False)
    terminal.print(shown, soft_wrap=isinstance(shown, Text))
    text = Text.from_ansi(file.getvalue())
    styles = [str(text.get_style_at_offset(terminal, place)) for place in range(len(text))]
    return [(sign, "" if sign.isspace() else style) for sign, style in zip(text.plain, styles, strict=True)]


def table_of(titles: Sequence[str], rows: Sequence[tuple[Sequence[Text | str], str, bool]]) -> Table:
    table = Table((titles[0], ""), (titles[1], ">"), (titles[2], ""))
    for cells, style, ends in rows:
        table.add_row(*cells, style=style)
        if ends:
            table.add_section()
    return table


@given(st.lists(st.text("TU ", max_size=3), min_size=3, max_size=3), ROWS.filter(bool))
def test_a_long_table_is_written_as_the_library_writes_it(
    titles: list[str], rows: list[tuple[list[Text | str], str, bool]]
) -> None:
    table = table_of(titles, rows)
    here = table.shown(WIDTH)
    console._MANY_ROWS = len(rows) + 1
    try:
        theirs = table.shown(WIDTH)
    finally:
        console._MANY_ROWS = 1
    assert isinstance(here, Text)
    assert not isinstance(theirs, Text)
    assert written(here, WIDTH) == written(theirs, WIDTH)


@pytest.mark.parametrize("cell", ["x" * WIDTH, Text("two\nlines")])
def test_what_has_to_be_wrapped_is_left_to_the_library(cell: Text | str) -> None:
    assert not isinstance(table_of(("a", "b", "c"), [((cell,), "", False)]).shown(WIDTH), Text)


def test_the_lines_of_a_long_table_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    table = table_of(("a", "b", "c"), [(("x" * 50, "1", "y" * 60), "", False)] * 3)
    Console().print(table)
    assert capsys.readouterr().out.splitlines()[2:] == [f"{'x' * 50}   1   {'y' * 60}"] * 3
