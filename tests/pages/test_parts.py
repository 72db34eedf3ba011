"""Parts of pages: which columns are of figures, and a page that follows the colours of the system."""

import pytest

from inspector.pages.parts import Cell, columns_of_figures, page, table


@pytest.mark.parametrize(
    ("column", "is_figures"),
    [
        ((1, None), True),
        (("", 2.5), True),
        (("\N{MINUS SIGN}5.4 %", "+27.1 %"), True),
        (("97.9 %", ""), True),
        (("≈ 11,896", "≈ 7"), True),
        (("≈ the same", "≈ 7"), False),
        (("\N{MINUS SIGN}1,204.5%",), True),
        (("of 100%", "5 % more"), False),
        (("30.0 %", "document"), False),
        (("2026-01-01", "3"), False),
        ((None, ""), False),
    ],
)
def test_numbers_and_percentages_stand_at_the_right(column: tuple[Cell, ...], is_figures: bool) -> None:
    assert columns_of_figures(("name",), [(value,) for value in column]) == [is_figures]
    assert ('class="figure"' in table(("name",), [(value,) for value in column])) == is_figures


def test_what_the_browser_draws_itself_follows_the_colours_of_the_system() -> None:
    assert "color-scheme: light dark" in page("a page", ())


def test_a_column_of_sentences_is_wide_enough_to_be_read_and_one_of_names_is_not_widened() -> None:
    made = table(
        ("code", "what"), [("near_duplicate_memories", "Two memories say nearly the same, and both are kept.")]
    )
    assert '<td class="words">Two memories' in made
    assert "<td>near_duplicate_memories</td>" in made
