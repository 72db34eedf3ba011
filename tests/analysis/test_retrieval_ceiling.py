"""The ceiling of a window: evidence held by an order alone, to the token of the room."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from inspector.analysis.recall.probes import Evidence, evidence_of
from inspector.analysis.recommend.ceiling import CEILING_WAYS, _held_by_order, _likeness, _newness, ceilings
from inspector.analysis.recommend.chats import OpenChats
from inspector.assembly.columns import Section
from inspector.assembly.decisions import Assembly
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Probe, Workspace
from inspector.plugins import policies

MESSAGES = 21
"""The last is a user's: it is asked now, and always in the prompt."""
ASKED = Scenario(
    tokenizer="estimate:words", similarity="lexical", policy="window_rag", context_window=10_000, character="guide"
)


@cache
def opened() -> tuple[Pipeline, Assembly]:
    """A chat whose messages have from 3 to 23 words, a system prompt and a memory, asked for the word of message 4."""
    said = (
        Message(f"m{n}", "assistant" if n % 2 else "user", f"word{n} {' '.join(['so'] * (2 + n))}")
        for n in range(MESSAGES)
    )
    workspace = Workspace(
        (Conversation("a", tuple(said), origin="chat.json"),),
        memory_sets=(MemorySet("default", (Memory("k", "word4 word6", source_messages=("m2", "m4")),)),),
        characters=(Character("guide", system_prompt="You are a guide of few words"),),
    )
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    case = make_all(pipeline, replace(ASKED, conversation="a", query="word4"))
    return pipeline, pipeline.assemble(case)


def always_of(assembly: Assembly) -> int:
    return int(assembly.used[Section.SYSTEM]) + int(assembly.used[Section.CURRENT])


def cost_of(assembly: Assembly, row: int) -> int:
    return int(assembly.candidates.tokens[row]) + int(assembly.candidates.frame_tokens[row])


def evidence(*names: str) -> Evidence:
    _, assembly = opened()
    return evidence_of(assembly.candidates.items, Probe("q", names, "a", query="word4"))


def test_an_order_holds_an_item_from_the_token_on_at_which_it_fits() -> None:
    _, assembly = opened()
    newest = assembly.candidates.earlier_messages[::-1].tolist()
    order, needed = _newness(assembly), always_of(assembly)
    assert int(assembly.used[Section.SYSTEM]) > 0
    assert int(assembly.used[Section.CURRENT]) > 0
    for row in newest[:6]:
        needed += cost_of(assembly, row)
        name = assembly.candidates.ids[row]
        shares = _held_by_order(assembly, evidence(name), order, [needed - 1, needed, needed + 1])
        assert shares.tolist() == [0, 1, 1], name


def test_the_most_similar_are_first_and_a_memory_counts_for_what_it_names() -> None:
    _, assembly = opened()
    order = _likeness(assembly)
    first = int(np.nanargmax(order))
    held = _held_by_order(assembly, evidence("m4"), order, [always_of(assembly), always_of(assembly) + 10_000])
    assert held.tolist() == [0, 1]
    rows = {name: row for row, name in enumerate(assembly.candidates.ids)}
    assert first in (rows["k"], rows["m4"])
    of_memory = np.full(len(order), np.nan)
    of_memory[rows["k"]] = 1.0
    room = [always_of(assembly) + cost_of(assembly, rows["k"])]
    assert _held_by_order(assembly, evidence("m2"), of_memory, room).tolist() == [1]
    assert _held_by_order(assembly, evidence("m4", "m6"), of_memory, room).tolist() == [0.5]
    assert _held_by_order(assembly, evidence("m6"), of_memory, room).tolist() == [0]


def test_only_items_with_a_place_in_the_order_are_held() -> None:
    _, assembly = opened()
    candidates = assembly.candidates
    assert np.isnan(_newness(assembly)[candidates.current_message]).all()
    assert np.isnan(_newness(assembly)[: candidates.items.first_message]).all()
    places = _newness(assembly)[candidates.earlier_messages].tolist()
    assert places == sorted(places), "the newest has the highest"
    nothing = np.full(len(candidates), np.nan)
    assert _held_by_order(assembly, evidence("m4"), nothing, [10_000]).tolist() == [0]


def test_a_ceiling_is_the_best_way_for_each_room_beside_the_newest() -> None:
    pipeline, assembly = opened()
    newest = int(assembly.candidates.earlier_messages[-1])
    small = always_of(assembly) + cost_of(assembly, newest)
    probes = [Probe(f"q{n}", (f"m{n}",), "a", query=f"word{n}") for n in (1, 3, 19)]
    narrow, wide = ceilings(OpenChats(pipeline), ASKED, probes, [small, 10_000])
    assert narrow.way in CEILING_WAYS
    assert narrow.newest == pytest.approx(1 / 3), "that of the newest message alone"
    assert narrow.found == pytest.approx(1.0), "by words each is the first"
    assert (wide.found, wide.newest) == (1.0, 1.0)
