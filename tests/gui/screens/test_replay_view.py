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

from inspector.analysis.basis import Basis, Share
from inspector.analysis.replay.ask import Replay, replay, replays
from inspector.analysis.replay.drawing import (
    cost_bars,
    fallen_bars,
    reach_bars,
    replay_drawings,
    reply_bars,
    shared_bars,
    token_bars,
)
from inspector.analysis.replay.events import EVENT_COLUMNS, event_sentences
from inspector.analysis.replay.falls import FALLS, falls_of
from inspector.analysis.replay.moments import moments_of
from inspector.analysis.replay.tables import TURN_COLUMNS, TURNS
from inspector.analysis.replay.words import policy_name, titled_policy
from inspector.assembly.columns import Section
from inspector.assembly.edits import go_to_turn, use_policy
from inspector.assembly.numbers import number_of
from inspector.assembly.scenario import Scenario
from inspector.drawings.drawing import MarkLook
from inspector.formats.compaction import SUMMARY_MARK, recorded_actions
from inspector.gui.app import open_window
from inspector.gui.main_window import MainWindow
from inspector.gui.plots.exporting import plot_image, plot_picture, table_csv
from inspector.gui.plots.turn_plot import TurnPlot
from inspector.gui.screens.replay.lanes import COMPACTIONS, NO_COMPACTIONS, LanesView
from inspector.gui.screens.replay.lanes import TURNS as ALL_TURNS
from inspector.gui.screens.replay.view import ReplayPage
from inspector.gui.session.turns import NOTHING_TO_REPLAY
from inspector.gui.theme import apply_theme
from inspector.model import Message, Probe, Workspace, changed
from inspector.resources import samples_folder

WORDS = [message(number, " ".join(["word"] * (20 + number % 7))) for number in range(30)]
MESSAGES = 337
START = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)


def replay_of(every: int = 1, policy: str = "ratio") -> Replay:
    scenario = Scenario(tokenizer="estimate:words", context_window=700, policy=policy)
    return replay(pipeline_for(WORDS), scenario, every=every)


def replay_among(messages: Sequence[Message]) -> Replay:
    return replay(pipeline_for(messages), Scenario(tokenizer="estimate:words", context_window=700))


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> LanesView:
    apply_theme(qapp, "dark")
    made = LanesView()
    qtbot.addWidget(made)
    made.resize(1000, 420)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def shown(companion: MainWindow, qtbot: QtBot) -> tuple[MainWindow, LanesView]:
    """A window on the first sample whose replay is made."""
    companion.do("replay")
    view = companion.screens["replay"].view.lanes
    assert isinstance(view, LanesView)
    qtbot.waitUntil(lambda: is_whole(companion, view))
    return companion, view


def is_whole(window: MainWindow, view: LanesView) -> bool:
    return len(view.found) > 0 and not view.is_waiting and not window.session.tasks.is_running("replay")


def cell(found: Replay, key: str, place: int) -> str:
    return next(column for column in TURN_COLUMNS if column.key == key).text(found, place)


def test_the_bars_of_a_turn_are_its_row() -> None:
    found = replay_of()
    tokens, shared, reach = token_bars(found), shared_bars(found), reach_bars(found)
    fell, cost = fallen_bars(found), cost_bars(found)
    last = len(found) - 1
    for place, right in enumerate(shared.right.tolist()):
        heights = tokens.solid[tokens.right == right].tolist()
        assert max(heights) == found.totals[place]
        assert len(set(heights)) == len(heights), "a part without tokens would hide the one below"
        assert fell.solid[place] == len(found.falls[place].rows)
    assert cell(found, "total", last) == f"≈ {int(found.totals[last]):,}", "its texts are estimated"
    assert shared.height[last] == pytest.approx(100 * found.shared[last] / found.totals[last])
    assert cost.height.tolist() == np.nan_to_num(found.costs * 1_000_000).tolist()
    assert cell(found, "horizon", last) == f"{int(reach.height[last]):,}"
    assert int(Section.HISTORY) in tokens.look


