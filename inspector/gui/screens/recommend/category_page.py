"""Recall by category as bars: now, and under the setting recommended for the selected window."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from inspector.analysis.basis import Share
from inspector.analysis.recall.ask import losses
from inspector.analysis.recommend.categories import Categories, Category, held, what_holds_back
from inspector.analysis.recommend.drawings import categories_drawing
from inspector.assembly.columns import phrase
from inspector.assembly.scenario import Scenario
from inspector.figures import counted, percentage
from inspector.gui.parts.labels import PlainLabel
from inspector.gui.plots.legend import Legend, entries_of
from inspector.gui.plots.marks import MarkKind, MarkLine
from inspector.gui.plots.plot import Plot
from inspector.gui.screens.recommend.model import CategoriesModel
from inspector.gui.screens.recommend.policy_table import KindTable
from inspector.gui.theme import give_font
from inspector.gui.tuning.plot_page import PLOT, TABLE, PlotPage

NOTHING = "How much of what each kind of question needs is in the prompts now, and under the setting recommended."
ASKING = "Asking every question …"
NOTHING_HOLDS = "Nothing that the questions need is missing."


class CategoryPlot(Plot):
    """Two bars for each category. `category_pointed` carries the category at the mouse or reached by keys (None:
    none).
    """

    category_pointed = Signal(object)
    return_pressed = Signal()

    def __init__(self) -> None:
        super().__init__("Recall by kind of question")
        self._count = 0
        self.marked: int | None = None
        self._mark = MarkLine(MarkKind.SELECTED)
        self.rows[0].addItem(self._mark, ignoreBounds=True)
        self.pointed.connect(lambda pixel: self.category_pointed.emit(None if pixel is None else self._at(pixel)))
        self.chosen.connect(lambda pixel: self.mark(self._at(pixel)))
        self.stepped.connect(self._step)

    def show_categories(self, categories: Categories, window: int | None) -> None:
        """Show these categories, in a window of so many tokens."""
        self._count = len(categories)
        self.show_drawing(categories_drawing(categories, window))
        if self.marked is not None and self.marked >= self._count:
            self.mark(None)

    def mark(self, category: int | None) -> None:
        """Mark a category, None for none."""
        self.marked = category
        self._mark.put(None if category is None else (category - 0.5, category + 0.5))
        self.category_pointed.emit(category)

    def keyPressEvent(self, ev: QKeyEvent) -> None:
        """Return chooses, where there is anything to choose."""
        if (
            ev.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not ev.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        ):
            self.return_pressed.emit()
        else:
            super().keyPressEvent(ev)

    def _at(self, pixel: float) -> int | None:
        place = round(self.place_of(pixel))
        return place if 0 <= place < self._count else None

    def _step(self, steps: int) -> None:
        if self._count:
            here = -1 if self.marked is None else self.marked
            self.mark(min(max(here + steps, 0), self._count - 1))


class CategoryPage(PlotPage):
    """The plot and its table. `requested(settings)` asks for the current setting and, if there is one, the
    recommended.
    """

    requested = Signal(object)

    def __init__(self) -> None:
        self.bars = CategoryPlot()
        self._categories_model = CategoriesModel()
        super().__init__(
            "recommend_categories",
            self.bars,
            self._categories_model,
            ("By kind of question", NOTHING),
            KindTable(self._categories_model),
        )
        self.switch.choose(TABLE)
        self._settings: tuple[Scenario, ...] = ()
        self._asked: tuple[Scenario, ...] | None = None
        self._categories: Categories = ()
        self.bars.legend = self.legend = Legend()
        title = PlainLabel("By kind of question")
        give_font(title, "title")
        self.head.insertWidget(0, title)
        self.add_to_head(self.legend)
        self.legend.hide()
        self.switch.chosen.connect(lambda number: self.legend.setVisible(number == PLOT))
        self.bars.category_pointed.connect(self._say)
        self.table.row_selected.connect(self.bars.mark)
        self.show_nothing(NOTHING)

    def show_settings(self, settings: Sequence[Scenario], trouble: str = "") -> None:
        """Take the current and the recommended setting; without settings, show `trouble`."""
        self._settings = tuple(settings)
        if not settings:
            self._asked = None
            self.show_nothing(trouble or NOTHING)
        elif self._settings != self._asked:
            self.refresh()

    def show_categories(self, categories: Categories) -> None:
        """Show the results."""
        self._categories = categories
        self.bars.show_categories(categories, self._settings[-1].context_window if self._settings else None)
        self._categories_model.show_categories(categories)
        self.table.show_columns()
        if self.bars.drawing is not None:
            self.legend.show_entries(entries_of(self.bars.drawing.legend))
            self.legend.setVisible(self.switch.current == PLOT)
        self.show_filled()
        self._say(None)

    def show_share(self, share: Share) -> None:
        """How many questions were asked."""
        number = f"{share.done:,.0f} of {share.of:,.0f}"
        self.state.say(f"{number} asked …", f"{number} …", f"{share.done:,.0f} …")
        if not self._categories:
            self._nothing.set_sentence(f"{ASKING} {number}")

    def forget(self) -> None:
        """Forget the results: the questions or conversations have changed."""
        self._asked, self._categories = None, ()
        self._categories_model.show_categories(())
        self.show_nothing(NOTHING)
        self.refresh()

    def end(self, trouble: str) -> None:
        """End the request; `trouble` is the reason for missing results."""
        if trouble:
            self.show_nothing(trouble)
        elif self._categories:
            has_line = "line: now, " if self._categories[0].then else ""
            asked = counted(len(self._categories[0].now), "question")
            self.state.say(f"{has_line}{asked}", asked)

    def _ask(self) -> None:
        if self._settings:
            self._asked = self._settings
            if not self._categories:
                self.show_nothing(ASKING)
            self.requested.emit(self._settings)

    def _say(self, category: int | None) -> None:
        category = self.bars.marked if category is None else category
        if category is not None and category < len(self._categories):
            self.say(_sentence(self._categories[category]))
        elif self._categories:
            self.say(what_holds_back(self._categories) or NOTHING_HOLDS)


def _sentence(category: Category) -> str:
    """Return the share held of the needs of a category, and why the rest is lost."""
    then = f", recommended {percentage(held(category.then))}" if category.then else ""
    lost = [f"{phrase(loss)} {percentage(part)}" for loss, part in losses(category.now).items() if part]
    why = f"  ·  lost now: {', '.join(lost)}" if lost else ""
    return f"{category.name}, {counted(len(category.now), 'question')}: now {percentage(held(category.now))}{then}{why}"
