"""Help ▸ Reference: the program's declarations, to search and read beside the work."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QSplitter, QVBoxLayout, QWidget

from inspector.analysis.reference import Article
from inspector.assembly.preset import Preset
from inspector.gui.help.articles import all_articles
from inspector.gui.parts.choice_model import ChoiceColumn
from inspector.gui.parts.choices import Choice
from inspector.gui.parts.page import PageView, definitions, paragraph
from inspector.gui.parts.search_list import SearchList
from inspector.gui.parts.texts import window_title
from inspector.gui.remembered.window_state import fitted
from inspector.gui.theme import PANEL_MARGIN, UNIT, theme

SIZE = QSize(240 * UNIT, 150 * UNIT)
LIST_WIDTH = 100 * UNIT
NARROW = 24
"""Width in lines of text. On a narrower page, the meaning of a name is below it."""
COLUMNS = (ChoiceColumn("Name"), ChoiceColumn("Kind", 12, least=12))


class ReferenceDialog(QDialog):
    """A list at the left, and its current article at the right."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("reference_dialog")
        self.setWindowTitle(window_title("Reference"))
        self.resize(fitted(SIZE, self.screen()))
        self._shown: Article | None = None
        self.found = SearchList("reference", COLUMNS, self)
        self.found.describe("Find a policy, parameter, reason, finding, format or tokenizer")
        self.found.current_changed.connect(self._show)
        self.page = PageView(self)
        self.page.setObjectName("reference_page")
        self.page.setAccessibleName("Meaning")
        self.page.setFrameShape(QFrame.Shape.NoFrame)
        self.page.document().setDocumentMargin(2 * PANEL_MARGIN)
        self.page.installEventFilter(self)
        self._lay_out()

    def open_list(self, policies: Mapping[str, type], presets: Mapping[tuple[str, str], Preset]) -> None:
        """Show the current articles, with the last search."""
        choices = [_choice(article) for article in all_articles(policies, presets)]
        self.found.show_choices(choices, self.found.line.text())
        self.show()
        self.raise_()
        self.activateWindow()
        self.found.setFocus()
        self.found.line.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Write the article again for the new size of its page."""
        if event.type() == QEvent.Type.Resize:
            self._write()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "page"):
            self._write()

    def _lay_out(self) -> None:
        parts = QSplitter(Qt.Orientation.Horizontal, self)
        parts.setChildrenCollapsible(False)
        parts.addWidget(self.found)
        parts.addWidget(self.page)
        list_width = min(LIST_WIDTH, self.width() // 2)
        parts.setSizes([list_width, self.width() - list_width])
        parts.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN, PANEL_MARGIN)
        layout.addWidget(parts)

    def _show(self, choice: Choice | None) -> None:
        article = choice.thing if choice else None
        self._shown = article if isinstance(article, Article) else None
        self._write()

    def _write(self) -> None:
        is_narrow = self.page.width() < NARROW * self.page.fontMetrics().lineSpacing()
        self.page.show_page(article_page(self._shown, is_narrow) if self._shown else "")


def article_page(article: Article, is_narrow: bool = False) -> str:
    """Return an article as a page."""
    parts = [paragraph(article.kind, theme().muted_text), paragraph(article.name, size="large")]
    parts += [paragraph(text) for text in (article.summary, *article.paragraphs)]
    return "".join(parts) + (definitions(article.facts, is_narrow) if article.facts else "")


def _choice(article: Article) -> Choice:
    named = () if article.kind == "Policy" else (what for what, _ in article.facts)  # parameters have their own
    words = " ".join((article.summary, *named))
    tip = f"{article.name}\n{article.summary}"
    return Choice(f"{article.kind}:{article.name}", (article.name, article.kind), article, words, tip)
