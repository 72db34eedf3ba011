"""Text diffs: moved, changed, added and gone are told apart, whatever stands in the texts, within a bounded work."""

import pytest
from building import answer_to, chat, memories, workspace
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.assembly.decisions import Assembly
from inspector.assembly.text_diff import LineDiff, MessageDiff, _longest_rising, diff_text, line_diff, text_diff
from inspector.model import Message


def assembly(*messages: Message, **scenario: object) -> Assembly:
    return answer_to(workspace(messages), policy="naive", context_window=100_000, **scenario).assembly


def said(number: int, text: str) -> Message:
    return Message(f"m{number}", "assistant" if number % 2 else "user", text)


def kinds(diff: tuple[MessageDiff, ...]) -> list[tuple[str, bool]]:
    return [(message.kind, message.is_moved) for message in diff]


def joined(lines: tuple[LineDiff, ...], side: str) -> str:
    found = [getattr(line, side) for line in lines]
    return "\n".join("".join(span.text for span in spans) for spans in found if spans)


def test_the_same_prompt_has_no_difference() -> None:
    one = assembly(said(0, "hello"), said(1, "hi"))
    assert {message.kind for message in text_diff(one, one)} == {"same"}
    assert diff_text(text_diff(one, one)) == "The prompts are the same text."


def test_what_is_dropped_added_and_changed_is_told_apart() -> None:
    before = assembly(said(0, "first"), said(1, "the cat sat here"), said(2, "last"))
    after = assembly(said(1, "the dog sat here"), said(2, "last"), said(3, "new"))
    diff = text_diff(before, after)
    found = {message.ids[0]: message.kind for message in diff if message.ids[0].startswith("m")}
    assert found == {"m0": "removed", "m1": "changed", "m2": "same", "m3": "added"}
    text = diff_text(diff)
    assert "- │ the [-cat-] sat here" in text
    assert "+ │ the {+dog+} sat here" in text


def test_a_message_that_moved_is_no_message_that_changed() -> None:
    before = assembly(said(0, "a"), said(1, "b"), said(2, "c"), said(4, "d"))
    after = assembly(said(2, "c"), said(0, "a"), said(1, "b"), said(4, "d and more"))
    diff = [message for message in text_diff(before, after) if message.ids[0].startswith("m")]
    assert [(one.ids[0], one.kind, one.is_moved) for one in diff] == [
        ("m2", "same", True),
        ("m0", "same", False),
        ("m1", "same", False),
        ("m4", "changed", False),
    ]


def test_a_line_that_moved_within_a_message_is_told_of_as_such() -> None:
    lines = line_diff("one\ntwo\nthree\nfour", "two\nthree\nfour\none")
    assert [line.kind for line in lines] == ["moved", "same", "same", "same", "moved"]


def test_a_list_mark_at_the_beginning_of_a_line_is_no_second_sign() -> None:
    before = assembly(said(0, "Buy:\n- tea\nmilk\n+ salt"))
    after = assembly(said(0, "Buy:\n- tea\n- bread"))
    lines = diff_text(text_diff(before, after)).split("\n")
    assert lines[-4:] == ["    │ - tea", "  - │ milk", "  + │ - bread", "  - │ + salt"]


def test_other_memories_are_lines_of_one_system_message() -> None:
    found = workspace(chat(9, 4), memories(5, 8))
    before = answer_to(found, context_window=4_000).assembly
    after = answer_to(found, context_window=4_000, excluded=("k1",)).assembly
    changed = [message for message in text_diff(before, after) if message.kind != "same"]
    assert [message.kind for message in changed] == ["changed"]
    assert {line.kind for line in changed[0].lines} <= {"same", "removed"}


def test_words_are_marked_only_in_lines_that_have_some_in_common() -> None:
    (cut,) = line_diff("the tide turns at nine and the boats go out with it", "the tide turns…")
    assert [span.is_marked for span in cut.before] == [False, True]
    (changed,) = line_diff("High water on Saturday is at 09:12.", "High water on Sunday is at 10:03.")
    assert [span.text for span in changed.before if span.is_marked] == ["Saturday", "09", "12"]
    (other,) = line_diff("High water on Saturday is at 09:12.", "After the storm he looked at her.")
    assert other.kind == "changed"
    assert [(span.text, span.is_marked) for span in (*other.before, *other.after)] == [
        ("High water on Saturday is at 09:12.", True),
        ("After the storm he looked at her.", True),
    ]


@given(before=st.text("ab \n", max_size=60), after=st.text("ab \n", max_size=60))
@example(before="a\na", after="a")
def test_both_texts_are_in_their_diff(before: str, after: str) -> None:
    lines = line_diff(before, after)
    removed = sorted(line for line in joined(lines, "before").split("\n") if line)
    assert removed == sorted(line for line in before.split("\n") if line)
    added = sorted(line for line in joined(lines, "after").split("\n") if line)
    assert added == sorted(line for line in after.split("\n") if line)


@pytest.mark.parametrize("texts", [("x\n" * 50_000, "y\n" * 50_000), ("a " * 200_000, "b " * 200_000)])
def test_long_texts_that_share_nothing_are_replaced_and_not_searched(texts: tuple[str, str]) -> None:
    lines = line_diff(*texts)
    assert any(line.kind in ("changed", "removed") for line in lines)


def test_many_messages_that_all_differ_are_within_the_bound() -> None:
    before = assembly(*(said(number, f"was {number} " * 30) for number in range(2_000)))
    after = assembly(*(said(number, f"now {number} " * 30) for number in range(2_000)))
    assert sum(message.kind == "changed" for message in text_diff(before, after)) == 2_000


def test_the_numbers_that_stay_are_the_most_that_rise() -> None:
    assert _longest_rising([3, 0, 1, 2]) == {0, 1, 2}
    assert _longest_rising([]) == set()
