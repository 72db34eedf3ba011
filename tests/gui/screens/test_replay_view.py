"""The replay: plots and a table that say the same, turns by mouse and keys, two policies, and never a late picture."""

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from answers import message, pipeline_for, timed_messages
from cells import texts
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Share
from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.drawing import horizon_bars, prefix_bars, replay_drawings, token_bars
from inspector.analysis.replay.tables import FALLEN, ITEM_COLUMNS, TURN_COLUMNS, TURNS
from inspector.analysis.replay.words import policy_name
from inspector.assembly.columns import Section, section_title
from inspector.assembly.edits import go_to_turn, use_policy
from inspector.assembly.numbers import number_of
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.gui.plots.axes import DrawnAxis
from inspector.gui.plots.exporting import plot_image, plot_picture, table_csv
from inspector.gui.screens.replay.view import ITEMS, NOTHING_OPEN, TABLE, ReplayView
from inspector.gui.theme import apply_theme
from inspector.model import Message, Workspace, changed

WORDS = [message(number, " ".join(["word"] * (20 + number % 7))) for number in range(30)]
MESSAGES = 337
START = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)


def replay_of(every: int = 1, policy: str = "ratio") -> Replay:
    scenario = Scenario(tokenizer="estimate:words", context_window=700, policy=policy)
    return replay(pipeline_for(WORDS), scenario, every=every)


def replay_among(messages: Sequence[Message]) -> Replay:
    return replay(pipeline_for(messages), Scenario(tokenizer="estimate:words", context_window=700))


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> ReplayView:
    apply_theme(qapp, "dark")
    made = ReplayView()
    qtbot.addWidget(made)
    made.resize(1000, 420)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def shown(companion: MainWindow, qtbot: QtBot) -> tuple[MainWindow, ReplayView]:
    """A window on the first sample whose replay is made."""
    companion.do("tune")
    companion.show_screen("replay")
    view = companion.screens["replay"].view
    assert isinstance(view, ReplayView)
    qtbot.waitUntil(lambda: is_whole(companion, view))
    return companion, view


def is_whole(window: MainWindow, view: ReplayView) -> bool:
    return len(view.found) > 0 and not view.is_waiting and not window.session.tasks.is_running("replay")


def cell(found: Replay, key: str, place: int) -> str:
    return next(column for column in TURN_COLUMNS if column.key == key).text(found, place)


def test_the_bars_of_a_turn_are_its_row() -> None:
    found = replay_of()
    tokens, prefix, reach = token_bars(found), prefix_bars(found), horizon_bars(found)
    last = len(found) - 1
    for place, right in enumerate(prefix.right.tolist()):
        heights = tokens.solid[tokens.right == right].tolist()
        assert max(heights) == found.totals[place]
        assert len(set(heights)) == len(heights), "a part without tokens would hide the one below"
    assert cell(found, "total", last) == f"≈ {int(found.totals[last]):,}", "its texts are estimated"
    assert (prefix.height[last], prefix.solid[last]) == (found.totals[last], found.shared[last])
    assert cell(found, "horizon", last) == f"{int(reach.solid[last]):,}"
    assert int(Section.HISTORY) in tokens.look


def test_one_of_so_many_turns_stands_for_those_before_it() -> None:
    bars = prefix_bars(replay_of(every=7))
    assert bars.left[0] == 0.5
    assert bars.left[1:].tolist() == bars.right[:-1].tolist()
    assert bars.right[-1] == len(WORDS) + 0.5


def test_it_says_what_it_would_show(view: ReplayView) -> None:
    assert not view.found
    view.show_nothing(NOTHING_OPEN)
    assert not view.plots[0].isVisible()


def test_a_share_leaves_what_is_seen_and_says_how_much_is_made(view: ReplayView) -> None:
    view.show_replays([replay_of()])
    view.show_share(Share(0.5))
    assert "replaying, 50 %" in view.summaries[0].text()
    assert view.plots[0].isVisible()
    view.end("")
    assert view.summaries[0].text().endswith("  ·  30 turns")


def test_the_plot_of_one_policy_has_all_the_room_at_once(view: ReplayView) -> None:
    view.show_replays([replay_of()])
    assert view.plots[0].grab().width() > 0.9 * view.width()  # without a turn of the event loop


def test_two_policies_stand_side_by_side_at_one_scale(view: ReplayView) -> None:
    view.show_replays([replay_of(), replay_of(policy="naive")])
    assert all(plot.isVisible() for plot in view.plots)
    heights = [[row.getViewBox().viewRange()[1] for row in plot.rows] for plot in view.plots]
    assert np.allclose(heights[0], heights[1])
    view.grab()
    for labels, plot in zip(zip(view.names, view.lines, view.summaries, strict=True), view.plots, strict=True):
        assert all(label.isVisible() for label in labels)
        left, right = plot.mapTo(view, QPoint()).x(), plot.mapTo(view, QPoint(plot.width(), 0)).x()
        assert all(left <= label.mapTo(view, QPoint()).x() < right for label in labels), "on the side that it is of"
    assert all("prompts sent" in summary.text() for summary in view.summaries)
    view.show_replays([replay_of()])
    assert not any(each[1].isVisible() for each in (view.plots, view.names, view.lines, view.summaries))


