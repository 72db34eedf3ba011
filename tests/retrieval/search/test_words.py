"""Words that are looked for, and the excerpts in which they are marked."""

from inspector.retrieval.search.words import excerpt_of, folded, marks_in, words_of


def test_words_and_what_is_in_quotes() -> None:
    assert words_of('  coral "the  reef" at at "open end') == ("coral", "the reef", "at", "open end")
    assert words_of('"" " "') == ()


def test_folding_keeps_places() -> None:
    for text in ("Straße", "ÀÉÎ", "İstanbul", "한국어", "がか", "ﬁne", "Ŧ"):
        assert len(folded(text)) == len(text)
    assert folded("ÀÉÎ Über") == "aei uber"
    assert folded("がか 한국어") == "がか 한국어"


def test_every_place_of_every_word_is_marked() -> None:
    text = "Reef, reefs and the CORAL reef"
    assert [text[start:end] for start, end in marks_in(text, ("reef", "coral"))] == ["Reef", "reef", "CORAL", "reef"]
    assert marks_in(text, ()) == ()


def test_an_excerpt_stands_around_the_first_word_on_one_line() -> None:
    text = "one two three\n" * 20 + "the coral reef " + "and more\u202e " * 40
    found = excerpt_of(text, ("coral",), before=20, length=60)
    assert found.text.startswith("…")
    assert found.text.endswith("…")
    assert [found.text[start:end] for start, end in found.marks] == ["coral"]
    assert found.text.isprintable()
    assert "⟦RLO⟧" in found.text


def test_an_excerpt_of_a_text_without_the_words_is_its_beginning() -> None:
    found = excerpt_of("a short text", ("coral",))
    assert (found.text, found.marks) == ("a short text", ())


def test_an_excerpt_far_in_a_long_text_marks_every_word_around_the_first() -> None:
    words = ("coral", "the café")
    for before in (3_990, 3_998, 7_995, 50_000):
        text = "x" * before + " THE CAFE by the coral reef, coral " + "y" * 90_000
        found = excerpt_of(text, words)
        assert [found.text[start:end] for start, end in found.marks] == ["THE CAFE", "coral", "coral"], before
        assert found.text.startswith("…")
        assert marks_in(text, words)[0][0] == before + 1
