"""The summaries of a program as items: rows of every table of files, whose tokens sum to those of the prompt."""

import csv
import json
from collections.abc import Callable
from html import escape
from io import StringIO

import pytest
from building import answer_to, workspace

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Section
from inspector.assembly.compaction import COMPACTION, Compaction
from inspector.assembly.compare_tables import Compared
from inspector.assembly.doubts import doubt_words
from inspector.assembly.item_tables import ITEM_ROWS, ITEMS
from inspector.assembly.side_by_side import Side, side_by_side
from inspector.assembly.summary_items import (
    rows_with_summaries,
    summaries_figure,
    summaries_told,
    summary_called,
    summary_explained,
    summary_sentence,
)
from inspector.model import Message
from inspector.pages.export import csv_text, json_text, rows_text, tsv_text
from inspector.pages.prompt_page import prompt_page
from inspector.pages.report import markdown_report


def made(policy: str = "codex_compact", window: int = 30) -> Answer:
    """A session of twelve messages that a program compacts more than once."""
    messages = [Message(f"m{n}", "assistant" if n % 2 else "user", "word " * 8) for n in range(12)]
    parameters = {"user_message_tokens": 4, "summary_size": 3} if policy == "codex_compact" else {}
    return answer_to(workspace(messages), policy=policy, context_window=window, parameters=parameters)


ANSWER = made()
ASSEMBLY = ANSWER.assembly
PLAIN = made("naive", 500)


def test_the_session_has_a_summary_in_the_prompt_and_one_told_by_it() -> None:
    assert [one.stands for one in ASSEMBLY.compactions][-2:] == [False, True]


@pytest.mark.parametrize(
    ("export", "reads"),
    [
        (csv_text, lambda text: list(csv.DictReader(StringIO(text)))),
        (tsv_text, lambda text: list(csv.DictReader(StringIO(text), delimiter="\t"))),
        (rows_text, json.loads),
        (json_text, lambda text: json.loads(text)["items"]),
    ],
)
def test_rows_of_a_file_sum_to_the_items_of_the_ledger(
    export: Callable[[Answer], str], reads: Callable[[str], list[dict[str, str]]]
) -> None:
    rows = reads(export(ANSWER))
    assert sum(int(row["spent"]) for row in rows) == ANSWER.ledger.items
    names = [row["id"] for row in rows]
    assert len(names) == len(set(names)) == len(ASSEMBLY.candidates) + len(ASSEMBLY.compactions)
    assert names == [row["id"] for row in json.loads(json_text(ANSWER))["items"]], "all list them in the same order"


def test_rows_without_summaries_are_those_of_the_prompt() -> None:
    plain = PLAIN.assembly
    assert rows_with_summaries(plain) == plain.order.tolist()
    assert summaries_told(plain) == ""


def test_a_row_of_a_summary_has_its_words_in_every_column() -> None:
    last = ASSEMBLY.compactions[-1]
    row = len(ASSEMBLY.candidates) + last.number - 1
    columns = ITEMS.columns_of(ASSEMBLY)
    assert [column.text(ASSEMBLY, row) for column in columns] == [
        *(last.id, "Conversation", f"≈ {last.size}", f"≈ {last.size}", "kept", COMPACTION.label),
    ]
    earlier = [column.text(ASSEMBLY, row - 1) for column in columns]
    assert earlier[3:] == ["–", "≈ summarized", "told by a summary"]
    record = next(record for record in ITEM_ROWS.records(ASSEMBLY) if record["id"] == last.id)
    assert (record["kind"], record["role"], record["exact"]) == ("summary", last.role, "no")


@pytest.mark.parametrize("report", [markdown_report, prompt_page, lambda answer: prompt_page(answer, redacts=True)])
def test_reports_list_every_summary(report: Callable[[Answer], str]) -> None:
    text = report(ANSWER)
    assert all(one.id in text for one in ASSEMBLY.compactions)


def test_a_redacted_page_hides_the_text_of_a_summary() -> None:
    told = escape(ASSEMBLY.compactions[-1].text)
    assert told in prompt_page(ANSWER)
    assert told not in prompt_page(ANSWER, redacts=True)


def test_the_summaries_have_the_tokens_that_the_section_has_beyond_its_candidates() -> None:
    rows = int(ASSEMBLY.spent[ASSEMBLY.section == Section.HISTORY].sum())
    beyond = int(ASSEMBLY.used[Section.HISTORY]) - rows
    assert beyond
    assert summaries_figure(ASSEMBLY) == f"≈ {beyond}"
    told = summaries_told(ASSEMBLY).splitlines()
    earlier = len(ASSEMBLY.compactions) - 1
    assert told[0].startswith(f"summary:{earlier + 1}, user. Kept. ")
    assert told[1] == f"{earlier} earlier {'one' if earlier == 1 else 'ones'} not in the prompt any more."


def test_a_summary_is_named_among_the_doubts() -> None:
    assert "Summaries of the program" in doubt_words(ASSEMBLY, ANSWER.ledger)


def test_a_summary_is_explained() -> None:
    last = ASSEMBLY.compactions[-1]
    assert summary_called(ASSEMBLY, last.id) == last
    assert summary_called(ASSEMBLY, "summary:0") is None
    assert summary_called(ASSEMBLY, "m1") is None
    assert summary_explained(last)["sentence"] == summary_sentence(last)
    earlier = summary_explained(ASSEMBLY.compactions[-2])
    assert earlier["into"] == last.id
    assert earlier["sentence"].endswith(f"It is told by {last.id}.")


def test_a_lost_summary_says_why() -> None:
    lost = Compaction(1, 1_200, "user", "Text", 4, lost=COMPACTION)
    assert summary_sentence(lost) == "Dropped. ≈ 1,200 tokens: a summary."
    assert summary_explained(lost)["spent"] == 0


def test_a_comparison_has_the_tokens_of_summaries_on_both_sides() -> None:
    sides = [Side(name, name, "", answer.scenario, answer) for name, answer in (("a", PLAIN), ("b", ANSWER))]
    lines = {line.name: line for line in Compared(side_by_side(sides)).lines}
    line = lines["summaries_of_the_program"]
    assert (line.before, line.after) == (0, ASSEMBLY.summaries_total)
