"""A page that is written over looks and reads as one that is shown anew; only another structure is read anew."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from answers import answer_of, pipeline_for, timed_messages
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.parts.page import PageView, beside, heading, muted, paragraph, plain, strong, table
from inspector.gui.screens.details.figures import figures_page
from inspector.gui.screens.details.totals import summary_page
from inspector.gui.screens.details.verdict import verdict_page
from inspector.gui.theme import apply_theme

PIPELINE = pipeline_for(timed_messages(60), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
FIGURES = ("a", "two words", "–", "1,234", "≈ 5 of 6 (7.0 %)", " spaced  out ", "")
FOREIGN = ("👩‍👩‍👧 珊瑚", '<b> & "x"', "مرحبا", "a\u202eb")
WORDS = (*FIGURES, *FOREIGN)


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> Iterator[PageView]:
    apply_theme(qapp, "light")
    yield shown(qtbot)
    apply_theme(qapp, "light")


def shown(qtbot: QtBot) -> PageView:
    made = PageView()
    qtbot.addWidget(made)
    made.resize(700, 300)
    with qtbot.waitExposed(made):
        made.show()
    return made


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[PageView]:
    """The views that read a page as HTML."""
    views: list[PageView] = []
    set_html = PageView.setHtml

    def note(self: PageView, html: str) -> None:
        views.append(self)
        set_html(self, html)

    monkeypatch.setattr(PageView, "setHtml", note)
    return views


def page(first: str, second: str, third: str = "of 10", link: str = "more") -> str:
    lines = [(plain(first), strong(second), muted(third)), (plain("Total"), plain(first), "")]
    links = f'<p>It would be: <a href="change:0">{plain(link)}</a>  ·  <a href="change:1">other</a></p>'
    return (
        f"<body>{paragraph(first, size='large')}{links}{beside(heading('Figures') + table(lines), table(lines))}</body>"
    )


def assert_as_new(qtbot: QtBot, qapp: QApplication, view: PageView, html: str) -> None:
    new = shown(qtbot)
    new.show_page(html)
    assert view.document().toRawText() == new.document().toRawText()
    assert view.toHtml() == new.toHtml()
    qapp.processEvents()
    assert view.viewport().grab().toImage() == new.viewport().grab().toImage()


def test_a_page_written_over_is_as_one_shown_anew(
    qtbot: QtBot, qapp: QApplication, view: PageView, read: list[PageView]
) -> None:
    chance = random.Random(7)
    for _ in range(40):
        html = page(*(chance.choice(WORDS) for _ in range(4)))
        view.show_page(html)
        assert_as_new(qtbot, qapp, view, html)
    assert read.count(view) < 35, "those of the same shape as before are written over"


def test_answers_are_written_over(qtbot: QtBot, qapp: QApplication, view: PageView, read: list[PageView]) -> None:
    for make in (
        summary_page,
        lambda answer: figures_page(answer, 5, None),
        lambda answer: verdict_page(answer.assembly, 5),
    ):
        written_over = set[int]()
        for window in (160, 161, 170, 200, 160):
            html = make(answer_of(PIPELINE, window, policy="ratio"))
            before = read.count(view)
            view.show_page(html)
            written_over |= {window} if read.count(view) == before else set()
            assert_as_new(qtbot, qapp, view, html)
        assert written_over >= {161, 170}, "only figures changed"


def test_the_same_page_is_not_touched(view: PageView, read: list[PageView]) -> None:
    view.show_page(page("a", "b"))
    told: list[int] = []
    view.document().contentsChange.connect(lambda *change: told.append(change[0]))
    view.show_page(page("a", "b"))
    assert (len(read), told) == (1, [])
    view.show_page(page("a", "c"))
    assert len(read) == 1
    assert told
    view.show_page(page("a", "c").replace("<b>", "<i>").replace("</b>", "</i>"))
    assert len(read) == 2, "another structure is read"


def test_what_is_selected_and_scrolled_to_stays(view: PageView) -> None:
    view.resize(300, 60)
    view.show_page(page("12", "34", link="History share 52 %"))
    view.verticalScrollBar().setValue(20)
    start = view.toPlainText().index("History share")
    cursor = QTextCursor(view.document())
    cursor.setPosition(start)
    cursor.setPosition(start + len("History share"), QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    scrolled = view.verticalScrollBar().value()
    view.show_page(page("1,200", "3,400", link="History share 52 %"))
    assert view.textCursor().selectedText() == "History share"
    assert view.verticalScrollBar().value() == scrolled


def test_links_work_after_writing_over(qtbot: QtBot, view: PageView) -> None:
    view.show_page(page("a", "b", link="History share 52 %"))
    view.show_page(page("a", "b", link="History share 9.5 %"))
    cursor = QTextCursor(view.document().find("9.5"))
    place = view.cursorRect(cursor).center() - QPoint(4, 0)
    assert view.anchorAt(place) == "change:0"
    with qtbot.waitSignal(view.anchorClicked) as clicked:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert clicked.args == [QUrl("change:0")]


def test_a_page_loads_nothing_by_name(view: PageView, tmp_path: Path) -> None:
    """Where a document answers nothing at all, Qt opens the picture itself."""
    picture = tmp_path / "picture.png"
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(picture))
    sheet = tmp_path / "sheet.css"
    sheet.write_text("p { font-size: 200px; }", encoding="utf-8")
    place = picture.as_uri()
    head = f'<head><link rel="stylesheet" href="{sheet.as_uri()}"></head>'
    cell = f'<td style="background-image: url({place})">cell</td>'
    table = f'<table background="{place}"><tr>{cell}</tr></table>'
    view.show_page(f'<html>{head}<body><p>word <img src="{place}"></p>{table}</body></html>')
    assert view.document().size().height() < 120
