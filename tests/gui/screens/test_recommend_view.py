"""The recommend screen in a real window: empty, ready, running, cancelled, done, applied and undone."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from cells import settle, texts
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QWheelEvent
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Share
from inspector.analysis.recall.ask import mean_of, recall
from inspector.analysis.recommend.advice import Recommendation, Step, WindowAdvice
from inspector.analysis.recommend.advice import recommend as real_recommend
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.policy_rows import PolicyRow
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.analysis.recommend.sentences import OTHER_FILES, OTHER_SETTING
from inspector.analysis.recommend.settings import all_values, asked_scenario
from inspector.assembly.edits import set_parameters, use_policy, use_window
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.figures import points
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.parts.text_dialog import TextDialog
from inspector.gui.screens.recommend.controls import TermsError, windows_of
from inspector.gui.screens.recommend.menu import ACTS
from inspector.gui.screens.recommend.model import PolicyModel, Whisker
from inspector.gui.screens.recommend.recommending import STOPPED
from inspector.gui.screens.recommend.view import RecommendView
from inspector.gui.theme import theme
from inspector.model import Conversation, Message, Probe, Workspace, changed
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


def press(qtbot: QtBot, view: RecommendView, name: str) -> None:
    qtbot.mouseClick(button(view, name), LEFT)


def cells_of(view: RecommendView, key: str) -> list[str]:
    return texts(view.table.array_model, key)


def windows_of_search(view: RecommendView, key: str) -> list[str]:
    return texts(view.windows.model, key)


def searched(window: MainWindow, qtbot: QtBot, view: RecommendView) -> None:
    press(qtbot, view, "start")
    qtbot.waitUntil(lambda: not window.session.tasks.is_running("recommend"))


def found_part(qtbot: QtBot, view: RecommendView) -> None:
    press(qtbot, view, "start")
    qtbot.waitUntil(lambda: view.table.array_model.rowCount() > 0)


def test_with_nothing_open_the_start_page_stays(window: MainWindow, qtbot: QtBot) -> None:
    window.do("tune")
    action(window, "recommend").trigger()
    qtbot.waitUntil(lambda: window.screens["start"].is_visible)
    assert not view_of(window).controls.start_button.isEnabled()


def test_without_questions_it_says_where_they_come_from_and_opens_the_dialog_to_add_them(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, done = show(workspace("a", asks=False)), list[str]()
    monkeypatch.setattr(window, "do", done.append)
    words = shown_words(view)
    assert "No questions are open" in words
    assert "YAML, JSON or JSONL" in words
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
    said = view.answer.price.text()
    assert said.startswith("8 questions about 2 conversations.")
    assert "8 questions are few" in said
    assert "2 conversations are few" in said
    assert view.controls.windows.placeholderText() == "200"
    assert view.recall.text() == ""
    assert (button(view, "start").isEnabled(), button(view, "cancel").isVisible()) == (True, False)
    assert button(view, "start").property("primary")
    assert not button(view, "apply").isVisible()


def test_while_it_runs_what_is_found_is_marked_as_a_part(show: Show, qtbot: QtBot, gate: Event) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    assert windows_of_search(view, "verdict") == ["change?"]
    assert view.answer.chip.text() == "Clear gain, so far"
    assert "This is partial: by 12 questions so far." in view.hint.text()
    assert view.controls.bar.isVisible()
    assert (button(view, "start").isVisible(), button(view, "cancel").isEnabled()) == (False, True)
    gate.set()
    qtbot.waitUntil(lambda: button(view, "start").isVisible())
    assert windows_of_search(view, "verdict") == ["change"]
    assert view.answer.chip.text() == "Clear gain"
    assert not view.controls.bar.isVisible()


@pytest.mark.parametrize("width", [640, 800, 1000, 1280])
def test_nothing_moves_when_a_search_begins(
    window: MainWindow, show: Show, qtbot: QtBot, qapp: QApplication, gate: Event, width: int
) -> None:
    view = show(workspace("a", "b"))
    window.resize(width, 720)
    settle(qapp)
    press(qtbot, view, "start")
    stay = (view.controls.windows, view.controls.source, view.table, view.more_button, view.categories)
    before = [one.mapTo(view, QPoint()) for one in stay]
    qtbot.waitUntil(lambda: view.table.array_model.rowCount() > 0)
    settle(qapp)
    assert [one.mapTo(view, QPoint()) for one in stay] == before


def test_what_was_found_stays_when_it_is_cancelled(window: MainWindow, show: Show, qtbot: QtBot, gate: Event) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    press(qtbot, view, "cancel")
    assert windows_of_search(view, "verdict") == ["change?"]
    assert "The search was stopped, and this is partial" in view.hint.text()
    assert button(view, "start").isEnabled()
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_cancelled_before_anything_it_says_so(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    press(qtbot, view, "start")
    press(qtbot, view, "cancel")
    assert view.table._empty.text() == STOPPED
    assert view.hint.text() == "", "said once"
    assert view.table.array_model.rowCount() == 0
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_a_result_stays_dimmed_while_another_search_runs_and_after_it_is_cancelled(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    assert button(view, "start").text() == "Run again"
    press(qtbot, view, "start")
    assert view.table.painter.dimmed
    assert view.answer.chip.text() == "Clear gain"
    press(qtbot, view, "cancel")
    assert not view.table.painter.dimmed
    assert view.answer.chip.text() == "Clear gain"
    assert "partial" not in view.hint.text()
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_apply_is_one_step_that_can_be_undone(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    before = session.undo_stack.count()
    press(qtbot, view, "apply")
    qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() == "In use")
    assert session.undo_stack.count() == before + 1
    assert (session.scenario.policy, session.scenario.context_window) == ("window_rag", 200)
    assert session.undo_stack.undoText() == "Use window_rag for 200 tokens"
    assert not button(view, "apply").isEnabled()
    assert "is in use" in view.hint.text()
    assert "keep 100.0 % of what the questions need, against 0.0 % before" in view.answer.price.text()
    view.table.select_row(1)
    assert "% now" not in view.answer.price.text(), "now is the setting just applied, for every row"
    view.table.select_row(0)
    window.do("undo")
    qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() == "Clear gain")
    assert session.scenario.policy is None
    assert button(view, "apply").isEnabled()


def row_place(view: RecommendView, number: int) -> QPoint:
    table = view.table
    return QPoint(20, table.rowViewportPosition(number) + table.rowHeight(number) // 2)


def check_applied(window: MainWindow, view: RecommendView, row: PolicyRow, before: Scenario) -> None:
    """What changed is what the row said, its window, and nothing else."""
    after, pipeline = window.session.scenario, window.session.pipeline
    values = all_values(pipeline, after)
    said = {each.name: each.after for each in row.found.of_policies[row.place][row.number]}
    assert said.pop("policy", after.policy) == after.policy
    assert said.items() <= values.items()
    put_back = all_values(pipeline, replace(after, parameters={}))
    assert {name for name, value in values.items() if value != put_back[name]} == {*said}
    assert after == replace(
        before, context_window=row.window.context_window, policy=after.policy, parameters=after.parameters
    )
    assert view.answer.headline.text() == row.headline.replace("Use ", "", 1).replace(":", " is in use:", 1)
    assert ", ".join(row.values[:3]) in row.headline


def check_apply_and_undo(window: MainWindow, view: RecommendView, policy: str, by_mouse: bool, qtbot: QtBot) -> None:
    """Click the row of a policy, apply it by the button or by its key, and take that back."""
    session, before = window.session, window.session.scenario
    number = [row.advice.policy for row in view._rows].index(policy)
    qtbot.mouseClick(view.table.viewport(), LEFT, pos=row_place(view, number))
    row = view.row
    assert row is not None
    assert row.advice.policy == policy
    if by_mouse:
        press(qtbot, view, "apply")
    else:
        qtbot.keyClick(view.table, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() == "In use")
    check_applied(window, view, row, before)
    window.do("undo")
    qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() != "In use")
    assert session.scenario == before


def test_apply_by_mouse_and_by_key_does_what_the_row_says_for_one_set_of_chats_after_another(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    for names, by_mouse_first in ((("a", "b", "c"), True), (("d", "e"), False)):
        view = show(workspace(*names))
        view.controls.menu.choose(("window_rag", "ratio", "slots"))
        searched(window, qtbot, view)
        check_apply_and_undo(window, view, "window_rag", by_mouse_first, qtbot)
        check_apply_and_undo(window, view, "slots", not by_mouse_first, qtbot)


@pytest.mark.parametrize("width", [640, 800, 1000, 1280, 1600])
def test_how_far_a_search_is_is_not_cut(
    window: MainWindow, show: Show, qapp: QApplication, qtbot: QtBot, gate: Event, width: int
) -> None:
    view = show(workspace("a", "b"))
    view.controls.menu.choose((*view.controls.menu.chosen, "ratio"))
    window.resize(width, 720)
    settle(qapp)
    found_part(qtbot, view)
    view.controls.show_share(Share(333.0, 1_000.0))
    assert view.controls.progress.shown.startswith("33 %")
    assert not view.controls.progress.shown.endswith("…")
    assert f" · {view.controls.best}" in view.controls.progress.toolTip()
    view.controls.show_share(Share(1.0, 1.0))
    assert view.controls.progress.shown in view.controls.progress.text() or view.controls.progress.shown == "100 %"


def test_what_may_be_chance_is_applied_too_with_the_doubt_beside_it(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    asked = Workspace((chat("a"),), probes=(Probe("q", ("m3",), "a", query="worda3?"),))
    view, session = show(asked), window.session
    for _ in range(2):
        searched(window, qtbot, view)
        assert (view.answer.chip.text(), cells_of(view, "recall")[0]) == ("May be chance", "100.0 %")
        assert view.row is not None
        assert view.row.advice.policy == "window_rag"
        assert "nothing could be left out" in view.answer.held.text()
        assert button(view, "apply").isEnabled()
        assert button(view, "compare").isEnabled()
        press(qtbot, view, "apply")
        qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() == "In use")
        assert session.scenario.policy == "window_rag"
        assert not button(view, "apply").isEnabled()
        window.do("undo")
        qtbot.waitUntil(lambda: session.is_ready and view.answer.chip.text() == "May be chance")


def test_the_command_of_a_setting_is_copied_and_changes_nothing(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    view.table.setFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_C)
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
    assert view.controls.outdated.isVisible()
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready)
    assert OTHER_SETTING not in view.hint.text()
    assert not view.table.painter.dimmed
    assert not view.controls.outdated.isVisible()


def test_what_is_opened_instead_ends_a_search_and_forgets_its_answer(
    window: MainWindow, show: Show, qtbot: QtBot, gate: Event
) -> None:
    view = show(workspace("a", "b", "c"))
    found_part(qtbot, view)
    show(workspace("d", "e"))
    assert not window.session.tasks.is_running("recommend")
    assert view.table.array_model.rowCount() == 0
    assert view.answer.price.text().startswith("8 questions")


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


def test_recall_tells_of_known_answers_beside_chance(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    asked = workspace("a", "b", "c")
    view = show(asked)
    for answers, told in ((("word", "never said"), True), (("word",), False), ((), False)):
        given = [*answers, *[""] * (len(asked.probes) - len(answers))]
        probes = tuple(changed(probe, answer=answer) for probe, answer in zip(asked.probes, given, strict=True))
        show(changed(asked, probes=probes))
        press(qtbot, view, "recall")
        qtbot.waitUntil(lambda: not window.session.tasks.is_running("recall") and view.recall.isEnabled())
        assert "12 questions need" in view.recall.text()
        assert ("of the words of known answers are in the prompts" in view.recall.toolTip()) is bool(answers)
        assert ("of those of other questions' answers" in view.recall.toolTip()) is told


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
    assert windows_of("2,048, 4,096 200,2000") == (2048, 4096, 200, 2000)
    with pytest.raises(TermsError):
        windows_of("-5")
    view.controls.menu.choose(("ratio",))
    assert view.controls.terms == Terms((200,), 20, ("ratio",))


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


def test_every_policy_has_a_row_with_its_best_setting_and_now_among_them(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    view = show(workspace("a", "b", "c"))
    view.controls.menu.choose(("ratio", "window_rag", "slots"))
    searched(window, qtbot, view)
    assert view.row is not None
    policies = [advice.policy for advice in view.row.window.policies]
    assert sorted(policies) == ["ratio", "slots", "window_rag"], "no ratio is better than as it is set now"
    assert policies[0] == "window_rag"
    assert cells_of(view, "gain")[0] == "+100.0"
    assert "now" in cells_of(view, "gain")
    assert cells_of(view, "held_on")[0] == "3 of 3"
    assert view.answer.chip.text() == "Clear gain"
    assert view.answer.held.text() == "held on all 3 chats that the search did not see"
    assert view.answer.gain.text() == "+100.0"
    assert view.answer.headline.text().startswith("Use ")
    assert "keep 100.0 % of what the questions need, against 0.0 % now" in view.answer.price.text()
    qtbot.waitUntil(lambda: "In the open prompt" in view.answer.price.text())
    QAbstractItemModelTester(view.table.array_model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    row = policies.index("slots")
    view.table.select_row(row)
    assert view.row.advice.policy == "slots"
    press(qtbot, view, "apply")
    qtbot.waitUntil(lambda: window.session.is_ready and view.answer.chip.text() == "In use")
    assert window.session.scenario.policy == "slots"
    assert not view.table.painter.dimmed, "another of the settings listed"


def test_several_windows_are_gone_through_by_the_switch_the_plot_and_the_table(
    window: MainWindow, show: Show, qtbot: QtBot
) -> None:
    view = show(workspace("a", "b", "c"))
    qtbot.keyClicks(view.controls.windows, "200,2000")
    searched(window, qtbot, view)
    assert windows_of_search(view, "context_window") == ["200", "2,000"]
    assert windows_of_search(view, "verdict") == ["change", "keep"]
    assert windows_of_search(view, "now")[0] == "0.0 %"
    assert windows_of_search(view, "then")[0] == "100.0 %"
    assert windows_of_search(view, "better")[0] == "3 of 3"
    assert windows_of_search(view, "ceiling")[0] == "100.0 %"
    assert view.window_switch is not None
    view.window_switch.choose(1)
    assert view.answer.chip.text() == "Keep what you have"
    assert view.row is not None
    assert view.row.window.context_window == 2_000
    view.windows.table.select_row(0)
    assert view.answer.chip.text() == "Clear gain"
    assert view.window_switch.current == 0
    view.windows.points.point_chosen.emit(1)
    assert view.row.window.context_window == 2_000


@pytest.mark.parametrize("way", ["key", "menu", "button"])
def test_apply_by_every_way(window: MainWindow, show: Show, qtbot: QtBot, way: str) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    if way == "menu":
        view.table.customContextMenuRequested.emit(QPoint(5, 5))
        menu = view.findChild(QMenu, "recommend_menu")
        assert isinstance(menu, QMenu)
        entry = next(one for one in menu.actions() if one.objectName() == "menu:apply")
        entry.trigger()
        menu.close()
    elif way == "key":
        view.table.setFocus()
        qtbot.keyClick(view.table, Qt.Key.Key_A)
    else:
        press(qtbot, view, "apply")
    assert window.session.scenario.policy == "window_rag"
    qtbot.waitUntil(lambda: window.session.is_ready)


@pytest.mark.parametrize("way", ["enter", "double click"])
def test_enter_shows_a_setting_in_full_and_escape_closes_it(
    window: MainWindow, show: Show, qtbot: QtBot, way: str
) -> None:
    view = show(workspace("a", "b", "c"))
    searched(window, qtbot, view)
    place = view.table.visualRect(view.table.model().index(0, 1)).center()
    if way == "enter":
        view.table.setFocus()
        qtbot.keyClick(view.table, Qt.Key.Key_Return)
    else:
        qtbot.mouseClick(view.table.viewport(), LEFT, pos=place)
        qtbot.mouseDClick(view.table.viewport(), LEFT, pos=place)
    assert view.details.isVisible()
    page = view.details.page.toPlainText()
    assert "Clear gain" in page
    assert "What differs, now → then" in page
    assert "Ratio" in page
    assert "→ Window with retrieval" in page, "policies by their titles"
    assert texts(view.details.gains.array_model, "conversation") == ["a", "b", "c"]
    qtbot.keyClick(view.details.close_button, Qt.Key.Key_Escape)
    assert not view.details.isVisible()
    assert view.table.hasFocus()
    assert window.session.scenario == CURRENT


@pytest.mark.parametrize("is_pinned", [False, True])
def test_apply_and_compare_has_the_current_policy_at_that_window_and_reply_as_the_baseline(
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
    qtbot.keyClicks(view.controls.windows, "240")
    searched(window, qtbot, view)
    press(qtbot, view, "compare")
    done = session.scenario, session.baseline_scenario
    assert done[0] is not None
    assert (done[0].policy, done[0].context_window) == ("window_rag", 240)
    qtbot.waitUntil(lambda: session.is_ready and session.baseline is not None)
    assert session.baseline_scenario is not None
    assert session.baseline_scenario.context_window == 240, "not the window from before"
    assert session.baseline is not None
    assert session.baseline.budget.response_reserve == 20, "the reply that was asked"
    qtbot.waitUntil(lambda: "Recall now: 100.0 %, baseline " in view.recall.text())
    window.do("undo")
    assert (session.scenario, session.baseline_scenario) == (CURRENT, pinned)
    window.do("redo")
    assert (session.scenario, session.baseline_scenario) == done
    qtbot.waitUntil(lambda: session.is_ready)


def test_a_setting_is_saved_as_a_preset(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    press(qtbot, view, "preset")
    dialog = view.findChild(TextDialog)
    assert dialog is not None
    dialog.field.setText("kept")  # type: ignore[union-attr]
    dialog.accept()
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.preset == "kept")
    assert session.scenario.policy == "window_rag"
    assert ("window_rag", "kept") in session.presets


def test_a_step_of_a_slider_draws_nothing_of_the_results_anew(
    window: MainWindow, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    searched(window, qtbot, view)
    session.edit(set_parameters, {"min_exchanges": 4})
    qtbot.waitUntil(lambda: session.is_ready and view.controls.outdated.isVisible())
    shown = list[object]()
    monkeypatch.setattr(view, "show_found", shown.append)
    for exchanges in (5, 6, 7):
        session.edit(set_parameters, {"min_exchanges": exchanges})
        qtbot.waitUntil(lambda: session.is_ready)
    assert shown == []
    for _ in range(4):
        session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready and len(shown) == 1)


def test_the_plus_adds_the_windows_beside(show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b"))
    qtbot.mouseClick(view.controls.more, LEFT)
    assert view.controls.windows.text() == "100, 200, 400"
    assert view.controls.terms.windows == (100, 200, 400)


def test_a_better_setting_is_shipped_by_keys_alone(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view, session = show(workspace("a", "b", "c")), window.session
    view.controls.windows.setFocus()
    qtbot.keyClicks(view.controls.windows, "240")
    qtbot.keyClick(view.controls.windows, Qt.Key.Key_Return)
    assert view.controls.cancel_button.hasFocus()
    qtbot.waitUntil(lambda: not view.controls.is_running and view.row is not None)
    assert view.table.hasFocus()
    qtbot.keyClick(view.table, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.context_window == 240)
    assert session.baseline_scenario is not None
    assert session.baseline_scenario.context_window == 240


def test_the_wheel_scrolls_the_page_and_changes_no_input(show: Show) -> None:
    controls = show(workspace("a", "b")).controls
    before = controls.reply.value(), controls.source.currentIndex()
    for control in (controls.reply, controls.source):
        place = QPointF(control.rect().center())
        none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        QApplication.sendEvent(control, QWheelEvent(place, place, QPoint(), QPoint(0, -120), *none, False))
    assert (controls.reply.value(), controls.source.currentIndex()) == before


def test_no_key_of_the_table_is_taken_by_the_window(window: MainWindow, show: Show) -> None:
    show(workspace("a", "b"))
    taken = {keys.toString() for one in window.findChildren(QAction) if one.isVisible() for keys in one.shortcuts()
             if one in window.actions()}  # fmt: skip
    assert not taken & {key for _, _, key, _ in ACTS}


def test_typed_windows_are_written_with_separated_thousands(show: Show, qtbot: QtBot) -> None:
    line = show(workspace("a", "b")).controls.windows
    line.setFocus()
    qtbot.keyClicks(line, "4096 12288,x")
    line.editingFinished.emit()
    assert line.text() == "4096 12288,x", "what is no window stays to be corrected"
    qtbot.keyClick(line, Qt.Key.Key_Backspace)
    line.editingFinished.emit()
    assert line.text() == "4,096, 12,288"
    assert windows_of(line.text()) == (4_096, 12_288)


def test_the_part_that_does_not_fit_is_scrolled(
    show: Show, window: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    view = show(workspace("a", "b"))
    searched(window, qtbot, view)
    for size in ((1280, 720), (800, 500), (1600, 1000)):
        window.resize(*size)
        settle(qapp)
        parts = (view.controls, view.answer, view.table, view.categories)
        tops = [part.mapTo(view, QPoint()).y() for part in parts]
        bottoms = [top + part.height() for top, part in zip(tops, parts, strict=True)]
        assert all(bottom <= top for bottom, top in zip(bottoms, tops[1:], strict=False)), size


def row_of(
    *gains: float, now: float = 0.6, then: float = 0.8, interval: tuple[float, float] | None = None
) -> PolicyRow:
    current, best = Setting(Scenario(), now, now, 1.0, 900.0, 0.01), Setting(Scenario(policy="slots"), then, then, 0.9)
    blocks = tuple(BlockGain(f"c{n}", 5, gain, 1.0, best.scenario) for n, gain in enumerate(gains))
    rows = PolicyAdvice(best, (0.7, 0.9), blocks, interval), PolicyAdvice(current, None, (), None, is_current=True)
    one = WindowAdvice(2048, current, best, blocks, interval, policies=rows)
    curve = (LearningPoint(10, 0.7), LearningPoint(25, 0.75))
    made = Recommendation(Terms((2048,)), 0.04, 50, (), (one,), curve, ("A note.",), True)
    found = Searched(Scenario(), made, ((),), {}, (("now", "best", "best", "now"),), (((), ()),))
    return PolicyRow(found, 0, 0)


def test_the_answer_says_how_sure_it_is() -> None:
    sure, chance, lost = row_of(2.0, 3.0, interval=(1.0, 9.0)), row_of(2.0, -3.0, interval=(-4.0, 3.0)), row_of(-2.0)
    assert (sure.chip, sure.held) == ("Clear gain", "held on all 2 chats that the search did not see")
    assert (chance.chip, chance.held) == ("May be chance", "held on 1 of 2 chats that the search did not see")
    assert lost.chip == "May be chance", "a single conversation is no interval"
    assert row_of(-2.0, -3.0, interval=(-9.0, -1.0)).chip == "Clear loss"
    assert sure.headline == "Use slots."
    assert sure.price == (
        "The prompts keep 80.0 % of what the questions need, against 60.0 % now. "
        "90.0 % of the prompts leave 400 tokens for the reply, against 100.0 % now."
    )
    now = PolicyRow(sure.found, 0, 1)
    assert (now.title, now.words) == ("ratio, as set now", "as set now")
    assert now.price.startswith("The prompts keep 60.0 % of what the questions need, for the same 900 tokens a prompt")


def test_the_curve_and_the_notes_are_in_the_details(show: Show) -> None:
    view = show(workspace("a", "b"))
    assert view.details.curve is None
    view.show_found(row_of(2.0, 3.0, interval=(1.0, 9.0)).found)
    view._open_details()
    assert view.details.curve is not None
    assert view.details.curve.isVisible()
    assert "25 questions 75.0 %" in view.details.curve.accessibleDescription()
    assert "75.0 %" in view.details.page.toPlainText()
    assert "A note." in view.details.page.toPlainText()
    view.show_found(None)
    assert not view.details.isVisible()


def test_a_whisker_and_the_gain_have_their_inks(qapp: QApplication) -> None:
    row = row_of(2.0, 3.0, interval=(1.0, 9.0))
    model = PolicyModel()
    model.show_rows((row, PolicyRow(row.found, 0, 1)))
    column = {each.key: each for each in model.columns}
    assert model.cell(0, column["whisker"]).figure == Whisker(0.8, 0.7, 0.9, 0.6, "best")
    assert model.cell(1, column["whisker"]).figure == Whisker(0.6, 0.6, 0.6, 0.6, "now")
    assert model.cell(0, column["gain"]).color == theme().good
    assert model.cell(0, column["fits"]).color == theme().error
    assert (points(-1.26), points(None), interval_text((-1.0, 2.0))) == ("−1.3", "–", "−1.0 to +2.0")


def test_the_time_of_a_search_is_whole_in_a_small_window(window: MainWindow, show: Show, qtbot: QtBot) -> None:
    view = show(workspace("a", "b", "c"))
    window.resize(1_280, 720)
    line = view.controls.progress
    for _ in range(2):
        searched(window, qtbot, view)
        qtbot.waitUntil(lambda: line.text().startswith("searched at "))
        assert line.fontMetrics().horizontalAdvance(line.text()) <= line.contentsRect().width()
