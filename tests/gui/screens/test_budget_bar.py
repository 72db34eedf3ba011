"""The budget bar: colours where the tokens are, segments by mouse and keyboard, words for who does not see it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for
from inspector.gui.parts.bar_picture import BarPicture, Segment, bar_picture
from inspector.gui.screens.budget.painting import SPACING, BarLabel, place_limits
from inspector.gui.screens.budget.view import BudgetBar
from inspector.gui.theme import apply_theme, theme
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Workspace
from inspector.plugins import policies

SCENARIO = Scenario(tokenizer="estimate:words", context_window=700, parameters={"system_limit": 1.0})
Ask = Callable[..., Answer]


@pytest.fixture
def ask() -> Ask:
    """Answers to scenarios over 20 messages of 10 words, 10 memories of 5, and a system prompt of 40."""
    messages = tuple(
        Message(f"m{number}", "user" if number % 2 == 0 else "assistant", " ".join(["word"] * 10))
        for number in range(20)
    )
    memories = tuple(Memory(f"k{number}", " ".join(["fact"] * 5), priority=50) for number in range(10))
    workspace = Workspace(
        conversations=(Conversation("c", messages),),
        memory_sets=(MemorySet("s", memories),),
        characters=(Character("nova", system_prompt=" ".join(["rule"] * 40)),),
    )
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    return lambda **changes: answer_for(pipeline, replace(SCENARIO, **changes), cached=False)


@pytest.fixture
def bar(qtbot: QtBot, qapp: QApplication) -> BudgetBar:
    apply_theme(qapp, "light")
    shown = BudgetBar()
    qtbot.addWidget(shown)
    shown.resize(1000, shown.sizeHint().height())
    shown.show()
    return shown


def segment(bar: BudgetBar, name: str) -> Segment:
    assert bar.picture is not None
    found = bar.picture.named(name)
    assert found is not None, name
    return found


def place(bar: BudgetBar, name: str, down: int = 4) -> QPoint:
    span = bar.span_of(segment(bar, name))
    return QPoint(span.center().x(), span.top() + down)


def colors_in(image: QImage, bar: BudgetBar, name: str) -> set[str]:
    span = bar.span_of(segment(bar, name)).adjusted(4, 4, -4, -4)
    points = ((x, y) for x in range(span.left(), span.right()) for y in range(span.top(), span.bottom()))
    return {image.pixelColor(*point).name() for point in points}


def test_segments_are_in_prompt_order_and_sum_to_the_window(ask: Ask) -> None:
    picture = bar_picture(ask())
    assert [segment.word for segment in picture.segments] == [
        "system",
        "memory",
        "history",
        "overhead",
        "reserve",
        "free",
    ]
    ends = [segment.end for segment in picture.segments]
    assert [segment.start for segment in picture.segments] == [0, *ends[:-1]]
    assert ends[-1] == picture.window == 700
    memory = picture.named("memory")
    assert memory is not None
    assert (memory.tokens, memory.limit) == (50, 198)
    limit = next(limit for limit in picture.limits if limit.section == Section.MEMORY)
    assert (limit.end, limit.title) == (40 + 198, "Memories limit 198")
    assert limit.sentence == "Limit of Memories: 198 tokens, of which ≈ 50 used."


def test_sections_have_their_colors_where_their_tokens_are(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    image = bar.grab().toImage()
    for name, section in (("system", Section.SYSTEM), ("memory", Section.MEMORY), ("history", Section.HISTORY)):
        at = place(bar, name)
        assert image.pixelColor(at) == theme().section_color(section)
    assert image.pixelColor(place(bar, "free")) == theme().extra_color("free")
    system, memory = bar.span_of(segment(bar, "system")), bar.span_of(segment(bar, "memory"))
    assert memory.left() == system.left() + system.width()
    assert memory.width() == pytest.approx(system.width() * 50 / 40, abs=2)


def test_overhead_and_reserve_are_hatched(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    image = bar.grab().toImage()
    assert theme().extra_color("overhead").name() in colors_in(image, bar, "overhead")
    assert len(colors_in(image, bar, "overhead")) > 1
    assert theme().base.name() in colors_in(image, bar, "reserve")
    assert len(colors_in(image, bar, "reserve")) > 1


def test_what_is_over_the_window_is_red_and_the_scale_extends(bar: BudgetBar, ask: Ask) -> None:
    answer = ask(policy="naive", context_window=200, parameters={})
    bar.show_answer(answer, None)
    picture = bar.picture
    assert picture is not None
    assert picture.over == answer.ledger.total - 200
    assert picture.scale == answer.ledger.total
    assert picture.rest_text == f"of 200, ≈ {picture.over} over"
    over = theme().extra_color("over").name()
    image = bar.grab().toImage()
    assert over in colors_in(image, bar, "overhead")
    assert over not in colors_in(image, bar, "system")


def test_a_reserve_that_does_not_fit_is_over_the_window_too(ask: Ask) -> None:
    guaranteed = {"min_exchanges": 20, "system_limit": 1.0}
    total = ask(parameters=guaranteed).ledger.total
    answer = ask(parameters=guaranteed, context_window=total + 20)
    picture = bar_picture(answer)
    assert picture.total == total
    assert picture.over == answer.assembly.budget.response_reserve - 20 > 0
    assert picture.named("free") is None


def test_a_limit_is_a_tick_with_a_foot_in_the_color_of_its_section(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    memory, row = segment(bar, "memory"), bar.span_of(segment(bar, "memory"))
    left, right = bar.span_of(segment(bar, "system")).left(), bar.span_of(segment(bar, "free")).right() + 1
    x = left + round((memory.start + 198) * (right - left) / 700)
    image = bar.grab().toImage()
    assert image.pixelColor(x - 1, row.top() + 4) == theme().text
    assert image.pixelColor(x - 2, row.bottom() + 3) == theme().section_color(Section.MEMORY)


def test_the_baseline_is_a_thin_bar_above_on_the_same_scale(bar: BudgetBar, ask: Ask) -> None:
    height = bar.sizeHint().height()
    bar.show_answer(ask(), ask(parameters={"memory_share": 0.02, "history_share": 0.68, "system_limit": 1.0}))
    assert bar.sizeHint().height() == height, "its room is there before it is"
    image = bar.grab().toImage()
    row = bar.span_of(segment(bar, "memory"))
    assert image.pixelColor(row.center().x(), row.top() - 12) == theme().section_color(Section.HISTORY)
    assert image.pixelColor(row.center().x(), row.top() + 4) == theme().section_color(Section.MEMORY)


def test_an_error_keeps_the_last_picture_dimmed_with_the_reason(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    before = bar.picture
    bar.show_answer(ask(parameters={"memory_share": 0.9}), None)
    assert bar.picture is before
    assert "sum to 1" in bar.accessibleDescription()
    assert bar.tool_tip_at(place(bar, "system")) == bar.accessibleDescription()
    dimmed = bar.grab().toImage().pixelColor(place(bar, "system"))
    color = theme().section_color(Section.SYSTEM)
    assert dimmed != color
    assert dimmed.lightness() > color.lightness()
    bar.show_answer(ask(), None)
    assert bar.grab().toImage().pixelColor(place(bar, "system")) == color


def test_without_an_answer_it_says_what_to_do(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    bar.show_answer(None, None)
    assert bar.picture is None
    assert bar.accessibleDescription().startswith("Open a conversation")
    assert not bar.grab().isNull()


def test_clicks_and_pointing_name_the_segment(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(), None)
    clicked: list[str] = []
    hovered: list[str] = []
    bar.segment_clicked.connect(clicked.append)
    bar.segment_hovered.connect(hovered.append)
    for name in ("memory", "overhead", "reserve", "free"):
        qtbot.mouseMove(bar, place(bar, name))
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place(bar, name))
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert clicked == ["memory", "overhead", "reserve", "free"]
    qtbot.waitUntil(lambda: hovered[:4] == clicked)


def test_arrows_move_between_segments_and_enter_clicks(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(), None)
    clicked: list[str] = []
    bar.segment_clicked.connect(clicked.append)
    bar.clearFocus()
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    assert bar.accessibleDescription().startswith("System: ")
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_End, Qt.Key.Key_Left):
        qtbot.keyClick(bar, key)
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert clicked == ["memory", "reserve"]
    assert bar.accessibleDescription().startswith("Reserve: ")


def test_words_say_name_tokens_share_limit_and_loan(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(parameters={"borrow": "history", "system_limit": 1.0}), None)
    memory = bar.tool_tip_at(place(bar, "memory"))
    assert memory == "Memories: ≈ 50 tokens, 7.1 % of the window, limit 198."
    history = bar.tool_tip_at(place(bar, "history"))
    assert "limit 264, 148 borrowed" in history
    assert "chat" in bar.tool_tip_at(place(bar, "overhead"))
    assert bar.tool_tip_at(QPoint(1, 1)) == ""
    assert bar.picture is not None
    assert bar.picture.total_text in bar.accessibleDescription()


def test_pointing_shows_the_words(bar: BudgetBar, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, widget: told.append(text))
    bar.show_answer(ask(), None)
    at = place(bar, "memory")
    QApplication.sendEvent(bar, QHelpEvent(QEvent.Type.ToolTip, at, bar.mapToGlobal(at)))
    assert [tip_text(tip) for tip in told] == [bar.tool_tip_at(at)]
    assert tip_text(told[0]).startswith("Memories: ")


def test_estimates_are_marked_and_exact_figures_are_not() -> None:
    free = Segment("free", "Free", None, 900, 100)
    estimated = BarPicture((free,), 1000, 700, 200, estimated=True)
    exact = replace(estimated, estimated=False)
    assert (estimated.total_text, exact.total_text) == ("prompt ≈ 700 + reserve 200", "prompt 700 + reserve 200")
    assert (estimated.rest_text, exact.rest_text) == ("≈ 900 of 1,000, ≈ 100 free", "= 900 of 1,000, 100 free")
    assert (estimated.figures(free), exact.figures(free)) == ("≈ 100", "100")


def test_the_header_adds_up_in_words(ask: Ask) -> None:
    over = BarPicture((), 12_288, 8_893, 4_080, estimated=False)
    assert f"{over.total_text} {over.rest_text}" == "prompt 8,893 + reserve 4,080 = 12,973 of 12,288, 685 over"
    without = replace(over, reserve=0)
    assert f"{without.total_text} {without.rest_text}" == "prompt 8,893 of 12,288, 3,395 free"


def test_a_limit_is_labelled_and_said_where_one_points_at_it(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), ask(context_window=650))
    bar.resize(1000, bar.sizeHint().height())
    row, memory = bar.span_of(segment(bar, "memory")), segment(bar, "memory")
    right = bar.span_of(segment(bar, "free")).right() + 1
    x = row.left() + round(198 * (right - row.left()) / (700 - memory.start))
    for down in (-1, 4, row.height() + 3):
        assert "Limit of Memories: 198 tokens" in bar.tool_tip_at(QPoint(x, row.top() + down))
    assert "Limit" not in bar.tool_tip_at(QPoint(x + 12, row.top() + 4))
    assert bar.tool_tip_at(QPoint(row.center().x(), 10)).startswith("Baseline: ")


def test_both_themes_paint_with_their_own_colors(bar: BudgetBar, ask: Ask, qapp: QApplication) -> None:
    bar.show_answer(ask(), None)
    light = QColor(bar.grab().toImage().pixelColor(place(bar, "memory")))
    apply_theme(qapp, "dark")
    dark = bar.grab().toImage().pixelColor(place(bar, "memory"))
    assert dark == theme().section_color(Section.MEMORY)
    assert dark != light
    apply_theme(qapp, "light")


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_the_bar_is_painted_when_its_picture_changed(
    qtbot: QtBot, qapp: QApplication, bar: BudgetBar, ask: Ask
) -> None:
    bar.show_answer(ask(), None)
    qtbot.waitExposed(bar)
    qapp.processEvents()
    paints = Paints()
    bar.installEventFilter(paints)
    for changes, times in (({}, 0), ({"context_window": 720}, 1), ({"context_window": 720}, 1), ({}, 2)):
        bar.show_answer(ask(**changes), None)
        qapp.processEvents()
        assert paints.count == times
    bar.show_answer(ask(), ask(context_window=600))
    qapp.processEvents()
    assert paints.count == 3, "a baseline came"
    apply_theme(qapp, "dark")
    qapp.processEvents()
    assert paints.count > 3, "another theme has other colours"
    apply_theme(qapp, "light")


def test_the_legend_names_every_part_in_its_color_and_stays_while_sliders_move(
    bar: BudgetBar, ask: Ask, qtbot: QtBot
) -> None:
    bar.show_answer(ask(), None)
    assert bar.picture is not None
    assert [part.word for part in bar.picture.parts] == ["system", "memory", "history", "overhead", "reserve", "free"]
    places = [bar.place_of_entry(part.word) for part in bar.picture.parts]
    memory = bar.place_of_entry("memory")
    color = bar.grab().toImage().pixelColor(memory.left() + 4, memory.center().y())
    assert color == theme().section_color(Section.MEMORY)
    with qtbot.waitSignal(bar.segment_clicked) as clicked:
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=memory.center())
    assert clicked.args == ["memory"]
    bar.show_answer(ask(parameters={"memory_share": 0.0, "history_share": 0.7, "system_limit": 1.0}), None)
    assert bar.picture.named("memory") is None
    assert [bar.place_of_entry(part.word) for part in bar.picture.parts] == places
    assert bar.tool_tip_at(memory.center()) == "Memories: no tokens."


def turn(bar: BudgetBar, at: QPoint, notches: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    """Turn the wheel over a point; whether the bar had a use for that."""
    event = QWheelEvent(
        QPointF(at),
        QPointF(bar.mapToGlobal(at)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(bar, event)
    return event.isAccepted()


def test_the_wheel_zooms_with_ctrl_at_the_mouse_and_is_harmless_without(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(context_window=7_000), None)
    assert not turn(bar, place(bar, "system"), 3)
    assert bar.zoom.is_whole
    memory = bar.span_of(segment(bar, "memory"))
    assert turn(bar, memory.center(), 6, Qt.KeyboardModifier.ControlModifier)
    closer = bar.span_of(segment(bar, "memory"))
    assert closer.width() > 3 * memory.width()
    assert closer.contains(memory.center())
    assert turn(bar, memory.center(), -9, Qt.KeyboardModifier.ControlModifier)
    assert bar.zoom.is_whole


def test_a_double_click_fits_what_is_used_and_the_scale_is_written(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(context_window=128_000), None)
    clicked: list[str] = []
    bar.segment_clicked.connect(clicked.append)
    system = segment(bar, "system")
    assert bar.span_of(system).width() <= 3
    free = place(bar, "free")
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=free)
    qtbot.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=free)
    assert clicked == ["free", "free"], "what the first click turned on, the second turns off"
    assert bar.span_of(system).width() > 60
    assert bar.picture is not None
    assert bar.zoom.last == pytest.approx(1.04 * bar.picture.total)
    assert "1 px ≈ " in bar._scale().sentence
    assert bar._scale().sentence.startswith("0 to ")
    qtbot.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=place(bar, "memory"))
    assert bar.zoom.is_whole


def test_a_drag_moves_a_bar_that_is_zoomed_and_clicks_nothing(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(), None)
    bar.look_at(bar.zoom.scaled(0.2, 100))
    before, start = bar.zoom, QPoint(400, bar.span_of(segment(bar, "memory")).center().y())
    with qtbot.assertNotEmitted(bar.segment_clicked):
        qtbot.mousePress(bar, Qt.MouseButton.LeftButton, pos=start)
        QTest.mouseMove(bar, start - QPoint(60, 0))
        QTest.mouseMove(bar, start - QPoint(120, 0))
        qtbot.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=start - QPoint(120, 0))
    each = before.tokens / bar._scale().bar.width()
    assert bar.zoom.first == pytest.approx(before.first + 120 * each)
    assert bar.zoom.tokens == before.tokens


def test_keys_zoom_move_and_fit_and_a_chosen_segment_comes_into_sight(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(context_window=7_000), None)
    bar.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(8):
        qtbot.keyClick(bar, Qt.Key.Key_Plus)
    closer = bar.zoom
    assert closer.tokens < 700
    qtbot.keyClick(bar, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert bar.zoom.first > closer.first
    qtbot.keyClick(bar, Qt.Key.Key_End)
    assert bar.zoom.first <= segment(bar, "free").start <= bar.zoom.last
    assert "In sight: " in bar.accessibleDescription()
    qtbot.keyClick(bar, Qt.Key.Key_F)
    assert bar.zoom == bar.zoom.fitted(bar.picture.total if bar.picture else 0)
    qtbot.keyClick(bar, Qt.Key.Key_0)
    assert bar.zoom.is_whole
    assert "In sight" not in bar.accessibleDescription()


def test_a_zoomed_bar_shows_at_every_pixel_what_is_there(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    memory = segment(bar, "memory")
    bar.look_at(bar.zoom.scaled(0.05, memory.start + 10))
    image, row = bar.grab().toImage(), bar._scale().bar
    for x in (row.left() + 40, row.right() - 40):
        under = next(
            one for one in (bar.picture.segments if bar.picture else ()) if one.end > bar._scale().tokens_at(x)
        )
        assert under.section is not None
        assert image.pixelColor(x, row.top() + 4) == theme().section_color(under.section)
    assert image.pixelColor(2, row.center().y()) == image.pixelColor(2, 2), "nothing is painted beside the bar"


@pytest.mark.parametrize("apart", range(0, 30, 3))
def test_a_limit_beside_a_label_of_the_same_place_has_room_beside_it(apart: int) -> None:
    other = BarLabel(None, "Overhead 187", QRect(120, 0, 68, 12), False)
    (found,) = place_limits([(154 + apart, "History limit 3,729")], lambda _: 74, QRect(0, 0, 600, 12), [other])
    assert not found.place.adjusted(-SPACING, 0, SPACING, 0).intersects(other.place)
    assert abs(found.place.center().x() - 154 - apart) <= 74 * 3 // 2


def test_the_labels_of_limits_stand_in_the_order_of_their_ticks() -> None:
    other = BarLabel(None, "History 791", QRect(0, 0, 64, 12), False)
    ticks = [(140, "History limit 51,200"), (106, "Memory limit 38,400")]
    found = place_limits(ticks, lambda _: 110, QRect(0, 0, 600, 12), [other])
    assert [label.text for label in sorted(found, key=lambda label: label.place.x())] == [
        "Memory limit 38,400",
        "History limit 51,200",
    ]
    (first,) = place_limits(ticks, lambda _: 110, QRect(0, 0, 250, 12), [other])
    assert first.text == "History limit 51,200", "where there is room for one, that of what has tokens"
