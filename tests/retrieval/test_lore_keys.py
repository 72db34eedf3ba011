"""Keys: what patterns of JavaScript find in Python, and that none of them stops the program."""

import pytest
from lore_scenes import active, entry, scanned

from inspector.retrieval.lore import book as lore_keys
from inspector.retrieval.lore.javascript_regex import UnreadablePatternError, compile_pattern, split_pattern
from inspector.retrieval.lore.text import ScannedText, ScanText

# Each is what `new RegExp(pattern, flags).exec(text)?.[0]` gives.
CASES = [
    ("sw(or|0)d", "i", "a SWORD", "SWORD"),
    (r"\bmer\b", "", "mère mer", "mer"),
    (r"\bé", "", "é", None),  # é is no letter of a word there
    (r"\w+", "", "né", "n"),
    (r"\d", "", "٣", None),
    (r"[\d-]+", "", "x12-3", "12-3"),
    (r"[^\W]", "", "é_", "_"),
    (r"[\W]", "", "aé", "é"),
    (r"\s", "", "a\ufeff", "\ufeff"),
    ("a.b", "", "a\u2028b", None),
    ("a.b", "s", "a\nb", "a\nb"),
    ("^b$", "m", "a\nb\nc", "b"),
    ("b$", "", "b\n", None),
    ("[]", "", "x", None),
    ("[^]", "", "\n", "\n"),
    (r"a\/b", "", "a/b", "a/b"),
    ("[[&&]", "", "&", "&"),
    ("[a|~]+", "", "|~a", "|~a"),
    ("a{e}", "", "a{e}", "a{e}"),
    ("a{2,3}", "", "aaaa", "aaa"),
    ("a{,3}", "", "a{,3}", "a{,3}"),
    (r"(?<year>\d{4})-\k<year>", "", "1999-1999", "1999-1999"),
    (r"(a)\1", "", "aa", "aa"),
    (r"\u0041\x42\u{43}", "u", "ABC", "ABC"),
    (r"\p{L}+", "u", "日本語", "日本語"),
    (r"\cJ\0", "", "\n\0", "\n\0"),
    (r"[\b]", "", "\b", "\b"),
    (r"(?<=the )kraken(?! sleeps)", "", "the kraken sleeps, the kraken", "kraken"),
    ("b", "y", "ab", None),
    (r"\-\#\ ", "", "-# ", "-# "),
    ("a#b", "", "a#b", "a#b"),
    (r"\B", "", "", ""),
]


@pytest.mark.parametrize(("pattern", "flags", "text", "expected"), CASES)
def test_a_pattern_finds_what_javascript_finds(pattern: str, flags: str, text: str, expected: str | None) -> None:
    found = compile_pattern(pattern, flags).search(text)
    assert (found[0] if found else None) == expected


@pytest.mark.parametrize("pattern", ["[", "(", "a**", r"(?i)x", r"\u{FFFFFF}", "\\", "(?P<n>x)", "(?#x)", r"\k<n>"])
def test_what_cannot_be_read_is_said(pattern: str) -> None:
    with pytest.raises(UnreadablePatternError):
        compile_pattern(pattern, "")


@pytest.mark.parametrize(
    ("key", "split"),
    [
        ("/a/", ("a", "")),
        ("/a/gi", ("a", "gi")),
        (r"/a\/b/", (r"a\/b", "")),
        ("/a/b/", None),
        ("/a/x", None),
        ("/a/gg", None),
        ("//", None),
        ("a/b", None),
        ("/and/or", None),
    ],
)
def test_which_keys_are_patterns(key: str, split: tuple[str, str] | None) -> None:
    assert split_pattern(key) == split


def test_an_unreadable_pattern_is_told_and_fires_nothing() -> None:
    found = scanned([entry("e", "/[/", "tide"), entry("f", "/[/")], "tide [")
    assert found["e"].why == "key ‘tide’ in message m0"
    assert found["e"].notes == found["f"].notes == ("key /[/ cannot be read as a pattern: a bracket is not closed",)
    assert found["f"].why == "not: a key cannot be searched for"


def test_a_pattern_without_end_is_stopped_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lore_keys, "PATTERN_SECONDS", 0.01)
    slow = [entry("slow", "/(a|aa)+$/"), entry("e", "/tide/")]
    found = scanned(slow, "tide " + "a" * 60 + "!")
    assert not found["slow"].active
    assert "counts as not found" in found["slow"].notes[0]
    assert found["e"].active


