"""Every figure that the window shows in two places is the same: read from what the screens show, in words and cells."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest
from cells import texts
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from tips import tip_text
from walking import everything

from inspector.assembly.edits import set_draft, set_parameters, use_policy
from inspector.cli import group
from inspector.gui.bar.view import BudgetBar
from inspector.gui.main_window import MainWindow
from inspector.gui.parts.last_prompt import OF_BEFORE
from inspector.gui.screens.details.totals import SumRow
from inspector.gui.table.model import ArrayTableModel
from inspector.plugins import policies
from inspector.resources import samples_folder
from tests.examples import cases

SAMPLES = sorted(path.name.removesuffix(".workspace.yaml") for path in samples_folder().glob("*.workspace.yaml"))
POLICIES = tuple(policies()[0])
MANY_OF_ONE = re.compile(r"(?<![\d.,])1 (tokens|items|messages|memories|chunks|decisions|texts|summaries|errors)\b")
Parts = dict[str, int]
KEYS = {
    "memories": "memory",
    "conversation": "history",
    "next message": "current",
}
"""The sections whose title is not their key."""


FIGURE = re.compile(r"(≈ )?−?[\d,]+")


def number(text: str) -> int:
    """A figure as it is written: 1,240, ≈ 1,240, +8, −8, and – for nothing."""
    plain = text.replace("≈", "").replace(",", "").replace("\N{MINUS SIGN}", "-").strip()
    return 0 if plain == "–" else int(plain)


def header(description: str) -> Parts:
    """Prompt, reply, window, and free (below 0: over) of a bar in words."""
    found = re.match(
        r"prompt (?P<prompt>(≈ )?[\d,]+)( \+ reply (?P<reply>[\d,]+))?, "
        r"(?P<rest>(≈ )?[\d,]+) (?P<side>free of|over) (?P<window>[\d,]+)\. ",
        description,
    )
    assert found is not None, description
    shown = {name: number(found[name] or "0") for name in ("prompt", "reply", "window", "rest")}
    rest = shown.pop("rest")
    return {**shown, "free": -rest if found["side"] == "over" else rest}


def key_of(title: str) -> str:
    """Return the key of a part of the window from its title."""
    return KEYS.get(title.lower(), title.lower())


def segments(description: str) -> Parts:
    """The tokens of every segment of a bar in words."""
    found = re.findall(r"([A-Z][a-z ]+): ((?:≈ )?[\d,]+) tokens?, [\d.,]+ % of the window", description)
    return {key_of(name): number(figure) for name, figure in found}


def bars(window: MainWindow) -> tuple[str, str]:
    """What the bar says of now, and of the baseline."""
    bar = window.findChild(QWidget, "budget_bar")
    assert bar is not None
    now, _, baseline = bar.accessibleDescription().partition(" Baseline: ")
    return now, baseline


def tips(window: MainWindow) -> Parts:
    """The tokens of every segment as its tooltip has them."""
    bar = window.findChild(BudgetBar, "budget_bar")
    assert bar is not None
    assert bar.picture is not None
    places = (bar.span_of(segment).center() for segment in bar.picture.segments)
    return {name: tokens for place in places for name, tokens in segments(bar.tool_tip_at(place)).items()}


def table(window: MainWindow) -> ArrayTableModel:
    found = window.findChild(QTableView, "decision_table")
    assert found is not None
    model = found.model()
    assert isinstance(model, ArrayTableModel)
    return model


def summaries(window: MainWindow) -> int:
    """The tokens of the summaries of the program, as their rows of the table have them."""
    rows = zip(*(texts(table(window), key) for key in ("number", "spent")), strict=True)
    return sum(number(spent) for name, spent in rows if name.startswith("summary:"))


def spent_by_section(window: MainWindow) -> Parts:
    """What the table of decisions sums to, section by section."""
    sums: Counter[str] = Counter()
    for section, spent in zip(*(texts(table(window), key) for key in ("section", "spent")), strict=True):
        sums[key_of(section)] += number(spent)
    return {section: tokens for section, tokens in sums.items() if tokens}


def actions(window: MainWindow) -> Parts:
    """How many rows of the table of decisions have each action."""
    words = (text.split(",")[0].split() for text in texts(table(window), "outcome"))
    return dict(Counter(found[-1].lower() for found in words))


def chips(window: MainWindow) -> Parts:
    """How many items the quick filters say there are of each action, and of all."""
    found = [chip for chip in window.findChildren(QToolButton) if chip.objectName().startswith("filter_chip:")]
    shown = ((chip.objectName().partition(":")[2], number(chip.text().split()[-1])) for chip in found)
    return {name: items for name, items in shown if items}


def totals(window: MainWindow) -> list[tuple[str, int, str]]:
    """Name, figure and remark of the lines of the sums about the whole prompt."""
    rows = window.screens["details"].view.told.totals.findChildren(SumRow)
    lines = [row.line for row in rows if row.line is not None and not row.isHidden()]
    return [(key_of(line.name), number(line.figure), line.note) for line in lines if FIGURE.fullmatch(line.figure)]


def findings(window: MainWindow) -> list[tuple[str, str]]:
    """Severity and sentence of every finding in the list."""
    found = window.findChild(QAbstractItemView, "findings_list")
    assert found is not None
    model = found.model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    return [(index.data(Qt.ItemDataRole.AccessibleTextRole).partition(":")[0], index.data()) for index in rows]


def status(window: MainWindow) -> list[str]:
    """The texts of the status line."""
    return [label.text() for label in window.statusBar().findChildren(QLabel) if label.text()]


def compared(window: MainWindow) -> Iterator[tuple[str, int, int, int]]:
    """Name, before, after and change of every part that the comparison has."""
    for part in window.screens["changes"].view.totals.text().split(" · "):
        found = re.fullmatch(r"(\D+?) ((?:≈ )?−?[\d,]+)(?: → ((?:≈ )?−?[\d,]+) \((.+)\))?", part)
        assert found is not None, part
        now = found[3] or found[2]
        yield key_of(found[1]), number(found[2]), number(now), number(found[4] or "0")


def is_settled(window: MainWindow, qtbot: QtBot, policy: str) -> bool:
    """Wait for a policy with everything measured; says whether it made a prompt."""
    session = window.session
    session.edit(use_policy, policy)
    session.flush()
    qtbot.waitUntil(lambda: session.is_ready)
    window.select(None)
    assert session.assembly is not None
    return session.assembly.error is None


def check_bar(window: MainWindow) -> None:
    now, _ = bars(window)
    said, parts = header(now), segments(now)
    assert said["prompt"] + said["reply"] + said["free"] == said["window"]
    assert parts.get("free", 0) == max(0, said["free"])
    assert parts.get("reply", 0) == said["reply"]
    assert sum(parts.values()) == max(said["window"], said["prompt"] + said["reply"])
    check_figures(window, said)
    assert tips(window).items() <= parts.items()
    assert spent_by_section(window) == sections(now)


def check_figures(window: MainWindow, said: Parts) -> None:
    """The line above the bar has the figures of the bar; in a comparison its sum adds up."""
    line = window.findChild(QWidget, "prompt_figures")
    assert line is not None
    text = line.accessibleDescription()
    prompt = re.match(r"(?P<prompt>(?:≈ )?[\d,]+) (tokens? in the prompt|now), ", text)
    assert prompt is not None, text
    assert number(prompt["prompt"]) == said["prompt"]
    if prompt[2] == "now":
        baseline = re.search(r"Baseline ((?:≈ )?[\d,]+), ", text)
        whole, _, parts = text.partition(" = ")
        changes = [number(each) for each in re.findall(r"[a-z] ([+−][\d,]+)", parts)]
        assert baseline is not None
        assert said["prompt"] - number(baseline[1]) == sum(changes)
        assert sum(changes) == (number(whole.rpartition(", ")[2]) if parts else 0)
        return
    reply, rest = re.search(r"([\d,]+) kept free", text), re.search(r"((?:≈ )?[\d,]+) (free of|over) ([\d,]+)", text)
    assert (number(reply[1]) if reply else 0) == said["reply"]
    assert rest is not None
    assert (number(rest[1]), number(rest[3])) == (abs(said["free"]), said["window"])
    assert (rest[2] == "over") == (said["free"] < 0)


def sections(description: str) -> Parts:
    """The segments of a bar that items are in."""
    beside = ("formatting", "reply", "free")
    return {name: tokens for name, tokens in segments(description).items() if name not in beside}


def check_counts(window: MainWindow) -> None:
    shown = chips(window)
    assert shown.pop("all", 0) == sum(shown.values()) == table(window).rowCount()
    assert shown == actions(window)
    sentence = window.screens["details"].view.told.text().splitlines()[0]
    said = re.findall(r"([\d,]+) (kept|summarized|truncated|dropped)", sentence)
    assert {action: number(items) for items, action in said} == shown


def check_totals(window: MainWindow) -> None:
    now, _ = bars(window)
    said, lines = header(now), totals(window)
    page = {name: tokens for name, tokens, _ in lines}
    overhead = sum(tokens for _, tokens, remark in lines if remark.startswith("formatting"))
    assert overhead == segments(now).get("formatting", 0)
    assert page["total"] == page["− prompt"] == said["prompt"]
    assert page["window"] == said["window"]
    assert page.get("− reply", 0) == said["reply"]
    assert page.get("= free", -page.get("= over the window", 0)) == said["free"]
    assert {name: page[name] for name in sections(now)} == sections(now)
    assert sum(sections(now).values()) + overhead == said["prompt"]
    assert page.get("summaries of the program", 0) == summaries(window)


def check_findings(window: MainWindow) -> None:
    said, listed = header(bars(window)[0]), findings(window)
    serious = Counter(severity for severity, _ in listed)
    marks = {text[0]: number(text[1:]) for text in status(window) if text[0] in "⊗⚠"}
    assert marks == {mark: serious[word] for mark, word in (("⊗", "error"), ("⚠", "warning")) if serious[word]}
    for _, sentence in listed:
        if over := re.search(r"prompt of (\S+) .*window of (\S+) by (\S+)\.", sentence.replace("≈ ", "")):
            assert [number(over[place]) for place in (1, 2, 3)] == [said["prompt"], said["window"], -said["free"]]
        if unused := re.search(r"^(\S+) tokens, .* are not used", sentence.replace("≈ ", "")):
            assert number(unused[1]) == said["free"]


def check_sureness(window: MainWindow) -> None:
    """No figure of the whole has an ≈, the cost included, where all is exact or by a rule, and only there."""
    page, line = window.screens["details"].view.said(), status(window)[0]
    cost = re.search(r"Cost of the prompt\n(.*)\n", page)
    assert cost is None or line.endswith(f"· {cost[1]}")
    assert ("≈" in bars(window)[0].partition(".")[0]) != line.startswith(("Exact", "By rule"))
    assert (", exact;" in page) == line.startswith("Exact")


def check_comparison(window: MainWindow) -> None:
    now, baseline = bars(window)
    lines = {name: (before, after, change) for name, before, after, change in compared(window)}
    for side, description in enumerate((baseline, now)):
        said = header(description)
        parts = {**segments(description), "total": said["prompt"], "reply": said["reply"], "free": said["free"]}
        assert {name: line[side] for name, line in lines.items() if line[side]} == {n: t for n, t in parts.items() if t}
    assert all(before + change == after for before, after, change in lines.values())
    beside = ("total", "reply", "free")
    assert sum(line[2] for name, line in lines.items() if name not in beside) == lines["total"][2]
    items = sum(line[2] for name, line in lines.items() if name not in (*beside, "formatting"))
    said = window.screens["changes"].view.summary.text()
    changed = re.search(r"; items ((?:≈ )?[+−]?[\d,]+) tokens?(;|$)", said)
    told = re.search(r"; summaries of the program (≈ [+−][\d,]+) tokens?$", said)
    listed = number(changed[1] if changed else "0")
    assert listed + number(told[1] if told else "0") == items
    assert sum(number(text.split()[-2]) for text in headings(window)) == listed


def headings(window: MainWindow) -> list[str]:
    model = window.screens["changes"].view.table.model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    return [index.data() for index in rows if model.flags(index) == Qt.ItemFlag.NoItemFlags]


def check_reasons(window: MainWindow) -> None:
    """What the table is short by is what its sentence says."""
    model = table(window)
    column = model.column("reason")
    for row in range(model.rowCount()):
        index = model.index(row, column)
        if short := re.fullmatch(r"budget short by ([\d,]+)", index.data()):
            assert f": {short[1]} too few." in tip_text(index.data(Qt.ItemDataRole.ToolTipRole))


def check_command(window: MainWindow) -> None:
    """The copied command gives the figures of the bar."""
    action = window.findChild(QAction, "action:copy_command")
    assert action is not None
    action.trigger()
    words = shlex.split(QGuiApplication.clipboard().text())
    done = CliRunner().invoke(group, [*words[1:], "--format", "json"])
    answer, (now, _) = orjson.loads(done.stdout), bars(window)
    said, used = header(now), {name: section["used"] for name, section in answer["budget"]["sections"].items()}
    titled = {name: tokens for name, tokens in used.items() if tokens}
    assert titled == sections(now)
    assert answer["ledger"]["overhead"] == segments(now).get("formatting", 0)
    assert (answer["ledger"]["total"], answer["budget"]["context_window"]) == (said["prompt"], said["window"])
    assert answer["ledger"]["exact"] == status(window)[0].startswith("Exact")
    assert [finding["message"] for finding in answer["findings"]] == [sentence for _, sentence in findings(window)]


@pytest.mark.parametrize("sample", cases(SAMPLES, ["companion", "research-desk"]))
def test_every_figure_that_is_shown_twice_is_the_same(
    sample: str, opened: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    folder = samples_folder()
    window = opened(folder / f"{sample}.workspace.yaml", scenario=folder / f"{sample}.scenario.yaml")
    window.session.pin_baseline()
    window.show_screen("changes")
    made = 0
    for policy in POLICIES:
        if not is_settled(window, qtbot, policy):
            continue
        for check in (check_bar, check_counts, check_findings, check_comparison, check_reasons):
            check(window)
        window.show_screen("details")
        check_totals(window)
        check_sureness(window)
        window.show_screen("changes")
        made += 1
    assert made > 5
    check_command(window)
    wrong = [(shown.where, shown.text) for shown in everything(window) if MANY_OF_ONE.search(shown.text)]
    assert wrong == []


def test_nothing_is_called_exact_before_it_is_measured(companion: MainWindow, qtbot: QtBot) -> None:
    session = companion.session
    session.pin_baseline()
    assert status(companion)[0].startswith("Exact")
    session.edit(set_parameters, {"history_share": 0.2, "memory_share": 0.4, "reserve_share": 0.4})
    session.flush()
    assert session.answer is not None
    assert session.answer.ledger.rendered is None, "it is about to be measured"
    now, baseline = bars(companion)
    assert "prompt ≈ " in now
    assert "≈" not in baseline
    assert status(companion)[0].startswith("Being measured")
    assert "≈ $" in status(companion)[0]
    unused = [sentence for _, sentence in findings(companion) if "not used" in sentence or "exceeds" in sentence]
    assert all("≈" in sentence for sentence in unused)
    qtbot.waitUntil(lambda: session.is_ready)
    assert "≈" not in bars(companion)[0]
    assert status(companion)[0].startswith("Exact")
    assert "≈" not in status(companion)[0]


def test_samples_are_all_there() -> None:
    assert len(SAMPLES) >= 5
    assert all(Path(samples_folder() / f"{sample}.scenario.yaml").is_file() for sample in SAMPLES)


def test_a_refused_scenario_has_no_prompt_to_say_anything_of(companion: MainWindow) -> None:
    """Nothing is estimated, free of charge or without findings: there is no prompt."""
    companion.session.edit(set_parameters, {"memory_share": 0.9, "history_share": 0.9}, "refused")
    companion.show_screen("findings")
    QApplication.processEvents()
    assert status(companion)[0].startswith("No prompt, ")
    assert "$" not in status(companion)[0]
    said = " ".join(label.text() for label in companion.screens["findings"].view.findChildren(QLabel))
    assert "No prompt was made" in said
    assert "shares must sum to 1" in said
    assert "no findings" not in said
    companion.session.undo_stack.undo()


def test_a_refused_scenario_is_said_by_all_and_what_is_seen_is_of_before(companion: MainWindow, qtbot: QtBot) -> None:
    companion.session.pin_baseline()
    screens = ("details", "timeline", "changes")
    for name in screens:
        companion.show_screen(name)
    kept = next(row for row, text in enumerate(texts(table(companion), "outcome")) if text.startswith("Kept"))
    companion.select(int(table(companion).rows[kept]))
    before = {fate: number for fate, number in chips(companion).items() if fate != "all"}
    companion.session.edit(set_parameters, {"memory_share": 0.9, "history_share": 0.9}, "refused")
    said: dict[str, str] = {}
    for name in screens:
        companion.show_screen(name)
        QApplication.processEvents()
        companion.screens[name].show_details()
        labels = companion.screens[name].view.findChildren(QLabel)
        said[name] = "\n".join(label.text() for label in labels if label.isVisible())
    said["details"] = companion.screens["details"].view.said()
    assert texts(table(companion), "outcome")[kept].startswith("Kept")
    assert all("no prompt was made" in words.lower() for words in said.values()), said
    assert "Dropped" not in said["details"]
    assert f"{OF_BEFORE}\nKept. " in said["details"]
    assert "Dimmed parts are from before." in said["timeline"]
    assert "0 tokens" not in said["timeline"]
    assert f"{before['dropped']:,} dropped" not in said["changes"]
    assert "Total" not in said["changes"]
    assert companion.screens["changes"].view.table.model().rowCount() == 0
    companion.select(None)
    companion.show_screen("details")
    page = companion.screens["details"].view.said()
    assert "− prompt\n0" not in page
    assert "No prompt was made. " in page
    companion.session.undo_stack.undo()
    companion.session.flush()
    qtbot.waitUntil(lambda: companion.session.is_ready)
    assert "No prompt was made" not in companion.screens["details"].view.said()
    companion.show_screen("timeline")
    assert "No prompt was made" not in companion.screens["timeline"].view.said.text()


def test_an_item_that_is_selected_before_its_answer_was_shown_is_explained_by_no_other_items(
    companion: MainWindow,
) -> None:
    """A table shows a new answer before the other panels do, and tells them at once what is selected in it."""
    companion.show_screen("details")
    details = companion.screens["details"]
    shown = companion.session.answer
    assert shown is not None
    companion.session.edit(set_parameters, {"memory_share": 0.9, "history_share": 0.9}, "refused")
    companion.session.edit(set_draft, "One more item.")
    companion.session.flush()
    refused = companion.session.answer
    assert refused is not None
    assert refused.assembly.error is not None
    details.show_answer(refused, shown)
    companion.select(len(refused.assembly.candidates) - 1)
    assert "What is dimmed" not in details.view.said()
    assert "No prompt was made" in details.view.said()
