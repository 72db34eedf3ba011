"""The survival of items: a map and a table that say the same, values by mouse and keys, and never a late picture."""

from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, message, pipeline_for
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from inspector.analysis.sliders import sliders_of
from inspector.analysis.survival.ask import Survived, by_policy, survival
from inspector.analysis.survival.stretches import Outcome
from inspector.analysis.survival.tables import ITEM_COLUMNS, STRETCHES
from inspector.assembly.columns import Action, Section
from inspector.assembly.edits import set_value, use_policy
from inspector.assembly.numbers import title_in
from inspector.drawings.drawing import Entry
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.slider import ParameterSlider
from inspector.gui.plots.painters import StretchesPainter
from inspector.gui.screens.survival.model import Order, Shown, nearest_flip, rows_of
from inspector.gui.screens.survival.view import NONE_SHOWN, NOTHING_OPEN, OTHER_SUM, TABLE, SurvivalView
from inspector.gui.theme import apply_theme, theme
from inspector.model import Workspace

WORDS = [message(number, " ".join(["word"] * (20 + number % 7))) for number in range(30)]
WINDOW = 700


def survived_of(name: str = "context_window") -> Survived:
    pipeline = pipeline_for(WORDS)
    answer = answer_of(pipeline, WINDOW, policy="ratio")
    (slider,) = (each for each in sliders_of(answer.case) if each.name == name)
    return Survived(slider, survival(pipeline, answer.scenario, name), answer.case, answer.assembly)


def roughly() -> Survived:
    """The same, asked at few values only."""
    survived = survived_of()
    axis, count = survived.found.axis, len(WORDS)
    in_from = np.arange(count) * 20 + 100
    ask = lambda value: np.where(value >= in_from, Action.KEPT, Action.DROPPED).astype(np.uint8)  # noqa: E731
    return replace(survived, found=by_policy(ask, "context_window", axis, looks=12))


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> SurvivalView:
    apply_theme(qapp, "dark")
    made = SurvivalView()
    qtbot.addWidget(made)
    made.resize(1000, 420)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def shown(companion: MainWindow, qtbot: QtBot) -> tuple[MainWindow, SurvivalView]:
    """A window on the first sample whose survival is found."""
    companion.do("tune")
    companion.show_screen("survival")
    view = companion.screens["survival"].view
    assert isinstance(view, SurvivalView)
    qtbot.waitUntil(lambda: is_found(companion, view))
    return companion, view


def is_found(window: MainWindow, view: SurvivalView) -> bool:
    return view.survived is not None and not view.is_waiting and not window.session.tasks.is_running("survival")


def cell(survived: Survived, key: str, row: int) -> str:
    return next(column for column in ITEM_COLUMNS if column.key == key).text(survived, row)


def legend_of(view: SurvivalView) -> tuple[Entry, ...]:
    return () if view.plot.drawing is None else view.plot.drawing.legend


def pixel_of(view: SurvivalView, number: int, place: int) -> QPoint:
    QApplication.processEvents()
    return view.plot.rows[0].getViewBox().mapViewToScene(QPointF(number, place + 0.5)).toPoint()


def test_the_picture_is_what_becomes_of_each_item_under_each_value(view: SurvivalView) -> None:
    survived = survived_of("min_exchanges")
    view.show_survived(survived)
    (painter,), found = view.plot.drawn_by, survived.found
    assert isinstance(painter, StretchesPainter)
    drawn = painter.picture.image
    assert drawn is not None
    assert drawn.shape == (len(WORDS), found.last - found.first + 1)
    assert np.array_equal(drawn, found.grid(np.arange(found.first, found.last + 1))[view.items])


