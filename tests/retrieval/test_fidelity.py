"""Facts are found as hand-checked samples say, and a summary keeps exactly those that it says."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.facts.facts import FactKind, facts_of, names_in, number_value
from inspector.retrieval.facts.fidelity import fidelity, total_share

NAME, NUMBER, DATE, TIME, AMOUNT = (
    *(FactKind.NAME, FactKind.NUMBER),
    *(FactKind.DATE, FactKind.TIME, FactKind.AMOUNT),
)
EMAIL, URL, PATH, CODE, QUOTATION = (
    *(FactKind.EMAIL, FactKind.URL),
    *(FactKind.PATH, FactKind.CODE, FactKind.QUOTATION),
)


def found(text: str) -> list[tuple[FactKind, str]]:
    return [(fact.kind, fact.value) for fact in facts_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "We met Anna Berg on 5 March 2024 at 3:30 pm and paid $1,204.50.",
            [(NAME, "anna berg"), (DATE, "2024-3-5"), (TIME, "15:30"), (AMOUNT, "1204.5 usd")],
        ),
        (
            "Le 14 juillet 2023 à 14h30, un billet de 12,5 € pour Jean-Luc.",
            [(DATE, "2023-7-14"), (TIME, "14:30"), (AMOUNT, "12.5 eur"), (NAME, "jean luc")],
        ),
        (
            "请在2024年3月5日15点30分去北京，带上500元和3本书。他说「明天一定要来」。",
            [
                *((DATE, "2024-3-5"), (TIME, "15:30"), (AMOUNT, "500 cny"), (NUMBER, "3")),
                (QUOTATION, "明天一定要来"),
            ],
        ),
        ("田中さんは3月5日に来た。", [(NAME, "田中"), (DATE, "-3-5")]),
        ("دفعت ١٢٠٠ ريال عند ١٥:٣٠", [(NUMBER, "1200"), (TIME, "15:30")]),
        (
            "Встреча с Иваном Петровым в 15:00, скидка 50 %.",
            [(NAME, "иваном петровым"), (TIME, "15:00"), (AMOUNT, "50 %")],
        ),
        ("Am 5. Mai 1999 sah ich Karl.", [(DATE, "1999-5-5"), (NAME, "karl")]),
        (
            "Run `make all` in /usr/local/src with --format, see main_window.py and getCount.",
            [
                (CODE, "make all"),
                (PATH, "/usr/local/src"),
                (CODE, "--format"),
                (PATH, "main_window.py"),
                (CODE, "getCount"),
            ],
        ),
        (
            "Write to a.b@example.org or see https://example.org/a?b=1.",
            [(EMAIL, "a.b@example.org"), (URL, "https://example.org/a?b=1")],
        ),
        ('he said "we will meet again", then "no"', [(QUOTATION, "we will meet again")]),
        ("see C:\\docs\\plan.docx on Monday, 3/5/24", [(PATH, "c:\\docs\\plan.docx"), (DATE, "mon"), (DATE, "3/5/24")]),
        ("either/or, and 1.2.3 of 12 things", [(NUMBER, "1.2.3"), (NUMBER, "12")]),
        ("it may 10 times be, at 25:00 or 7", [(NUMBER, "10"), (NUMBER, "25"), (NUMBER, "0"), (NUMBER, "7")]),
        ("1. tea\n2) milk\nand 3. of it", [(NUMBER, "3")]),
    ],
)
def test_facts_of_hand_checked_texts(text: str, expected: list[tuple[FactKind, str]]) -> None:
    assert found(text) == expected


def test_a_fact_says_where_it_stands() -> None:
    text = "paid 12 € to Anna"
    assert [text[fact.start : fact.end] for fact in facts_of(text)] == ["12 €", "Anna"]


def test_a_block_of_code_is_one_fact_and_hides_what_is_in_it() -> None:
    assert found('see\n```js\nlet x = "two words"; // 12\n```\n') == [(CODE, 'let x = "two words"; // 12')]


def test_the_first_word_of_a_sentence_is_no_name_unless_it_is_known() -> None:
    assert found("Yesterday we left. Then it rained.") == []
    assert found("Anna left. Later we saw Anna.") == [(NAME, "anna"), (NAME, "anna")]
    assert found("Then we left. NASA called, and Then The end. so we went then") == [(NAME, "nasa"), (NAME, "then the")]
    assert [fact.value for fact in facts_of("Anna left.", ["anna"])] == ["anna"]


def test_words_that_are_also_written_small_are_no_known_names() -> None:
    assert names_in(["We like The Crown and Lisbon", "the harbour"]) == {"crown", "lisbon"}


def test_scripts_without_capitals_have_no_names() -> None:
    for text in ("我昨天在北京见到了李明和他的朋友", "التقيت بصديقي أحمد", "मैं राम से मिला", "어제 민수를 만났다"):
        assert found(text) == []


def test_numbers_are_one_however_they_are_written() -> None:
    assert [number_value(text) for text in ("1,204", "1204", "01204.0", "1’204", "١٢٠٤")] == ["1204"] * 5
    assert number_value("12,5") == number_value("12.50") == "12.5"
    assert number_value("0.5") != number_value("5")


def test_what_is_kept_and_lost() -> None:
    original = 'We met Anna Berg at 3 pm on 5 March. She paid $1,200 for 3 boats; see boat_list() and "sail with us".'
    summary = "At 15:00 Berg, Anna met us (March 5th); 1200 dollars. Call boat_list, 4 boats."
    one = fidelity(original, summary)
    assert [fact.value for fact in one.lost] == ["3", "boat_list()", "sail with us"]
    assert one.by_kind[NUMBER] == (0, 1)
    assert (one.kept_count, one.fact_count) == (4, 7)
    assert one.share == 4 / 7


def test_a_number_of_an_amount_is_kept_and_half_a_number_is_not() -> None:
    assert fidelity("it has 1200 parts", "1,200 € of parts").share == 1
    assert fidelity("it has 12 parts", "1200 parts, 2012, x12").share == 0


def test_addresses_code_and_quotations_are_kept_unmarked() -> None:
    original = "see `make all`, https://example.org/a and “a good day”"
    assert fidelity(original, "make all; example.org; A Good  Day; https://example.org/a/").share == 1


def test_a_fact_that_is_said_twice_counts_once_and_is_marked_twice() -> None:
    one = fidelity("12 and 12 and 13", "13")
    assert (one.kept_count, one.fact_count, len(one.lost)) == (1, 2, 2)


def test_a_text_without_facts_has_no_fidelity() -> None:
    assert fidelity("nothing to lose here", "").share is None
    assert fidelity("nothing to lose here", "12 new facts").share is None


def test_the_total_weighs_every_fact_the_same() -> None:
    many = fidelity("1 2 3 4 5 6 7 8 9", "1 2 3")
    assert total_share([many, fidelity("10", "10"), fidelity("none", "")]) == (4, 10)


LETTERS = st.sampled_from([*string.ascii_letters, *"12 .,:/-_@$€%\n`\"'“”「」月日年時さんÉß李ا٣"])
PIECES = st.sampled_from(
    ["Anna ", "5 March 2024 ", "3 pm ", "$5 ", "a.b@c.de ", "/usr/lib/x ", "x_y() ", "```\n", "李さん "]
)
TEXTS = st.lists(st.one_of(LETTERS, PIECES)).map("".join)


@given(TEXTS)
def test_a_text_keeps_all_of_itself_and_an_empty_summary_nothing(text: str) -> None:
    same, empty = fidelity(text, text), fidelity(text, "")
    assert same.share in (1.0, None)
    assert empty.share in (0.0, None)
    assert (same.share is None) == (empty.share is None) == (not same.facts)


@given(TEXTS, TEXTS)
def test_facts_lie_inside_the_text_and_shares_between_0_and_1(text: str, summary: str) -> None:
    one = fidelity(text, summary)
    assert all(0 <= fact.start < fact.end <= len(text) and fact.value for fact in one.facts)
    assert one.share is None or 0 <= one.share <= 1
    assert sum(kept for kept, _ in one.by_kind.values()) == one.kept_count


@pytest.mark.parametrize("run", ["a-", "1,", "@a", "`", "a.", "/a", "Mr. ", "$", "1"])
def test_a_very_long_run_is_no_trap(run: str) -> None:
    found = facts_of(run * (50_000 // len(run)) + " @ 1 / :// fin at 15:45")
    assert found[-1].value == "15:45"
