"""The bar of the window: colours where the tokens are, segments by mouse and keyboard, limits, caps and labels."""

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
from inspector.assembly.budget import SectionBudget
from inspector.assembly.columns import Section
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for
from inspector.gui.bar.layout import BarSize
from inspector.gui.bar.painting import place_labels
from inspector.gui.bar.view import BudgetBar
from inspector.gui.parts.bar_picture import BarPicture, Segment, bar_picture
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


def picture_of(bar: BudgetBar) -> BarPicture:
    assert bar.picture is not None
    return bar.picture


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
    limit = picture.limit_of("memory")
    assert limit is not None
    assert (limit.start, limit.end, limit.title) == (40, 40 + 198, "198")


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


def test_formatting_and_reply_are_hatched(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    image = bar.grab().toImage()
    assert {one.title for one in (segment(bar, "overhead"), segment(bar, "reserve"))} == {"Formatting", "Reply"}
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
    assert picture.rest_text == f"≈ {picture.over} over 200"
    over = theme().extra_color("over").name()
    image = bar.grab().toImage()
    assert over in colors_in(image, bar, "overhead")
    assert over not in colors_in(image, bar, "system")
    end, row = bar._scale().x(200), bar._scale().bar
    for y in (row.top() - 2, row.top() + 2, row.bottom() + 2):
        assert image.pixelColor(end, y) == theme().text, "a line marks the end of the window"


def test_a_reserve_that_does_not_fit_is_over_the_window_too(ask: Ask) -> None:
    guaranteed = {"min_exchanges": 20, "system_limit": 1.0}
    total = ask(parameters=guaranteed).ledger.total
    answer = ask(parameters=guaranteed, context_window=total + 20)
    picture = bar_picture(answer)
    assert picture.total == total
    assert picture.over == answer.assembly.budget.response_reserve - 20 > 0
    assert picture.named("free") is None


def test_a_limit_is_a_dashed_outline_only_while_pointed_at_or_dragged(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    at_rest = bar.grab().toImage()
    limit, row = picture_of(bar).limit_of("memory"), bar._scale().bar
    assert limit is not None
    left, right = bar._scale().x(limit.start), bar._scale().x(limit.end)
    history = bar.span_of(segment(bar, "history"))
    assert history.left() < right < history.right(), "over the neighbours"

    def ink(image: QImage) -> set[str]:
        return {image.pixelColor(x, row.top() + 1).name() for x in range(left + 4, right - 4)}

    assert theme().text.name() not in ink(at_rest)
    bar.show_limit("memory")
    shown = bar.grab().toImage()
    assert {theme().text.name(), theme().section_color(Section.MEMORY).name()} <= ink(shown)
    bar.show_limit("")
    assert bar.grab().toImage() == at_rest
    QTest.mouseMove(bar, place(bar, "memory"))
    assert ink(bar.grab().toImage()) == ink(shown)
    QTest.mouseMove(bar, QPoint(1, 1))
    assert bar.grab().toImage() == at_rest


def test_sections_that_share_a_limit_have_one_outline(ask: Ask) -> None:
    answer = ask()
    budget = answer.assembly.budget
    rest = budget.sections[Section.MEMORY].limit
    assert rest is not None
    used = int(answer.assembly.used[Section.MEMORY])
    shared = replace(budget, sections={**budget.sections, Section.LORE: SectionBudget(rest - used)})
    picture = bar_picture(replace(answer, assembly=replace(answer.assembly, budget=shared)))
    limit = picture.limit_of("lore")
    assert limit is not None
    assert limit is picture.limit_of("memory")
    assert (limit.start, limit.end, limit.title) == (40, 40 + rest, "198")


def test_a_section_whose_limit_holds_something_out_ends_in_a_cap(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(parameters={"memory_share": 0.02, "history_share": 0.68, "system_limit": 1.0}), None)
    memory, history = segment(bar, "memory"), segment(bar, "history")
    assert (memory.is_full, history.is_full) == (True, False)
    assert picture_of(bar).sentence(memory).endswith("full.")
    image = bar.grab().toImage()
    for one, is_capped in ((memory, True), (history, False)):
        end = QPoint(bar.span_of(one).right() - 2, bar.span_of(one).center().y())
        assert (image.pixelColor(end) == theme().text) == is_capped, one.title


def test_what_is_dropped_for_another_reason_makes_nothing_full(ask: Ask) -> None:
    picture = bar_picture(ask(excluded=("m0", "k0")))
    assert not any(segment.is_full for segment in picture.segments)


def test_the_baseline_is_a_thin_bar_above_on_the_same_scale(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), ask(parameters={"memory_share": 0.02, "history_share": 0.68, "system_limit": 1.0}))
    assert bar.span_of(segment(bar, "memory")).height() == 34, "in a comparison only"
    bar.compare(True)
    bar.resize(1000, bar.sizeHint().height())
    row, above = bar.span_of(segment(bar, "memory")), bar._layout().baseline
    assert (row.height(), above.height()) == (26, 10)
    image = bar.grab().toImage()
    below = image.pixelColor(row.right() - 4, row.top() + 4)
    assert below == theme().section_color(Section.MEMORY)
    was = image.pixelColor(row.right() - 4, above.center().y())
    history = theme().section_color(Section.HISTORY)
    assert was.hslHue() == pytest.approx(history.hslHue(), abs=2), "paler, for it is past"
    assert was.lightness() > history.lightness()


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
    assert bar.accessibleDescription().startswith("Open a chat")
    assert not bar.grab().isNull()


def test_clicks_and_pointing_name_the_segment(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
    bar.show_answer(ask(), None)
    clicked: list[str] = []
    hovered: list[str] = []
    bar.segment_clicked.connect(clicked.append)
    bar.hovered.connect(hovered.append)
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
    assert bar.accessibleDescription().startswith("Reply: ")


def test_words_say_name_tokens_share_limit_and_loan(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(parameters={"borrow": "history", "system_limit": 1.0}), None)
    memory = bar.tool_tip_at(place(bar, "memory")).splitlines()[0]
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
    assert (estimated.total_text, exact.total_text) == ("prompt ≈ 700 + reply 200", "prompt 700 + reply 200")
    assert (estimated.rest_text, exact.rest_text) == ("≈ 100 free of 1,000", "100 free of 1,000")
    assert (estimated.figures(free), exact.figures(free)) == ("≈ 100", "100")


def test_the_bar_adds_up_in_words() -> None:
    over = BarPicture((), 12_288, 8_893, 4_080, estimated=False)
    assert f"{over.total_text}, {over.rest_text}" == "prompt 8,893 + reply 4,080, 685 over 12,288"
    without = replace(over, reserve=0)
    assert f"{without.total_text}, {without.rest_text}" == "prompt 8,893, 3,395 free of 12,288"


def test_what_the_baseline_was_is_said_where_one_points_at_it(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), ask(context_window=650))
    bar.compare(True)
    bar.resize(1000, bar.sizeHint().height())
    above = bar._layout().baseline
    assert bar.tool_tip_at(QPoint(above.left() + 20, above.center().y())).startswith("Baseline: System: ")


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
    bar.light("memory")
    bar.light("memory")
    qapp.processEvents()
    assert paints.count == 4
    bar.light("")
    qapp.processEvents()
    apply_theme(qapp, "dark")
    qapp.processEvents()
    assert paints.count > 5, "another theme has other colours"
    apply_theme(qapp, "light")


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


def test_a_double_click_fits_what_is_used_and_says_what_is_in_sight(bar: BudgetBar, ask: Ask, qtbot: QtBot) -> None:
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
    assert f"In sight: {bar._scale().sentence} tokens." in bar.tool_tip_at(place(bar, "memory"))
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
    assert image.pixelColor(1, row.center().y()) == image.pixelColor(1, 1), "nothing is painted beside the bar"


@pytest.mark.parametrize(
    ("width", "said"), [(150, "Memory 1,362"), (100, "1,362"), (40, None)], ids=["both", "the figure", "nothing"]
)
def test_a_label_is_inside_or_not_there(width: int, said: str | None) -> None:
    memory = Segment("memory", "Memory", Section.MEMORY, 0, 1_362)
    spans = [(memory, QRect(20, 0, width, 34)), (replace(memory, tokens=0), QRect(300, 0, 400, 34))]
    labels = place_labels(spans, lambda one: f"{one.tokens:,}", lambda name, figure: 10 * len(f"{name}{figure}"))
    assert [f"{label.name} {label.figure}".strip() for label in labels] == ([said] if said else [])
    assert all(label.place.width() == width for label in labels)


def test_a_bar_for_a_hall_has_the_height_and_the_labels_that_it_is_told(bar: BudgetBar, ask: Ask) -> None:
    bar.show_answer(ask(), None)
    usual = bar.sizeHint().height()
    bar.set_size(BarSize(132, 24))
    assert bar.sizeHint().height() == usual + 132 - 34
    bar.resize(1000, bar.sizeHint().height())
    span = bar.span_of(segment(bar, "history"))
    assert span.height() == 132
    image, ink = bar.grab().toImage(), theme().text_on(theme().section_color(Section.HISTORY)).name()
    middle = span.center()
    rows = [
        y
        for y in range(span.top() + 4, span.bottom() - 4)
        if any(image.pixelColor(x, y).name() == ink for x in range(middle.x() - 60, middle.x() + 60))
    ]
    assert 16 <= rows[-1] - rows[0] <= 30, "as high as letters of 24 pixels"
