"""The recommend screen in a real window: empty, ready, running, cancelled, done, applied and undone."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest
from cells import settle, texts
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from inspector.analysis.recall.ask import mean_of, recall
from inspector.analysis.recommend.advice import BlockGain, Recommendation, Setting, Step, WindowAdvice
from inspector.analysis.recommend.advice import recommend as real_recommend
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.analysis.recommend.sentences import OTHER_FILES, OTHER_SETTING
from inspector.analysis.recommend.settings import asked_scenario
from inspector.analysis.recommend.tables import signs
from inspector.assembly.edits import set_parameters, use_policy, use_window
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.figures import points
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.screens.recommend.controls import TermsError, windows_of
from inspector.gui.screens.recommend.knob_page import KnobPage
from inspector.gui.screens.recommend.model import AdviceModel
from inspector.gui.screens.recommend.recommending import STOPPED
from inspector.gui.screens.recommend.view import RecommendView
from inspector.gui.theme import ROW_HEIGHT, theme
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.steps import check_wanted

MESSAGES, OLD = 40, (3, 6, 9, 12)
CURRENT = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=200)
LEFT = Qt.MouseButton.LeftButton


def chat(name: str) -> Conversation:
    """A chat in which every message has a word of its own among nine that all have."""
    messages = tuple(
        Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n} and so we spoke on of this")
        for n in range(MESSAGES)
    )
    return Conversation(name, messages, origin="chats.json")


def workspace(*names: str, asks: bool = True) -> Workspace:
    """Chats, and questions about old messages of each, which only retrieval brings back."""
    probes = [Probe(f"{name}-{n}", (f"m{n}",), name, query=f"word{name}{n}?") for name in names for n in OLD]
    return Workspace(tuple(map(chat, names)), probes=tuple(probes) if asks else ())


Show = Callable[[Workspace], RecommendView]


@pytest.fixture
def window(emptied: Callable[..., MainWindow]) -> MainWindow:
    return emptied("recommend")


@pytest.fixture
def show(window: MainWindow, qtbot: QtBot) -> Show:
    """Shows a workspace, and brings the screen to the front by its entry in the menu."""

    def show(chats: Workspace) -> RecommendView:
        window.session.show_workspace(chats, CURRENT)
        window.do("tune")
        action(window, "recommend").trigger()
        view = view_of(window)
        qtbot.waitUntil(lambda: window.session.is_ready and view.is_in_sight)
        view.controls.menu.choose(("window_rag",))
        view.controls.reply.setValue(20)
        return view

    return show


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """A search waits here once it has found a part, unless nobody wants it any more."""
    opened = Event()

    def recommend(*given: Any) -> Iterator[Step]:
        for step in real_recommend(*given):
            yield step
            while step.found is not None and not opened.wait(0.01):
                check_wanted()

    monkeypatch.setattr("inspector.analysis.recommend.searched.recommend", recommend)
    yield opened
    opened.set()


def view_of(window: MainWindow) -> RecommendView:
    view = window.screens["recommend"].view
    assert isinstance(view, RecommendView)
    return view


def action(window: MainWindow, name: str) -> QAction:
    found = window.findChild(QAction, f"action:{name}")
    assert isinstance(found, QAction)
    return found


def button(view: RecommendView, name: str) -> QPushButton:
    found = view.findChild(QPushButton, f"recommend_{name}")
    assert isinstance(found, QPushButton)
    return found


def shown_words(view: RecommendView) -> str:
    return " ".join(label.text() for label in view.findChildren(PlainLabel) if label.isVisible())


def words_on(page: KnobPage) -> str:
    """The words of a tab that may lie behind another."""
    return " ".join(label.text() for label in page.findChildren(PlainLabel) if label.isVisibleTo(page))


def press(qtbot: QtBot, view: RecommendView, name: str) -> None:
    qtbot.mouseClick(button(view, name), LEFT)


def cells_of(view: RecommendView, key: str) -> list[str]:
    return texts(view.table.array_model, key)


def searched(window: MainWindow, qtbot: QtBot, view: RecommendView) -> None:
    press(qtbot, view, "start")
    qtbot.waitUntil(lambda: not window.session.tasks.is_running("recommend"))


def found_part(qtbot: QtBot, view: RecommendView) -> None:
    press(qtbot, view, "start")
    qtbot.waitUntil(lambda: view.table.array_model.rowCount() > 0)


def test_in_a_low_panel_no_part_lies_over_another(
    show: Show, window: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    view = show(workspace("a", "b"))
    searched(window, qtbot, view)
    qtbot.waitUntil(view.details.isVisible)
    for height in (1000, 720, 500):
        window.resize(1280, height)
        qtbot.waitUntil(lambda height=height: window.height() == height)
        settle(qapp)
        heights = view.table.height() + view.split.handleWidth() + view.details.height()
        assert (view.table.y(), view.details.geometry().bottom()) == (0, view.split.height() - 1), height
        assert heights == view.split.height(), height


def test_what_can_be_done_with_a_window_stands_in_one_line(show: Show, window: MainWindow, qtbot: QtBot) -> None:
    view = show(workspace("one"))
    buttons = view.act_buttons.values()
    for width in range(640, 1280, 40):
        window.setMinimumSize(width, 700)
        window.resize(width, 700)
        QApplication.processEvents()
        is_wide = view.width() > 1.1 * sum(button.sizeHint().width() for button in buttons)
        lines = {button.mapTo(view, QPoint()).y() for button in buttons}
        assert len(lines) == 1 or not is_wide, view.width()


def test_with_nothing_open_it_says_what_it_is_for(window: MainWindow, qtbot: QtBot) -> None:
    window.do("tune")
    action(window, "recommend").trigger()
    view = view_of(window)
    qtbot.waitUntil(lambda: view.is_in_sight)
    assert "Nothing is open" in shown_words(view)
    assert not view.controls.isVisible()
    assert not view.controls.start_button.isEnabled()


def test_without_questions_it_says_where_they_come_from_and_opens_the_dialog_to_add_them(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, done = show(workspace("a", asks=False)), list[str]()
    monkeypatch.setattr(window, "do", done.append)
    words = shown_words(view)
    assert "No questions are open" in words
    assert "probes@1" in words
    assert "LoCoMo" in words
    add = next(one for one in view.findChildren(QPushButton) if one.accessibleName() == "Add…" and one.isVisible())
    qtbot.mouseClick(add, LEFT)
    assert done == ["add"]


def test_questions_about_what_is_not_open_are_none(show: Show) -> None:
    lost = Workspace((chat("a"), chat("b")), probes=(Probe("q", ("m1",), "z"),))
    words = shown_words(show(lost))
    assert "Of 1 open question none can be asked: " in words
    assert "the conversation z is not open" in words


def test_before_it_starts_it_says_what_it_asks_and_what_that_is_too_few_for(show: Show) -> None:
    view = show(workspace("a", "b"))
    said = view.hint.text()
    assert said.startswith("8 questions about 2 conversations.")
    assert "8 questions are few" in said
    assert "2 conversations are few" in said
    assert view.controls.windows.placeholderText() == "200 (current)"
    assert view.recall.text() == "Recall now: not measured, of 8 questions"
    assert (button(view, "start").isEnabled(), button(view, "cancel").isEnabled()) == (True, False)
    assert not button(view, "apply").isEnabled()


def test_a_search_ends_with_a_line_for_each_window(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    qtbot.keyClicks(view.controls.windows, "200,2000")
    searched(window, qtbot, view)
    assert cells_of(view, "context_window") == ["200", "2,000"]
    assert cells_of(view, "verdict") == ["change", "keep"]
    assert cells_of(view, "now")[0] == "0.0 %"
    assert cells_of(view, "then")[0] == "100.0 %"
    assert cells_of(view, "gain")[0] == "+100.0"
    assert cells_of(view, "better")[0] == "+ + +"
    assert cells_of(view, "setting")[0].startswith("window_rag")
    assert cells_of(view, "coverage")[0] == "100.0 %"
    assert texts(view.details.gains.array_model, "conversation") == ["a", "b", "c"]
    page = view.details.page.toPlainText()
    assert "Change: the prompts hold 0.0 % of the needed items now, and 100.0 % then." in page
    assert "policy" in page
    assert "By 12 questions" in view.hint.text()
    view.table.select_row(1)
    assert "Keep the current setting" in view.details.page.toPlainText()
    assert not button(view, "apply").isEnabled()
    assert button(view, "command").isEnabled()
    QAbstractItemModelTester(view.table.array_model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_while_it_runs_what_is_found_is_marked_as_a_part(show: Show, qtbot: QtBot, gate: Event) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    assert cells_of(view, "verdict") == ["change?"]
    assert "This is partial: by 12 questions so far." in view.hint.text()
    assert "So far: change" in view.details.page.toPlainText()
    assert view.controls.bar.isVisible()
    assert (button(view, "start").isEnabled(), button(view, "cancel").isEnabled()) == (False, True)
    gate.set()
    qtbot.waitUntil(lambda: button(view, "start").isEnabled())
    assert cells_of(view, "verdict") == ["change"]
    assert not view.controls.bar.isVisible()


@pytest.mark.parametrize("width", [640, 800, 1000, 1280])
def test_nothing_moves_when_a_search_begins(
    window: MainWindow, show: Show, qtbot: QtBot, qapp: QApplication, gate: Event, width: int
) -> None:
    view = show(workspace("a", "b"))
    window.resize(width, 720)
    settle(qapp)
    before = {name: one.mapTo(view, QPoint()) for name, one in view.act_buttons.items()}
    found_part(qtbot, view)
    settle(qapp)
    assert {name: one.mapTo(view, QPoint()) for name, one in view.act_buttons.items()} == before


def test_what_was_found_stays_when_it_is_cancelled(window: MainWindow, show: Show, qtbot: QtBot, gate: Event) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    press(qtbot, view, "cancel")
    assert cells_of(view, "verdict") == ["change?"]
    assert "The search was stopped, and this is partial" in view.hint.text()
    assert button(view, "start").isEnabled()
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_cancelled_before_anything_it_says_so(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    press(qtbot, view, "start")
    press(qtbot, view, "cancel")
    assert view.hint.text() == STOPPED
    assert view.table.array_model.rowCount() == 0
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_apply_is_one_step_that_can_be_undone(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    before = session.undo_stack.count()
    press(qtbot, view, "apply")
    qtbot.waitUntil(lambda: session.is_ready and cells_of(view, "verdict") == ["in use"])
    assert session.undo_stack.count() == before + 1
    assert (session.scenario.policy, session.scenario.context_window) == ("window_rag", 200)
    assert session.undo_stack.undoText() == "Use window_rag for 200 tokens"
    assert not button(view, "apply").isEnabled()
    assert "is in use" in view.hint.text()
    assert "In use: the prompts hold 100.0 %" in view.details.page.toPlainText()
    window.do("undo")
    qtbot.waitUntil(lambda: session.is_ready and cells_of(view, "verdict") == ["change"])
    assert session.scenario.policy is None
    assert button(view, "apply").isEnabled()


def test_what_may_be_chance_is_applied_too_with_the_doubt_beside_it(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    asked = Workspace((chat("a"),), probes=(Probe("q", ("m3",), "a", query="worda3?"),))
    view, session = show(asked), window.session
    for _ in range(2):
        searched(window, qtbot, view)
        assert (cells_of(view, "verdict"), cells_of(view, "then")) == (["may be chance"], ["100.0 %"])
        assert cells_of(view, "setting")[0].startswith("window_rag")
        assert "may be chance" in view.details.page.toPlainText()
        assert button(view, "apply").isEnabled()
        assert button(view, "pin").isEnabled()
        press(qtbot, view, "apply")
        qtbot.waitUntil(lambda: session.is_ready and cells_of(view, "verdict") == ["in use"])
        assert session.scenario.policy == "window_rag"
        assert not button(view, "apply").isEnabled()
        window.do("undo")
        qtbot.waitUntil(lambda: session.is_ready and cells_of(view, "verdict") == ["may be chance"])


@pytest.mark.parametrize("way", ["key", "enter", "menu", "double click"])
def test_apply_by_every_way(window: MainWindow, show: Show, qtbot: QtBot, way: str) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    place = view.table.visualRect(view.table.model().index(0, 1)).center()
    if way == "menu":
        view.table.customContextMenuRequested.emit(QPoint(5, 5))
        menu = view.findChild(QMenu, "recommend_menu")
        assert isinstance(menu, QMenu)
        entry = next(one for one in menu.actions() if one.objectName() == "menu:apply")
        entry.trigger()
        menu.close()
    elif way == "double click":
        qtbot.mouseClick(view.table.viewport(), LEFT, pos=place)
        qtbot.mouseDClick(view.table.viewport(), LEFT, pos=place)
    else:
        view.table.setFocus()
        qtbot.keyClick(view.table, Qt.Key.Key_A if way == "key" else Qt.Key.Key_Return)
    assert window.session.scenario.policy == "window_rag"
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_pin_and_apply_has_what_was_shown_as_the_baseline(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    press(qtbot, view, "pin")
    assert session.baseline_scenario == record(session.pipeline, CURRENT)
    assert session.scenario.policy == "window_rag"
    qtbot.waitUntil(lambda: session.is_ready)


@pytest.mark.parametrize("is_pinned", [False, True])
def test_pin_and_apply_is_one_step_that_brings_back_what_was_pinned(
    window: MainWindow, show: Show, qtbot: QtBot, is_pinned: bool
) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    pinned = None
    if is_pinned:
        session.edit(use_window, 300)
        session.pin_baseline()
        pinned = record(session.pipeline, session.scenario)
        window.do("undo")
        qtbot.waitUntil(lambda: session.is_ready)
    searched(window, qtbot, view)
    press(qtbot, view, "pin")
    done = session.scenario, session.baseline_scenario
    assert done[1] == record(session.pipeline, CURRENT)
    assert done[0] != CURRENT
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (session.scenario, session.baseline_scenario) == (CURRENT, pinned)
    window.do("redo")
    assert (session.scenario, session.baseline_scenario) == done
    qtbot.waitUntil(lambda: session.is_ready)


def test_the_command_of_a_setting_is_copied_and_changes_nothing(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    press(qtbot, view, "command")
    command = QGuiApplication.clipboard().text()
    assert command.startswith("prompt-inspector assemble")
    assert "--policy=window_rag" in command
    assert "--window=200" in command
    assert window.session.scenario == CURRENT


def test_the_answer_to_another_setting_is_not_that_of_now(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    session.edit(use_window, 300)
    qtbot.waitUntil(lambda: session.is_ready)
    assert OTHER_SETTING not in view.hint.text(), "the same setting in another window"
    session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: session.is_ready)
    assert OTHER_SETTING in view.hint.text()
    assert view.table.painter.dimmed
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready)
    assert OTHER_SETTING not in view.hint.text()
    assert not view.table.painter.dimmed


def test_what_is_opened_instead_ends_a_search_and_forgets_its_answer(
    window: MainWindow, show: Show, qtbot: QtBot, gate: Event
) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    show(workspace("d", "e"))
    assert not window.session.tasks.is_running("recommend")
    assert view.table.array_model.rowCount() == 0
    assert view.hint.text().startswith("8 questions")


def test_what_is_read_again_makes_an_answer_one_of_before(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    with qtbot.waitSignal(session.renewed):
        session.tidy("Rename", session.now.tidying.with_title("conversation:a", "Alpha"))
    qtbot.waitUntil(lambda: session.is_ready)
    assert OTHER_FILES in view.hint.text()
    assert view.table.painter.dimmed


def test_recall_is_measured_when_asked_and_follows_the_setting(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    press(qtbot, view, "recall")
    qtbot.waitUntil(lambda: view.recall.text() == "Recall now: 0.0 % of what 12 questions need")
    assert "lost" in view.recall.toolTip()
    session.edit(use_window, 2_000)
    asked = asked_scenario(session.scenario, session.workspace)
    mean = mean_of(recall(session.pipeline.fork(), asked, session.workspace.probes).found).columns
    words = f"Recall now: {mean['recall_with_memories'] * 100:.1f} % of what 12 questions need"
    assert mean["recall_with_memories"] > 0
    qtbot.waitUntil(lambda: view.recall.text() == words and view.recall.isEnabled())


def test_a_line_of_windows_that_is_none_says_why(show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    line = view.controls.windows
    for text, why in (("20", "leaves nothing beside the reply"), ("many", "“many” is not a window")):
        line.setText(text)
        assert why in view.hint.text()
        assert not button(view, "start").isEnabled()
    line.clear()
    view.controls.menu.choose(())
    assert "Choose a policy" in view.hint.text()
    assert windows_of(" 2048, 4096;2048 ") == (2048, 4096)
    with pytest.raises(TermsError):
        windows_of("-5")
    view.controls.menu.choose(("ratio",))
    assert view.controls.terms == Terms((200,), 20, ("ratio",))


def test_around_a_setting_that_is_refused_there_is_nothing_to_try_and_the_panel_says_why(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    session, view = window.session, show(workspace("a", "b"))
    session.edit(set_parameters, {"target_count": 3})
    qtbot.waitUntil(lambda: session.is_ready and "target_count is not a parameter" in words_on(view.knobs))
    assert not button(view, "start").isEnabled()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready and view.knobs._bench is not None)
    assert button(view, "start").isEnabled()


def test_a_search_that_is_refused_says_why(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    nothing = Workspace((chat("a"),), probes=(Probe("q", ("m99",), "a"),))
    view = show(nothing)
    searched(window, qtbot, view)
    QApplication.processEvents()
    assert view.hint.text().startswith("No search is possible: no item is called m99")
    assert button(view, "start").isEnabled()


def test_the_marks_of_a_chat_are_only_of_it() -> None:
    marked = Scenario(conversation="a", pinned=("m1",), at=3, query="hush", character="nova")
    assert asked_scenario(marked, workspace("a", "b")) == Scenario()
    alone = asked_scenario(marked, workspace("a"))
    assert (alone.conversation, alone.query, alone.pinned) == (None, None, ("m1",))


def advice(*gains: float, window: int = 2048, whole: bool = True) -> Searched:
    now, then = Setting(Scenario(), 0.5, 0.6, 0.9), Setting(Scenario(policy="slots"), 0.7, 0.8, 1.0)
    blocks = tuple(BlockGain(f"c{n}", 5, gain, 1.0, then.scenario) for n, gain in enumerate(gains))
    one = WindowAdvice(window, now, then, blocks, (1.0, 9.0))
    curve = (LearningPoint(10, 0.7), LearningPoint(25, 0.75))
    made = Recommendation(Terms((window,)), 0.04, 50, (), (one,), curve, ("A note.",), whole)
    return Searched(Scenario(), made, ((),), {}, (("now", "best"),))


def test_signs_and_figures_are_written_as_everywhere(qapp: QApplication) -> None:
    assert signs(advice(2.0, -3.0, 0.01).windows[0]) == "+ − 0"
    assert signs(advice(*[1.0] * 10, *[-1.0] * 5).windows[0]) == "10 +  5 −"
    assert (points(-1.26), points(None), interval_text((-1.0, 2.0))) == ("−1.3", "–", "−1.0 to +2.0")
    model = AdviceModel()
    model.show_found(advice(2.0))
    position = model.columns[model.column("verdict")]
    assert model.cell(0, position).color == theme().accent


def test_the_curve_has_a_plot_and_a_twin_in_words(show: Show) -> None:
    view = show(workspace("a", "b"))
    assert view.details.curve is None
    view.show_found(advice(2.0, 3.0))
    assert view.details.curve is not None
    assert view.details.curve.isVisible()
    assert "25 questions 75.0 %" in view.details.curve.accessibleDescription()
    assert "75.0 %" in view.details.page.toPlainText()
    assert "A note." in view.details.page.toPlainText()


def test_the_table_has_the_height_of_its_rows_with_large_text(window: MainWindow, qtbot: QtBot, show: Show) -> None:
    try:
        for _ in range(6):
            window.do("zoom_in")
        view = show(workspace("a"))
        searched(window, qtbot, view)
        table = view.table
        rows = (table.array_model.rowCount() + 1) * table.rowHeight(0)
        assert table.rowHeight(0) > ROW_HEIGHT
        half = (view.split.height() - view.split.handleWidth()) // 2
        assert table.height() >= min(rows + table.horizontalHeader().height(), half)
    finally:
        window.do("zoom_reset")
