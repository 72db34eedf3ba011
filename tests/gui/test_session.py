"""The session: estimates until texts are counted, one undo step a gesture, the last good answer after a refusal."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from inspector.assembly import edits
from inspector.assembly.edits import set_parameters, set_value, use_window
from inspector.assembly.scenario import Scenario
from inspector.gui.session import Session
from inspector.model import Conversation, Message, Problem, Workspace


def chat(messages: int) -> Workspace:
    roles = ("user", "assistant")
    said = tuple(Message(f"m{n}", roles[n % 2], f"message {n} " + "word " * (n % 17)) for n in range(messages))  # type: ignore[arg-type]
    return Workspace(conversations=(Conversation("c", said),))


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    yield made
    made.close()
    made.deleteLater()


def test_estimates_are_marked_until_everything_is_counted(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(40), Scenario(context_window=2000))
    assert session.assembly is not None
    assert not session.assembly.candidates.exact.any()
    assert "estimated_counts" in [finding.code for finding in session.answer.findings]  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.assembly.candidates.exact.all()
    assert session.answer.ledger.residual == 0  # type: ignore[union-attr]
    assert "estimated_counts" not in [finding.code for finding in session.answer.findings]  # type: ignore[union-attr]


def test_a_gesture_is_one_step_and_single_steps_are_their_own(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    for share in (0.31, 0.32, 0.33):
        session.drag("drag 1", set_parameters, {"memory_share": share}, f"Memory share {share}")
    session.drag("drag 2", set_parameters, {"memory_share": 0.34}, "Other drag")
    session.edit(use_window, 999)
    session.edit(use_window, 998)
    assert session.undo_stack.count() == 4
    assert session.undo_stack.text(0) == "Memory share 0.33"
    session.undo_stack.setIndex(1)
    assert session.scenario.parameters == {"memory_share": 0.33}
    session.undo_stack.undo()
    assert session.scenario.parameters == {}


def test_a_gesture_back_to_its_start_leaves_no_step(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    session.drag("drag", use_window, 900)
    session.drag("drag", use_window, None)
    assert session.undo_stack.count() == 0


@pytest.mark.parametrize(
    "terms",
    [
        (edits.set_value, "preset", "document"),
        (edits.use_policy, "ratio"),
        (edits.use_policy, "ratio", "document"),
        (edits.set_draft, ""),
        (edits.reset_parameters,),
        (edits.toggle_pins, ()),
    ],
)
@pytest.mark.parametrize("start", [Scenario(), Scenario(policy="ratio", preset="document")])
def test_choosing_what_is_in_use_leaves_no_step(session: Session, terms: tuple[Any, ...], start: Scenario) -> None:
    session.show_workspace(chat(6), start)
    verb, *rest = terms
    session.edit(verb, *rest)
    assert session.undo_stack.count() == 0
    assert session.scenario == start


def test_choosing_the_preset_in_use_keeps_what_was_tuned(session: Session) -> None:
    session.show_workspace(chat(6), Scenario(parameters={"memory_share": 0.3}))
    session.edit(set_value, "preset", "document")
    assert session.undo_stack.count() == 0
    assert session.scenario.parameters == {"memory_share": 0.3}


def test_a_refused_scenario_keeps_the_last_answer_and_says_why(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(6))
    good = session.answer
    session.edit(lambda scenario: edits.Edit("Wrong", replace(scenario, conversation="nowhere")))
    session.flush()
    assert session.answer is good
    assert "nowhere" in session.trouble
    session.undo_stack.undo()
    session.flush()
    assert session.trouble == ""
    qtbot.waitUntil(lambda: session.is_ready)


def test_cancelled_counting_leaves_marked_estimates(session: Session, qtbot: QtBot) -> None:
    session.show_workspace(chat(30_000), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.tasks.is_running("count"))
    session.cancel_work()
    assert not session.tasks.is_running("count")
    assert session.assembly is not None
    assert not session.assembly.candidates.exact.all()


def test_opening_what_is_not_there_reports_and_stays_usable(session: Session, qtbot: QtBot, tmp_path) -> None:
    session.open([str(tmp_path / "missing.json")])
    qtbot.waitUntil(lambda: session.is_ready)
    problems: tuple[Problem, ...] = session.workspace.problems
    assert [problem.severity for problem in problems] == ["error"]
    assert session.answer is not None
    assert len(session.answer.assembly.candidates) == 0


def test_nothing_starts_any_more_once_a_session_is_closed(session: Session) -> None:
    """An assembly that waited for the end of its frame would count on a worker, which outlives the session."""
    session.show_workspace(chat(6))
    session.edit(edits.use_window, 900)
    assert not session.is_ready
    session.close()
    assert session.is_ready


def test_a_damaged_cache_is_said_once_when_nothing_more_is_to_come(session: Session, qtbot: QtBot) -> None:
    session.cache.path.parent.mkdir(parents=True)
    session.cache.path.write_bytes(b"this is not a database, it is a text" * 100)
    said: list[Problem] = []
    session.problem_reported.connect(said.append)
    session.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: session.is_ready)
    session.edit(use_window, 1500)
    qtbot.waitUntil(lambda: session.is_ready)
    assert [problem.message for problem in said] == [session.cache.trouble]
    assert "was corrupt" in session.cache.trouble
    assert session.assembly is not None
    assert session.assembly.candidates.exact.all()
