"""The table of summaries: figures that are those of the assembly, and totals that are their sums."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.basis import Basis, Share
from inspector.analysis.fidelity.ask import SummaryTable, count_summaries, summary_tables
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.replacements import SummarySource
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Workspace
from inspector.plugins import policies

MESSAGES = (
    Message("m0", "user", "We met Anna in Lisbon on 5 March. It was fine. Then it rained and rained all day long."),
    Message("m1", "assistant", "That is a fine thing to hear.", summary="It is fine, said the assistant to us"),
    Message("m2", "user", "She has 3 boats and 12 cats.", summary="She has 12 cats."),
    Message("m3", "assistant", "so it goes", summary="goes", excluded=True),
    Message("m4", "user", "What now?"),
)
SELECTIVE = {"selective": True, "recent_messages": 0, "min_exchanges": 1}


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(Workspace(conversations=(Conversation("c1", MESSAGES),)), policies()[0], load_presets())


def scenario(**fields: object) -> Scenario:
    return replace(Scenario(tokenizer="estimate:words", context_window=1000, summary_tokens=8), **fields)


def table_of(pipeline: Pipeline, wanted: Scenario, counted: bool = True) -> SummaryTable:
    make_all(pipeline, wanted)
    if counted:
        count_summaries(pipeline, pipeline.case(wanted))
    *steps, table = summary_tables(Basis(pipeline, wanted))
    shares = [step.part for step in steps if isinstance(step, Share)]
    assert shares == sorted(shares)
    assert isinstance(table, SummaryTable)
    return table


def test_messages_that_have_a_summary_and_are_not_summarized(pipeline: Pipeline) -> None:
    table = table_of(pipeline, scenario())
    assert [table.assembly.candidates.ids[row] for row in table.rows] == ["m1", "m2"]
    assert table.summarized.tolist() == [False, False]
    assert table.tokens.tolist() == [7, 7]
    assert table.summary_tokens.tolist() == [9, 5]
    assert table.saved.tolist() == [-2, 2]
    assert [one.share for one in table.fidelities] == [None, 0.5]
    assert np.array_equal(table.shares, [np.nan, 0.5], equal_nan=True)
    assert (table.original(1), table.summary(1)) == (MESSAGES[2].content, "She has 12 cats.")


def test_messages_that_are_summarized_by_whatever(pipeline: Pipeline) -> None:
    table = table_of(pipeline, scenario(parameters=SELECTIVE))
    assert [SummarySource(source).name for source in table.sources] == ["PREVIEW", "FILE", "FILE"]
    assert table.summarized.all()
    assert not table.exact.any(), "a count of words is an estimate"
    assert table.summary_tokens.tolist() == table.assembly.spent[table.rows].tolist()
    assert table.summary(0) == MESSAGES[0].content[:100]


def test_computed_summaries_are_listed_and_marked(pipeline: Pipeline) -> None:
    table = table_of(pipeline, scenario(summaries="extractive"))
    assert [SummarySource(source).name for source in table.sources] == ["EXTRACTIVE", "FILE", "FILE"]
    assert table.summary(0) in MESSAGES[0].content
    assert table.saved[0] > 0


def test_totals_are_sums_weighted_by_facts(pipeline: Pipeline) -> None:
    table = table_of(pipeline, scenario(parameters=SELECTIVE))
    total = table.total()
    assert total.messages == 3
    assert total.saved == int(table.saved.sum()) == total.tokens - total.summary_tokens
    assert (total.kept, total.facts) == (4, 5)
    assert total.sentence == "1 token more than the originals, 80.0 % of 5 facts kept"
    some = table.total(np.array([False, True, False]))
    assert (some.messages, some.saved, some.share) == (1, -2, None)
    assert some.sentence == "2 tokens more than the originals, no facts to keep"
    assert replace(some, tokens=1209).sentence == "1,200 tokens saved, no facts to keep"


def test_what_is_not_counted_is_said_to_be_an_estimate(pipeline: Pipeline) -> None:
    table = table_of(pipeline, scenario(), counted=False)
    assert table.exact.tolist() == [False, False]


def test_nothing_to_list() -> None:
    empty = Pipeline(Workspace(conversations=(Conversation("c1", MESSAGES[4:]),)), policies()[0], load_presets())
    table = table_of(empty, scenario())
    assert len(table) == 0
    assert table.total().sentence == "0 tokens saved, no facts to keep"
