"""Classes of messages in the window: the column, the filter, the menu, the check box, and shares in effect."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from answers import pipeline_for
from PySide6.QtWidgets import QCheckBox, QLabel, QMenu
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.message_class import MessageClass, overridden_class
from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policy import parameters_of
from inspector.assembly.scenario import Scenario
from inspector.cli.loading import answer_for
from inspector.gui.files.inspection import Inspection, read_inspection, write_inspection
from inspector.gui.screens.decisions.model import DECISION_COLUMNS
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.screens.details.figures import figures_page
from inspector.gui.screens.settings.class_row import OFF, ClassRow
from inspector.gui.screens.settings.share_rows import ShareGroup
from inspector.gui.table.filter import parse_filter
from inspector.gui.table.filter_fields import Subject
from inspector.model import Message

TEXTS = ("I love this, thank you so much!", "ok", "We've decided to sail", "There is a ferry", "Ich bin traurig", "New")
MESSAGES = [Message(f"m{number}", "assistant" if number % 2 else "user", text) for number, text in enumerate(TEXTS)]
PIPELINE = pipeline_for(MESSAGES, ["a fact"])
SCENARIO = Scenario(
    tokenizer="estimate:words",
    classify="rules",
    parameters={"selective": True, "recent_messages": 1, "min_exchanges": 0},
)


def answer(**changes: Any) -> Answer:
    return answer_for(PIPELINE, replace(SCENARIO, **changes), cached=False)


@pytest.fixture
def view(qtbot: QtBot) -> DecisionView:
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(1600, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(answer())
    return made


def row(name: str) -> int:
    return answer().assembly.candidates.ids.index(name)


def column_text(shown: Answer, name: str) -> str:
    column = next(column for column in DECISION_COLUMNS if column.key == "class")
    return column.text(shown.assembly, row(name))


def test_the_column_names_the_class_and_that_it_is_computed() -> None:
    found = {name: column_text(answer(), name) for name in ("k0", "m0", "m1", "m2", "m3", "m5")}
    assert found == {
        "k0": "",
        "m0": "emotional *",
        "m1": "filler *",
        "m2": "key moment *",
        "m3": "ordinary *",
        "m5": "recent",
    }
    said = answer(overrides=overridden_class({}, ["m1"], MessageClass.EMOTIONAL))
    assert column_text(said, "m1") == "emotional"


def test_the_column_is_there_only_where_a_strategy_classifies(view: DecisionView) -> None:
    view.table.columns.choose("class", True)
    assert view.table.shows("class")
    view.show_answer(answer(policy="naive", parameters={}))
    assert not view.table.shows("class")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("class:filler", ["m1"]),
        ("class:emotional,key_moment", ["m0", "m2"]),
        ("-class:recent kind:message", ["m0", "m1", "m2", "m3", "m4"]),
    ],
)
def test_the_filter_finds_classes(line: str, found: list[str]) -> None:
    shown = answer()
    mask = parse_filter(line).mask(Subject(shown.assembly))
    assert [name for name, holds in zip(shown.assembly.candidates.ids, mask, strict=True) if holds] == found
    unclassified = answer(policy="naive", parameters={})
    assert not parse_filter("class:filler").mask(Subject(unclassified.assembly)).any()


def class_actions(view: DecisionView, *names: str) -> dict[str, Any]:
    """The actions of the class menu for these messages; empty where there is none."""
    view.table.clearSelection()
    for name in names:
        view.select_row(row(name))
    menu = view.menu()
    assert menu is not None
    classes = menu.findChild(QMenu, "menu:class")
    return {} if classes is None else {action.objectName(): action for action in classes.actions()}


def test_the_menu_asks_for_a_class_and_shows_the_one_that_was_said(view: DecisionView) -> None:
    asked: list[tuple[list[str], object]] = []
    view.class_requested.connect(lambda ids, kind: asked.append((ids, kind)))
    actions = class_actions(view, "m1")
    assert not actions["menu:class:reset"].isEnabled()
    assert not any(action.isChecked() for action in actions.values())
    actions["menu:class:key_moment"].trigger()
    assert asked == [(["m1"], MessageClass.KEY_MOMENT)]

    view.show_answer(answer(overrides=overridden_class({}, *asked[0])))  # type: ignore[arg-type]
    actions = class_actions(view, "m1")
    assert [name for name, action in actions.items() if action.isChecked()] == ["menu:class:key_moment"]
    actions["menu:class:reset"].trigger()
    assert asked[1] == (["m1"], None)


def test_only_messages_that_are_classified_have_the_menu(view: DecisionView) -> None:
    assert class_actions(view, "k0") == {}
    view.show_answer(answer(policy="naive", parameters={}))
    assert class_actions(view, "m1") == {}


def test_the_page_says_weight_and_class_and_who_says_so() -> None:
    policy = PIPELINE.case(SCENARIO).policy
    page = figures_page(answer(), row("m0"), policy)
    assert f"{answer().assembly.candidates.marks.emotional_weight[row('m0')]:.2f}" in page
    assert "computed from the text by VADER" in page
    said = answer(overrides=overridden_class({}, ["m0"], MessageClass.FILLER))
    assert "as you said" in figures_page(said, row("m0"), policy)


def test_overrides_of_classes_are_saved_with_the_inspection(tmp_path: Any) -> None:
    overrides = overridden_class({}, ["m1"], MessageClass.ORDINARY)
    file = tmp_path / "a.inspection.yaml"
    write_inspection(Inspection(scenario=replace(SCENARIO, overrides=overrides)), file)
    read, problems = read_inspection(file, ())
    assert problems == ()
    assert read.scenario.classify == "rules"
    assert column_text(answer(overrides=read.scenario.overrides), "m1") == "ordinary"


@pytest.fixture
def box(qtbot: QtBot) -> ClassRow:
    made = ClassRow()
    qtbot.addWidget(made)
    made.show()
    return made


def words(box: ClassRow) -> str:
    label = box.findChild(QLabel, "classify_found")
    assert isinstance(label, QLabel)
    return label.text()


def test_the_box_says_what_was_found_and_what_cannot_be(box: ClassRow) -> None:
    box.show_classes(None, answer(classify=None).assembly.candidates)
    assert words(box) == OFF
    box.show_classes("rules", answer().assembly.candidates)
    assert words(box).startswith(
        "Found: emotional weights 4, key moments 1, fillers 1. "
        "Without a weight, because not English or too short to tell: 2. Weights are VADER's: "
    )
    assert "English only; weak on grief" in words(box)
    box.show_classes("rules", answer(classify=None).assembly.candidates)
    assert words(box) == "The messages are being read."


def test_the_box_asks_for_the_rules_and_back_and_showing_asks_nothing(box: ClassRow) -> None:
    asked: list[object] = []
    box.classifier_chosen.connect(asked.append)
    box.show_classes("rules", None)
    box.show_classes(None, None)
    assert asked == []
    check = box.findChild(QCheckBox, "classify_box")
    assert isinstance(check, QCheckBox)
    check.click()
    check.click()
    assert asked == ["rules", None]


def effects(group: ShareGroup) -> Mapping[str, str]:
    labels = {name: group.findChild(QLabel, f"parameter:{name}:effect") for name in group.rows}
    return {name: label.text() for name, label in labels.items() if isinstance(label, QLabel) and label.text()}


def test_a_share_that_the_policy_moves_shows_what_it_becomes(qtbot: QtBot) -> None:
    group = ShareGroup([one for one in parameters_of(Ratio) if one.group == "shares"])
    qtbot.addWidget(group)
    shares = {"memory_share": 0.3, "history_share": 0.4, "reserve_share": 0.3}
    group.show_shares(shares, shares, 1000, {"memory_share": 0.3, "history_share": 0.4})
    assert effects(group) == {}
    group.show_shares(shares, shares, 1000, {"memory_share": 0.224, "history_share": 0.476})
    assert effects(group) == {
        "memory_share": "30.0 % → 22.4 %, 224 tokens",
        "history_share": "40.0 % → 47.6 %, 476 tokens",
    }


def test_the_policy_says_the_shares_in_effect() -> None:
    candidates = answer().assembly.candidates  # six messages: ten points go to the memories
    assert Ratio().shares_in_effect(candidates) == {"memory_share": 0.3, "history_share": 0.4}
    moved = Ratio(adaptive=True).shares_in_effect(candidates)
    assert moved == pytest.approx({"memory_share": 0.4, "history_share": 0.3})
