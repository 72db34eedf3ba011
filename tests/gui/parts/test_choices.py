"""Choices are found by words, in any order, the best first."""

from inspector.gui.parts.choices import Choice, WordSearch, lately_first


def choices(*titles: str, more: str = "") -> list[Choice]:
    return [Choice(title, (title, more)) for title in titles]


def found(query: str, *titles: str, loose: bool = True) -> list[str]:
    return [titles[number] for number in WordSearch(choices(*titles), loose).matches(query)]


def test_no_words_match_everything_in_its_order() -> None:
    assert found("  ", "Quit", "Open…", "Export…") == ["Quit", "Open…", "Export…"]


def test_every_word_has_to_match_in_any_order_and_any_case() -> None:
    titles = ("Open folder…", "Open…", "Save workspace as…")
    assert found("FOLDER open", *titles) == ["Open folder…"]
    assert found("open nothing", *titles) == []


def test_the_beginning_of_the_title_goes_before_that_of_a_word_and_what_is_inside() -> None:
    assert found("port", "Export…", "Harbour port", "Port Ellery", "port") == [
        "port",
        "Port Ellery",
        "Harbour port",
        "Export…",
    ]


def test_letters_in_order_match_last_and_only_from_the_beginning_of_a_word() -> None:
    assert found("cpol", "Compare policies", "a cpol", "Recall policies") == ["a cpol", "Compare policies"]
    assert found("cpol", "Compare policies", loose=False) == []


def test_signs_of_patterns_are_letters_like_others() -> None:
    titles = ("a.c^d]", "abc", "gpt-4o [new]")
    assert found(".^]", *titles) == []
    assert found("a^]", *titles) == ["a.c^d]"]
    assert found("a\\d", *titles) == []
    assert found("[n", *titles) == ["gpt-4o [new]"]


def test_what_else_is_known_is_searched_too() -> None:
    known = [Choice("1", ("gpt-4o", "OpenAI"), words="omni"), Choice("2", ("claude", "Anthropic"))]
    search = WordSearch(known, loose=True)
    assert list(search.matches("openai")) == list(search.matches("omni")) == [0]


def test_what_was_used_lately_stands_first_among_equals() -> None:
    sorted_titles = [choice.title for choice in lately_first(choices("one", "two", "three"), ["three", "gone", "two"])]
    assert sorted_titles == ["three", "two", "one"]