def test_one_of_so_many_turns_stands_for_those_before_it() -> None:
    bars = shared_bars(replay_of(every=7))
    assert bars.left[0] == 0.5
    assert bars.left[1:].tolist() == bars.right[:-1].tolist()
    assert bars.right[-1] == len(WORDS) + 0.5


def test_the_room_of_the_reply_is_hatched_below_the_window() -> None:
    found = replay_of()
    bars = reply_bars(found)
    hatched, free = (bars.look == look for look in (0, 1))
    assert set(bars.height[hatched].tolist()) == {float(found.window)}
    assert set(bars.solid[free].tolist()) == {float(found.window - found.reserve[0])}
    assert (bars.left.min(), bars.right.max()) == (0.5, len(WORDS) + 0.5)
    none = replay_of(policy="naive")
    assert not none.reserve.any()
    assert not len(reply_bars(none))


def test_it_says_what_it_would_show(view: LanesView) -> None:
    assert not view.found
    view.show_nothing(NOTHING_TO_REPLAY)
    assert not view.plots[0].isVisible()


def test_a_share_leaves_what_is_seen_and_says_how_much_is_made(view: LanesView) -> None:
    view.show_replays([replay_of()])
    view.show_share(Share(0.5))
    assert view.state.text() == "Replaying, 50 %"
    assert view.plots[0].isVisible()
    view.end("")
    assert not view.state.text()


def test_the_first_part_of_a_replay_is_seen_on_the_axis_of_all_turns(view: LanesView) -> None:
    scenario = Scenario(tokenizer="estimate:words", context_window=700)
    many = [message(number, " ".join(["word"] * 9)) for number in range(150)]
    told = [step for step in replays(Basis(pipeline_for(many), scenario)) if isinstance(step, tuple)]
    assert [len(found[0]) for found in told] == [64, 128, 150]
    assert [found[0].is_whole for found in told] == [False, False, True]
    view.show_replays(told[0])
    assert view.plots[0].whole == (0.5, 150.5)
    assert view.state.text() == "64 of 150 turns replayed"
    view.show_replays(told[-1])
    assert not view.state.text()
    assert told[0][0].totals.tolist() == told[-1][0].totals[:64].tolist()


def test_the_plot_of_one_policy_has_all_the_room_at_once(view: LanesView) -> None:
    view.show_replays([replay_of()])
    assert view.plots[0].grab().width() > 0.9 * view.width()  # without a turn of the event loop


def test_two_policies_stand_side_by_side_at_one_scale(view: LanesView) -> None:
    view.show_replays([replay_of(), replay_of(policy="naive")])
    assert all(plot.isVisible() for plot in view.plots)
    heights = [[row.getViewBox().viewRange()[1] for row in plot.rows] for plot in view.plots]
    assert np.allclose(heights[0], heights[1])
    view.grab()
    for name, line, plot, found in zip(view.names, view.lines, view.plots, view.found, strict=True):
        assert name.isVisible()
        left, right = plot.mapTo(view, QPoint()).x(), plot.mapTo(view, QPoint(plot.width(), 0)).x()
        assert left <= name.mapTo(view, QPoint()).x() < right, "on the side that it is of"
        assert line.text().startswith(f"{titled_policy(found)}: ")
        assert "prompts sent" in plot.accessibleDescription()
    view.show_replays([replay_of()])
    assert not any(each[1].isVisible() for each in (view.plots, view.names, view.lines))


def test_a_file_of_two_replays_has_both_and_says_which_is_whose(view: LanesView) -> None:
    found = [replay_of(), replay_of(policy="naive")]
    view.show_replays(found)
    view.grab()
    drawing = plot_picture(view.shown_plots, ".svg").decode()
    assert all(titled_policy(each) in drawing for each in found)
    words = [entry.words for each in replay_drawings(found) for entry in each.legend[:1]]
    words = list(dict.fromkeys([*words, "Formatting", "Reply"]))
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


