"""Rules for filler and key moments, each expectation with its reason, and the reader that remembers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.retrieval.message_classes import FILLERS, MOST_CODE_POINTS, MessageReader, is_filler, key_moment_signs


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("We've decided to sail north.", "a decision"),
        ("OK, let's go with the blue one", "a decision"),
        ("I promise, nobody will know.", "a promise"),
        ("I’ll never leave you", "a promise"),  # a typographic apostrophe
        ("Please remember that I cannot eat nuts", "something to remember"),
        ("From now on speak French with me", "something to remember"),
        ("my name is Mara", "who somebody is"),
        ("I'm allergic to shellfish", "who somebody is"),
        ("My grandmother passed away", "a turn in a life"),
        ("they got married!", "a turn in a life"),
        ("See you on 5 March", "a date"),
        ("2026年3月5日に会いましょう", "a date"),  # facts are read in any script
        ("Treffen um 15:30", "a time"),
        ("It was $40 in the end", "an amount of money"),
        ("write to mara@example.org", "an e-mail address"),
        ("the order is 48213", "a number"),  # three figures or more
        ("yesterday I met Marie Curie there", "a full name"),
    ],
)
def test_key_moments_say_what_makes_them_one(text: str, why: str) -> None:
    signs = dict(key_moment_signs(text))
    assert why in signs
    assert signs[why] in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The weather is nice.",
        "Do you remember that day?",  # a question about the past asks nobody to remember
        "I remember my first boat",  # nor does a recollection
        "We had 12 boats",  # a number of two figures is in too many messages
        "About 50 % of it",  # a percentage is not money
        "See you Monday",  # a day of the week alone passes
        "Hello Mara, how are you?",  # a single name is in nearly every message
        "I AM SO HAPPY",  # capitals throughout are shouted, and no name
        "undecided weather",  # only whole words count
        "I swear like a sailor",
    ],
)
def test_small_talk_is_no_key_moment(text: str) -> None:
    assert list(key_moment_signs(text)) == []


def test_facts_of_a_long_text_make_no_moment_and_neither_does_what_is_said_far_down() -> None:
    long = "Some words of an answer that goes on. " * 20
    assert len(long) > MOST_CODE_POINTS
    assert list(key_moment_signs(f"Meet on 5 March. {long}")) == []
    assert list(key_moment_signs(f"{long} I promise.")) == []
    assert dict(key_moment_signs(f"I promise. {long}")) == {"a promise": "I promise"}


@pytest.mark.parametrize("text", [*FILLERS, "OK", "Thank you.", "  yes \n", "Got it."])
def test_fillers_are_those_of_the_rule(text: str) -> None:
    assert is_filler(text)


@pytest.mark.parametrize("text", ["", ".", "ok..", "ok!", "thanks a lot", "no way", "okay then."])
def test_one_final_full_stop_is_allowed_and_nothing_else(text: str) -> None:
    assert not is_filler(text)


@given(st.text(max_size=80))
def test_any_text_can_be_read_and_is_read_the_same_twice(text: str) -> None:
    reader = MessageReader()
    assert reader.unread([text, text]) == [text]
    first = reader.read(text)
    assert first.emotional_weight is None or 0 <= first.emotional_weight <= 1
    assert reader.unread([text]) == []
    assert MessageReader().read(text) == first


def test_reading_all_tells_how_far_it_is() -> None:
    reader, texts = MessageReader(), [f"text {number}" for number in range(450)]
    assert list(reader.read_all(texts)) == [200, 400, 450]
    assert reader.unread(texts) == []
    assert list(reader.read_all([])) == []