def test_each_row_has_the_hue_of_its_section_and_the_axis_its_name(view: SurvivalView, qapp: QApplication) -> None:
    survived = survived_of()
    view.show_survived(survived)
    assert view.plot.drawing is not None
    assert view.plot.drawing.across.title == "Window, tokens"
    sections = [Section(int(survived.assembly.section[row])) for row in view.items]
    model = view.table.array_model
    markings = [model.marking(position) for position in range(model.rowCount())]
    assert [marking.edge for marking in markings if marking] == [theme().section_color(one) for one in sections]
    qapp.processEvents()
    inside = view.plot.rows[0].getViewBox().sceneBoundingRect()
    painted = view.plot.grab().toImage()
    scale = painted.devicePixelRatio()
    for place in (0, len(sections) // 2, len(sections) - 1):
        spot = QPointF(inside.left() + 2, pixel_of(view, survived.found.first, place).y()) * scale
        assert painted.pixelColor(spot.toPoint()) == theme().section_color(sections[place]), place
    view.show_survived(survived_of("min_exchanges"))
    assert view.plot.drawing.across.title == survived_of("min_exchanges").slider.title


def test_the_table_tells_what_is_never_in_from_what_more_of_it_loses() -> None:
    survived = survived_of("min_exchanges")
    count, axis = len(WORDS), survived.found.axis
    outs = np.full(count, 1_000)
    outs[:2] = (-1, 3)
    ask = lambda value: np.where(value >= outs, Action.DROPPED, Action.KEPT).astype(np.uint8)  # noqa: E731
    found = replace(survived, found=by_policy(ask, "min_exchanges", axis, looks=50))
    assert [cell(found, "in_from", row) for row in range(3)] == ["never", "lost with more", "always"]


def test_items_can_stand_in_the_order_in_which_they_fall(view: SurvivalView) -> None:
    survived = survived_of()
    view.show_survived(survived)
    assert view.items.tolist() == survived.assembly.order.tolist()
    view.order.setCurrentIndex(view.order.findData(Order.FALL))
    falls = survived.found.falls[view.items]
    assert (np.diff(falls) >= 0).all()
    assert len(set(falls.tolist())) > 5


def test_only_what_changes_and_only_what_more_loses_can_be_listed(view: SurvivalView) -> None:
    survived = survived_of()
    moving = rows_of(survived, Order.PROMPT, Shown.MOVING)
    assert set(moving.tolist()) == set(survived.found.rows[survived.found.flips].tolist())
    view.show_survived(survived)
    view.switch.choose(TABLE)
    view.shown.setCurrentIndex(view.shown.findData(Shown.LOST))
    lost = set(survived.found.rows[survived.found.losses].tolist())
    assert view.table.model().rowCount() == len(lost)
    assert not lost
    assert view.line.text().endswith(NONE_SHOWN[Shown.LOST])
    assert view.losses.text() == "More of it loses no item."
    assert "No item is lost" in NONE_SHOWN[Shown.LOST]


def test_the_table_writes_the_stretches_as_the_command_does(view: SurvivalView) -> None:
    survived = survived_of()
    view.show_survived(survived)
    rows = list(view.table.array_model.records())
    written = list(STRETCHES.records(survived))
    place = {name: number for number, name in enumerate(survived.assembly.candidates.ids)}
    assert sorted(rows, key=lambda row: place[str(row["item"])]) == written
    assert [row["item"] for row in rows if row["from"] == survived.found.axis.value(survived.found.first)] == [
        survived.assembly.candidates.ids[row] for row in view.items.tolist()
    ]


def test_what_is_the_same_in_every_prompt_does_not_change_where_there_is_none(
    shown: tuple[MainWindow, SurvivalView],
) -> None:
    _, view = shown
    survived = view.survived
    assert survived is not None
    view.shown.setFocus()
    QTest.keyClicks(view.shown, Shown.MOVING.value)
    becomes = [{one.outcome for one in survived.found.stretches(row)} for row in range(len(survived.found))]
    assert {Outcome.NO_PROMPT, Outcome.KEPT} in becomes
    assert set(view.items.tolist()) == {row for row, each in enumerate(becomes) if len(each - {Outcome.NO_PROMPT}) > 1}


def test_orders_and_choices_of_items_are_read_whole_where_the_legend_leaves_them_their_least_width(
    view: SurvivalView,
) -> None:
    for box in (view.order, view.shown):
        option = QStyleOptionComboBox()
        option.initFrom(box)
        option.rect.setWidth(box.minimumSizeHint().width())
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
        texts = [box.itemText(place) for place in range(box.count())]
        assert max(map(box.fontMetrics().horizontalAdvance, texts)) <= room, texts


def test_the_table_says_the_stretches_in_words(view: SurvivalView) -> None:
    survived = survived_of()
    first = int(survived.found.falls[0])
    assert cell(survived, "in_from", 0) == f"{first:,}"
    assert cell(survived, "stretches", 0) == survived.found.words(0)
    assert f"kept from {first:,} on" in survived.found.words(0)


def test_what_is_not_known_exactly_says_about(view: SurvivalView) -> None:
    view.show_survived(roughly())
    view.end("")
    assert "not every value was looked at" in view.state.text()
    view.show_row(3)
    assert "about" in view.line.text()


def test_pointing_says_what_becomes_of_the_item_there(view: SurvivalView) -> None:
    survived = survived_of()
    view.show_survived(survived)
    view.show_today(WINDOW)
    falls = int(survived.found.falls[5])
    place = view.items.tolist().index(5)
    QTest.mouseMove(view.plot.viewport(), pixel_of(view, falls + 300, place))
    assert view.line.text().startswith("at ")
    assert "now 700  ·  kept  ·  Message 6: " in view.line.text()


def test_a_click_sets_the_slider_and_selects_the_item(view: SurvivalView, qtbot: QtBot) -> None:
    view.show_survived(survived_of("min_exchanges"))
    values: list[object] = []
    rows: list[int] = []
    view.value_chosen.connect(lambda value, gesture: values.append(value))
    view.row_selected.connect(rows.append)
    qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(view, 7, 4))
    assert values == [7]
    assert rows == [int(view.items[4])]


