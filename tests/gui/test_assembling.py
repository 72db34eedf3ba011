"""An assembly of very many candidates is made off the window's thread: the newest scenario wins, nothing is mixed."""

from collections.abc import Callable, Iterator
from threading import Event, current_thread, main_thread

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.candidates import Candidates
from inspector.assembly.case import Case
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import set_value, use_window
from inspector.assembly.marks import toggle_must_survive
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.gui.files import opening
from inspector.gui.main_window import MainWindow
from inspector.gui.session import assembling
from inspector.gui.session.session import Session
from inspector.model import Conversation, Message, Workspace


def chat(messages: int, start: str = "m") -> Workspace:
    """A chat of so many messages."""
    said = tuple(Message(f"{start}{number}", "user", f"word {number} of it") for number in range(messages))
    return Workspace(conversations=(Conversation("c", said),))


class Gate:
    """Lets a decision on a worker begin only when it is open; says by which windows workers have decided."""

    def __init__(self) -> None:
        self.is_open, self.windows, self.on_this_thread = Event(), list[int](), list[int]()

    def decide(self, pipeline: Pipeline, case: Case, candidates: Candidates) -> Assembly:
        window = case.model.window.tokens
        if current_thread() is main_thread():
            self.on_this_thread.append(window)
        else:
            self.windows.append(window)
            assert self.is_open.wait(20)
        return _decide(pipeline, case, candidates)


_decide = Pipeline.decide


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """Every chat here is one of very many candidates."""
    made = Gate()
    monkeypatch.setattr(assembling, "MOST_AT_ONCE", 30)
    monkeypatch.setattr(assembling, "MOST_RENEWED_AT_ONCE", 30)
    monkeypatch.setattr(Pipeline, "decide", lambda *terms: made.decide(*terms))
    made.is_open.set()
    yield made
    made.is_open.set()


@pytest.fixture
def session(gate: Gate, qtbot: QtBot) -> Iterator[Session]:
    made = Session()
    made.show_workspace(chat(40), Scenario(context_window=2000))
    qtbot.waitUntil(lambda: made.is_ready)
    gate.is_open.clear()
    gate.windows.clear()
    gate.on_this_thread.clear()
    yield made
    gate.is_open.set()
    made.close()
    made.deleteLater()


def window_of(session: Session) -> int:
    """The context window that the shown figures are made with."""
    assert session.answer is not None
    assert session.answer.assembly.budget.context_window == session.answer.scenario.context_window
    return session.answer.assembly.budget.context_window


def test_edits_do_not_wait_and_the_newest_wins(session: Session, gate: Gate, qtbot: QtBot) -> None:
    shown: list[int] = []
    session.assembly_changed.connect(lambda *_: shown.append(window_of(session)))
    for window in (900, 800, 700, 600):
        session.drag("drag", use_window, window)
        qtbot.wait(20)  # longer than a frame
        assert not session.is_ready
    assert (window_of(session), shown) == (2000, [])
    gate.is_open.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert gate.windows[:2] == [900, 600], "what was made meanwhile was the first, and then the last"
    assert list(dict.fromkeys(shown)) == [900, 600]
    assert gate.on_this_thread == []
    assert session.answer is not None
    assert session.answer.scenario == session.scenario
    assert session.answer.ledger.residual == 0


def test_what_has_to_be_current_is_made_at_once(session: Session, gate: Gate, qtbot: QtBot) -> None:
    session.edit(use_window, 900)
    qtbot.waitUntil(lambda: gate.windows == [900])
    session.edit(use_window, 800)
    session.flush()
    assert window_of(session) == 800
    gate.is_open.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert window_of(session) == 800


def test_what_is_pinned_is_what_is_set(session: Session, gate: Gate, qtbot: QtBot) -> None:
    session.edit(use_window, 900)
    qtbot.waitUntil(lambda: gate.windows == [900])
    session.pin_baseline()
    assert session.baseline is not None
    assert session.baseline.budget.context_window == 900


def test_cancelling_work_leaves_no_figures_of_another_scenario(session: Session, gate: Gate, qtbot: QtBot) -> None:
    session.edit(use_window, 900)
    qtbot.waitUntil(lambda: gate.windows == [900])
    session.cancel_work()
    gate.is_open.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert window_of(session) == 900


def test_what_is_opened_meanwhile_is_what_is_shown(session: Session, gate: Gate, qtbot: QtBot) -> None:
    session.edit(use_window, 900)
    qtbot.waitUntil(lambda: gate.windows == [900])
    session.show_workspace(chat(35, "other"), Scenario(context_window=700))
    gate.is_open.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert window_of(session) == 700
    assert session.assembly is not None
    assert "other3" in "".join(session.assembly.candidates.ids)


def test_nothing_is_measured_for_what_is_behind(session: Session, gate: Gate, qtbot: QtBot) -> None:
    behind = session.answer
    assert behind is not None
    session.edit(use_window, 900)
    qtbot.waitUntil(lambda: gate.windows == [900])
    assert session.is_stale
    assert not session.shows(behind)
    assert session.shown == ()
    session.take_measured(behind, behind.ledger)
    assert session.answer is behind


def test_marks_that_come_too_late_for_what_is_being_made_are_heeded(
    session: Session, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def hold(*_: object) -> None:
        made.append(len(gate.windows))
        assert held.wait(20)

    held = Event()
    monkeypatch.setattr(opening, "_ask_of_every_row", hold)  # its findings are there by then
    gate.is_open.set()
    session.edit(use_window, 60)
    qtbot.waitUntil(lambda: made == [1])
    assert session.assembly is not None
    session.mark(toggle_must_survive, session.assembly.candidates.items, [0], session.workspace)
    held.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert "must_survive_dropped" in [finding.code for finding in session.answer.findings]


def test_a_scenario_that_is_refused_leaves_the_last_good_figures(session: Session, gate: Gate, qtbot: QtBot) -> None:
    gate.is_open.set()
    session.edit(set_value, "tokenizer", "no:such")
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.trouble
    assert window_of(session) == 2000


def test_a_dragged_slider_moves_on_while_figures_are_made(
    gate: Gate, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    """With a real slider and real keys: each step is taken at once, and the last one is what is shown."""
    window = opened()
    session = window.session
    session.show_workspace(chat(40), Scenario(context_window=300, policy="ratio"))
    qtbot.waitUntil(lambda: session.is_ready)
    gate.on_this_thread.clear()
    gate.is_open.clear()
    slider = window.findChild(QSlider, "parameter:history_share")
    assert isinstance(slider, QSlider)
    before: Answer | None = session.answer
    start = slider.value()
    for _ in range(5):
        qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert slider.value() < start
    assert session.answer is before
    gate.is_open.set()
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.answer is not None
    assert session.answer.scenario == session.scenario
    assert session.answer.case.policy.history_share < 0.4  # type: ignore[union-attr]
    assert gate.on_this_thread == []
