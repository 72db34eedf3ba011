"""Sentences end where a reader would end them, in any script."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.summaries.sentences import sentences


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("Dr. Berg came. She sat.", ["Dr. Berg came.", "She sat."]),
        ("J. Berg came, i.e. Anna. She sat.", ["J. Berg came, i.e. Anna.", "She sat."]),
        ("Wait... what is that... Oh.", ["Wait... what is that...", "Oh."]),
        ("It costs 3.50 at example.org today. Good.", ["It costs 3.50 at example.org today.", "Good."]),
        ("first line\nsecond line\n\n- third", ["first line", "second line", "- third"]),
        ("1. First\n2. Second. Third", ["1. First", "2. Second.", "Third"]),
        ("今天天气很好。我们去公园吧！「好的。」他说", ["今天天气很好。", "我们去公园吧！", "「好的。」", "他说"]),
        ("هل أنت هنا؟ نعم. أنا هنا", ["هل أنت هنا؟", "نعم.", "أنا هنا"]),
        ("यह एक है। यह दो है।", ["यह एक है।", "यह दो है।"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_where_sentences_end(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_a_block_of_code_is_one_sentence() -> None:
    block = "```python\nx = 1. \n\nprint(x)!\n```"
    assert parts(f"Look. Here:\n{block}\nDone. Good.") == ["Look.", "Here:", block, "Done.", "Good."]


def test_a_block_that_is_never_closed_goes_to_the_end() -> None:
    assert parts("Look:\n~~~\na. b.\nc. d.") == ["Look:", "~~~\na. b.\nc. d."]


@given(st.text(alphabet=st.sampled_from('aB1 .!?…。！\n`~"”」')))
def test_sentences_hold_everything_but_white_space_in_order(text: str) -> None:
    found = sentences(text)
    assert "".join("".join(parts(text)).split()) == "".join(text.split())
    assert all(start < end for start, end in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


def test_a_very_long_run_of_signs_ends_at_once() -> None:
    text = "?" * 300_000
    assert [(one.start, one.end) for one in sentences(f"{text}table")] == [(0, 300_005)]
    assert len(sentences(f"{text} table")) == 2
