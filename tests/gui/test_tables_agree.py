"""The rows of tables of the window are those that the commands write for the same answer."""

import numpy as np
from answers import answer_of, message, pipeline_for, timed_messages
from pytestqt.qtbot import QtBot

from inspector.analysis.keeping.search import ways_to_keep
from inspector.analysis.keeping.tables import WAYS, Ways
from inspector.analysis.recorded_tables import RECORDED
from inspector.assembly.answer import item_values
from inspector.assembly.compare import compare
from inspector.assembly.compare_tables import CHANGES
from inspector.assembly.item_tables import ITEM_ROWS
from inspector.assembly.policy import parameters_by_name
from inspector.assembly.recorded import compare_recorded
from inspector.gui.keeping.ways import WaysModel
from inspector.gui.screens.comparison.model import ComparisonModel
from inspector.gui.screens.comparison.recorded_model import RecordedModel
from inspector.gui.screens.decisions.model import DecisionModel
from inspector.gui.screens.falling.model import Falling, FallingModel

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
WIDE, NARROW = answer_of(PIPELINE, 300), answer_of(PIPELINE, 160)


def test_of_the_items(qtbot: QtBot) -> None:
    assembly = NARROW.assembly
    model = DecisionModel()
    model.show(assembly, assembly.order, assembly.candidates.ids)
    shown, values = list(model.records()), list(item_values(NARROW))
    assert [{key: row[key] for key in value if key != "counted"} for row, value in zip(shown, values, strict=True)] == [
        {key: value[key] for key in value if key != "counted"} for value in values
    ]
    written = list(ITEM_ROWS.records(assembly))
    assert [{key: row[key] for key in row if key != "score"} for row in written] == [
        {key: row[key] for key in written[0] if key != "score"} for row in shown
    ]


def test_of_what_falls(qtbot: QtBot) -> None:
    model = FallingModel()
    model.show_falling(Falling.between(WIDE.assembly, NARROW.assembly))
    values = {value["id"]: value for value in item_values(NARROW)}
    rows = [NARROW.assembly.candidates.ids[row] for row in model.rows]
    assert rows
    for name, shown in zip(rows, model.records(), strict=True):
        assert {key: shown[key] for key in ("section", "tokens", "action", "reason")}.items() <= values[name].items()


def test_of_a_comparison(qtbot: QtBot) -> None:
    comparison = compare(WIDE.assembly, NARROW.assembly)
    model = ComparisonModel()
    model.show_comparison(comparison)
    assert list(model.records()) == list(CHANGES.records(comparison)) != []


def test_of_what_was_recorded(qtbot: QtBot) -> None:
    noted = [message(number, metadata={"recorded": {"action": "kept", "by": "rules"}}) for number in range(30)]
    comparison = compare_recorded(answer_of(pipeline_for(noted), 100).assembly)
    model = RecordedModel()
    model.show_comparison(comparison)
    shown = {str(row["id"]): row for row in model.records()}
    assert [shown[str(row["id"])] for row in RECORDED.records(comparison)] == list(RECORDED.records(comparison)) != []


def test_of_the_ways_to_keep(qtbot: QtBot) -> None:
    lost = np.flatnonzero(~NARROW.assembly.in_prompt)[-1:]
    *_, found = ways_to_keep(PIPELINE, NARROW.scenario, lost, None, frozenset(), lambda what, share: None)
    ways = Ways(found, NARROW.assembly.candidates, parameters_by_name(NARROW.case.policy))
    model = WaysModel()
    model.show_ways(ways)
    assert list(model.records()) == list(WAYS.records(ways)) != []
