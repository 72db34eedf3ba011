"""`report`: one page about an archive that loads nothing and runs nothing, whatever is in the chats."""

import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import Result

from tests.archives import write_chats

Run = Callable[..., Result]
OPTIONS = ("--tokenizer", "estimate:words", "--window", "60", "--workers", "1")
_ALONE = {"meta", "br"}


class Page(HTMLParser):
    """The elements of a page, and the cells of its tables; fails where an element is not closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.attributes: set[str] = set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in _ALONE:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    return write_chats(tmp_path / "chats", 3)


def page_of(run: Run, chats: Path, out: Path, *options: str) -> tuple[Result, Page]:
    done = run("report", str(chats), *OPTIONS, *options, "--out", str(out))
    assert done.exit_code == 0, done.stderr
    return done, Page(out.read_text("utf-8"))


def test_one_chat_is_not_many(run: Run, tmp_path: Path) -> None:
    done, _ = page_of(run, write_chats(tmp_path / "chats", 1), tmp_path / "report.html")
    assert done.stderr == f"prompt-inspector: wrote the report of 1 chat to {tmp_path / 'report.html'}\n"


def test_every_chat_has_a_row(run: Run, chats: Path, tmp_path: Path) -> None:
    done, page = page_of(run, chats, tmp_path / "report.html")
    assert done.stderr == f"prompt-inspector: wrote the report of 3 chats to {tmp_path / 'report.html'}\n"
    named = {row[1] for row in page.rows if row[0].endswith(".json")}
    assert named == {"chat-0000", "chat-0001", "chat-0002"}


@pytest.mark.parametrize(("tokenizer", "sign"), [("estimate:words", "≈ "), ("embedded:o200k_base", "")])
def test_figures_of_a_chat_that_are_estimates_say_so(
    run: Run, chats: Path, tmp_path: Path, tokenizer: str, sign: str
) -> None:
    _, page = page_of(run, chats, tmp_path / "report.html", "--tokenizer", tokenizer)
    titles = next(row for row in page.rows if row[:2] == ["File", "Chat"])
    for row in (row for row in page.rows if row[0].endswith(".json")):
        for title in ("Tokens", "Prompt"):
            assert re.fullmatch(rf"{sign}[\d,]+", row[titles.index(title)])


def test_it_runs_and_loads_nothing_whatever_the_chats_say(run: Run, chats: Path, tmp_path: Path) -> None:
    hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202e'
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c", "title": hostile, "messages": [{"id": "m", "role": "user", "content": hostile}]}],
    }
    (chats / "hostile.json").write_text(json.dumps(value))
    (chats / "<b>bad<b>.json").write_text("{")
    _, page = page_of(run, chats, tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text("utf-8")
    assert page.tags.isdisjoint({"script", "img", "link", "iframe", "object", "b", "base"})
    assert not any(name.startswith("on") or name in ("src", "href", "style") for name in page.attributes)
    assert not re.search(r"https?:|@import|url\((?!#)", text.replace("http://www.w3.org/2000/svg", ""))
    assert "\u202e" not in text
    assert any(hostile[:-1] in row[1] for row in page.rows if len(row) > 1)


def test_plots_tell_their_figures_in_words(run: Run, chats: Path, tmp_path: Path) -> None:
    _, page = page_of(run, chats, tmp_path / "report.html")
    assert {"svg", "rect", "title"} <= page.tags
    assert {"aria-label", "role"} <= page.attributes


def test_bad_files_are_on_the_page_and_on_standard_error(run: Run, chats: Path, tmp_path: Path) -> None:
    (chats / "broken.json").write_text("{")
    done, page = page_of(run, chats, tmp_path / "report.html")
    assert "1 of 4 files could not be used" in done.stderr
    assert any(row[0].endswith("broken.json") and "cut off" in row[2] for row in page.rows)


def test_two_processes_write_the_same_page(run: Run, chats: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    page_of(run, chats, one)
    page_of(run, chats, two, "--workers", "2")
    assert one.read_text("utf-8") == two.read_text("utf-8")


def test_the_page_beside_the_chats_is_none_of_them(run: Run, chats: Path) -> None:
    for _ in range(2):
        done, _ = page_of(run, chats, chats / "report.html")
        assert done.stderr.startswith("prompt-inspector: wrote the report of 3 chats to ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--glob", "*.txt", "--out", "r.html"), "no file matches *.txt"),
        ((), "--out"),
        (("--out", "/no/such/folder/r.html"), "cannot be written"),
    ],
)
def test_bad_input_is_one_line(run: Run, chats: Path, options: tuple[str, ...], said: str) -> None:
    done = run("report", str(chats), *OPTIONS, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_no_chat_is_no_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    done = run("report", str(tmp_path), *OPTIONS, "--out", str(tmp_path / "r.html"))
    assert done.exit_code == 2
    assert "no chat in 1 files" in done.stderr
