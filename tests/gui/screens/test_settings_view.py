"""The settings: what a user does to their controls, with mouse and keys, and what they ask for."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QPushButton,
    QSlider,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QWidget,
)
from pytestqt.qtbot import QtBot
from tips import tip_text

from inspector.assembly.columns import Section
from inspector.assembly.edits import Edit, use_policy
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import TOPICS, parameters_of
from inspector.assembly.presets import load_presets
from inspector.assembly.remembered import Remembered, remember
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for
from inspector.gui.parts.fold import FoldLine
from inspector.gui.parts.row_parts import RowName
from inspector.gui.parts.word_chip import WordChip
from inspector.gui.screens.settings.view import SettingsView
from inspector.gui.theme import apply_theme, theme
from inspector.model import Character, Conversation, Message, Workspace
from inspector.plugins import policies

SCENARIO = Scenario(tokenizer="estimate:words", model="gpt-4o", context_window=1100)
SHARES = ("memory_share", "history_share", "reserve_share")
LEFT = Qt.MouseButton.LeftButton
Child = TypeVar("Child", bound=QObject)


class Desk:
    """A panel whose wishes are granted at once, and a record of them: (label, changes, gesture)."""

    def __init__(self, panel: SettingsView) -> None:
        message = Message("m0", "user", "one two three")
        workspace = Workspace(
            conversations=(Conversation("c", (message,)),),
            characters=(Character("nova", system_prompt=" ".join(["rule"] * 100)),),
        )
        self.pipeline = Pipeline(workspace, policies()[0], load_presets())
        self.panel, self.scenario = panel, SCENARIO
        self.wishes: list[tuple[str, dict[str, Any], str]] = []
        panel.set_policies(policies()[0], load_presets())
        self.remembered: Remembered = {}
        panel.changed.connect(self.grant)
        panel.policy_requested.connect(
            lambda policy, preset: self.grant(use_policy, (policy, preset, self.remembered), "")
        )
        self.show(SCENARIO)

    def grant(self, verb: Callable[..., Edit], terms: tuple[Any, ...], gesture: str) -> None:
        edit = verb(self.scenario, *terms)
        names = [field.name for field in fields(Scenario)]
        before, after = ({name: getattr(one, name) for name in names} for one in (self.scenario, edit.scenario))
        changes = {name: after[name] for name in names if after[name] != before[name]}
        self.wishes.append((edit.label, changes, gesture))
        self.remembered = remember(self.remembered, edit.scenario)
        self.show(edit.scenario)

    def show(self, scenario: Scenario) -> None:
        self.scenario = scenario
        answer = answer_for(self.pipeline, scenario, cached=False)
        self.panel.show_setting(scenario, answer.case.policy, answer.model, answer)

    def find(self, kind: type[Child], name: str) -> Child:
        found = self.panel.findChild(kind, name)
        assert found is not None, name
        return found

    def slider(self, name: str) -> QSlider:
        return self.find(QSlider, f"parameter:{name}")

    @property
    def parameters(self) -> dict[str, Any]:
        return dict(self.scenario.parameters)

    def percent(self, name: str) -> float:
        return self.find(QDoubleSpinBox, f"parameter:{name}:value").value()


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication) -> Iterator[Desk]:
    apply_theme(qapp, "light")
    panel = SettingsView()
    qtbot.addWidget(panel)
    panel.resize(320, 900)
    made = Desk(panel)
    panel.show()
    qtbot.waitExposed(panel)
    yield made
    panel.close()


def knob(slider: QSlider) -> QPoint:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    part = QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()


def drag(qtbot: QtBot, slider: QSlider, distances: list[int]) -> None:
    start = knob(slider)
    qtbot.mousePress(slider, LEFT, pos=start)
    for distance in distances:
        qtbot.mouseMove(slider, start + QPoint(distance, 0))
    qtbot.mouseRelease(slider, LEFT, pos=start + QPoint(distances[-1], 0))


def type_into(qtbot: QtBot, field: QWidget, text: str) -> None:
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def turn_wheel(panel: SettingsView, control: QWidget, notches: int) -> None:
    """Turn the wheel over a control, up for positive notches, as the window system sends it."""
    window = panel.windowHandle()
    assert window is not None
    QTest.wheelEvent(window, QPointF(control.mapTo(panel, control.rect().center())), QPoint(0, 120 * notches))


def test_dragging_a_share_moves_the_others_and_all_sum_to_one(desk: Desk, qtbot: QtBot) -> None:
    drag(qtbot, desk.slider("memory_share"), [10, 30, 50])
    assert len(desk.wishes) >= 3
    for _, changes, _ in desk.wishes:
        assert sum(changes["parameters"][name] for name in SHARES) == pytest.approx(1)
    assert desk.parameters["memory_share"] > 0.4
    assert desk.percent("history_share") < 40
    assert desk.percent("reserve_share") < 30
    assert desk.parameters["history_share"] / desk.parameters["reserve_share"] == pytest.approx(4 / 3, abs=0.01)
    assert desk.wishes[-1][0] == f"Memories {desk.parameters['memory_share'] * 100:.1f} %"


def test_a_drag_is_one_gesture_and_the_next_another(desk: Desk, qtbot: QtBot) -> None:
    drag(qtbot, desk.slider("memory_share"), [10, 20])
    first = {gesture for _, _, gesture in desk.wishes}
    desk.wishes.clear()
    drag(qtbot, desk.slider("memory_share"), [-10, -20])
    second = {gesture for _, _, gesture in desk.wishes}
    assert len(first) == len(second) == 1
    assert "" not in first | second
    assert first != second


def test_a_drag_to_the_end_and_back_loses_no_proportion(desk: Desk, qtbot: QtBot) -> None:
    drag(qtbot, desk.slider("memory_share"), [50, 400, 20])
    assert max(changes["parameters"]["memory_share"] for _, changes, _ in desk.wishes) == 1
    assert desk.parameters["history_share"] / desk.parameters["reserve_share"] == pytest.approx(4 / 3, abs=0.01)


def test_a_press_beside_the_knob_brings_it_there(desk: Desk, qtbot: QtBot) -> None:
    slider = desk.slider("min_exchanges")
    qtbot.mouseClick(slider, LEFT, pos=QPoint(slider.width() - 2, slider.height() // 2))
    assert desk.parameters == {"min_exchanges": 20}
    assert desk.wishes[-1][0] == "Newest always kept 20"


def test_keys_step_and_shift_or_page_steps_far_each_on_its_own(desk: Desk, qtbot: QtBot) -> None:
    slider = desk.slider("memory_candidates")
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    qtbot.keyClick(slider, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    values = [changes["parameters"]["memory_candidates"] for _, changes, _ in desk.wishes]
    assert values == [51, 61, 71, 61]
    assert {gesture for _, _, gesture in desk.wishes} == {""}
    assert all(type(value) is int for value in values)


def test_a_locked_share_stays_when_another_moves(desk: Desk, qtbot: QtBot) -> None:
    qtbot.mouseClick(desk.find(QAbstractButton, "parameter:history_share:lock"), LEFT)
    assert not desk.slider("history_share").isEnabled()
    qtbot.keyClick(desk.slider("memory_share"), Qt.Key.Key_PageUp)
    assert desk.parameters == pytest.approx({"memory_share": 0.35, "history_share": 0.4, "reserve_share": 0.25})


def test_a_share_that_cannot_move_says_why(desk: Desk, qtbot: QtBot) -> None:
    for name in ("history_share", "reserve_share"):
        qtbot.mouseClick(desk.find(QAbstractButton, f"parameter:{name}:lock"), LEFT)
    slider = desk.slider("memory_share")
    before = slider.value()
    qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert desk.wishes == []
    assert slider.value() == before
    hint = desk.find(QLabel, "shares_hint")
    assert hint.isVisible()
    assert hint.text() == "Memories: 30.0 %, while conversation and reply are locked."
    qtbot.mouseClick(desk.find(QAbstractButton, "parameter:reserve_share:lock"), LEFT)
    assert not hint.isVisible()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    assert desk.parameters["memory_share"] == pytest.approx(0.6)
    assert hint.text() == "Memories: 60.0 % at most, while conversation is locked."


def test_shares_that_do_not_fill_the_whole_say_so_below_them_and_none_of_them_moves(desk: Desk, qtbot: QtBot) -> None:
    said = desk.find(QLabel, "shares_sum")
    whole = places(desk)
    assert not said.isVisible()
    desk.show(replace(SCENARIO, parameters={"history_share": 0.35}))
    assert said.isVisible()
    assert said.text() == "95 % given out"
    assert places(desk) == whole
    qtbot.keyClick(desk.slider("memory_share"), Qt.Key.Key_Right)
    assert sum(desk.parameters[name] for name in SHARES) == pytest.approx(1)
    assert not said.isVisible()
    assert places(desk) == whole


def places(desk: Desk) -> dict[str, QPoint]:
    """Where the window and the shares are: what a hand may be on while the line below them comes and goes."""
    names = ["context_window", "context_window:slider", *(f"parameter:{name}" for name in SHARES)]
    controls = [desk.find(QWidget, name) for name in names]
    return {control.objectName(): control.mapTo(desk.panel, QPoint()) for control in controls}


def test_a_share_is_taken_in_percent_and_in_tokens(desk: Desk, qtbot: QtBot) -> None:
    tokens = desk.find(QSpinBox, "parameter:memory_share:tokens")
    assert tokens.value() == 300
    type_into(qtbot, desk.find(QDoubleSpinBox, "parameter:memory_share:value"), "50")
    assert desk.parameters["memory_share"] == 0.5
    assert tokens.value() == 500
    type_into(qtbot, tokens, "123")
    assert int(1000 * desk.parameters["memory_share"]) == 123
    assert sum(desk.parameters[name] for name in SHARES) == pytest.approx(1)
    assert [gesture for _, _, gesture in desk.wishes] == ["", ""]


def test_the_wheel_scrolls_the_settings_and_changes_no_value(desk: Desk) -> None:
    unfold(desk)
    desk.panel.resize(320, 300)
    QApplication.processEvents()
    bar = desk.panel.area.verticalScrollBar()
    kinds = (QSlider, QSpinBox, QDoubleSpinBox, QComboBox)
    controls = [child for kind in kinds for child in desk.panel.area.page.findChildren(kind) if child.isVisible()]
    assert len(controls) > 25
    for control in controls:
        desk.panel.area.ensureWidgetVisible(control)
        before = bar.value()
        turn_wheel(desk.panel, control, -1 if before < bar.maximum() else 1)
        assert desk.wishes == [], control.objectName()
        assert bar.value() != before, control.objectName()


def unfold(desk: Desk) -> None:
    """Unfold all topics, as a user who has unfolded them before finds them."""
    desk.panel.unfold(dict.fromkeys(TOPICS, True))
    QApplication.processEvents()


def test_topics_fold_and_say_how_many_settings_they_have_and_how_many_are_changed(desk: Desk, qtbot: QtBot) -> None:
    lines = {name: desk.find(FoldLine, f"settings:{name}") for name in ("conversation", "memories", "rare")}
    assert {name: line.isChecked() for name, line in lines.items()} == {
        "conversation": True,
        "memories": False,
        "rare": False,
    }
    assert (lines["conversation"].words, lines["memories"].words) == ("", "7")
    assert desk.slider("min_exchanges").isVisible()
    assert not desk.slider("type_weight").isVisible()
    desk.show(replace(SCENARIO, parameters={"type_weight": 0.2, "min_exchanges": 4}))
    assert (lines["conversation"].words, lines["memories"].words) == ("1 changed", "7, 1 changed")
    with qtbot.waitSignal(desk.panel.turned) as told:
        qtbot.mouseClick(lines["memories"], LEFT)
    assert told.args == ["memories", True]
    assert desk.slider("type_weight").isVisible()
    assert lines["memories"].words == "1 changed"
    qtbot.keyClick(lines["memories"], Qt.Key.Key_Left)
    assert not desk.slider("type_weight").isVisible()
    qtbot.keyClick(lines["memories"], Qt.Key.Key_Space)
    assert desk.slider("type_weight").isVisible()


def test_what_the_user_folded_stays_folded_under_another_policy(desk: Desk, qtbot: QtBot) -> None:
    qtbot.mouseClick(desk.find(FoldLine, "settings:conversation"), LEFT)
    qtbot.mouseClick(desk.find(FoldLine, "settings:memories"), LEFT)
    desk.show(replace(SCENARIO, policy="adaptive"))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not desk.find(FoldLine, "settings:conversation").isChecked()
    assert desk.find(FoldLine, "settings:memories").isChecked()


def test_in_a_low_window_topics_are_folded_at_first(desk: Desk) -> None:
    desk.panel.resize(288, 720)
    QApplication.processEvents()
    assert not desk.find(FoldLine, "settings:conversation").isChecked()
    desk.panel.resize(288, 900)
    QApplication.processEvents()
    assert desk.find(FoldLine, "settings:conversation").isChecked()


def test_a_complaint_about_a_folded_setting_stands_below_its_topic(desk: Desk, qtbot: QtBot) -> None:
    def complaints() -> list[str]:
        return [label.text() for label in desk.panel.findChildren(QLabel) if label.isVisible()]

    line = desk.find(FoldLine, "settings:memories")
    desk.show(replace(SCENARIO, parameters={"memory_candidates": -1}))
    assert not line.isChecked()
    assert complaints().count("memory_candidates must be 0 or more, not -1") == 1
    qtbot.mouseClick(line, LEFT)
    assert complaints().count("memory_candidates must be 0 or more, not -1") == 1, "now below its row"
    desk.show(SCENARIO)
    assert "memory_candidates must be 0 or more, not -1" not in complaints()


def test_a_changed_value_has_a_dot_and_its_name_is_bold(desk: Desk) -> None:
    names = {name.text(): name for name in desk.panel.findChildren(RowName)}
    label = next(one.label for one in parameters_of(policies()[0]["ratio"]) if one.name == "min_exchanges")
    assert not names[label].is_changed
    plain = names[label].grab().toImage()
    desk.show(replace(SCENARIO, parameters={"min_exchanges": 5}))
    assert names[label].is_changed
    assert names[label].grab().toImage() != plain
    assert names["Window"].is_changed, "it was set, and is not the model's own"
    desk.show(replace(SCENARIO, context_window=None))
    assert not names["Window"].is_changed


def test_the_part_of_the_bar_is_told_while_its_share_is_held(desk: Desk, qtbot: QtBot) -> None:
    told = list[object]()
    desk.panel.share_dragged.connect(told.append)
    for name in SHARES:
        drag(qtbot, desk.slider(name), [10])
    assert told == ["memory", None, "history", None, "reserve", None]
    desk.show(replace(SCENARIO, policy="slots"))
    told.clear()
    drag(qtbot, desk.slider("history_slot"), [5])
    drag(qtbot, desk.slider("system_slot"), [5])
    assert told == ["history", None]


def test_sliders_of_shares_have_the_hue_of_their_section(desk: Desk) -> None:
    for name, section in (("memory_share", Section.MEMORY), ("history_share", Section.HISTORY)):
        slider = desk.slider(name)
        picture = slider.grab().toImage()
        assert picture.pixelColor(knob(slider).x() // 2, picture.height() // 2) == theme().section_color(section)


def test_reset_gives_the_value_of_the_preset_and_is_there_only_when_needed(desk: Desk, qtbot: QtBot) -> None:
    reset = desk.find(QAbstractButton, "parameter:min_exchanges:reset")
    assert not reset.isEnabled()
    qtbot.keyClick(desk.slider("min_exchanges"), Qt.Key.Key_Right)
    assert reset.isEnabled()
    assert desk.find(WordChip, "modified_hint").text() == "1 changed"
    qtbot.mouseClick(reset, LEFT)
    assert desk.parameters["min_exchanges"] == 3
    assert not reset.isEnabled()
    assert not desk.find(WordChip, "modified_hint").isVisible()


def test_reset_all_drops_every_parameter(desk: Desk, qtbot: QtBot) -> None:
    desk.show(replace(SCENARIO, parameters={"min_exchanges": 5, "borrow": "both"}))
    qtbot.mouseClick(desk.find(QAbstractButton, "parameters:reset"), LEFT)
    assert desk.wishes == [("Reset settings", {"parameters": {}}, "")]


def test_a_switch_opens_its_group_and_a_choice_is_chosen_by_key(desk: Desk, qtbot: QtBot) -> None:
    recent = desk.slider("recent_messages")
    assert not recent.isEnabled()
    switch = desk.find(QCheckBox, "parameter:selective")
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert recent.isEnabled()
    qtbot.keyClick(desk.find(QComboBox, "parameter:borrow"), Qt.Key.Key_Down)
    assert desk.parameters == {"selective": True, "borrow": "history"}
    assert desk.wishes[0][0] == "Summarize old ones on"


def test_every_parameter_has_named_controls_with_words(desk: Desk) -> None:
    for parameter in parameters_of(policies()[0]["ratio"]):
        control = desk.find(QWidget, f"parameter:{parameter.name}")
        assert control.accessibleName() == parameter.label
        assert parameter.help in control.accessibleDescription()
        assert parameter.help in tip_text(control.toolTip())
        if isinstance(control, QSlider):
            field = desk.find(QWidget, f"parameter:{parameter.name}:value")
            assert isinstance(field, QSpinBox | QDoubleSpinBox)


def test_another_policy_or_preset_starts_from_its_own_values(desk: Desk, qtbot: QtBot) -> None:
    desk.show(replace(SCENARIO, parameters={"min_exchanges": 5}))
    presets = desk.find(QComboBox, "preset_picker")
    qtbot.keyClick(presets, Qt.Key.Key_Down)
    chosen = desk.scenario.preset
    assert chosen is not None
    assert desk.wishes[-1][1] == {"preset": chosen, "parameters": {}}
    preset = load_presets()["ratio", chosen]
    assert desk.percent("memory_share") == pytest.approx(100 * preset.parameters.get("memory_share", 0.3))
    assert preset.description in tip_text(presets.toolTip())
    picker = desk.find(QComboBox, "policy_picker")
    picker.setCurrentIndex(picker.findData("naive"))
    assert desk.wishes[-1] == ("Use naive", {"policy": "naive", "preset": None}, "")
    gone = desk.panel.findChild(QSlider, "parameter:memory_share")
    assert gone is None or not gone.isVisible()


def test_a_refused_value_says_so_beside_its_control(desk: Desk) -> None:
    desk.show(replace(SCENARIO, parameters={"memory_share": 0.9}))
    assert "sum to 1.6" in desk.find(QLabel, "shares_hint").text()
    desk.show(replace(SCENARIO, parameters={"system_limit": 0.01}))
    assert not desk.find(QLabel, "shares_hint").isVisible()
    complaints = [label.text() for label in desk.panel.findChildren(QLabel) if label.isVisible()]
    assert any("system prompt takes 100 of 1,100" in text for text in complaints)
    desk.show(replace(SCENARIO, parameters={"colour": 1}))
    assert "colour is not a parameter" in desk.find(QLabel, "parameter_complaint").text()
    desk.show(replace(SCENARIO, parameters={"memory_share": "much", "min_exchanges": 7}))
    assert desk.find(QLabel, "shares_hint").text() == "memory_share must be a number, not 'much'"
    assert (desk.percent("memory_share"), desk.slider("min_exchanges").value()) == (30, 7)
    desk.show(replace(SCENARIO, parameters={"min_exchanges": -1}))
    complaints = [label.text() for label in desk.panel.findChildren(QLabel) if label.isVisible()]
    assert "min_exchanges must be 0 or more, not -1" in complaints
    desk.show(SCENARIO)
    assert not desk.find(QLabel, "parameter_complaint").isVisible()


def test_the_window_is_typed_dragged_and_reset(desk: Desk, qtbot: QtBot) -> None:
    field = desk.find(QSpinBox, "context_window")
    assert field.text() == "1,100"
    type_into(qtbot, field, "32768")
    assert desk.wishes[-1] == ("Context window 32,768", {"context_window": 32768}, "")
    slider = desk.find(QSlider, "context_window:slider")
    drag(qtbot, slider, [15, 30])
    assert desk.scenario.context_window is not None
    assert desk.scenario.context_window > 32768
    assert desk.wishes[-1][2] != ""
    qtbot.mouseClick(desk.find(QAbstractButton, "context_window:reset"), LEFT)
    assert desk.wishes[-1][1] == {"context_window": None}
    assert field.value() == 128_000


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_window_set_by_hand_says_so_stays_with_another_model_and_leads_back(desk: Desk, qtbot: QtBot) -> None:
    def origin() -> str:
        return tip_text(desk.find(RowName, "context_window:name").toolTip())

    assert "From the file, or set by you; the model's own is 128,000." in origin()
    type_into(qtbot, desk.find(QComboBox, "model_picker"), "gpt-4.1")
    assert desk.find(QSpinBox, "context_window").value() == 1_100
    assert "From the file, or set by you; the model's own is 1,047,576." in origin()
    type_into(qtbot, desk.find(QComboBox, "model_picker"), "my-own-model")
    assert "From the file, or set by you." in origin()
    qtbot.mouseClick(desk.find(QAbstractButton, "context_window:reset"), LEFT)
    assert "my-own-model is not in the model table: a window of 8,192 tokens is assumed." in origin()
    assert desk.scenario.context_window is None


def test_going_to_another_policy_and_back_brings_the_tuning_back(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClick(desk.slider("min_exchanges"), Qt.Key.Key_Right)
    tuned = desk.parameters
    picker = desk.find(QComboBox, "policy_picker")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(picker, key)
    assert (picker.currentData(), desk.parameters) == ("ratio", tuned)
    assert desk.slider("min_exchanges").value() == tuned["min_exchanges"]
    qtbot.mouseClick(desk.find(QAbstractButton, "parameters:reset"), LEFT)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(picker, key)
    assert desk.parameters == {}


def test_the_window_goes_from_stop_to_stop_by_key_and_finely_with_shift(desk: Desk, qtbot: QtBot) -> None:
    desk.show(replace(SCENARIO, context_window=12_300))
    slider = desk.find(QSlider, "context_window:slider")
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    qtbot.keyClick(slider, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(slider, Qt.Key.Key_PageDown)
    windows = [changes["context_window"] for _, changes, _ in desk.wishes]
    assert windows == [13_312, 12_288, 12_224, 8192]
    assert desk.find(QSpinBox, "context_window").text() == "8,192"
    assert slider.accessibleDescription() == "8,192 tokens"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_an_unknown_model_is_taken_by_its_name(desk: Desk, qtbot: QtBot) -> None:
    picker = desk.find(QComboBox, "model_picker")
    type_into(qtbot, picker, "my-own-model")
    assert desk.wishes == [("Use my-own-model", {"model": "my-own-model"}, "")]
    assert picker.currentText() == "my-own-model"
    type_into(qtbot, picker, "gpt-4.1")
    assert desk.scenario.model == "gpt-4.1"
    assert len(desk.wishes) == 2


def test_the_model_says_what_counts_its_tokens_and_why(desk: Desk) -> None:
    picker = desk.find(QComboBox, "model_picker")
    assert "≈ estimate:words was asked for" in tip_text(picker.toolTip())
    desk.show(replace(SCENARIO, tokenizer="auto"))
    assert "o200k_base is the tokenizer of gpt-4o." in tip_text(picker.toolTip())
    assert picker.accessibleDescription()


def test_an_unknown_model_says_so_and_whose_window_it_is_given(desk: Desk) -> None:
    picker, label = desk.find(QComboBox, "model_picker"), desk.find(QWidget, "context_window:name")
    desk.show(replace(SCENARIO, model="claude-sonnet-9", tokenizer="auto", context_window=None))
    assert "claude-sonnet-9 is not in the model table." in tip_text(picker.toolTip())
    assert "The model is not known: reconstructed:claude-later, the vocabulary of" in tip_text(picker.toolTip())
    assumed = "a window of 1,000,000 tokens is assumed, that of its nearest known relative, claude-sonnet-5-5."
    assert f"claude-sonnet-9 is not in the model table: {assumed}" in tip_text(label.toolTip())
    desk.show(replace(SCENARIO, model="gpt-4o", context_window=None))
    assert "The model's own." in tip_text(label.toolTip())


def test_showing_a_setting_emits_nothing(desk: Desk) -> None:
    for scenario in (
        replace(SCENARIO, parameters={"memory_share": 0.2, "history_share": 0.5, "selective": True, "borrow": "both"}),
        replace(SCENARIO, policy="naive", draft="Hello"),
        replace(SCENARIO, model="gpt-4.1", context_window=None, preset="long-chat"),
    ):
        desk.show(scenario)
    assert desk.wishes == []
    assert desk.percent("memory_share") == 20


def test_typing_is_not_overwritten_by_what_is_shown_meanwhile(desk: Desk, qtbot: QtBot) -> None:
    field = desk.find(QSpinBox, "parameter:min_exchanges:value")
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, "1")
    desk.show(replace(SCENARIO, parameters={"min_exchanges": 4}))
    qtbot.keyClicks(field, "7")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert desk.parameters == {"min_exchanges": 17}
    desk.show(replace(SCENARIO, parameters={"min_exchanges": 4}))
    assert field.value() == 4


@pytest.mark.parametrize("width", [288, 320, 360])
def test_no_field_is_clipped_and_nothing_sticks_out(desk: Desk, width: int) -> None:
    unfold(desk)
    desk.panel.resize(width, 600)
    QApplication.processEvents()
    page = desk.panel.area.page
    assert page.width() == desk.panel.area.viewport().width()
    shown = [child for child in page.findChildren(QWidget) if child.isVisible() and not child.isWindow()]
    for child in shown:
        assert page.rect().contains(child.mapTo(page, child.rect().bottomRight())), child.objectName()
        if isinstance(child, QSpinBox | QDoubleSpinBox):
            assert child.fontMetrics().horizontalAdvance(child.text()) < child.width() - 6, child.objectName()
            assert child.height() >= child.fontMetrics().height() + 6, child.objectName()
        elif isinstance(child, QSlider):
            assert child.width() >= 40, child.objectName()


def test_tab_leads_from_the_top_to_the_bottom(desk: Desk) -> None:
    beside = QPushButton("Beside", desk.panel.area.page)
    beside.show()
    for policy in ("ratio", "slots", "ratio"):  # the rows of a policy are made when it is chosen
        desk.show(replace(SCENARIO, policy=policy))
        unfold(desk)
        now: QWidget | None = desk.find(QComboBox, "policy_picker")
        now.setFocus()
        names = list[str]()
        while now is not None and now is not beside and len(names) < 100:
            QTest.keyClick(now, Qt.Key.Key_Tab)
            now = QApplication.focusWidget()
            names.append(now.objectName() if now is not None else "")
        of_server = ("parameter:server", "parameter:server:reset")
        rows = [n for n, name in enumerate(names) if name.startswith("parameter:") and name not in of_server]
        assert rows, names
        slider, field = names.index("context_window:slider"), names.index("context_window")
        assert names.index("preset_picker") < slider < field < names.index("parameter:server") < rows[0]
        if policy == "ratio":
            assert "classify_box" in names[rows[-1] :]


def test_an_object_is_a_kind_and_its_amount(qtbot: QtBot, desk: Desk) -> None:
    desk.show(replace(SCENARIO, policy="langchain_summarize"))
    kinds, fractions = desk.find(QComboBox, "parameter:keep_kind"), desk.slider("keep_fraction")
    qtbot.waitUntil(desk.slider("keep_messages").isVisible)
    assert not fractions.isVisible()
    kinds.setFocus()
    qtbot.keyClick(kinds, Qt.Key.Key_Down)
    assert desk.parameters == {"keep_kind": "fraction", "keep_fraction": 0.3}
    assert fractions.isVisible()
    assert not desk.slider("keep_messages").isVisible()
    type_into(qtbot, desk.find(QDoubleSpinBox, "parameter:keep_fraction:value"), "40")
    assert desk.parameters == {"keep_kind": "fraction", "keep_fraction": 0.4}
    qtbot.keyClick(kinds, Qt.Key.Key_Up)
    type_into(qtbot, desk.find(QSpinBox, "parameter:keep_messages:value"), "9")
    assert desk.parameters == {"keep_kind": "messages", "keep_messages": 9, "keep_fraction": 0.4}
    desk.panel.enter("keep_fraction")
    qtbot.waitUntil(kinds.hasFocus)