def test_only_falls_is_there_for_the_table_that_it_is_of(view: LanesView, qtbot: QtBot) -> None:
    view.show_replays([replay_of()])
    for number, button in enumerate(view.switch.findChildren(QAbstractButton)):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert view.only_falls.isVisible() == (number == ALL_TURNS)


def test_the_legend_names_what_either_side_has(view: LanesView) -> None:
    plain, tokens = replay_of(), replay_of().tokens.copy()
    assert not tokens[:, Section.SUMMARIES].any()
    tokens[-1, Section.SUMMARIES] = 5
    view.show_replays([plain, replace(plain, tokens=tokens)])
    assert "Summaries" in view.legend.accessibleName()
    view.show_replays([plain])
    assert "Summaries" not in view.legend.accessibleName()


def test_a_click_on_the_plot_and_its_keys_go_to_turns(view: LanesView, qtbot: QtBot) -> None:
    view.show_replays([replay_of()])
    view.show_turn(30)
    told = turns_told_by(view)
    plot = view.plots[0]
    QApplication.processEvents()
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(plot, 10))
    plot.setFocus()
    QTest.keyClick(plot, Qt.Key.Key_Left)
    QTest.keyClick(plot, Qt.Key.Key_Home)
    assert [turn for turn, _ in told] == [10, 29, 1]


def turns_told_by(view: LanesView) -> list[tuple[int, str]]:
    told: list[tuple[int, str]] = []
    view.turned.connect(lambda turn, gesture: told.append((turn, gesture)))
    return told


def pixel_of(plot: TurnPlot, turn: float, row: int = 0) -> QPoint:
    return plot.rows[row].getViewBox().mapViewToScene(QPointF(turn, 1)).toPoint()


def test_a_drag_anywhere_on_the_lanes_moves_the_playhead_as_one_gesture(view: LanesView, qtbot: QtBot) -> None:
    view.show_replays([replay_of()])
    told, plot = turns_told_by(view), view.plots[0]
    QApplication.processEvents()
    for row in (0, len(plot.rows) - 1):
        told.clear()
        qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(plot, 5, row))
        for turn in (9, 14, 40):
            qtbot.mouseMove(plot.viewport(), pixel_of(plot, turn, row))
        qtbot.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(plot, 40, row))
        assert [turn for turn, _ in told] == [5, 9, 14, len(WORDS)]
        assert len({gesture for _, gesture in told}) == 1
        assert told[0][1]
    qtbot.mouseMove(plot.viewport(), pixel_of(plot, 20))
    assert told[-1][0] == len(WORDS), "the mouse alone moves nothing"


def test_the_playhead_and_the_figures_of_the_lanes_are_those_of_the_turn(view: LanesView) -> None:
    found = replay_of()
    view.show_replays([found])
    turn = int(found.turns[found.fallen.argmax()])
    view.show_turn(turn)
    plot = view.plots[0]
    assert {head.place for head in plot._heads} == {(turn, turn)}
    assert plot.titles[1]._figures.startswith(f"{found.fallen.max()} here, {found.fallen.sum()} in all")
    share = found.shared[turn - 1] / found.totals[turn - 1]
    assert plot.titles[2]._figures.startswith(f"{100 * share:.0f} % here, ")


def test_the_line_says_what_fell_in_plain_words(view: LanesView) -> None:
    found = replay_of()
    view.show_replays([found])
    turn = found.next_drop(0)
    assert turn is not None
    view.show_turn(turn)
    assert " no longer fits: " in view.lines[0].text()
    assert " tokens left, it needs " in view.lines[0].text()


def test_only_turns_at_which_something_fell_can_be_listed(view: LanesView) -> None:
    found = replay_of()
    view.show_replays([found])
    view.switch.choose(ALL_TURNS)
    assert view.tables[0].model().rowCount() == len(found)
    view.only_falls.click()
    assert view.tables[0].model().rowCount() == sum(1 for fall in found.falls if len(fall.rows))


