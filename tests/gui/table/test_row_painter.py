"""What stands on the screen is what a whole new painting would give, and little is painted to keep it so."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, pipeline_for, timed_messages
from cells import at, on_screen, settle
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section
from inspector.assembly.decisions import Assembly
from inspector.gui.screens.decisions.model import DecisionModel
from inspector.gui.screens.decisions.view import DecisionView
from inspector.gui.table.model import ArrayTableModel
from inspector.gui.table.row_painter import RowPainter
from inspector.gui.table.view import ArrayTableView
from inspector.gui.theme import apply_theme
from inspector.tables import Column

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
OTHERS = pipeline_for(timed_messages(40))
SHARES = {"memory_share": 0.3, "history_share": 0.4, "reserve_share": 0.3}


def answer(**fields: object) -> Answer:
    return answer_of(PIPELINE, **{"window": 160, "policy": "ratio", **fields})  # type: ignore[arg-type]


CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[DecisionView]:
    apply_theme(qapp, "light")
    font = qapp.font()
    made = DecisionView()
    qtbot.addWidget(made)
    made.resize(900, 400)
    with qtbot.waitExposed(made):
        made.show()
    made.show_answer(answer())
    settle(qapp)
    yield made
    qapp.setFont(font)
    apply_theme(qapp, "light")


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the cells that are painted."""
    keys: list[str] = []
    paint = RowPainter._paint_cell

    def note(self: RowPainter, *arguments: object) -> None:
        keys.append(arguments[2].column.key)  # type: ignore[attr-defined]
        paint(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(RowPainter, "_paint_cell", note)
    return keys


class Paints(QObject):
    """Collects what of a widget is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.region = QRegion()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region += event.region()
        return False


def painted_anew(qapp: QApplication, view: DecisionView) -> QImage:
    view.table.viewport().update()
    settle(qapp)
    return on_screen(view.table)


def edits(qapp: QApplication, qtbot: QtBot, view: DecisionView, chance: random.Random) -> list[Callable[[], object]]:
    """Everything that changes what the table looks like, each by chance."""
    table, header = view.table, view.table.horizontalHeader()

    def other_font() -> None:
        font = qapp.font()
        font.setPointSizeF(chance.choice((9.0, 10.0, 12.0)))
        qapp.setFont(font)

    def point() -> QPoint:
        return QPoint(chance.randrange(20, 400), chance.randrange(10, 200))

    def shares() -> dict[str, float]:
        memory = chance.choice((0.1, 0.2, 0.3))
        return {"memory_share": memory, "history_share": 0.7 - memory, "reserve_share": 0.3}

    return [
        *[lambda: view.show_answer(answer(window=chance.randrange(60, 500)))] * 6,
        *[lambda: view.show_answer(answer(parameters=shares()))] * 6,
        lambda: view.show_answer(answer(pinned=(f"m{chance.randrange(60)}",))),
        lambda: view.show_answer(answer(excluded=(f"m{chance.randrange(60)}",))),
        lambda: view.show_answer(answer(parameters={"memory_share": 0.9})),
        lambda: view.show_answer(answer_of(OTHERS, 200)),
        lambda: view.set_filter(chance.choice(("", "action:dropped", "reef"))),
        lambda: table.sort_by(chance.choice(("", "spent", "outcome", "text")), Qt.SortOrder.DescendingOrder),
        lambda: qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=point()),
        lambda: qtbot.mouseMove(table.viewport(), point()),
        lambda: qtbot.keyClick(table, chance.choice((Qt.Key.Key_J, Qt.Key.Key_K))),
        *[lambda: qtbot.keyClick(table, chance.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)), CONTROL)] * 3,
        lambda: chance.choice((table, view._line.edit)).setFocus(),
        lambda: table.verticalScrollBar().setValue(chance.randrange(40)),
        lambda: table.horizontalScrollBar().setValue(chance.randrange(200)),
        lambda: view.resize(chance.randrange(400, 1200), chance.randrange(200, 500)),
        lambda: table.setColumnWidth(table.array_model.column("outcome"), chance.randrange(40, 400)),
        lambda: header.moveSection(chance.randrange(header.count()), chance.randrange(header.count())),
        lambda: apply_theme(qapp, chance.choice(("light", "dark"))),
        lambda: view.light(chance.choice((None, *Section))),
        other_font,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_the_screen_is_what_a_new_painting_would_be(
    qapp: QApplication, qtbot: QtBot, view: DecisionView, seed: int
) -> None:
    chance = random.Random(seed)
    possible = edits(qapp, qtbot, view, chance)
    for step in range(60):
        number = chance.randrange(len(possible))
        possible[number]()
        if chance.random() < 0.7:  # sometimes several changes before the screen follows
            settle(qapp)
            assert on_screen(view.table) == painted_anew(qapp, view), f"after edit {number} in step {step}"
    settle(qapp)
    assert on_screen(view.table) == painted_anew(qapp, view), "after all"


def test_a_change_that_shows_nowhere_paints_nothing(qapp: QApplication, view: DecisionView, painted: list[str]) -> None:
    paints = Paints()
    view.table.viewport().installEventFilter(paints)
    view.show_answer(answer())
    settle(qapp)
    assert paints.region.isEmpty()
    assert painted == []


def test_only_cells_that_changed_are_painted(qapp: QApplication, view: DecisionView, painted: list[str]) -> None:
    view.table.sort_by("number")
    view.show_answer(answer(parameters=SHARES))
    settle(qapp)
    paints = Paints()
    view.table.viewport().installEventFilter(paints)
    painted.clear()
    view.show_answer(answer(parameters={**SHARES, "memory_share": 0.05, "reserve_share": 0.55}))
    settle(qapp)
    table = view.table
    rows = QRect(0, table.rowHeight(0), table.viewport().width(), 2 * table.rowHeight(0))
    assert at(table.array_model, 1, "reason").data() == "budget was full"
    assert "outcome" in set(painted)
    assert max(painted.count(key) for key in painted) == 2, "two memories do not fit any more"
    assert "number" not in painted
    assert rows.contains(paints.region.boundingRect())


def test_rows_that_are_not_looked_at_look_the_same(qtbot: QtBot) -> None:
    """Whatever the model does not name after a change of values has the same cells as before."""
    told: list[tuple[int, int]] = []

    class Watched(DecisionModel):
        def values_changed(self) -> None:
            everything = range(len(self.rows))
            named, now = set(self.altered(everything)), self.subject
            for position in set(everything) - named:
                assert self.look(self._before, position) == self.look(now, position), f"position {position}"
            self.subject = now
            told.append((len(named), len(everything)))
            super().values_changed()

        def look(self, assembly: Assembly | None, position: int) -> list[object]:
            self.subject = assembly
            return [*(self.cell(position, column) for column in self.columns), self.marking(position)]

    model, chance = Watched(), random.Random(3)
    for _ in range(150):
        fields = {
            "window": chance.randrange(100, 400),
            "policy": chance.choice(("ratio", "ratio", "slots", "naive", "adaptive")),
            "pinned": chance.choice(((), ("m3",))),
        }
        assembly = answer(**fields).assembly
        if assembly.error is None:
            model.show(assembly, assembly.by_kind[:0] if chance.random() < 0.05 else ALL_ROWS, assembly.candidates.ids)
    assert len(told) > 80
    assert any(named < rows for named, rows in told)
    assert any(named for named, _ in told)


ALL_ROWS = answer().assembly.order


@pytest.mark.parametrize("column", ["action", "reason", "section", "spent", "rank", "left", "charges", "score"])
def test_a_row_is_looked_at_for_each_figure_that_it_shows(column: str) -> None:
    before = answer(parameters=SHARES).assembly
    row = int(np.flatnonzero([reason.tells_missing for reason in before.reasons])[0])
    row = int(np.flatnonzero(before.reason == row)[0])
    figures = getattr(before, column).copy()
    figures[row] = 0 if np.isnan(figures[row]) else figures[row] - 1
    model, told = DecisionModel(), []
    model.show(before, ALL_ROWS, before.candidates.ids)
    model.dataChanged.connect(lambda *_: told.extend(model.altered(range(len(ALL_ROWS)))))
    model.show(replace(before), ALL_ROWS, before.candidates.ids)
    assert told == [], "nothing changed"
    after = replace(before)
    vars(after)[column] = figures  # also where it follows from another column
    model.show(after, ALL_ROWS, before.candidates.ids)
    assert [int(ALL_ROWS[place]) for place in told] == [row]


def test_a_pin_that_comes_is_painted(qapp: QApplication, view: DecisionView) -> None:
    view.table.sort_by("number")
    settle(qapp)
    view.show_answer(answer(pinned=("m2",)))
    settle(qapp)
    assert on_screen(view.table) == painted_anew(qapp, view)


def test_cells_apart_in_a_row_are_each_painted_once(qapp: QApplication, qtbot: QtBot) -> None:
    def column(key: str) -> Column[list[dict[str, str]]]:
        return Column(key, key, "", lambda rows, row: rows[row][key])

    table = ArrayTableView(ArrayTableModel([column(key) for key in ("one", "two", "three")]))
    qtbot.addWidget(table)
    table.array_model.setParent(table)
    ids = ("first", "second")
    rows = [{"one": "a", "two": "b", "three": "c"} for _ in ids]
    table.array_model.show(rows, np.arange(2), ids)
    with qtbot.waitExposed(table):
        table.show()
    settle(qapp)
    table.array_model.show([rows[0], {**rows[1], "one": "changed", "three": "too"}], np.arange(2), ids)
    settle(qapp)
    changed = on_screen(table)
    table.viewport().update()
    settle(qapp)
    assert changed == on_screen(table)


def test_columns_are_known_by_their_keys() -> None:
    keys = ("name", "size")
    columns: list[Column[list[str]]] = [Column(key, key.title(), "", lambda names, row: names[row]) for key in keys]
    model = ArrayTableModel(columns)
    assert [model.column(key) for key in keys] == [0, 1]
    with pytest.raises(KeyError):
        model.column("colour")
    with pytest.raises(ValueError, match="same key"):
        ArrayTableModel([*columns, columns[0]])


def test_rows_in_another_order_paint_only_the_places_that_look_different(
    qapp: QApplication, view: DecisionView, painted: list[str]
) -> None:
    model, assembly = view._model, answer().assembly
    view.table.select_row(int(model.rows[0]))
    settle(qapp)
    painted.clear()
    order = model.rows.copy()
    order[[2, 3]] = order[[3, 2]]
    model.show(assembly, order, model.ids)
    settle(qapp)
    assert 0 < len(painted) <= 2 * len(model.columns)
    assert on_screen(view.table) == painted_anew(qapp, view)
    assert view.table.selected_rows() == [int(order[0])]


def test_a_selected_row_keeps_its_item_in_another_order(qapp: QApplication, view: DecisionView) -> None:
    model, assembly = view._model, answer().assembly
    row = int(model.rows[2])
    view.table.select_row(row)
    order = model.rows.copy()
    order[[2, 3]] = order[[3, 2]]
    model.show(assembly, order, model.ids)
    assert view.table.selected_rows() == [row]
    assert view.table.currentIndex().row() == 3
    settle(qapp)
    assert on_screen(view.table) == painted_anew(qapp, view)
