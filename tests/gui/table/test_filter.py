import math
import operator
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from hypothesis import given
from hypothesis import strategies as st

from inspector.assembly.columns import ROLES, Action, Kind, Section, word
from inspector.assembly.decisions import Assembly
from inspector.gui.table.filter import Filter, FilterError, parse_filter
from inspector.gui.table.filter_fields import FIELDS, SearchableTexts, Subject

PIPELINE = pipeline_for(timed_messages(30), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
ASSEMBLY = answer_of(PIPELINE, 160, pinned=("m3",)).assembly
CHANGED = np.arange(len(ASSEMBLY.candidates)) % 3 == 0
SUBJECT = Subject(ASSEMBLY, CHANGED)


def ids(text: str, subject: Subject = SUBJECT) -> list[str]:
    mask = parse_filter(text).mask(subject)
    return [subject.assembly.candidates.ids[row] for row in np.flatnonzero(mask)]


def with_every_action() -> Assembly:
    candidates = ASSEMBLY.candidates
    action = np.arange(len(candidates), dtype=np.uint8) % len(Action)
    return replace(ASSEMBLY, action=action)


def test_the_empty_line_matches_everything() -> None:
    assert parse_filter("  ").mask(SUBJECT).all()
    assert parse_filter("").terms == ()


def test_terms_are_joined_by_and() -> None:
    assert ids("role:user coral id:m0,m1,m6") == ["m0", "m6"]


def test_words_and_phrases_search_the_text_whatever_the_case_and_script() -> None:
    assert "m0" in ids("CORAL")
    assert ids('"coral REEF" id:m0|m1|m2') == ["m0"]
    assert ids("珊瑚 id:m0|m2") == ["m2"]
    assert ids("صديقي id:m3|m2") == ["m3"]
    assert ids('"sailed past" -coral') == []


def test_alternatives_in_values_and_in_words() -> None:
    assert ids("id:m1,m2|m4") == ["m1", "m2", "m4"]
    assert ids("coral|tea id:k2,m0,m1") == ["k2", "m0"]
    assert ids("text:coral,tea id:k2,m0,m1") == ["k2", "m0"]
    assert ids("noticed, id:m4,m10") == []  # a comma in a word is the word's


def test_a_quoted_value_may_hold_anything() -> None:
    assert ids('text:"out, and" id:m4,m5') == ["m4"]
    assert ids('id:"m1","m2"') == ["m1", "m2"]


def test_either_sign_turns_a_term_round() -> None:
    everything = set(ASSEMBLY.candidates.ids)
    assert set(ids("-role:user")) == everything - set(ids("role:user"))
    assert ids("!role:user") == ids("-role:user")
    assert set(ids('-"coral"')) == everything - set(ids("coral"))


def test_the_items_of_a_finding() -> None:
    findings = answer_of(PIPELINE, 160, pinned=("m3",)).findings
    gap = next(finding for finding in findings if finding.code == "history_gap")
    assert ids("finding:HISTORY_GAP", Subject(ASSEMBLY, findings=findings)) == [
        ASSEMBLY.candidates.ids[row] for row in gap.rows
    ]
    assert ids("finding:history_gap") == ids("finding:no_such") == []


def test_names_pins_and_changes() -> None:
    assert set(ids("name:mara")) == {f"m{number}" for number in range(0, 30, 2)}
    assert ids("pinned:yes") == ["m3"]
    assert "m3" not in ids("pinned:no")
    assert ids("changed:yes") == [ASSEMBLY.candidates.ids[row] for row in np.flatnonzero(CHANGED)]
    assert ids("changed:yes", Subject(ASSEMBLY)) == []
    assert len(ids("changed:no", Subject(ASSEMBLY))) == len(ASSEMBLY.candidates)


def test_an_id_is_understood_in_any_form() -> None:
    assert ids("id:messages/m1") == ["m1"]


def test_every_word_of_an_action_matches_that_action() -> None:
    assembly = with_every_action()
    for action in Action:
        found = parse_filter(f"action:{word(action).upper()}").mask(Subject(assembly))
        assert found.tolist() == [number == action for number in assembly.action]


def test_what_is_not_known_matches_no_comparison() -> None:
    unknown = [row for row, score in enumerate(ASSEMBLY.score) if math.isnan(score)]
    assert unknown
    mask = parse_filter("score>=0").mask(SUBJECT) | parse_filter("score<0").mask(SUBJECT)
    assert not mask[unknown].any()


@pytest.mark.parametrize(
    ("line", "position", "expected"),
    [
        ("action:", 7, "kept, summarized, truncated, dropped or not_yet"),
        ("role:user action:drop", 17, "kept, summarized, truncated, dropped or not_yet"),
        ("colour:red", 0, "There is no field “colour”"),
        ("tokens>many", 7, "a number"),
        ("tokens>1,200", 8, "One value"),
        ("tokens>nan", 7, "a number"),
        ("role>user", 4, "has no order"),
        ("pinned:maybe", 7, "yes or no"),
        ('coral "reef', 6, "never closed"),
        ("coral -", 7, "expected after “-”"),
        ('id:m1"x"', 5, "space is expected"),
        ("id:m1,", 6, "the id of an item"),
    ],
)
def test_what_is_not_understood_names_the_place_and_what_was_expected(line: str, position: int, expected: str) -> None:
    with pytest.raises(FilterError, match=re.escape(expected)) as problem:
        parse_filter(line)
    assert problem.value.position == position


def test_marks_that_are_no_field_are_words() -> None:
    for line in ("12:04", ":)", "->", "c++", "|", "=>"):
        assert parse_filter(line).terms[0].name == "text"


def test_replacing_a_condition_leaves_the_rest_as_it_was() -> None:
    line = parse_filter('coral  action:kept role:user "a b"')
    assert line.replacing("action", "dropped") == 'action:dropped coral role:user "a b"'
    assert line.replacing("action", "") == 'coral role:user "a b"'
    assert line.single_value("action") == Action.KEPT
    assert parse_filter("action:kept,dropped").single_value("action") is None
    assert parse_filter("-action:kept").single_value("action") is None


COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    ":": operator.eq,
    "=": operator.eq,
}


