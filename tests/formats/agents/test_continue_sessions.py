"""Sessions of Continue: what was sent with a turn, what replaced earlier turns, and what older versions wrote."""

import json
from typing import Any

import pytest

from inspector.formats.opening import load_unnamed
from inspector.model import Workspace
from tests.formats.agents.agent_examples import ANSWERED, ASKED, CONTINUE

HISTORY: list[dict[str, Any]] = CONTINUE["history"]


def session(*items: Any, **more: Any) -> Workspace:
    return load_unnamed(json.dumps({**CONTINUE, **more, "history": list(items)}).encode(), "s.json").workspace


def said(workspace: Workspace) -> list[tuple[str, str]]:
    return [(one.role, one.content) for one in workspace.conversations[0].messages]


def warnings_of(workspace: Workspace) -> list[str]:
    return [one.message for one in workspace.problems if one.severity != "info"]


def test_context_items_go_before_the_text_of_the_user() -> None:
    item = {"id": {"providerTitle": "file"}, "name": "a.txt", "description": "a", "content": "Paris is in France."}
    workspace = session({**HISTORY[0], "contextItems": [item]}, *HISTORY[1:])
    assert said(workspace)[0] == ("user", f"Paris is in France.\n\n{ASKED}")
    assert warnings_of(workspace) == []


def test_a_summary_replaces_all_up_to_its_turn() -> None:
    items = [*HISTORY[:3], {**HISTORY[3], "conversationSummary": "A capital was asked for."}, HISTORY[0]]
    messages = session(*items).conversations[0].messages
    actions = [(one.metadata.get("recorded") or {}).get("action") for one in messages]
    assert actions[:4] == ["summarized"] * 4
    assert messages[4].content == "Previous conversation summary:\n\n A capital was asked for."
    assert actions[5] != "summarized"


def test_results_of_older_sessions_are_messages_of_their_own() -> None:
    plain = {key: value for key, value in HISTORY[2].items() if key != "toolCallStates"}
    tool = {"message": {"role": "tool", "content": "Paris", "toolCallId": "c1"}, "contextItems": []}
    older = session(*HISTORY[:2], plain, tool, HISTORY[3])
    assert said(older) == said(session(*HISTORY))
    assert said(session(*HISTORY[:3], tool, HISTORY[3])) == said(older)


def test_thoughts_stand_before_an_answer_or_alone() -> None:
    told = {**HISTORY[3], "reasoning": {"active": False, "text": "It is Paris.", "startAt": 1}}
    assert session(HISTORY[0], told).conversations[0].messages[1].thinking == "It is Paris."
    assert session(*HISTORY[:2]).conversations[0].messages[1].thinking == "Look it up."


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"message": {"role": "narrator", "content": "x"}}, "expected the role of a message, found narrator"),
        ({"message": {"role": "tool", "toolCallId": "c9"}}, "expected the text of a result, found none"),
        ({"message": {"role": "user"}}, "expected text or a list of parts, found nothing"),
    ],
)
def test_what_is_not_read_is_named(item: Any, words: str) -> None:
    workspace = session(*HISTORY, item)
    assert any(words in one for one in warnings_of(workspace))
    assert ("assistant", ANSWERED) in said(workspace)


def test_sessions_of_kiro_without_a_title_open() -> None:
    kept = {key: value for key, value in CONTINUE.items() if key in ("workspaceDirectory", "history")}
    workspace = load_unnamed(json.dumps(kept).encode(), "s.json").workspace
    assert [one.format for one in workspace.sources] == ["continue"]