def test_both_themes_colour_the_plots(view: LanesView, qapp: QApplication) -> None:
    view.show_replays([replay_of()])
    dark = view.plots[0].grab().toImage()
    apply_theme(qapp, "light")
    assert view.plots[0].grab().toImage() != dark


def test_the_window_replays_what_is_open_once_whatever_turn_it_goes_to(
    shown: tuple[MainWindow, LanesView], qtbot: QtBot
) -> None:
    window, view = shown
    found = view.found
    assert found[0].turns[-1] == MESSAGES
    window.session.edit(go_to_turn, 200)
    qtbot.waitUntil(lambda: view._turn == 200 and window.session.is_ready)
    assert view.found is found
    assert not view.is_waiting
    assembly = window.session.assembly
    assert assembly is not None
    assert found[0].tokens[199].tolist() == assembly.used.tolist()


def test_another_policy_is_replayed_anew(shown: tuple[MainWindow, LanesView], qtbot: QtBot) -> None:
    window, view = shown
    window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: is_whole(window, view) and view.found[0].case.policy_name == "naive")


def test_a_row_of_the_table_goes_to_its_turn(shown: tuple[MainWindow, LanesView], qtbot: QtBot) -> None:
    window, view = shown
    view.switch.choose(ALL_TURNS)
    view.tables[0].select_row(49)
    view.tables[0].row_selected.emit(49)
    qtbot.waitUntil(lambda: window.session.scenario.at == 50)
    assert window.session.scenario.as_of


def test_a_second_policy_is_replayed_beside_it(shown: tuple[MainWindow, LanesView], qtbot: QtBot) -> None:
    window, view = shown
    view.other.setCurrentText("Everything")
    qtbot.waitUntil(lambda: is_whole(window, view) and len(view.found) == 2)
    assert [found.case.policy_name for found in view.found] == ["ratio", "naive"]


def test_an_empty_workspace_has_no_turns(shown: tuple[MainWindow, LanesView], qtbot: QtBot) -> None:
    window, view = shown
    window.session.show_workspace(Workspace())
    qtbot.waitUntil(lambda: not view.found and not window.session.tasks.is_running("replay"))


def periods_of(messages: Sequence[Message]) -> list[tuple[float, str]]:
    (drawing,) = replay_drawings([replay_among(messages)])
    return [(mark.place, mark.words) for mark in drawing.marks if mark.look is MarkLook.PERIOD]


def test_a_window_that_begins_with_the_replay_shows_that_of_each_chat_it_opens(qtbot: QtBot) -> None:
    window = open_window([str(samples_folder() / "wall-of-text.workspace.yaml")], first=("replay", None))
    window.show()
    qtbot.waitUntil(lambda: window.session.is_ready)
    for name in ("multilingual", "wall-of-text"):
        (lanes,) = window.findChildren(LanesView)
        qtbot.waitUntil(lambda lanes=lanes: bool(lanes.found) and lanes.found[0].is_whole)
        shown = len(lanes.found[0])
        window.open_paths([str(samples_folder() / f"{name}.workspace.yaml")])
        qtbot.waitUntil(lambda lanes=lanes, shown=shown: bool(lanes.found) and len(lanes.found[0]) != shown)
    window.close()


def test_months_days_or_hours_begin_above_the_turns() -> None:
    assert periods_of(WORDS) == []
    assert periods_of(timed_messages(30)) == [(0.5, "09:00")]
    days = [changed(each, time=START + timedelta(days=number)) for number, each in enumerate(WORDS)]
    assert periods_of(days)[:2] == [(0.5, "1 May"), (4.5, "5 May")]
    apart = [changed(each, time=START + timedelta(days=5 * number)) for number, each in enumerate(WORDS)]
    assert periods_of(apart)[:2] == [(0.5, "May 2024"), (7.5, "Jun 2024")]


