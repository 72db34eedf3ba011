"""The report of a prompt as an HTML page: bar, items with a filter, findings, scenario, and the baseline beside it.

It loads nothing, opens from a file and works without scripts: check boxes choose the items shown. With scripts, a line
filters by words, too; no other script may run in it.
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape

import numpy as np

from inspector.assembly.answer import Answer
from inspector.assembly.bar_drawing import bar_drawing, bar_words
from inspector.assembly.columns import Fate, Section, phrase, section_title, word
from inspector.assembly.compare import compare, total_lines
from inspector.assembly.compare_tables import COMPARISON_COLUMNS, TOTALS
from inspector.assembly.marks import MarkedRows, marked_rows
from inspector.assembly.side_by_side import settings_that_differ
from inspector.assembly.summary_items import action_of, rows_with_summaries, summary_at
from inspector.drawings.svg import svg
from inspector.figures import counted
from inspector.pages.parts import cell, framed_drawing, framed_table, heading, page, sentence, table, told_table
from inspector.pages.redaction import SENTENCES_UP_TO, Redaction, Telling
from inspector.pages.report import TOLD_COLUMNS, ReportPart, items_sentence, parts_but_items, title
from inspector.secrets import masked_head
from inspector.tables import Face, columns_on
from inspector.visible_text import made_visible

_MOST_CHANGES = 2_000
_MOST_TEXT, _MOST_TEXT_OF_MANY, _FIRST = 4_000, 200, 80
_TITLES = (*(column.title for column in TOLD_COLUMNS), "Text")
_FIGURES = (*(column.is_figure for column in TOLD_COLUMNS), False)
_STYLE = """
#items { display: grid; grid-template-columns: repeat(auto-fill, 1.3em minmax(9.5em, 1fr)); align-items: center; }
#items input { margin: 0; }
#items label { white-space: nowrap; }
#items .wide { grid-column: 1 / -1; min-width: 0; }
.filter input[type=search] { font: inherit; width: 24em; max-width: 100%; padding: 2px 6px; }
td.text { white-space: pre-wrap; min-width: 16em; }
summary { cursor: pointer; }
.f-summarized td:nth-child(5), .f-truncated td:nth-child(5), .f-dropped td:nth-child(5) { font-weight: 600; }
"""
_SCRIPT = """
(function () {
  var rows = [].slice.call(document.querySelectorAll("#items tr")).slice(1);
  var texts = rows.map(function (row) { return row.textContent.toLowerCase(); });
  var line = document.createElement("input");
  line.type = "search";
  line.placeholder = "Filter by words";
  line.setAttribute("aria-label", "Filter the items by words");
  line.addEventListener("input", function () {
    var words = line.value.toLowerCase().split(" ");
    rows.forEach(function (row, place) {
      row.hidden = !words.every(function (word) { return texts[place].indexOf(word) >= 0; });
    });
  });
  document.getElementById("words").appendChild(line);
})();
"""


def prompt_page(answer: Answer, before: Answer | None = None, redacts: bool = False) -> str:
    """Return the page, compared with `before` if given. Redacted, it has hashes and lengths in place of texts."""
    telling = Telling(answer, Redaction() if redacts else None)
    scenario, budget, *findings = parts_but_items(telling)
    body = [heading(title(answer), 1), *_opening(telling), framed_drawing(svg([bar_drawing(answer, before)]))]
    body += _part(budget)
    body += [text for part in findings for text in _part(part)]
    if answer.assembly.error is None:  # otherwise the items have no outcome
        body += _comparison(before, telling) if before is not None else ()
        body += _items(telling)
    body += [*_part(scenario), f"<script>{_SCRIPT}</script>"]
    return page(title(answer), body, f"{_policy()}<style>{_STYLE}{_rules(answer)}</style>")


def _policy() -> str:
    """Return the content security policy: load nothing, run only the script of this page, whatever the texts are."""
    digest = b64encode(sha256(_SCRIPT.encode()).digest()).decode()
    allowed = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'


def _opening(telling: Telling) -> Iterator[str]:
    talk = telling.answer.assembly.candidates.items.conversation
    if talk is not None:
        yield sentence(f"Of the conversation {telling.words(talk.title or talk.id)}.")
    if telling.redaction:
        yield sentence("Redacted: each text is replaced by its length and a hash, which is another one in each report.")
    yield sentence(f"{bar_words(telling.answer)}.")


def _part(part: ReportPart) -> Iterator[str]:
    yield heading(part.heading)
    yield from map(sentence, part.sentences)
    if part.rows:
        yield table(part.columns, part.rows)


def _comparison(before: Answer, telling: Telling) -> Iterator[str]:
    """Yield the changes from `before`: settings, totals, and the items."""
    after = telling.answer
    comparison, earlier = compare(before.assembly, after.assembly), Telling(before, telling.redaction)
    refused = before.assembly.error
    yield heading("Comparison with the baseline")
    changed = f"{counted(len(comparison), 'item')} of {len(after.assembly.candidates):,} changed."
    if refused is not None:
        yield sentence(f"No prompt was made of the baseline: {earlier.failure(refused)}")
    else:
        yield sentence(changed if len(comparison) else "No item changed.")
    settings = [
        (
            _named(one.name, earlier, telling),
            earlier.setting(one.name, one.values[0]),
            telling.setting(one.name, one.values[1]),
        )
        for one in settings_that_differ((before, after))
    ]
    if settings:
        yield table(("Setting", "Before", "Now"), settings)
    if refused is not None:
        return
    lines = total_lines(before, after)
    yield told_table(TOTALS.columns_of(lines), lines, TOTALS.rows(lines))
    if not len(comparison):
        return
    if len(comparison) > _MOST_CHANGES:
        yield sentence(f"The first {_MOST_CHANGES:,}, with the worst losses first.")
    columns = columns_on(Face.TERMINAL, COMPARISON_COLUMNS, comparison)
    yield told_table(columns, comparison, range(min(len(comparison), _MOST_CHANGES)))


def _named(name: str, *tellings: Telling) -> str:
    """Return the name of a setting, from the first telling with this setting."""
    return next((name for telling in tellings if telling.setting_name(name) == name), tellings[0].setting_name(name))


def _items(telling: Telling) -> Iterator[str]:
    answer = telling.answer
    assembly = answer.assembly
    yield heading("Items")
    yield sentence(items_sentence(answer))
    yield '<div id="words" class="filter"></div>'
    boxes = "".join(_box(f"f-{word(fate)}", f"{phrase(fate)} {number:,}") for fate, number in _fates(answer))
    boxes += "".join(_box(f"s-{word(section)}", section_title(section)) for section in _sections(answer))
    marks = marked_rows(answer.heard.marks, assembly.candidates.items)
    most = _MOST_TEXT if len(assembly.candidates) <= SENTENCES_UP_TO else _MOST_TEXT_OF_MANY
    rows = rows_with_summaries(assembly)
    lines = (_line(telling, row, _marked(telling, marks, row), most) for row in rows)
    yield f'<div id="items" class="filter">{boxes}{framed_table(_TITLES, _FIGURES, lines)}</div>'


def _marked(telling: Telling, marks: MarkedRows, row: int) -> str:
    """Return the marks of the user on an item, in words; a summary has none."""
    if summary_at(telling.answer.assembly, row) is not None:
        return ""
    must = " Must stay." if marks.must_survive[row] else ""
    note = marks.notes.get(row, "")
    return f"{must} Note: {telling.words(note)}" if note else must


def _line(telling: Telling, row: int, marked: str, most: int) -> str:
    assembly = telling.answer.assembly
    if (summary := summary_at(assembly, row)) is not None:
        fate, section = Fate(int(action_of(summary))), Section.HISTORY
    else:
        fate, section = Fate(int(assembly.fate[row])), Section(int(assembly.section[row]))
    *said, why = (column.text(telling, row) for column in TOLD_COLUMNS)
    cells = "".join(map(cell, (*said, f"{why}{marked}"), _FIGURES))
    return f'<tr class="f-{word(fate)} s-{word(section)}">{cells}{_text_cell(telling.text(row), most)}</tr>'


def _text_cell(text: str, most: int) -> str:
    """Return the cell of a text; a long text can be opened, and a very long text is cut."""
    shown = made_visible(masked_head(text, most))
    more = f"\n… and {counted(len(text) - most, 'more character')}" if len(text) > most else ""
    first = shown[:_FIRST].split("\n", 1)[0]
    if first == shown and not more:
        return f'<td class="text">{escape(shown)}</td>'
    return f'<td class="text"><details><summary>{escape(first)} …</summary>{escape(shown + more)}</details></td>'


def _fates(answer: Answer) -> Iterator[tuple[Fate, int]]:
    counts = answer.assembly.fate_counts
    yield from ((fate, int(counts[fate])) for fate in Fate if counts[fate])


def _sections(answer: Answer) -> list[Section]:
    return [Section(number) for number in np.unique(answer.assembly.section).tolist()]


def _box(name: str, words: str) -> str:
    return f'<input type="checkbox" id="{name}" checked><label for="{name}">{escape(words)}</label>'


def _rules(answer: Answer) -> str:
    """Return the style rules for hiding the items of unticked boxes."""
    names = [f"f-{word(fate)}" for fate, _ in _fates(answer)] + [f"s-{word(section)}" for section in _sections(answer)]
    return "\n".join(f"#{name}:not(:checked) ~ .wide .{name} {{ display: none; }}" for name in names)