def test_keys_go_from_flip_to_flip_and_from_item_to_item_and_return_sets_the_value(view: SurvivalView) -> None:
    survived = survived_of()
    view.show_survived(survived)
    view.show_today(WINDOW)
    values: list[object] = []
    rows: list[int] = []
    view.value_chosen.connect(lambda value, gesture: values.append(value))
    view.row_selected.connect(rows.append)
    view.plot.setFocus()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Down):
        QTest.keyClick(view.plot, key)
    assert values == [survived.found.next_flip(WINDOW, 1)]
    assert rows == [int(view.items[0])]


def test_return_on_a_row_of_the_table_goes_to_its_nearest_flip(view: SurvivalView) -> None:
    survived = survived_of()
    view.show_survived(survived)
    view.show_today(WINDOW)
    values: list[object] = []
    view.value_chosen.connect(lambda value, gesture: values.append(value))
    view.switch.choose(TABLE)
    view.table.select_row(2)
    view.table.setFocus()
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert values == [nearest_flip(survived, 2, WINDOW)]


def test_both_themes_colour_the_map(view: SurvivalView, qapp: QApplication) -> None:
    view.show_survived(survived_of())
    dark = view.plot.grab().toImage()
    apply_theme(qapp, "light")
    assert view.plot.grab().toImage() != dark


def test_the_legend_names_what_is_there(view: SurvivalView) -> None:
    view.show_survived(survived_of())
    assert [entry.words for entry in legend_of(view)] == ["kept", "dropped"]