def test_a_file_of_two_replays_has_both_and_says_which_is_whose(view: ReplayView) -> None:
    found = [replay_of(), replay_of(policy="naive")]
    view.show_replays(found)
    view.grab()
    drawing = plot_picture(view.shown_plots, ".svg").decode()
    assert all(policy_name(each) in drawing for each in found)
    words = [entry.words for each in replay_drawings(found) for entry in each.legend[:1]]
    words = list(dict.fromkeys([*words, "Formatting"]))
    assert len(words) > 1
    assert all(drawing.count(f">{word}</text>") == 1 for word in words), "the legend of both stands below them once"
    one, both = plot_image(view.plots[0]), plot_image(*view.shown_plots)
    assert both.width() > 2 * one.width()
    rows = list(csv.DictReader(table_csv(view.shown_tables).decode().splitlines()))
    assert [row["policy"] for row in rows] == [policy_name(each) for each in found for _ in range(len(each))]
    assert [int(row["total"]) for row in rows] == [
        *found[0].totals.tolist(),
        *found[1].totals.tolist(),
    ]
    view.show_replays(found[:1])
    assert len(view.shown_plots) == len(view.shown_tables) == 1


def test_only_falls_is_there_for_the_table_that_it_is_of(view: ReplayView, qtbot: QtBot) -> None:
    view.show_replays([replay_of()])
    for number, button in enumerate(view.switch.findChildren(QAbstractButton)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert view.only_falls.isEnabled() == (number == TABLE)


def test_the_legend_names_what_either_side_has(view: ReplayView) -> None:
    plain, tokens = replay_of(), replay_of().tokens.copy()
    assert not tokens[:, Section.SUMMARIES].any()
    tokens[-1, Section.SUMMARIES] = 5
    view.show_replays([plain, replace(plain, tokens=tokens)])
    assert "Summaries" in view.legend.accessibleName()
    view.show_replays([plain])
    assert "Summaries" not in view.legend.accessibleName()


def test_a_click_on_the_plot_and_its_keys_go_to_turns(view: ReplayView, qtbot: QtBot) -> None:
    view.show_replays([replay_of()])
    view.show_turn(30)
    told: list[int] = []
    view.turn_chosen.connect(told.append)
    plot = view.plots[0]
    QApplication.processEvents()
    pixel = plot.rows[0].getViewBox().mapViewToScene(QPointF(10, 1)).toPoint()
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel)
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Left)
    QTest.keyClick(plot, Qt.Key.Key_Home)
    assert told == [10, 29, 1]


def test_the_line_says_what_fell_in_plain_words(view: ReplayView) -> None:
    found = replay_of()
    view.show_replays([found])
    turn = found.next_drop(0)
    assert turn is not None
    view.show_turn(turn)
    assert " no longer fits: " in view.lines[0].text()
    assert " tokens left, it needs " in view.lines[0].text()


def test_only_turns_at_which_something_fell_can_be_listed(view: ReplayView) -> None:
    found = replay_of()
    view.show_replays([found])
    view.switch.choose(TABLE)
    assert view.tables[0].model().rowCount() == len(found)
    view.only_falls.click()
    assert view.tables[0].model().rowCount() == sum(1 for fall in found.falls if len(fall.rows))


def test_both_themes_colour_the_plots(view: ReplayView, qapp: QApplication) -> None:
    view.show_replays([replay_of()])
    dark = view.plots[0].grab().toImage()
    apply_theme(qapp, "light")
    assert view.plots[0].grab().toImage() != dark


def test_the_window_replays_what_is_open_once_whatever_turn_it_goes_to(
    shown: tuple[MainWindow, ReplayView], qtbot: QtBot
) -> None:
    window, view = shown
    found = view.found
    assert found[0].turns[-1] == MESSAGES
    window.session.edit(go_to_turn, 200)
    qtbot.waitUntil(lambda: "turn 200" in view.lines[0].text())
    assert view.found is found
    assert not view.is_waiting
    assembly = window.session.assembly
    assert assembly is not None
    assert found[0].tokens[199].tolist() == assembly.used.tolist()


def test_another_policy_is_replayed_anew(shown: tuple[MainWindow, ReplayView], qtbot: QtBot) -> None:
    window, view = shown
    window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: is_whole(window, view) and view.found[0].case.policy_name == "naive")


def test_a_row_of_the_table_goes_to_its_turn(shown: tuple[MainWindow, ReplayView], qtbot: QtBot) -> None:
    window, view = shown
    view.switch.choose(TABLE)
    view.tables[0].select_row(49)
    view.tables[0].row_selected.emit(49)
    qtbot.waitUntil(lambda: window.session.scenario.at == 50)
    assert window.session.scenario.as_of