def test_what_fell_up_to_the_turn_is_listed_the_latest_first_and_leads_there(view: LanesView) -> None:
    found = replay_of()
    view.show_replays([found])
    items: list[str] = []
    told = turns_told_by(view)
    view.item_chosen.connect(items.append)
    table = view.fallen[0]
    assert table.isVisible()
    for turn in (1, 15, len(WORDS)):
        view.show_turn(turn)
        assert table.model().rowCount() == found.fallen[:turn].sum()
    model = table.array_model
    assert [int(text) for text in texts(model, "turn")] == sorted(map(int, texts(model, "turn")), reverse=True)
    marks = [model.marking(place) for place in range(model.rowCount())]
    lit = [mark is not None and mark.is_lit for mark in marks]
    assert lit == [text == str(len(WORDS)) for text in texts(model, "turn")]
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Return)
    falls, fall = falls_of(found), table.current_row
    assert fall is not None
    assert items[-1] == falls.ids[fall]
    assert told == [(falls.turns[fall], "")]
    said_at = int(falls.rows[fall]) - found.candidates.items.first_message + 1
    place = model.rows.tolist().index(fall)
    assert texts(model, "lasted")[place] == f"{falls.turns[fall] - said_at} turns after it was said"
    assert texts(model, "outcome")[place] == "✕ Fell out"


def test_the_rows_of_files_are_those_of_the_tables(view: LanesView) -> None:
    found = replay_of()
    view.show_replays([found])
    rows, model = list(TURNS.records(found)), view.tables[0].array_model
    assert [f"{row['turn']:,}" for row in rows] == texts(model, "turn")
    assert [row["time"] or "" for row in rows] == texts(model, "time")
    for key, mark in (("total", "≈ "), ("horizon", ""), ("shared", "")):
        assert [f"{mark}{row[key]:,}" for row in rows] == texts(model, key)
    view.show_turn(len(WORDS))
    falls, model = list(FALLS.records(falls_of(found))), view.fallen[0].array_model
    assert [f"{row['turn']:,}" for row in falls] == texts(model, "turn")
    assert [row["who"] for row in falls] == texts(model, "who")
    ids = found.candidates.ids
    assert [number_of(found.candidates, ids.index(row["item"])) for row in falls] == texts(model, "item")
    assert falls


def test_an_item_that_falls_is_selected_everywhere(shown: tuple[MainWindow, LanesView]) -> None:
    window, view = shown
    fall = int(view.fallen[0].array_model.rows[3])
    view.fallen[0].select_row(fall)
    assert window.row is not None
    assembly = window.session.assembly
    assert assembly is not None
    assert assembly.candidates.ids[window.row] == falls_of(view.found[0]).ids[fall]


def test_each_of_two_sides_is_headed_by_its_policy(view: LanesView) -> None:
    view.show_replays([replay_of()])
    assert not any(name.isVisible() for name in view.names)
    view.show_replays([replay_of(), replay_of(policy="naive")])
    QApplication.processEvents()
    assert [name.text() for name in view.names] == ["Ratio, document", "Everything, document"]
    for page, sides in enumerate((view.fallen, view.tables)):
        view.switch.choose(page)
        QApplication.processEvents()
        for name, side in zip(view.names, sides, strict=True):
            assert name.isVisible()
            assert name.mapTo(view, QPoint()).x() == pytest.approx(side.mapTo(view, QPoint()).x(), abs=2)
    view.show_replays([replay_of()])
    assert not any(name.isVisible() for name in view.names)


def test_a_replay_of_a_laptop_needs_no_scrolling(companion: MainWindow, qtbot: QtBot) -> None:
    companion.resize(1280, 720)
    companion.do("replay")
    view = companion.screens["replay"].view
    assert isinstance(view, ReplayPage)
    qtbot.waitUntil(lambda: companion.turns.is_fresh and view.lanes is not None)
    QApplication.processEvents()
    room = view.parentWidget()
    assert room is not None
    assert view.height() <= room.height(), "it has to be scrolled"
    assert view.lanes is not None
    assert view.lanes.plots[0].rows[0].getViewBox().height() >= 100
    assert view.lanes.fallen[0].viewport().height() >= 3 * view.lanes.fallen[0].rowHeight(0)