def number_of(field: str, row: int) -> float:
    if field == "tokens":
        return float(ASSEMBLY.candidates.tokens[row])
    if field == "rank":
        return float(ASSEMBLY.rank[row]) if ASSEMBLY.rank[row] >= 0 else math.nan
    return float(getattr(ASSEMBLY, field)[row])


def plain_choice(field: str, row: int) -> str:
    if field == "action":
        return word(Action(int(ASSEMBLY.action[row])))
    if field == "section":
        return word(Section(int(ASSEMBLY.section[row])))
    if field == "reason":
        return ASSEMBLY.reason_of(row).code
    number = int(ASSEMBLY.candidates.role[row])
    return ROLES[number] if number < len(ROLES) else ""


numbers = st.builds(
    lambda field, sign, value: (
        f"{field}{sign}{value}",
        lambda row: COMPARE[sign](number_of(field, row), value),
    ),
    st.sampled_from(["tokens", "spent", "rank", "score"]),
    st.sampled_from(sorted(COMPARE)),
    st.one_of(st.integers(-2, 60), st.floats(0, 1).map(lambda value: round(value, 2))),
)
choices = st.sampled_from(
    [
        ("action", ["kept", "dropped", "truncated"]),
        ("section", ["memory", "history", "current"]),
        ("role", ["user", "assistant"]),
        ("reason", ["within_budget", "after_stop", "over_budget", "pinned", "unheard_of"]),
    ]
).flatmap(
    lambda field: st.lists(st.sampled_from(field[1]), min_size=1, max_size=3).map(
        lambda values: (f"{field[0]}:{','.join(values)}", lambda row: plain_choice(field[0], row) in values)
    )
)
phrases = st.text(st.sampled_from("abcREEF 珊ß海م<"), min_size=1, max_size=4).map(
    lambda phrase: (
        f'"{phrase}"',
        lambda row: phrase.casefold() in ASSEMBLY.candidates.texts[row].casefold(),
    )
)
terms = st.tuples(st.booleans(), st.one_of(numbers, choices, phrases))