def test_a_second_policy_is_replayed_beside_it(shown: tuple[MainWindow, ReplayView], qtbot: QtBot) -> None:
    window, view = shown
    view.other.setCurrentText("naive")
    qtbot.waitUntil(lambda: is_whole(window, view) and len(view.found) == 2)
    assert [found.case.policy_name for found in view.found] == ["ratio", "naive"]


def test_an_empty_workspace_has_no_turns(shown: tuple[MainWindow, ReplayView], qtbot: QtBot) -> None:
    window, view = shown
    window.session.show_workspace(Workspace())
    qtbot.waitUntil(lambda: not view.found and not window.session.tasks.is_running("replay"))


@pytest.mark.usefixtures("qapp")
def test_the_axis_says_the_dates_of_its_turns() -> None:
    axis = DrawnAxis("bottom")
    axis.show_axis(replay_drawings([replay_of()])[0].across)
    assert axis.tickStrings([10], 1, 10) == ["10"]
    axis.show_axis(replay_drawings([replay_among(timed_messages(30))])[0].across)
    assert axis.tickStrings([0, 10, 20], 1, 10) == ["0", "10\n09:18", "20\n09:38"]
    days = [changed(each, time=START + timedelta(days=number)) for number, each in enumerate(WORDS)]
    axis.show_axis(replay_drawings([replay_among(days)])[0].across)
    assert axis.tickStrings([1, 10], 1, 9) == ["1\n2024-05-01", "10\n2024-05-10"]


def test_each_item_that_falls_out_is_listed_with_its_turn_and_leads_there(view: ReplayView) -> None:
    found = replay_of()
    view.show_replays([found])
    items: list[str] = []
    turns: list[int] = []
    view.item_chosen.connect(items.append)
    view.turn_chosen.connect(turns.append)
    view.switch.choose(ITEMS)
    table = view.fallen[0]
    assert table.isVisible()
    assert table.model().rowCount() == np.count_nonzero(found.fell_at >= 0)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)
    row = table.current_row
    assert row is not None
    assert items[-1] == found.candidates.ids[row]
    assert turns == [found.fell_at[row]]
    cells = {column.key: column.text(found, row) for column in ITEM_COLUMNS}
    assert cells["falls"] == str(found.fell_at[row])
    assert cells["stayed"] == str(found.fell_at[row] - row - 1)


def test_the_rows_of_files_are_those_of_the_tables(view: ReplayView) -> None:
    found = replay_of()
    view.show_replays([found])
    rows, model = list(TURNS.records(found)), view.tables[0].array_model
    assert [f"{row['turn']:,}" for row in rows] == texts(model, "turn")
    assert [row["time"] or "" for row in rows] == texts(model, "time")
    for key, mark in (("total", "≈ "), ("horizon", ""), ("shared", "")):
        assert [f"{mark}{row[key]:,}" for row in rows] == texts(model, key)
    items, model = list(FALLEN.records(found)), view.fallen[0].array_model
    ids = found.candidates.ids
    assert [number_of(found.candidates, ids.index(row["item"])) for row in items] == texts(model, "item")
    assert [f"{row['falls']:,}" for row in items] == texts(model, "falls")
    assert [row["time"] or "" for row in items] == texts(model, "time")
    assert ["" if row["stayed"] is None else f"{row['stayed']:,}" for row in items] == texts(model, "stayed")
    titles = [section_title(Section[str(row["section"]).upper()]) for row in items]
    assert titles == texts(model, "section")
    assert items


def test_an_item_that_falls_is_selected_everywhere(shown: tuple[MainWindow, ReplayView]) -> None:
    window, view = shown
    view.switch.choose(ITEMS)
    row = int(view.fallen[0].array_model.rows[3])
    view.fallen[0].select_row(row)
    assert window.row is not None
    assembly = window.session.assembly
    assert assembly is not None
    assert assembly.candidates.ids[window.row] == view.found[0].candidates.ids[row]


def test_each_of_two_sides_is_headed_by_its_policy(view: ReplayView) -> None:
    view.show_replays([replay_of()])
    assert not any(name.isVisible() for name in view.names)
    view.show_replays([replay_of(), replay_of(policy="naive")])
    QApplication.processEvents()
    assert [name.text() for name in view.names] == ["ratio/document", "naive/document"]
    for page, sides in enumerate((view.plots, view.tables, view.fallen)):
        view.switch.choose(page)
        QApplication.processEvents()
        for name, side in zip(view.names, sides, strict=True):
            assert name.isVisible()
            assert name.mapTo(view, QPoint()).x() == pytest.approx(side.mapTo(view, QPoint()).x(), abs=2)
    view.show_replays([replay_of()])
    assert not any(name.isVisible() for name in view.names)