def compacted(policy: str = "codex_compact") -> Replay:
    """A replay of a chat with two recorded compactions under a policy that compacts."""
    marks = {10: {"preTokens": 700, "postTokens": 60}, 20: {"preTokens": 800}}
    said = [
        changed(one, metadata={SUMMARY_MARK: True, "compaction": marks[number]}) if number in marks else one
        for number, one in enumerate(WORDS)
    ]
    told = recorded_actions(said)
    found = [changed(one, metadata={**one.metadata, **told[one.id]}) for one in said]
    parameters = {"user_message_tokens": 8, "summary_size": 12} if policy == "codex_compact" else {}
    scenario = Scenario(tokenizer="estimate:words", context_window=300, policy=policy, parameters=parameters)
    return replay(pipeline_for(found), scenario)


def listed(view: LanesView, key: str, side: int = 0) -> list[str]:
    model = view.compactions[side].array_model
    column = next(column for column in EVENT_COLUMNS if column.key == key)
    assert model.subject is not None
    return [column.text(model.subject, row) for row in model.rows.tolist()]


def said_of(view: LanesView) -> list[str]:
    return [line.text() for line in view.event_lines[0] if line.isVisible()]


def test_compactions_here_and_recorded_stand_in_a_table_of_their_own(view: LanesView, qtbot: QtBot) -> None:
    view.resize(1000, 700)
    for number in range(2):
        found = compacted()
        view.show_replays([found])
        qtbot.mouseClick(view.switch.findChildren(QAbstractButton)[COMPACTIONS], Qt.MouseButton.LeftButton)
        assert view.compactions[0].isVisible()
        assert not view.fallen[0].isVisible()
        moments = moments_of(found)
        assert listed(view, "whose") == [one.whose.capitalize() for one in moments.all]
        assert listed(view, "whose").count("Recorded") == 2
        assert said_of(view) == event_sentences(moments)
        rows = [row for row, whose in enumerate(listed(view, "whose")) if whose == "Recorded"]
        row, table = rows[number], view.compactions[0]
        place = table.visualRect(table.model().index(row, 0)).center()
        with qtbot.waitSignal(view.turned) as gone:
            qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert gone.args == [moments.turn(moments.all[row]), ""]
        view.show_replays([compacted("naive"), found])
        assert said_of(view)[0] == "Here the list is never shortened."
        assert said_of(view)[1].startswith("The file records 2 compactions")
        assert listed(view, "whose") == ["Recorded", "Recorded"]
        assert listed(view, "whose", 1) == [one.whose.capitalize() for one in moments.all]
        view.switch.choose(0)


def test_without_any_compaction_the_table_says_so(view: LanesView) -> None:
    view.show_replays([replay_of()])
    view.switch.choose(COMPACTIONS)
    QApplication.processEvents()
    assert view.compactions[0]._empty.isVisible()
    assert view.compactions[0]._empty.text() == NO_COMPACTIONS
    assert said_of(view) == []


def test_evidence_that_a_compaction_lost_is_a_column_once_questions_are_open(view: LanesView) -> None:
    found = compacted()
    conversation = found.candidates.items.conversation
    assert conversation is not None
    names = (WORDS[2].id, WORDS[15].id, WORDS[29].id)
    view.show_replays([found])
    view.switch.choose(COMPACTIONS)
    assert not view.compactions[0].shows("evidence")
    view.set_questions((Probe("q", names, conversation.id),))
    assert view.compactions[0].shows("evidence")
    both = zip(listed(view, "evidence"), listed(view, "whose"), strict=True)
    assert [lost for lost, whose in both if whose == "Recorded"] == ["3", "16"]
    assert "2 of 3 items that questions need among them" in said_of(view)[-1]
    view.set_questions(())
    assert not view.compactions[0].shows("evidence")