@given(st.lists(terms, max_size=4))
def test_the_mask_is_what_a_plain_loop_finds(parts: list) -> None:
    line = " ".join(("-" if negated else "") + text for negated, (text, _) in parts)
    expected = [
        all(matches(row) != negated for negated, (_, matches) in parts) for row in range(len(ASSEMBLY.candidates))
    ]
    assert parse_filter(line).mask(SUBJECT).tolist() == expected


@given(st.text())
def test_any_line_is_understood_or_refused_at_a_place_in_it(line: str) -> None:
    understood, problem = read(line)
    if problem is not None:
        assert 0 <= problem.position <= len(line)
        assert str(problem).endswith(".")
    else:
        assert len(understood.mask(SUBJECT)) == len(ASSEMBLY.candidates)
        assert all(read(line[term.start : term.stop])[0].terms == (term,) for term in understood.terms)


def read(line: str) -> tuple[Filter, FilterError | None]:
    try:
        return parse_filter(line), None
    except FilterError as problem:
        return Filter(), problem


@given(st.lists(st.text(st.sampled_from("abß"), max_size=6)), st.lists(st.text(st.sampled_from("abSß"), max_size=3)))
def test_a_search_that_narrows_an_earlier_one_finds_the_same(texts: list[str], phrases: list[str]) -> None:
    searched = SearchableTexts(texts)
    for phrase in phrases:
        assert searched.holding(phrase).tolist() == [phrase.casefold() in text.casefold() for text in texts]


def test_a_remembered_search_reads_no_text_again() -> None:
    texts = SearchableTexts(["coral", "reef"])
    assert texts.holding("Coral") is texts.holding("cORAL")


def test_every_field_says_what_it_takes() -> None:
    assert all(field.takes for field in FIELDS.values())


def test_numbers_name_messages_and_other_items() -> None:
    assert ids("#3") == ids("number:3") == ["m2"]
    assert ids("#2..4") == ["m1", "m2", "m3"]
    assert ids("#2,M1 -#2") == ids("#m1") == [ASSEMBLY.candidates.ids[int(ASSEMBLY.candidates.rows(Kind.MEMORY)[0])]]
    assert ids("#99") == ids("#M99") == []
    assert ids("#coral") == []  # a word of a text that no text has
    assert "m0" in ids("-#3 coral")


def test_an_id_is_not_a_number() -> None:
    assert ids("id:m3") == ["m3"]
    assert ids("#4") == ["m3"]


@pytest.mark.parametrize("text", ["number:x", "number:0", "#0", "number:M1..4x", "number:3..M4"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(FilterError, match="number"):
        parse_filter(text)


def days() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, thing in zip(ASSEMBLY.candidates.ids, ASSEMBLY.candidates.things, strict=True):
        if time := getattr(thing, "time", None):
            found.setdefault(f"{time:%Y-%m-%d}", []).append(name)
    return found


def test_a_day_a_month_and_a_range_of_time() -> None:
    (first, of_first), *_ = sorted(days().items())
    last = max(days())
    everyone = [name for _, names in sorted(days().items()) for name in names]
    assert ids(f"when:{first}") == ids(first) == of_first
    assert ids(f"when:{first[:7]}..{last}") == ids(f"when>={first}") == ids("when:1990..2099") == everyone
    assert ids(f"when<{first}") == ids("when:1990-01") == []
    assert ids(f"when>{first}") == [name for name in everyone if name not in of_first]
    assert ids(f"when<={first}") == of_first
    assert ids(f"-when:{first} {first}") == []


def test_a_minute_of_a_day() -> None:
    row = int(ASSEMBLY.candidates.rows(Kind.MESSAGE)[4])
    time = getattr(ASSEMBLY.candidates.things[row], "time", None)
    assert ids(f"when:{time:%Y-%m-%dT%H:%M}") == [ASSEMBLY.candidates.ids[row]]


@pytest.mark.parametrize("text", ["when:yesterday", "when:2026-13-01", "when:2026-02-30", "when:"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(FilterError, match="2026-03-25"):
        parse_filter(text)
