"""Replay as it was then: what was made later than the turn does not exist, and neither does the draft."""

from datetime import UTC, datetime, timedelta
from typing import Any

from building import answer_to, decisions

from inspector.assembly.columns import Fate
from inspector.model import (
    Attachment,
    Conversation,
    Memory,
    MemorySet,
    Message,
    Passage,
    PastSummary,
    Workspace,
    changed,
)

START = datetime(2024, 5, 1, 9, tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


def talk(count: int = 4) -> tuple[Message, ...]:
    """A message a day, the user's on even ones."""
    roles: Any = ("user", "assistant")
    return tuple(Message(f"m{n}", roles[n % 2], f"said{n}", time=day(n)) for n in range(count))


def workspace(*memories: Memory, **lists: Any) -> Workspace:
    return Workspace((Conversation("c", talk()),), memory_sets=(MemorySet("s", memories),), **lists)


def later(found: Workspace, at: int | None, **scenario: Any) -> set[str]:
    """What does not exist yet, in a window that holds all there is."""
    return {
        name for name, one in decisions(answer_to(found, at=at, as_of=True, **scenario)).items() if "not_yet" in one
    }


def test_what_is_dated_later_than_the_newest_message_is_not_there_yet() -> None:
    found = workspace(
        *(Memory(f"k{number}", "w", time=day(number)) for number in (1, 1.5, 3)),
        passages=tuple(Passage(f"p{number}", "w", "document", time=day(number)) for number in (1, 2)),
    )
    assert later(found, 2) == {"m2", "m3", "k1.5", "k3", "p2"}
    assert later(found, 99) == set()
    assert later(found, None) == set()


def test_without_as_of_only_messages_are_later() -> None:
    found = workspace(Memory("k", "w", time=day(9)))
    answer = answer_to(found, at=2, draft="next")
    assert {name for name, one in decisions(answer).items() if one[2] == "not_yet"} == {"m2", "m3"}


def test_a_memory_is_no_older_than_the_newest_message_that_it_cites() -> None:
    found = workspace(
        Memory("old", "w", source_messages=("m0", "m1")),
        Memory("new", "w", source_messages=("m0", "m3")),
        Memory("dated", "w", time=day(0), source_messages=("m3",)),
        Memory("late", "w", time=day(3), source_messages=("m0",)),
        Memory("unknown", "w", source_messages=("elsewhere",)),
        Memory("plain", "w"),
    )
    assert later(found, 2) == {"m2", "m3", "new", "dated", "late"}
    assert later(found, 0) >= {"old", "new", "dated", "late"}


def test_a_summary_is_there_once_what_it_tells_of_was_said() -> None:
    told = (
        PastSummary("of session 1", "w", time=day(1)),
        PastSummary("of session 2", "w", time=day(3)),
        PastSummary("of m0 to m2", "w", source_messages=("m0", "m2")),
        PastSummary("of another chat", "w"),
    )
    found = workspace(summaries=told)
    assert later(found, 2) == {"m2", "m3", "of session 2", "of m0 to m2"}
    assert later(found, 3) == {"m3", "of session 2"}
    assert later(found, 4) == set()


def test_a_file_that_was_quoted_into_a_later_message_is_not_there_yet() -> None:
    files = tuple(Attachment(f"m{number}/a.txt", "w", f"m{number}") for number in (0, 2))
    found = workspace(attachments=(*files, Attachment("b.txt", "w")))
    for as_of in (True, False):
        answer = answer_to(found, at=2, as_of=as_of)
        named = {name for name, one in decisions(answer).items() if one[2] == "not_yet"}
        assert named == {"m2", "m3", "m2/a.txt"}


def test_messages_without_times_leave_it_to_what_is_cited() -> None:
    plain = tuple(changed(message, time=None) for message in talk())
    found = changed(workspace(Memory("k", "w", time=day(9)), Memory("l", "w", source_messages=("m3",))))
    assert later(changed(found, conversations=(Conversation("c", plain),)), 2) == {"m2", "m3", "l"}


def test_the_draft_does_not_exist_and_the_question_is_that_of_the_turn() -> None:
    answer = answer_to(workspace(), at=3, as_of=True, draft="and next")
    assert decisions(answer)["draft"] == ("dropped", 0, "not_yet")
    assert answer.assembly.candidates.query == "said2"
    assert decisions(answer)["m2"][0] == "kept"


def test_the_clock_is_the_time_of_the_turn_whatever_else_is_said() -> None:
    answer = answer_to(workspace(), at=2, as_of=True, now="2030-01-01T00:00:00Z")
    assert answer.assembly.candidates.now == day(1).timestamp()


def test_a_pinned_memory_that_is_made_later_is_not_there_either() -> None:
    assert "k" in later(workspace(Memory("k", "w", time=day(3))), 1, pinned=("k",))


def test_what_does_not_exist_yet_is_no_drop() -> None:
    assembly = answer_to(workspace(Memory("k", "w", time=day(3))), at=2, as_of=True).assembly
    assert assembly.fate_counts[Fate.NOT_YET] == 3
    assert assembly.fate_counts.tolist() == [2, 0, 0, 0, 3]
    assert assembly.fate_counts.sum() == len(assembly.candidates)