TOO_MUCH = {
    "nested": ("(" * 330 + "a" + ")" * 330, "nested deeper than 50 levels"),
    "nested without end": ("(" * 10_000, "nested deeper than 50 levels"),
    "copies": ("a{1000000000}", "more than 10,000 parts"),
    "copies of nothing": ("(?:){1000000000}", "more than 10,000 parts"),
    "copies of copies": ("(?:(?:(?:a{99}){99}){99}){99}", "more than 10,000 parts"),
    "doubled again and again": ("(?:" * 30 + "a" + ")+" * 30, "more than 10,000 parts"),
    "a number of copies that is no number": ("a{" + "9" * 5_000 + "}", "more than 10,000 parts"),
    "long": ("a." * 10_000, "longer than 20,000 characters"),
    "many edges": (r"\b" * 1_000, "longer than 20,000 characters"),
    "a long run": ("ﬁ" * 3_000, "more than 300 plain characters"),
    "a run through groups": ("(?:aaaaaaaaaa)" * 40, "more than 300 plain characters"),
}


@pytest.mark.parametrize("case", TOO_MUCH)
def test_a_pattern_that_is_too_much_to_be_compiled_is_told(case: str) -> None:
    pattern, said = TOO_MUCH[case]
    found = scanned([entry("e", f"/{pattern}/"), entry("f", "/ti.e/")], "a tide")
    assert said in found["e"].notes[0]
    assert found["e"].why == "not: a key cannot be searched for"
    assert found["f"].active


@pytest.mark.parametrize(
    "pattern",
    ["(" * 49 + "tide" + ")" * 49, ".{0,5000}tide", r"\w{1,20}", "|".join(f"word{n}" for n in range(900)) + "|tide"],
)
def test_a_pattern_that_people_may_write_is_searched_for(pattern: str) -> None:
    assert active([entry("e", f"/{pattern}/")], "a tide") == {"e"}


def test_a_class_of_many_members_is_not_looked_for_in_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    members = "".join(chr(0x4E00 + 2 * number) for number in range(1_000))
    assert active([entry("e", f"/[{members}]/")], "tide " + members[-1]) == {"e"}
    monkeypatch.setattr(lore_keys, "MOST_STEPS", 1_000_000)
    found = scanned([entry("e", f"/[{members}]/"), entry("f", "/[abt]ide/")], "tide " * 1_000)
    assert "counts as not found" in found["e"].notes[0]
    assert found["f"].active


def test_all_patterns_of_a_book_have_an_allowance_together() -> None:
    long = "|".join(f"word{number}" for number in range(900))
    found = scanned(
        [*(entry(f"s{number}", f"/{long}|x{number}/") for number in range(40)), entry("e", "/tide/")], "tide"
    )
    told = [name for name, what in found.items() if any("too long together" in note for note in what.notes)]
    assert 0 < len(told) < 30
    assert found["e"].active


def test_all_patterns_of_a_scan_have_a_time_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lore_keys, "PATTERN_SECONDS", 0.005)
    monkeypatch.setattr(lore_keys, "SCAN_SECONDS", 0.01)
    slow = [entry(f"s{number}", f"/(a|aa)+${number}/", order=9) for number in range(9)]
    found = scanned([*slow, entry("e", "/tide/", order=1)], "tide " + "a" * 60 + "!")
    assert not any(what.active for what in found.values())
    assert any("too little time" in note for note in found["e"].notes)


def test_keys_of_a_card_may_be_patterns_without_slashes() -> None:
    by_pattern = {"useRegex": True}
    assert active([entry("a", "kra.en", activation=by_pattern), entry("b", "kra.en")], "KRAKEN") == {"a"}
    assert not active([entry("a", "kra.en", activation={**by_pattern, "caseSensitive": True})], "KRAKEN")


@pytest.mark.parametrize("text", ["ß ẞ İstanbul", "  ﬁn İ the ﬁnd", "x"])
def test_places_are_those_of_the_text_as_it_is_written(text: str) -> None:
    pieces = [ScannedText("message", "m1", f"ﬀ {text}"), ScannedText("message", "m0", text)]
    scanned_text = ScanText(pieces)
    for number, character in enumerate(text):
        if character.isspace():
            continue
        start = scanned_text.folded.find(text.strip().casefold(), 6)
        place = scanned_text.place(start, start + len(text.strip().casefold()), True)
        assert place.piece.text[place.start : place.end] == text.strip(), number


def test_a_match_over_several_messages_ends_with_its_first() -> None:
    fired = scanned([entry("e", "/woke[^]*slept/")], "slept", "it woke up")["e"].fired
    assert fired is not None
    assert (fired.place.piece.id, fired.place.start, fired.place.end) == ("m1", 3, 10)
