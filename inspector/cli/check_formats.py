"""The formats of `check`: a table, JSON, JUnit's XML, and annotations of a GitHub workflow."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from xml.etree import ElementTree

from inspector.analysis.recall.check import Checked, Shortfall, means_of
from inspector.cli.output import print_json, say
from inspector.figures import counted
from inspector.visible_text import on_one_line

CHECK_FORMAT = "prompt-inspector/check@1"
_SUITE = "prompt-inspector check"
_ALL = "all"


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a check: every conversation, all shortfalls, and whether recall was checked."""

    scenario_file: str
    checked: tuple[Checked, ...]
    short: tuple[Shortfall, ...]
    has_recall: bool


def _print_table(report: Report) -> None:
    if not report.short:
        say(_all_is_well(report))
        return
    from inspector.cli.console import Console, Table

    table = Table(("conversation", ""), ("what", ""), ("is", ""), ("wanted", ""))
    for one in report.short:
        table.add_row(one.conversation or _ALL, one.what, one.is_now, one.wanted)
    Console().print(table)


def _all_is_well(report: Report) -> str:
    checked, mean = report.checked, means_of(report.checked)
    over = f"{counted(len(checked), 'conversation')}, at most {max(one.overflow for one in checked):,} tokens over"
    recall = f"recall {mean['recall']:.3f}, with memories {mean['recall_with_memories']:.3f}" if mean["probes"] else ""
    answers = f"answer words {mean['answer_words']:.3f}" if mean["answers"] else ""
    return f"all is well: {', '.join(filter(None, (over, recall, answers)))}"


def _print_json(report: Report) -> None:
    print_json(report_value(report))


def report_value(report: Report) -> dict[str, Any]:
    """Return the report as a JSON value; `conversation` is "" where all conversations together fall short."""
    return {
        "format": CHECK_FORMAT,
        "ok": not report.short,
        "probes": means_of(report.checked),
        "conversations": [
            {
                "conversation": one.conversation,
                "overflow": one.overflow,
                "fits": one.fits,
                "error": one.error or None,
                **one.means,
                "findings": [finding.code for finding in one.findings],
            }
            for one in report.checked
        ],
        "short": [asdict(one) for one in report.short],
    }


def _print_junit(report: Report) -> None:
    for line in junit(report).splitlines():
        say(line)


def junit(report: Report) -> str:
    """Return a report as JUnit's XML: a test case for each conversation, and another for the recall of all of them.

    Its elements and attributes are those on which CI systems agree, see https://github.com/testmoapp/junitxml: a prompt
    that could not be made is an error, anything else a failure.
    """
    names = [""] if report.has_recall else []  # of all of them together
    names += [one.conversation for one in report.checked]
    short = {name: [one for one in report.short if one.conversation == name] for name in names}
    counts = _counts(short)
    suites = ElementTree.Element("testsuites", {"name": _SUITE, **counts})
    suite = ElementTree.SubElement(suites, "testsuite", {"name": _SUITE, **counts})
    for name, found in short.items():
        case = {"classname": _plain(report.scenario_file), "name": _plain(name or _ALL)}
        element = ElementTree.SubElement(suite, "testcase", case)
        if found:
            kind = "error" if _is_error(found) else "failure"
            sentences = [_plain(_sentence(one)) for one in found]
            told = ElementTree.SubElement(element, kind, {"type": found[0].what, "message": sentences[0]})
            told.text = "\n".join(sentences)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _counts(short: Mapping[str, list[Shortfall]]) -> dict[str, str]:
    """Return the number of cases, of cases with an error, and of cases with failures alone."""
    errors = sum(map(_is_error, short.values()))
    failures = sum(bool(found) for found in short.values()) - errors
    return {"tests": str(len(short)), "failures": str(failures), "errors": str(errors)}


def _is_error(found: Iterable[Shortfall]) -> bool:
    return any(one.what == "error" for one in found)


def _plain(text: str) -> str:
    """Return a text in which the characters forbidden in XML are written out."""
    return on_one_line(text).translate({0xFFFE: "⟦U+FFFE⟧", 0xFFFF: "⟦U+FFFF⟧"})


def _sentence(one: Shortfall) -> str:
    return f"{one.what}: {one.is_now} (wanted: {one.wanted})"


def _print_github(report: Report) -> None:
    for line in workflow_commands(report):
        say(line)


def workflow_commands(report: Report) -> Iterator[str]:
    """Yield the shortfalls as commands of a GitHub workflow, which shows them as annotations.

    See https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands (Setting an error message);
    the escapes are those of https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
    """
    if not report.short:
        yield f"::notice title={_property(_SUITE)}::{_message(_all_is_well(report))}"
    for one in report.short:
        title = _property(f"{_SUITE}: {one.conversation or _ALL}")
        yield f"::error file={_property(report.scenario_file)},title={title}::{_message(_sentence(one))}"


def _message(text: str) -> str:
    return on_one_line(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


WRITERS: Mapping[str, Callable[[Report], None]] = {
    "table": _print_table,
    "json": _print_json,
    "junit": _print_junit,
    "github": _print_github,
}
"""Printers of a report, by the name of their format."""
