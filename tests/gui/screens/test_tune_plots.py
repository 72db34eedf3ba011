"""The plots of Tune in a real window: over one and two settings, by cost, window and kind; and the questions."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from cells import texts
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis, Share, result_of
from inspector.analysis.recall.probes import read_probes
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.categories import CATEGORIES as CATEGORY_TABLE
from inspector.analysis.recommend.categories import asked_by_category
from inspector.analysis.recommend.drawings import along_drawing, categories_drawing, crossed_drawing, front_drawing
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.priced import PRICED, all_priced
from inspector.analysis.recommend.questions import Source
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.tried import TRIED
from inspector.assembly.edits import set_parameters, use_policy, use_window
from inspector.assembly.scenario import Scenario
from inspector.cli.recall_along import tried_by
from inspector.drawings.svg import svg
from inspector.figures import percentage
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.plots.exporting import plot_picture
from inspector.gui.screens.one_setting.view import OneSettingPage
from inspector.gui.screens.questions.view import QuestionsView
from inspector.gui.screens.recommend.view import RecommendView
from inspector.gui.screens.two_settings.view import TwoSettingsPage
from inspector.gui.tuning.plot_page import PlotPage
from inspector.gui.tuning.tried_page import ASKING, TriedPage, TriedView
from inspector.model import Conversation, Message, Probe, Workspace
from tests.examples import cases

CURRENT = Scenario(tokenizer="estimate:words", similarity="lexical", context_window=512, policy="ratio")
LEFT = Qt.MouseButton.LeftButton
ONE, TWO = "one_setting", "two_settings"


def chat(name: str) -> Conversation:
    words = " and so we spoke on of this" * 6
    messages = (Message(f"m{n}", "assistant" if n % 2 else "user", f"word{name}{n}{words}") for n in range(41))
    return Conversation(name, tuple(messages), origin="chats.json")


def workspace(asks: bool = True) -> Workspace:
    probes = [
        Probe(f"{name}{n}", (f"m{n}",), name, query=f"word{name}{n}?", category=("old", "new")[n > 20])
        for name in "ab"
        for n in (3, 6, 30)
    ]
    return Workspace((chat("a"), chat("b")), probes=tuple(probes) if asks else ())


@pytest.fixture
def window(emptied: Callable[..., MainWindow]) -> MainWindow:
    found = emptied("recommend", ONE, TWO, "questions")
    found.session.show_workspace(workspace(), CURRENT)
    return found


@pytest.fixture
def view(window: MainWindow, qtbot: QtBot) -> RecommendView:
    window.show_screen("recommend")
    found = window.screens["recommend"].view
    assert isinstance(found, RecommendView)
    qtbot.waitUntil(lambda: window.session.is_ready and found.is_in_sight)
    found.controls.menu.choose(("ratio", "window_rag"))
    return found


@pytest.fixture
def one(window: MainWindow, qtbot: QtBot) -> OneSettingPage:
    page = drawn(window, qtbot, ONE)
    assert isinstance(page, OneSettingPage)
    return page


@pytest.fixture
def two(window: MainWindow, qtbot: QtBot) -> TwoSettingsPage:
    page = drawn(window, qtbot, TWO)
    assert isinstance(page, TwoSettingsPage)
    return page


def drawn(window: MainWindow, qtbot: QtBot, name: str) -> TriedPage:
    """The page, seen and with its results."""
    window.show_screen(name)
    view = window.screens[name].view
    assert isinstance(view, TriedView)
    known(window, qtbot, view.page)
    return view.page


def known(window: MainWindow, qtbot: QtBot, page: PlotPage) -> None:
    running = window.session.tasks.is_running
    is_known = lambda: bool(page.model.rowCount()) and not page.is_waiting  # noqa: E731
    qtbot.waitUntil(lambda: window.session.is_ready and is_known() and not running(page.name), timeout=20_000)


def test_how_many_questions_were_asked_is_said_until_there_are_results(
    window: MainWindow, qtbot: QtBot, one: OneSettingPage, two: TwoSettingsPage
) -> None:
    for page, name in ((one, ONE), (two, TWO)):
        window.show_screen(name)
        known(window, qtbot, page)
        page.show_share(Share(2, 6))
        assert page._pages.currentWidget() is page._filled, "results stay"
        page.forget()
        page.show_share(Share(2, 6))
        assert page._nothing._sentence.text() == f"{ASKING} 2 of 6"
        page.ask_again()
        known(window, qtbot, page)
        assert page._pages.currentWidget() is page._filled


def policies_of(page: TriedPage) -> set[Any]:
    return {row["policy"] for row in page.model.records()}


def pixel(page: OneSettingPage, point: int) -> QPoint:
    points = page.points.points
    assert points is not None
    box = page.points.rows[0].getViewBox()
    return box.mapViewToScene(QPointF(points.across[point], points.up[point])).toPoint()


def test_one_setting_has_a_line_for_each_policy_and_a_click_is_one_step(
    window: MainWindow, qtbot: QtBot, one: OneSettingPage
) -> None:
    session, page = window.session, one
    assert {"ratio", "window_rag"} <= policies_of(page)
    assert page.state.text().endswith("by 6 questions")
    point = texts(page.model, "context_window").index("1,024")
    before, rows = session.undo_stack.count(), page.model.rowCount()
    qtbot.mouseClick(page.points.viewport(), LEFT, pos=pixel(page, point))
    qtbot.waitUntil(lambda: session.is_ready and session.scenario.context_window == 1_024)
    assert session.undo_stack.count() == before + 1
    assert "1,024" in session.undo_stack.undoText()
    assert page.points.marked == point
    assert "Window 1,024: " in page.line.text()
    assert not page.again.isVisible(), "it is one of the values that are shown"
    assert page.model.rowCount() == rows
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready)
    assert session.scenario == CURRENT


@pytest.mark.parametrize("name", cases([ONE, TWO], [ONE]))
def test_a_page_under_another_policy_stays_and_says_so_until_it_is_run_again(
    window: MainWindow, qtbot: QtBot, name: str
) -> None:
    session, page = window.session, drawn(window, qtbot, name)
    before = page.model.rowCount()
    session.edit(use_policy, "slots")
    qtbot.waitUntil(lambda: session.is_ready and page.again.isVisible())
    assert page.again.text() == "For other settings · Run again"
    assert page.model.rowCount() == before
    assert page.table.painter.dimmed
    assert not session.tasks.is_running(name)
    qtbot.mouseClick(page.again, LEFT)
    known(window, qtbot, page)
    assert not page.again.isVisible()
    assert not page.table.painter.dimmed
    assert "slots" in policies_of(page)
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: session.is_ready and page.again.isVisible())
    page.again.setFocus()
    qtbot.keyClick(page.again, Qt.Key.Key_Return)
    known(window, qtbot, page)


@pytest.mark.parametrize("name", cases([ONE, TWO, "recommend"], [ONE]))
def test_a_page_goes_on_under_another_policy_and_back(window: MainWindow, qtbot: QtBot, name: str) -> None:
    session = window.session
    window.show_screen(name)
    for policy in ("window_rag", "naive", "ratio", "window_rag", "ratio"):
        session.edit(use_policy, policy)
        qtbot.waitUntil(lambda: session.is_ready and not session.tasks.is_running(name))
        session.edit(use_window, 700)
        qtbot.waitUntil(lambda: session.is_ready and not session.tasks.is_running(name))
        assert not window.screens[name].has_failed


def test_the_command_says_what_the_tables_of_settings_say(window: MainWindow, qtbot: QtBot) -> None:
    pipeline, probes = window.session.pipeline, workspace().probes
    for name in (ONE, TWO):
        page = drawn(window, qtbot, name)
        knobs = ["context_window"]
        if isinstance(page, TwoSettingsPage):
            knobs = [page.across.currentData(), page.up.currentData()]
        with click.Context(click.Command("recall")):
            bench, tried = tried_by(pipeline, CURRENT, probes, knobs, None)
        rows: list[dict[str, Any]] = [*map(dict, TRIED.records(tried))]
        assert [percentage(row["recall"]) for row in rows] == texts(page.model, "recall")
        assert [percentage(row["low"]) for row in rows] == texts(page.model, "low")
        assert [tried.knobs[0].written(row[knobs[0]]) for row in rows] == texts(page.model, knobs[0])
        assert list(page.model.records()) == rows, "the window writes the file of the command"
        assert tried.today(bench) is not None
        drawing = (along_drawing if name == ONE else crossed_drawing)(tried, bench)
        assert plot_picture([page.plot], ".svg") == svg([drawing])
        assert name == ONE or tried.best_sentence(bench, ", in the ring") in page.line.text()


def test_the_command_says_what_the_table_of_categories_says(
    window: MainWindow, qtbot: QtBot, view: RecommendView
) -> None:
    known(window, qtbot, view.categories)
    categories = result_of(asked_by_category(Basis(window.session.pipeline, CURRENT), [CURRENT], workspace().probes))
    rows: list[dict[str, Any]] = [*map(dict, CATEGORY_TABLE.records(categories))]
    assert list(view.categories.model.records()) == rows, "the window writes the file of the command"
    assert plot_picture([view.categories.plot], ".svg") == svg([categories_drawing(categories, 512)])
    for key in ("now", "now_whole", "then"):
        assert [percentage(row[key]) for row in rows] == texts(view.categories.model, key)
    assert [row["category"] for row in rows] == texts(view.categories.model, "category")
    assert [f"{row['questions']:,}" for row in rows] == texts(view.categories.model, "questions")
    for name in ("not_cited", "over_budget"):
        assert [percentage(row[f"lost_{name}"]) for row in rows] == texts(view.categories.model, f"lost_{name}")


def test_keys_go_from_point_to_point_and_return_uses_one(window: MainWindow, qtbot: QtBot, one: OneSettingPage) -> None:
    one.points.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(one.points, key)
    assert window.session.scenario.context_window == 768
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_two_settings_are_cells_and_shares_stay_a_whole(window: MainWindow, qtbot: QtBot, two: TwoSettingsPage) -> None:
    session, page = window.session, two
    page.across.setCurrentIndex(page.across.findData("memory_share"))
    page.up.setCurrentIndex(page.up.findData("history_share"))
    qtbot.waitUntil(lambda: page.model.rowCount() == 66, timeout=20_000)
    known(window, qtbot, page)
    box = page.heat.rows[0].getViewBox()
    qtbot.mouseClick(page.heat.viewport(), LEFT, pos=box.mapViewToScene(QPointF(2, 5)).toPoint())
    qtbot.waitUntil(lambda: session.is_ready and "memory_share" in session.scenario.parameters)
    shares = session.scenario.parameters
    assert (shares["memory_share"], shares["history_share"], shares["reserve_share"]) == (0.2, 0.5, pytest.approx(0.3))
    page.up.setCurrentIndex(page.up.findData("memory_share"))
    assert page.across.currentData() == "history_share", "the axes have changed places"
    known(window, qtbot, page)


def test_around_a_setting_that_is_refused_there_is_nothing_to_try_and_the_page_says_why(
    window: MainWindow, qtbot: QtBot, one: OneSettingPage, view: RecommendView
) -> None:
    session = window.session
    window.show_screen(ONE)
    session.edit(set_parameters, {"target_count": 3})
    said = lambda: " ".join(label.text() for label in one.findChildren(PlainLabel) if label.isVisible())  # noqa: E731
    qtbot.waitUntil(lambda: session.is_ready and "target_count is not a parameter" in said())
    assert not view.controls.start_button.isEnabled()
    session.undo_stack.undo()
    known(window, qtbot, one)
    assert view.controls.start_button.isEnabled()


def test_categories_say_what_is_held_and_why_the_rest_is_lost(
    window: MainWindow, qtbot: QtBot, view: RecommendView
) -> None:
    page = view.categories
    known(window, qtbot, page)
    assert page.line.text().startswith("“old” lacks 100.0 % of what is needed, mostly because "), page.line.text()
    assert texts(page.model, "category") == ["all questions", "old", "new"]
    assert texts(page.model, "questions") == ["6", "4", "2"]
    page.switch.choose(0)
    page.bars.setFocus()
    for _ in range(2):
        qtbot.keyClick(page.bars, Qt.Key.Key_Right)
    assert page.line.text().startswith("old, 4 questions: now 0.0 %")
    assert "lost now" in page.line.text()


def found() -> Searched:
    now = Setting(CURRENT, 0.1, 0.1, 1.0, 300.0, 0.01)
    cheap = Setting(Scenario(policy="slots", context_window=512), 0.5, 0.5, 1.0, 200.0, None)
    best = Setting(Scenario(policy="window_rag", context_window=512), 0.9, 0.9, 1.0, 400.0, 0.02)
    gains = (BlockGain("a", 3, 80.0, 1.0, best.scenario),)
    rows = (PolicyAdvice(best, None, gains, (1.0, 9.0)),)
    advice = WindowAdvice(512, now, best, gains, (1.0, 9.0), (cheap, best), rows)
    made = Recommendation(Terms((512,)), 0.04, 6, (), (advice,), (), (), True)
    return Searched(CURRENT, made, ((),), {}, (("now", "best", "cheap", "best", "best"),), (((),),))


def test_the_front_is_shown_with_now_and_what_is_recommended(
    window: MainWindow, qtbot: QtBot, view: RecommendView
) -> None:
    page = view.cost
    view.windows.side.choose(1)
    assert page.side.current == 1
    assert page.model.rowCount() == 0
    view.show_found(found())
    assert texts(page.model, "kind") == ["front", "front", "now", "recommended"]
    assert texts(page.model, "cost") == ["–", "$0.0200", "$0.0100", "$0.0200"]
    assert plot_picture([page.plot], ".svg") == svg([front_drawing(found().windows)])
    written = list(PRICED.records(all_priced(found())))
    assert list(page.model.records())[:3] == [*written[1:], written[0]], "the window writes the rows of the command"
    assert [row["setting"] for row in written] == ["now", "cheap", "best"]
    page.table.row_activated.emit(0)
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert window.session.scenario.policy == "slots"
    view.show_found(None)
    assert page.model.rowCount() == 0


def test_a_plot_is_saved_as_picture_drawing_or_table(
    qtbot: QtBot, one: OneSettingPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = one
    for ending in ("png", "svg", "csv"):
        file = tmp_path / f"recall.{ending}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, file=file: (str(file), ""))
        qtbot.mouseClick(page.export_button, LEFT)
        assert file.stat().st_size > 0
    rows = list(csv.DictReader((tmp_path / "recall.csv").read_text().splitlines()))
    assert len(rows) == page.model.rowCount()
    assert rows[1]["context_window"] == "768"
    assert 0 <= float(rows[1]["recall"]) <= 1


def test_q_says_what_a_question_needs_and_the_screens_ask_it(
    window: MainWindow, qtbot: QtBot, view: RecommendView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    session.show_workspace(Workspace((chat("a"),)), CURRENT)
    window.do("inspect")
    qtbot.waitUntil(lambda: session.is_ready)
    table = window.screens["decisions"].view.table  # type: ignore[attr-defined]
    answer = session.answer
    assert answer is not None
    table.select_row(answer.assembly.candidates.ids.index("m3"))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Q)
    assert [(each.evidence, each.at) for each in session.marks.questions] == [(("m3",), 41)]
    window.show_screen("recommend")
    qtbot.waitUntil(lambda: view.controls.isVisible())
    window.show_screen("questions")
    questions = window.screens["questions"].view
    assert isinstance(questions, QuestionsView)
    listed = questions.list
    qtbot.waitUntil(listed.isVisible)
    assert window.screens["questions"].count(session.answer) == "1"
    assert texts(listed.table.array_model, "question") == ["message 41"]
    assert texts(listed.table.array_model, "from") == ["marks"]
    file = tmp_path / "mine.probes.yaml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), ""))
    qtbot.mouseClick(listed.save_button, LEFT)
    qtbot.waitUntil(lambda: file.exists() and not session.tasks.is_writing)
    assert read_probes(file)[0][0].evidence == ("m3",)
    listed.table.select_row(0)
    listed.table.setFocus()
    qtbot.keyClick(listed.table, Qt.Key.Key_Delete)
    assert not session.marks.questions
    qtbot.waitUntil(lambda: not listed.isVisible())
    session.undo_stack.undo()
    assert session.marks.questions
    qtbot.waitUntil(lambda: session.is_ready and listed.isVisible())


def test_the_source_of_questions_is_chosen_on_either_page_and_holds_for_both(
    window: MainWindow, qtbot: QtBot, view: RecommendView
) -> None:
    session = window.session
    answer = session.answer
    assert answer is not None
    table = window.screens["decisions"].view.table  # type: ignore[attr-defined]
    window.do("inspect")
    table.select_row(answer.assembly.candidates.ids.index("m5"))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Q)
    window.show_screen("questions")
    questions = window.screens["questions"].view
    assert isinstance(questions, QuestionsView)
    assert questions.list.table.array_model.rowCount() == 7
    questions.list.source.setCurrentIndex(questions.list.source.findData(Source.MARKS))
    assert questions.list.table.array_model.rowCount() == 1
    assert view.controls.source.currentData() is Source.MARKS
    view.controls.source.setCurrentIndex(view.controls.source.findData(Source.BOTH))
    assert questions.list.source.currentData() is Source.BOTH
    assert questions.list.table.array_model.rowCount() == 7
    qtbot.waitUntil(lambda: session.is_ready)


def test_a_recommended_setting_is_kept_as_a_snapshot(
    window: MainWindow, view: RecommendView, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = window.screens["recommend"]
    monkeypatch.setattr(screen._work, "_found", found())  # type: ignore[attr-defined]
    view.show_found(found())
    view.table.select_row(0)
    view.act("keep")
    kept = window.session.snapshots[-1]
    assert (kept.name, kept.scenario.policy) == ("window_rag for 512 tokens", "window_rag")
    assert "90.0 %" in kept.note
    assert window.session.scenario == CURRENT