def test_the_legend_has_the_colours_of_the_map_under_every_theme(view: SurvivalView, qapp: QApplication) -> None:
    view.show_survived(survived_of())
    QApplication.processEvents()
    for name in ("light", "dark"):
        apply_theme(qapp, name)
        assert theme().color(legend_of(view)[0].tone) == theme().accent
        picture = view.legend.grab().toImage()
        left = [picture.pixelColor(place, picture.height() // 2).name() for place in range(10)]
        assert theme().accent.name() in left


def test_the_window_finds_it_once_whatever_value_the_slider_has(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    found = view.survived
    window.session.edit(set_value, "context_window", 10_000)
    qtbot.waitUntil(lambda: "now 10,000" in view.line.text())
    assert view.survived is found
    assert found is not None
    answer = window.session.answer
    assert answer is not None
    assert found.found.at(10_000).tolist() == answer.assembly.action.tolist()


def test_a_click_in_the_window_is_one_step_that_undo_takes_back(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    qtbot.mouseClick(view.plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel_of(view, 9_000, 10))
    chosen = window.session.scenario.context_window
    assert chosen is not None
    assert abs(chosen - 9_000) < 200
    assert window.row in view.items[9:12]
    window.session.undo_stack.undo()
    assert window.session.scenario.context_window != chosen
    qtbot.waitUntil(lambda: window.session.is_ready)


def test_another_slider_and_another_policy_are_looked_at_anew(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    view.slider.setCurrentIndex(view.slider.findData("memory_candidates"))
    qtbot.waitUntil(lambda: is_found(window, view) and survived_name(view) == "memory_candidates")
    window.session.edit(use_policy, "naive")
    qtbot.waitUntil(lambda: is_found(window, view) and survived_name(view) == "context_window")


def survived_name(view: SurvivalView) -> str:
    return "" if view.survived is None else view.survived.slider.name


def test_an_empty_workspace_has_no_items(shown: tuple[MainWindow, SurvivalView], qtbot: QtBot) -> None:
    window, view = shown
    window.session.show_workspace(Workspace())
    qtbot.waitUntil(lambda: view.survived is None and not window.session.tasks.is_running("survival"))


def test_it_says_what_it_would_show(view: SurvivalView) -> None:
    view.show_nothing(NOTHING_OPEN)
    assert not view.plot.isVisible()
    assert not legend_of(view)


def drag(view: SurvivalView, start: int, *numbers: int) -> None:
    """Press at a value, move over others, and let go there; as the mouse does, all at one height."""
    port = view.plot.viewport()
    places = [pixel_of(view, number, 5) for number in (start, *numbers)]
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=places[0])
    for place in places[1:]:
        QTest.mouseMove(port, place)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=places[-1])


def test_todays_line_is_dragged_and_the_drag_is_one_step(shown: tuple[MainWindow, SurvivalView], qtbot: QtBot) -> None:
    window, view = shown
    session, found = window.session, view.survived
    before, steps = session.scenario, session.undo_stack.count()
    today = session.pipeline.case(before).model.window.tokens
    drag(view, today, today, today + 4_000, today + 9_000)
    assert session.scenario.context_window == pytest.approx(today + 9_000, abs=300)
    assert session.undo_stack.count() == steps + 1
    drawn_to = f"{session.scenario.context_window:,}"
    assert view.line.text().startswith(f"at {drawn_to}, "), "what is said is where the mouse is"
    qtbot.waitUntil(lambda: session.is_ready)
    assert view.line.text().startswith(f"at {drawn_to}, now {drawn_to}  ")
    assert view.survived is found
    assert not view.is_waiting
    session.undo_stack.undo()
    assert session.scenario == before
    qtbot.waitUntil(lambda: session.is_ready)


def test_a_drag_beside_the_line_sets_nothing(shown: tuple[MainWindow, SurvivalView]) -> None:
    window, view = shown
    today = window.session.pipeline.case(window.session.scenario).model.window.tokens
    steps = window.session.undo_stack.count()
    drag(view, today + 6_000, today + 9_000)
    assert window.session.undo_stack.count() == steps


def test_the_map_of_a_share_is_what_its_slider_gives_and_stays_while_it_is_moved(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    view.slider.setCurrentIndex(view.slider.findData("history_share"))
    qtbot.waitUntil(lambda: is_found(window, view) and survived_name(view) == "history_share")
    survived = view.survived
    assert survived is not None
    slider = window.findChild(ParameterSlider, "parameter:history_share")
    assert isinstance(slider, ParameterSlider)
    for _ in range(3):
        QTest.keyClick(slider, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: window.session.is_ready)
    answer = window.session.answer
    assert answer is not None
    number = survived.found.axis.number(slider.number)
    assert number > survived.found.axis.number(survived.found.axis.today)
    assert survived.found.at(number).tolist() == answer.assembly.action.tolist()


def test_the_map_of_a_share_says_that_todays_shares_are_less_than_the_whole(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    assert sum(value for name, value in window.session.scenario.parameters.items() if "share" in name) < 1
    assert "shares:" not in view.state.text()
    view.slider.setFocus()
    QTest.keyClicks(view.slider, "Conversation")
    qtbot.waitUntil(lambda: is_found(window, view) and survived_name(view) == "history_share")
    assert f"shares: 95 % given out, {OTHER_SUM}" in view.state.text()
    slider = window.findChild(ParameterSlider, "parameter:history_share")
    assert isinstance(slider, ParameterSlider)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    view.refresh()
    qtbot.waitUntil(lambda: is_found(window, view) and "shares:" not in view.state.text())


def test_a_picture_of_the_slider_before_never_takes_the_place_of_the_chosen_one(
    companion: MainWindow, qtbot: QtBot
) -> None:
    companion.do("tune")
    companion.show_screen("survival")
    view = companion.screens["survival"].view
    assert isinstance(view, SurvivalView)
    qtbot.waitUntil(lambda: companion.session.tasks.is_running("survival"))
    view.slider.setCurrentIndex(view.slider.findData("history_share"))
    assert not companion.session.tasks.is_running("survival")
    qtbot.waitUntil(lambda: is_found(companion, view))
    assert view.survived is not None
    assert view.survived.slider.name == "history_share"


def test_the_slider_can_be_changed_by_keys_while_the_mouse_lies_on_the_map(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    port = view.plot.viewport()
    for beside in (QPoint(9, 9), QPoint()):  # where the pointer is already is no movement
        QTest.mouseMove(port, port.rect().center() + beside)
    qtbot.waitUntil(lambda: view.line.text().startswith("at "))
    marked = view.line.text()
    for name in ("model_sizes", "history_share"):
        while view.slider.currentData() != name:
            qtbot.keyClick(view.slider, Qt.Key.Key_Down)
        assert view.line.text() == marked, "the map of before has no value of another slider"
        qtbot.waitUntil(lambda: view.survived is not None and view.survived.slider == view.chosen)
        qtbot.waitUntil(lambda: is_found(window, view))
        assert view.line.text().startswith("now "), "what the mouse pointed at was of another slider"
        marked = view.line.text()


def test_keys_say_where_they_lead_while_the_mouse_lies_on_the_map(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    _, view = shown
    port = view.plot.viewport()
    for beside in (QPoint(9, 9), QPoint()):  # where the pointer is already is no movement
        QTest.mouseMove(port, port.rect().center() + beside)
    qtbot.waitUntil(lambda: view.line.text().startswith("at "))
    pointed = view.line.text()
    qtbot.keyClick(view.plot, Qt.Key.Key_Home)
    assert view.survived is not None
    assert view.line.text().startswith("at 1, ")
    qtbot.keyClick(view.plot, Qt.Key.Key_Down)
    assert f"{title_in(view.survived.assembly.candidates.items, int(view.items[0]))}: " in view.line.text()
    QTest.mouseMove(port, port.rect().center() + QPoint(2, 0))
    qtbot.waitUntil(lambda: view.line.text().split("  ·  ")[-1] == pointed.split("  ·  ")[-1])


def test_values_between_two_steps_of_a_slider_are_told_apart(
    shown: tuple[MainWindow, SurvivalView], qtbot: QtBot
) -> None:
    window, view = shown
    view.slider.setCurrentIndex(view.slider.findData("recency_weight"))
    qtbot.waitUntil(lambda: view.survived is not None and view.survived.slider.name == "recency_weight")
    qtbot.waitUntil(lambda: is_found(window, view))
    survived = view.survived
    assert survived is not None
    found = survived.found
    place = int(found.losses[np.argmin(found.begins[found.losses])])
    row, value = int(found.rows[place]), found.axis.value(int(found.begins[place]))
    assert round(value, 2) != value
    assert f" at {value}" in view.losses.text()
    view.show_row(row)
    assert f"from {value}" in view.line.text()
    assert f"from {value}" in cell(survived, "stretches", row)


def test_going_from_the_map_to_the_table_selects_no_item(view: SurvivalView, qtbot: QtBot) -> None:
    view.show_survived(survived_of())
    view.plot.setFocus()
    qtbot.waitUntil(view.plot.hasFocus)
    with qtbot.assertNotEmitted(view.row_selected):
        view.switch.choose(TABLE)
        qtbot.waitUntil(view.table.hasFocus)
    assert not view.table.selectionModel().hasSelection()
    with qtbot.waitSignal(view.row_selected):
        qtbot.keyClick(view.table, Qt.Key.Key_Down)
