"""What a file records of the fate of messages, beside what is assembled."""

from typing import Any

from inspector.assembly.columns import Action
from inspector.assembly.recorded import Recorded, compare_recorded, recorded_of, recorded_sentence
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for, pipeline_of
from inspector.model import Conversation, Message, Workspace

_RECORDED: tuple[Any, ...] = (
    {"action": "dropped", "reason": "hidden"},
    {"action": "summarized", "by": "m4"},
    None,
    {"action": "kept"},
    "kept",
)


def message(number: int, recorded: Any) -> Message:
    metadata = {} if recorded is None else {"recorded": recorded}
    return Message(f"m{number}", "user", "one two three four", metadata=metadata)


def test_each_message_of_which_something_is_recorded_stands_beside_what_is_done_here() -> None:
    messages = tuple(message(number, recorded) for number, recorded in enumerate(_RECORDED))
    workspace = Workspace(conversations=(Conversation("c", messages),))
    scenario = Scenario(policy="naive", tokenizer="estimate:words", context_window=1_000)
    comparison = compare_recorded(answer_for(pipeline_of(workspace), scenario, cached=False).assembly)
    ids = [comparison.assembly.candidates.ids[row] for row in comparison.rows.tolist()]
    assert ids == ["m0", "m1", "m3", "m4"]
    assert comparison.recorded.tolist() == [Recorded.DROPPED, Recorded.SUMMARIZED, Recorded.KEPT, Recorded.KEPT]
    assert set(comparison.assembly.action[comparison.rows].tolist()) == {Action.KEPT}
    assert comparison.differs.tolist() == [True, True, False, False]
    assert comparison.recorded_total < comparison.total
    assert comparison.sentence.startswith("2 of 4 recorded messages fare the same here")


def test_what_a_file_may_say_of_it_is_anything() -> None:
    for odd in ({}, {"action": None}, {"action": ["kept"]}, {"action": "eaten"}, 5, ["kept"], "", True):
        assert recorded_of(message(0, odd)) is Recorded.NOTHING
        assert isinstance(recorded_sentence(message(0, odd)), str)
    assert recorded_sentence(message(0, _RECORDED[1])).endswith("summarized, by m4.")
    assert recorded_sentence(message(0, _RECORDED[0])).endswith("dropped (hidden).")
    assert recorded_sentence(object()) == ""


def test_a_conversation_that_records_nothing_has_no_rows() -> None:
    workspace = Workspace(conversations=(Conversation("c", (message(0, None),)),))
    answer = answer_for(pipeline_of(workspace), Scenario(policy="naive", tokenizer="estimate:words"), cached=False)
    comparison = compare_recorded(answer.assembly)
    assert len(comparison) == 0
    assert "has no record" in comparison.sentence


def test_groups_and_shares_add_up_to_the_totals() -> None:
    recorded = (*_RECORDED, {"action": "kept"}, {"action": "dropped"})
    messages = tuple(message(number, note) for number, note in enumerate(recorded))
    workspace = Workspace(conversations=(Conversation("c", messages),))
    for window in (1_000, 40, 20):
        scenario = Scenario(policy="naive", tokenizer="estimate:words", context_window=window, excluded=("m3",), at=6)
        comparison = compare_recorded(answer_for(pipeline_of(workspace), scenario, cached=False).assembly)
        assert sorted(place for group in comparison.groups for place in group.places.tolist()) == list(range(6))
        for parts in (comparison.groups, comparison.shares):
            assert sum(part.recorded_tokens for part in parts) == comparison.recorded_total
            assert sum(part.tokens for part in parts) == comparison.total
        assert sum(share.messages for share in comparison.shares) == len(comparison)
        shares = {share.share: share for share in comparison.shares}
        assert shares["not yet"].messages == 1
        assert shares["only recorded"].recorded_tokens > 0
        assert shares["only recorded"].tokens == 0
