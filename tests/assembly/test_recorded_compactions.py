"""The compactions that a file records: found in the files of several programs, and each message told by one of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import inspector
from inspector.assembly.items import ItemTexts
from inspector.assembly.recorded_compactions import recorded_compactions, recorded_compactions_sentence
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import pipeline_of
from inspector.formats.compaction import SUMMARY_MARK, recorded_actions
from inspector.model import Conversation, Message, Usage, Workspace, changed


def items_of(workspace: Workspace) -> ItemTexts:
    pipeline = pipeline_of(workspace)
    scenario = Scenario(policy="naive", tokenizer="estimate:words", conversation=workspace.conversations[0].id)
    return pipeline.scoped(pipeline.case(scenario)).items


def opened(folder: Path, files: dict[str, Any]) -> ItemTexts:
    folder.mkdir(exist_ok=True)
    for name, held in files.items():
        lines = held if name.endswith(".jsonl") else [held]
        (folder / name).write_text("\n".join(map(json.dumps, lines)))
    return items_of(inspector.load(folder))


def told_by(items: ItemTexts) -> list[tuple[int | None, str, list[int], int | None, int | None]]:
    """Each compaction with its message and those that it stands for, counted from 1."""
    first = items.first_message - 1
    return [
        (
            None if one.row is None else one.row - first,
            one.kind,
            [row - first for row in one.told.tolist()],
            one.before,
            one.after,
        )
        for one in recorded_compactions(items)
    ]


def claude(size: dict[str, Any]) -> list[dict[str, Any]]:
    """A session of Claude Code that is compacted once, with these sizes at the boundary."""
    said = {"sessionId": "s", "timestamp": "2026-01-01T10:00:00Z"}

    def spoken(name: str, parent: str | None, role: str, text: str, **more: Any) -> dict[str, Any]:
        message: dict[str, Any] = {"role": role, "content": text}
        if role == "assistant":
            usage = {"input_tokens": more.pop("tokens"), "output_tokens": 5}
            message |= {"id": f"msg-{name}", "model": "claude-opus-4", "usage": usage}
        return {"type": role, "uuid": name, "parentUuid": parent, "message": message, **said, **more}

    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "k", "parentUuid": None, **said}
    return [
        spoken("a", None, "user", "Fix the build."),
        spoken("b", "a", "assistant", "Fixed.", tokens=900),
        boundary | {"logicalParentUuid": "b", "compactMetadata": {"trigger": "auto", **size}},
        spoken("c", "k", "user", "This session goes on: the build is fixed.", isCompactSummary=True),
        spoken("d", "c", "user", "And the tests?"),
        spoken("e", "d", "assistant", "Green.", tokens=120),
    ]


CODEX = [
    {"timestamp": "2026-01-01T10:00:00Z", "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}},
    *(
        {
            "timestamp": "2026-01-01T10:00:01Z",
            "type": "response_item",
            "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": text}]},
        }
        for role, kind, text in (
            ("user", "input_text", "Fix it"),
            ("assistant", "output_text", "Fixed"),
            ("user", "input_text", "More"),
        )
    ),
    {
        "timestamp": "2026-01-01T10:00:02Z",
        "type": "compacted",
        "payload": {
            "message": "So far: fixed.",
            "replacement_history": [
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "More"}]}
            ],
        },
    },
]
ROO = [
    {"role": "user", "content": "Fix it", "ts": 1, "condenseParent": "k"},
    {"role": "assistant", "content": "Fixed", "ts": 2, "condenseParent": "k"},
    {"role": "user", "content": "Summary: fixed.", "ts": 3, "isSummary": True, "condenseId": "k"},
    {"role": "assistant", "content": "Next", "ts": 4, "truncationParent": "t"},
    {"role": "user", "content": "Cut", "ts": 5, "isTruncationMarker": True, "truncationId": "t"},
]
CLINE = [
    {"role": role, "content": [{"type": "text", "text": f"<task>{number}</task>"}], "ts": number}
    for number, role in enumerate(("user", "assistant", "user", "assistant", "user", "assistant"))
]
CUT = [{"ts": 2, "type": "say", "say": "api_req_started", "text": "{}", "conversationHistoryDeletedRange": [2, 3]}]


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"preTokens": 155_000}, (155_000, 120)),
        ({"preTokens": 155_000, "postTokens": 9_000}, (155_000, 9_000)),
        ({}, (900, 120)),
        ({"preTokens": 0}, (900, 120)),
        ({"preTokens": "many"}, (900, 120)),
    ],
)
def test_sizes_are_those_beside_the_summary_else_of_the_prompts_around_it(
    tmp_path: Path, sizes: dict[str, Any], expected: tuple[int, int]
) -> None:
    assert told_by(opened(tmp_path, {"s.jsonl": claude(sizes)})) == [(3, "compacted", [1, 2], *expected)]


def test_codex_sends_the_words_of_the_user_again(tmp_path: Path) -> None:
    assert told_by(opened(tmp_path, {"rollout.jsonl": CODEX})) == [(4, "compacted", [1, 2], None, None)]


def test_roo_names_its_summaries_and_its_cuts(tmp_path: Path) -> None:
    items = opened(tmp_path, {"api_conversation_history.json": ROO})
    assert told_by(items) == [(3, "compacted", [1, 2], None, None), (5, "truncated", [4], None, None)]
    said = recorded_compactions_sentence(items)
    assert said.endswith("shortened its list 2 times, the last with Message 5: 3 messages are not sent since.")


def test_the_cut_of_cline_has_no_message_and_so_no_time(tmp_path: Path) -> None:
    items = opened(tmp_path / "1", {"api_conversation_history.json": CLINE, "ui_messages.json": CUT})
    assert told_by(items) == [(None, "truncated", [3, 4], None, None)]
    assert recorded_compactions_sentence(items).endswith("shortened its list once: 2 messages are not sent since.")


def test_messages_left_out_for_reasons_of_their_own_are_no_compaction() -> None:
    kept, hidden = {"recorded": {"action": "kept"}}, {"recorded": {"action": "dropped", "reason": "hidden"}}
    chat = Conversation("c", (Message("a", "user", "Hi", metadata=kept), Message("b", "user", "Ho", metadata=hidden)))
    items = items_of(Workspace(conversations=(chat,)))
    assert (recorded_compactions(items), recorded_compactions_sentence(items)) == ((), "")


def summed_up(places: Sequence[bool], usages: Sequence[int]) -> Conversation:
    """A chat in which summaries stand at these places, each for all before it."""
    messages = [
        Message(f"m{n}", "user", "So far", metadata={SUMMARY_MARK: True})
        if is_summary
        else Message(f"m{n}", "assistant" if n % 2 else "user", "w", metadata=Usage(usage, answer=1).metadata)
        for n, (is_summary, usage) in enumerate(zip(places, usages, strict=False))
    ]
    actions = recorded_actions(messages)
    told = [changed(one, metadata={**one.metadata, **actions.get(one.id, {})}) for one in messages]
    return Conversation("c", tuple(told))


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.lists(st.integers(1, 999), min_size=30, max_size=30))
def test_each_summary_is_a_compaction_and_each_message_before_the_last_is_told_by_one(
    places: list[bool], usages: list[int]
) -> None:
    items = items_of(Workspace(conversations=(summed_up(places, usages),)))
    found = told_by(items)
    summaries = [place for place, is_summary in enumerate(places, 1) if is_summary]
    assert [one[0] for one in found] == summaries
    assert sorted(row for one in found for row in one[2]) == list(range(1, max(summaries, default=1)))
    assert all(max(told, default=0) < place for place, _, told, _, _ in found if place is not None)
    answers = {n + 1: usages[n] for n, is_summary in enumerate(places) if n % 2 and not is_summary}
    for before, place, end in zip([0, *summaries], summaries, [*summaries[1:], 99], strict=False):
        (sizes,) = [one[3:] for one in found if one[0] == place]
        earlier = [tokens for at, tokens in answers.items() if before < at < place]
        later = [tokens for at, tokens in answers.items() if place < at < end]
        assert sizes == (earlier[-1] if earlier else None, later[0] if later else None)
