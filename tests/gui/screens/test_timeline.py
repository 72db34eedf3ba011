"""The timeline: bars that say what the table says, selection by mouse and keys, nothing painted twice, files."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.columns import Action, Fate, Kind, Section, phrase
from inspector.assembly.decisions import Assembly
from inspector.assembly.edits import use_policy
from inspector.assembly.timeline import MESSAGES, Timeline
from inspector.assembly.timeline_drawing import message_bars, timeline_drawing
from inspector.drawings.drawing import Bars
from inspector.gui.main_window import MainWindow
from inspector.gui.plots.looks import Look
from inspector.gui.screens.timeline import view as timeline_view
from inspector.gui.screens.timeline.view import BY_NUMBER, BY_TIME, POINT_AT, TimelineView, description, sentence
from inspector.gui.theme import apply_theme, theme
from inspector.model import Message
from inspector.resources import samples_folder

WORDS = [message(number, " ".join(["word"] * (20 + number % 7))) for number in range(30)]


def assembly_of(messages: list[Message] = WORDS, window: int = 700, **fields: object) -> Assembly:
    """Messages of which the oldest find no room."""
    return answer_of(pipeline_for(messages), window, policy="ratio", **fields).assembly


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> TimelineView:
    apply_theme(qapp, "light")
    made = TimelineView()
    qtbot.addWidget(made)
    made.resize(1000, 320)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def shown(companion: MainWindow, qtbot: QtBot) -> tuple[MainWindow, TimelineView]:
    """A window on the first sample, its timeline in front."""
    companion.show_screen("timeline")
    view = companion.screens["timeline"].view
    assert isinstance(view, TimelineView)
    qtbot.waitUntil(view.isVisible)
    return companion, view


def sums_of(view: TimelineView) -> Bars:
    assert view.plot.drawing is not None
    series = view.plot.drawing.rows[0].series
    assert isinstance(series, Bars)
    return series


def pixel_of(view: TimelineView, number: int) -> QPoint:
    """A pixel of the plot in the middle of a bar, close to its foot."""
    arrays = view.bars
    middle = float(arrays.left[number] + arrays.right[number]) / 2
    foot = view.plot.rows[1].getViewBox().mapViewToScene(QPointF(middle, 0))
    return QPoint(int(foot.x()), round(foot.y()) - 4)


def color_at(view: TimelineView, number: int) -> str:
    """The colour that most pixels around there have."""
    image, place = view.plot.grab().toImage(), pixel_of(view, number)
    around = [image.pixelColor(place + QPoint(x, -y)).name() for x in range(-2, 3) for y in range(8)]
    return max(around, key=around.count)


def click(view: TimelineView, number: int, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(view, number))


class Paintings(QObject):
    """Counts how often a plot is painted."""

    def __init__(self, view: TimelineView) -> None:
        super().__init__(view)
        self.count = 0
        view.plot.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def painted_after(view: TimelineView, qapp: QApplication, act: Callable[[], object]) -> int:
    """How often the plot is painted because of what is done."""
    for _ in range(4):
        qapp.processEvents()
    paintings = Paintings(view)
    act()
    for _ in range(4):
        qapp.processEvents()
    return paintings.count


def test_bars_are_the_columns_of_the_table() -> None:
    assembly = assembly_of()
    timeline, messages = Timeline(assembly), assembly.candidates.rows(Kind.MESSAGE)
    bars = message_bars(timeline, by_time=False)
    assert bars.height.tolist() == assembly.candidates.tokens[messages].tolist()
    assert bars.solid.tolist() == assembly.spent[messages].tolist()
    assert bars.look.tolist() == assembly.action[messages].tolist()
    assert timeline.cumulated[-1] == assembly.spent[messages].sum()
    assert (bars.left[0], bars.right[-1]) == (0.5, len(messages) + 0.5)
    assert {Fate.KEPT, Fate.DROPPED} == {fate for fate, count in timeline.counts.items() if count}


def test_the_rows_of_files_are_the_bars_and_what_is_summed_up(view: TimelineView) -> None:
    view.show_assembly(assembly_of(timed_messages(30), 300))
    rows, bars = list(MESSAGES.records(Timeline(assembly_of(timed_messages(30), 300)))), view.bars
    assert [row["tokens"] for row in rows] == bars.height.tolist()
    assert [row["spent"] for row in rows] == bars.solid.tolist()
    assert [row["action"] for row in rows] == [phrase(Fate(look)) for look in bars.look.tolist()]
    assert [row["sum"] for row in rows] == sums_of(view).height.tolist()
    view.switch.choose(BY_TIME)
    times = [f"{datetime.fromtimestamp(left, UTC):%Y-%m-%d %H:%M}" for left in view.bars.left.tolist()]
    assert [row["time"] for row in rows] == times
    assert "dropped" in {row["action"] for row in rows}


def test_history_begins_after_the_last_message_that_is_not_kept() -> None:
    timeline = Timeline(assembly_of())
    begins = timeline.history_begins
    assert begins is not None
    assert timeline.fates[begins - 1] == Fate.DROPPED
    assert set(timeline.fates[begins:].tolist()) == {Fate.KEPT}
    assert f"From message {begins + 1} on everything is kept" in description(timeline)
    assert Timeline(assembly_of(window=90_000)).history_begins is None


def test_what_is_not_said_yet_is_no_decision() -> None:
    timeline = Timeline(assembly_of(at=20))
    assert timeline.fates[20:].tolist() == [Fate.NOT_YET] * 10
    assert timeline.history_begins is not None
    assert timeline.history_begins < 20
    assert "not yet" in sentence(timeline, 25)


def test_what_is_spent_is_summed_up(view: TimelineView) -> None:
    assembly = assembly_of()
    view.show_assembly(assembly)
    sums = sums_of(view)
    assert sums.height.tolist() == np.cumsum(assembly.spent[assembly.candidates.rows(Kind.MESSAGE)]).tolist()
    assert (sums.left.tolist()[1:], sums.right[-1]) == (sums.right.tolist()[:-1], 30.5)


def test_a_message_without_a_time_leaves_only_numbers(view: TimelineView) -> None:
    view.show_assembly(assembly_of(timed_messages(30)))
    assert not view.switch.isHidden()
    view.switch.choose(BY_TIME)
    assert view.bars.left[1] - view.bars.left[0] == 120
    view.show_assembly(assembly_of([*timed_messages(29), message(29), message(30)]))
    assert view.switch.isHidden()
    assert view.switch.current == BY_NUMBER
    assert view.bars.left.tolist() == [number + 0.5 for number in range(31)]


def test_the_message_that_is_being_written_stands_at_the_end() -> None:
    times = Timeline(assembly_of([*timed_messages(8), message(8)])).times
    assert times is not None
    assert times[-1] >= times[-2]
    assert Timeline(assembly_of([message(0), *timed_messages(8)])).times is None


@pytest.mark.parametrize("name", ["light", "dark"])
def test_dropped_messages_have_their_colour_and_kept_ones_that_of_history(
    view: TimelineView, qapp: QApplication, name: str
) -> None:
    view.show_assembly(assembly_of())
    apply_theme(qapp, name)  # type: ignore[arg-type]
    timeline = Timeline(assembly_of())
    kept = theme().section_color(Section.HISTORY).name()
    dropped = Look(theme().action_color(Action.DROPPED)).ground.name()
    expected = [kept if fate == Fate.KEPT else dropped for fate in timeline.fates.tolist()]
    assert [color_at(view, number) for number in range(30)] == expected
    assert kept != dropped
    apply_theme(qapp, "light")


def test_what_is_not_said_yet_is_faint(view: TimelineView) -> None:
    view.show_assembly(assembly_of(at=20))
    assert color_at(view, 25) == Look(theme().border).ground.name()


def test_a_click_selects_and_the_keys_go_on_from_there(view: TimelineView, qtbot: QtBot) -> None:
    assembly = assembly_of()
    first = int(assembly.candidates.rows(Kind.MESSAGE)[0])
    view.show_assembly(assembly)
    told: list[int] = []
    view.row_selected.connect(told.append)
    view.row_selected.connect(view.show_row)
    click(view, 7, qtbot)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Home):
        qtbot.keyClick(view.plot, key)
    assert [row - first for row in told] == [7, 8, 7, 6, 29, 29, 0]


def test_the_mouse_names_the_message_and_leaves_the_selected_one(view: TimelineView, qtbot: QtBot) -> None:
    assembly = assembly_of()
    view.show_assembly(assembly)
    assert view.line.text() == POINT_AT
    view.show_row(int(assembly.candidates.rows(Kind.MESSAGE)[3]))
    assert view.line.text().startswith("Message 4  ·  assistant  ·  ≈ 23 tokens  ·  ✕ dropped  ·  “word word")
    qtbot.mouseMove(view.plot.viewport(), pixel_of(view, 29))
    assert view.line.text().startswith("Message 30  ·  assistant  ·  ≈ 21 tokens  ·  kept")
    QApplication.sendEvent(view.plot, QEvent(QEvent.Type.Leave))
    assert view.line.text().startswith("Message 4  ·")


def test_the_selected_message_is_marked(view: TimelineView) -> None:
    assembly = assembly_of()
    view.show_assembly(assembly)

    def above(number: int) -> QColor:
        top = view.plot.rows[1].getViewBox().sceneBoundingRect().top()
        return view.plot.grab().toImage().pixelColor(pixel_of(view, number).x(), round(top))

    before = above(15)
    view.show_row(int(assembly.candidates.rows(Kind.MESSAGE)[15]))
    assert above(15) == theme().accent
    assert above(20) == before
    view.show_row(None)
    assert above(15) == before


def test_unseen_characters_are_written_out(view: TimelineView) -> None:
    assembly = assembly_of([message(0, "a \u202egnorw"), message(1)])
    view.show_assembly(assembly)
    view.show_row(int(assembly.candidates.rows(Kind.MESSAGE)[0]))
    assert "⟦RLO⟧" in view.line.text()


def test_nothing_is_painted_where_nothing_changed(view: TimelineView, qapp: QApplication) -> None:
    first, same, other = (assembly_of(window=window) for window in (700, 700, 900))
    view.show_assembly(first)
    assert painted_after(view, qapp, lambda: view.show_assembly(first)) == 0
    assert painted_after(view, qapp, lambda: view.show_assembly(same)) == 0
    assert painted_after(view, qapp, lambda: view.show_assembly(other)) > 0


def test_arrays_are_made_once_for_an_answer(
    shown: tuple[MainWindow, TimelineView], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, view = shown
    made: list[Assembly] = []
    monkeypatch.setattr(
        timeline_view,
        "timeline_drawing",
        lambda timeline, by_time: (made.append(timeline.assembly), timeline_drawing(timeline, by_time))[1],
    )
    before = view.bars
    window.session.edit(use_policy, "naive")
    assert view.bars is not before
    qtbot.waitUntil(lambda: window.session.is_ready)
    assert len(made) == len({id(assembly) for assembly in made})
    assert made[-1] is window.session.assembly
    assert view.said.text() == "18,474 tokens in the prompt"
    assert "337 kept, 1 dropped" in view.plot.accessibleDescription()


def test_it_shows_what_is_selected_and_selects_everywhere(shown: tuple[MainWindow, TimelineView], qtbot: QtBot) -> None:
    window, view = shown
    row = window.session.assembly.candidates.rows_named(["m60"]).tolist()[0]  # type: ignore[union-attr]
    window.select(row)
    assert view.line.text().startswith("Message 61  ·  user  ·  7 tokens  ·  ✕ dropped")
    qtbot.keyClick(view.plot, Qt.Key.Key_Right)
    assert window.row == row + 1


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_pictures_are_saved_and_sources_are_refused(
    opened: Callable[..., MainWindow], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    source = tmp_path / f"chat{suffix}"
    source.write_bytes((samples_folder() / "companion.workspace.yaml").read_bytes())
    window, content = opened(source), source.read_bytes()
    window.show_screen("timeline")
    view = window.screens["timeline"].view
    assert isinstance(view, TimelineView)
    problems: list[str] = []
    window.session.problem_reported.connect(lambda problem: problems.append(problem.message))
    for name in (f"timeline{suffix}", f"chat{suffix}", "timeline.gif"):
        monkeypatch.setattr(
            "PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_, name=name: (str(tmp_path / name), "")
        )
        view.export_button.click()
    assert (tmp_path / f"timeline{suffix}").stat().st_size > 1000
    assert source.read_bytes() == content
    assert not (tmp_path / "timeline.gif").exists()
    assert len(problems) == 2
    assert "choose another name" in problems[0]
    assert ".png or .svg" in problems[1]


def test_an_empty_place_says_what_to_do(view: TimelineView) -> None:
    view.show_assembly(assembly_of())
    assert view.plot.isVisible()
    for nothing in (None, assembly_of([])):
        view.show_assembly(nothing)
        view.show_row(None)
        view.say()
        assert not view.plot.isVisible()


def test_among_a_hundred_thousand_messages_the_one_that_is_seen_is_chosen(view: TimelineView, qtbot: QtBot) -> None:
    count, tall = 100_000, 70_007
    texts = {tall: "word " * 50}
    assembly = assembly_of([message(number, texts.get(number, "a b c")) for number in range(count)])
    view.show_assembly(assembly)
    told: list[int] = []
    view.row_selected.connect(told.append)
    click(view, tall, qtbot)
    assert told == [int(assembly.candidates.rows(Kind.MESSAGE)[tall])]


def test_the_same_assembly_without_messages_is_looked_at_once(
    view: TimelineView, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Assembly] = []

    def counting(assembly: Assembly) -> Timeline:
        made.append(assembly)
        return Timeline(assembly)

    monkeypatch.setattr(timeline_view, "Timeline", counting)
    empty = assembly_of([])
    view.show_assembly(empty)
    view.show_assembly(empty)
    assert made == [empty]
