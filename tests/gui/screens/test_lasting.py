"""How long each lasts: the replay of the turns seen from the items, made once for both pages."""

import numpy as np
import pytest
from answers import message, pipeline_for
from cells import texts
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.analysis.replay.ask import Replay, replay
from inspector.analysis.replay.tables import FALLEN, ITEM_COLUMNS
from inspector.analysis.replay.words import lasting_sentence, stayed
from inspector.assembly.edits import go_to_turn, use_policy
from inspector.assembly.scenario import Scenario
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.lasting.view import LastingView
from inspector.gui.session.turns import NOTHING_TO_REPLAY
from inspector.gui.theme import apply_theme

WORDS = [message(number, " ".join(["word"] * (20 + number % 7))) for number in range(30)]


def replay_of(policy: str = "ratio") -> Replay:
    scenario = Scenario(tokenizer="estimate:words", context_window=700, policy=policy)
    return replay(pipeline_for(WORDS), scenario)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> LastingView:
    apply_theme(qapp, "light")
    made = LastingView()
    qtbot.addWidget(made)
    made.resize(1000, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_it_says_what_it_would_show(view: LastingView) -> None:
    view.show_nothing(NOTHING_TO_REPLAY)
    assert not view.plots[0].isVisible()


def test_the_sentence_says_when_half_are_gone(view: LastingView) -> None:
    found = replay_of()
    view.show_replays([found])
    lasted = stayed(found)
    half = int(np.median(lasted[lasted >= 0]))
    assert view.sentences[0].text() == lasting_sentence(found)
    assert f"gone {half} turns after they were said" in view.sentences[0].text()
    assert f"reaches {found.horizon[-1]} messages back" in view.sentences[0].text()
    assert lasting_sentence(replay_of("naive")) == "No message falls out of the prompt."


def test_each_item_that_falls_out_is_listed_with_its_turn_and_leads_there(view: LastingView) -> None:
    found = replay_of()
    view.show_replays([found])
    items: list[str] = []
    turns: list[int] = []
    view.item_chosen.connect(items.append)
    view.turned.connect(lambda turn, _: turns.append(turn))
    table = view.tables[0]
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


def test_the_rows_of_files_are_those_of_the_table(view: LastingView) -> None:
    found = replay_of()
    view.show_replays([found])
    items, model = list(FALLEN.records(found)), view.tables[0].array_model
    assert [row["item"] for row in items] == [found.candidates.ids[row] for row in model.rows.tolist()]
    assert [f"{row['falls']:,}" for row in items] == texts(model, "falls")
    assert [row["time"] or "" for row in items] == texts(model, "time")
    assert ["" if row["stayed"] is None else f"{row['stayed']:,}" for row in items] == texts(model, "stayed")
    assert items


def test_two_policies_stand_side_by_side(view: LastingView) -> None:
    view.show_replays([replay_of(), replay_of("naive")])
    assert all(each[1].isVisible() for each in (view.plots, view.tables, view.sentences))
    assert view.plots[0].rows[0].getViewBox().viewRange()[1] == view.plots[1].rows[0].getViewBox().viewRange()[1]
    view.show_replays([replay_of()])
    assert not any(each[1].isVisible() for each in (view.plots, view.tables, view.sentences))


def test_both_pages_share_one_replay_and_one_turn(companion: MainWindow, qtbot: QtBot) -> None:
    turns, asked = companion.turns, list[str]()
    companion.do("replay")
    qtbot.waitUntil(lambda: turns.is_fresh)
    found = turns.found
    turns.share_changed.connect(lambda _: asked.append("again"))
    companion.show_screen("lasting")
    view = companion.screens["lasting"].view
    assert isinstance(view, LastingView)
    qtbot.waitUntil(lambda: len(view.found) == 1)
    assert view.found is found
    assert not asked
    companion.session.edit(go_to_turn, 200)
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert view.plots[0]._heads[0].place == (200, 200)
    assert turns.is_fresh, "another turn is no other replay"
    companion.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: turns.is_fresh and turns.found is not found)
    lanes = companion.screens["replay"].view.lanes
    assert view.found is lanes.found is turns.found
    qtbot.waitUntil(lambda: companion.session.is_ready)


def test_the_second_policy_of_the_turns_is_shown_here_too(companion: MainWindow, qtbot: QtBot) -> None:
    companion.do("replay")
    lanes = companion.screens["replay"].view.lanes
    qtbot.waitUntil(lambda: companion.turns.is_fresh)
    lanes.other.setCurrentText("Everything")
    qtbot.waitUntil(lambda: companion.turns.is_fresh and len(companion.turns.found) == 2)
    companion.show_screen("lasting")
    view = companion.screens["lasting"].view
    qtbot.waitUntil(lambda: len(view.found) == 2)
    assert view.sentences[1].text().startswith("Everything, ")
