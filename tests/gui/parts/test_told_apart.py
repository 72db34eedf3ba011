"""Names that begin alike show what differs."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.gui.parts.texts import SEEN, told_apart, without_beginning


def test_names_that_differ_at_the_end_show_their_ends() -> None:
    names = ["The long evening at the harbour, part one", "The long evening at the harbour, part two"]
    assert told_apart(names) == ["The long e…one", "The long e…two"]


def test_names_that_differ_in_the_middle_show_their_middles() -> None:
    names = [f"Observations of the conversation {number} between Ana and Ben" for number in (41, 42)]
    assert told_apart(names) == ["Observatio…41 between Ana and Ben", "Observatio…42 between Ana and Ben"]


def test_every_place_where_names_part_is_shown() -> None:
    start = "A very long beginning of a title"
    names = [f"{start} with {who}, on an evening in {month}" for who in ("Ana", "Ben") for month in ("May", "July")]
    assert told_apart(names) == [
        "A very lon…Ana, on a…May",
        "A very lon…Ana, on a…July",
        "A very lon…Ben, on a…May",
        "A very lon…Ben, on a…July",
    ]


def test_names_that_part_where_a_narrow_panel_cuts_them_off_are_told_apart() -> None:
    assert told_apart(["Observations of conv-26", "Observations of conv-30"]) == [
        "Observatio…conv-26",
        "Observatio…conv-30",
    ]


def test_a_space_where_the_beginning_ends_stays() -> None:
    names = ["Interview Johnathan", "Interview Johnaston"]
    assert told_apart(names) == names


def test_the_beginning_can_be_left_out_where_there_is_less_room() -> None:
    name = "Observations of conv-26"
    assert without_beginning(name, told_apart([name, "Observations of conv-30"])[0]) == "…conv-26"
    assert without_beginning(name, name) == name


def test_names_without_spaces_are_told_apart_too() -> None:
    assert told_apart(["长" * 30 + "一", "长" * 30 + "二"]) == ["长" * 10 + "…长长一", "长" * 10 + "…长长二"]


def test_what_differs_soon_or_not_at_all_stays_as_it_is() -> None:
    names = [
        "conv-26: Caroline and Melanie on a long walk",
        "conv-30: Jon and Gina",
        "",
        "Twice the very same long name",
    ]
    assert told_apart([*names, names[-1]]) == [*names, names[-1]]


@given(st.lists(st.text("ab ", max_size=3 * SEEN), max_size=8), st.text("ab ", min_size=SEEN, max_size=2 * SEEN))
def test_names_that_differ_never_look_alike(endings: list[str], beginning: str) -> None:
    names = [beginning + ending for ending in endings]
    assert len(set(told_apart(names))) == len(set(names))
