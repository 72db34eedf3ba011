"""The parts that are left out in turn, and chats in files of their own: where a question belongs, and who has it."""

import pickle
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.archive.chats import BadFile
from inspector.analysis.archive.files import ArchiveFile
from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend.blocks import (
    SITTING_GAP,
    FoundProbes,
    _sittings,
    _stretches,
    asked_of,
    find_probes,
)
from inspector.analysis.recommend.chats import FiledChats, OpenChats, ProbesOfFiles, _first_of_name, _nowhere
from inspector.analysis.recommend.settings import auto_is_own_way
from inspector.assembly.columns import F64
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Character, Conversation, Memory, MemorySet, Message, Passage, Probe, Workspace
from inspector.plugins import policies
from inspector.tokens.models.prices import plain_prices

START = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = Scenario(tokenizer="estimate:words")


def chat(name: str, hours: Sequence[float] = (0, 1, 2), reply: str = "fine") -> Conversation:
    said = (
        Message(
            f"m{n}", "assistant" if n % 2 else "user", reply if n % 2 else "hello", time=START + timedelta(hours=at)
        )
        for n, at in enumerate(hours)
    )
    return Conversation(name, tuple(said), origin=f"{name}.json")


def pipeline_of(*chats: Conversation, **more: Any) -> Pipeline:
    return Pipeline(Workspace(chats, **more), policies()[0], load_presets())


def found_with(*conversations: str, skipped: Sequence[Skipped] = (), is_own: bool = False) -> FoundProbes:
    """A question about each of these, at places that count up."""
    probes = tuple(Probe(f"q{n}", ("m0",), name) for n, name in enumerate(conversations))
    places = tuple(float(n) for n in range(len(probes)))
    return FoundProbes(probes, (None,) * len(probes), places, (0.0,) * 9, tuple(skipped), is_own)


def parts(places: F64, times: F64) -> list[int]:
    """The stretches by their definition: sittings in turn, a new stretch wherever a fifth of the questions are past."""
    sittings = [
        sum(later - earlier >= 4 * 3600 for earlier, later in pairwise(times[: int(place) + 1])) for place in places
    ]
    different = sorted(set(sittings))
    most = min(5, len(different))
    wanted = [sum(one < sitting for one in sittings) * most // len(sittings) for sitting in sittings]
    return [sorted(set(wanted)).index(each) for each in wanted]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=14), st.lists(st.integers(0, 8), min_size=10, max_size=10))
def test_stretches_are_whole_sittings_with_about_as_many_questions(asked: list[int], gaps: list[int]) -> None:
    places, times = np.array(asked, np.float64), np.array(list(accumulate(gaps)), np.float64) * 3600
    found = _stretches(places, times).tolist()
    assert found == parts(places, times)
    assert sorted(set(found)) == list(range(len(set(found))))
    sittings = _sittings(places, times).tolist()
    assert all(len({b for a, b in zip(sittings, found, strict=True) if a == sitting}) == 1 for sitting in sittings)


@given(st.permutations(range(12)))
def test_the_order_of_questions_does_not_move_them(order: list[int]) -> None:
    places, times = np.array([0, 0, 1, 2, 4, 5, 5, 5, 6, 7, 8, 8.0]), np.arange(0.0, 9 * SITTING_GAP, SITTING_GAP)
    whole = _stretches(places, times)
    assert _stretches(places[order], times).tolist() == whole[order].tolist()


def test_a_sitting_ends_after_four_hours_without_a_message() -> None:
    times = np.array([0, SITTING_GAP - 1, 2 * SITTING_GAP - 1, 2 * SITTING_GAP], np.float64)
    assert SITTING_GAP == 14_400
    assert _sittings(np.array([0, 1, 2, 3, np.nan]), times).tolist() == [0, 0, 1, 1, 1]


def test_without_times_tenths_of_the_messages_are_sittings() -> None:
    times = np.full(30, np.nan)
    assert _sittings(np.array([0, 2, 3, 15, 29, np.nan]), times).tolist() == [0, 0, 1, 5, 9, 9]
    some = np.where(np.arange(30) == 7, np.nan, 0.0)
    assert _sittings(np.array([29.0]), some).tolist() == [9], "a single unknown time is enough"
    assert _sittings(np.array([np.nan]), np.empty(0)).tolist() == [0], "without messages all are in one"


def test_a_question_stands_at_the_first_of_what_it_needs_also_by_a_memory() -> None:
    """Memories come before the messages among the items, and have no place of their own."""
    stored = (Memory("k1", "hello", source_messages=("m4", "m2")), Memory("k2", "hello"))
    pipeline = pipeline_of(
        chat("a", range(6)),
        memory_sets=(MemorySet("default", stored),),
        characters=(Character("n", system_prompt="be"),),
    )
    asked = [("first", ("m3", "m1")), ("told", ("k1",)), ("both", ("k1", "m5")), ("lost", ("k2",)), ("start", ("m0",))]
    probes = [Probe(name, needs, "a", query="?") for name, needs in asked]
    found = find_probes(pipeline, PLAIN, probes)
    assert [probe.id for probe in found.probes] == [name for name, _ in asked]
    assert found.places == pytest.approx((1, 2, 2, np.nan, 0), nan_ok=True)
    assert found.times == tuple((START + timedelta(hours=n)).timestamp() for n in range(6))
    assert len(found.prices) == 5
    assert len(set(found.prices)) == 1


def test_questions_stand_by_their_chats_in_the_order_of_the_first_of_each() -> None:
    pipeline = pipeline_of(chat("a"), chat("b"))
    probes = [Probe(name, ("m0",), name[0], query="?") for name in ("b1", "a1", "b2", "a2")]
    lost = Probe("b3", ("nothing",), "b", query="?")
    found = find_probes(pipeline, replace(PLAIN, model="gpt-4o"), [*probes, lost])
    assert [probe.id for probe in found.probes] == ["b1", "b2", "a1", "a2"]
    assert [each.id for each in found.skipped] == ["b3"]
    assert None not in found.prices


def test_several_chats_are_the_blocks_and_the_only_one_is_divided() -> None:
    asked = asked_of([found_with("a", "b", "a"), found_with("c", skipped=[Skipped("q9", "why")])])
    assert (asked.names, asked.blocks.tolist(), asked.of_one) == (("a", "b", "c"), [0, 1, 0, 2], False)
    assert asked.skipped == (Skipped("q9", "why"),)
    alone = replace(found_with("a", "a", "a"), times=(0.0, SITTING_GAP * 1.0, SITTING_GAP * 2.0))
    only = asked_of([found_with(), alone])
    assert (only.names, only.blocks.tolist(), only.of_one) == (("a, part 1", "a, part 2", "a, part 3"), [0, 1, 2], True)
    assert [asked_of([found_with("a"), found_with("b", is_own=own)]).auto_is_own_way for own in (True, False)] == [
        True,
        False,
    ]
    assert (asked_of([]).names, asked_of([]).probes) == ((), ())


def test_questions_about_some_chats_keep_their_prices_and_places() -> None:
    prices = tuple(plain_prices(price, None, None) for price in (1.0, 2.0, 3.0))
    some = replace(found_with("a", "b", "a"), prices=prices).about({"a"})
    assert [probe.id for probe in some.probes] == ["q0", "q2"]
    assert (some.prices, some.places) == ((prices[0], prices[2]), (0.0, 2.0))


def test_what_prompts_cost_is_by_the_model_of_each_question() -> None:
    cheap, dear = plain_prices(1.0, None, None), plain_prices(4.0, None, None)
    asked = replace(asked_of([found_with("a", "b", "c", "d")]), prices=(cheap, None, dear, cheap))
    totals = np.array([[1_000, 1_000, 1_000], [500, 700, 2_000_000]])
    found = asked.costs(np.array([3, 1, 2]), totals)
    assert found[0].tolist() == pytest.approx([0.001, np.nan, 0.004], nan_ok=True)
    assert found[1].tolist() == pytest.approx([0.0005, np.nan, 8], nan_ok=True)
    assert asked.costs(np.array([0, 2]), totals[0, :2]).tolist() == [0.001, 0.004], "a row of one setting"


@pytest.mark.parametrize(
    ("more", "is_own"),
    [
        ({}, False),
        ({"memory_sets": (MemorySet("s", (Memory("k", "x"),)),)}, False),
        ({"memory_sets": (MemorySet("s", (Memory("k", "x", similarity=0.0),)),)}, True),
        ({"passages": (Passage("s", "x", "chat", 0.5),)}, True),
    ],
    ids=["nothing", "without", "of a memory", "of a passage"],
)
def test_recorded_similarities_make_auto_a_way_of_its_own(more: dict[str, Any], is_own: bool) -> None:
    workspace = Workspace((chat("a"), chat("b", reply="so it is " * 400)), **more)
    assert auto_is_own_way(workspace, {"a"}) == is_own
    assert auto_is_own_way(workspace, {"b"}), "an assistant with long replies does, too"


class Files:
    """What opens files: each holds a chat of its name, and counts how often it was read."""

    def __init__(self) -> None:
        self.read_paths: list[str] = []

    def read(self, path: str) -> tuple[Workspace, list[BadFile]]:
        self.read_paths.append(path)
        name = path.removesuffix(".json")
        wrong = [BadFile(path, "", "cannot be read")] if name == "bad" else []
        return Workspace((chat(name),), probes=(Probe(f"of {name}", ("m0",), name, query="?"),)), wrong

    def pipeline(self, workspace: Workspace) -> Pipeline:
        return Pipeline(workspace, policies()[0], load_presets())


def test_a_file_is_read_again_only_after_another_one() -> None:
    files = Files()
    chats = FiledChats(files, {"a": "a.json", "a2": "a.json", "b": "b.json"})  # type: ignore[arg-type]
    opened = [chats.pipeline(name).workspace.conversations[0].id for name in ("a", "a2", "b", "b", "a")]
    assert opened == ["a", "a", "b", "b", "a"]
    assert files.read_paths == ["a.json", "b.json", "a.json"]
    assert chats.plain.workspace == Workspace()
    again = pickle.loads(pickle.dumps(chats))
    assert again.files == chats.files
    assert again._last == {}


def test_each_file_is_asked_its_own_questions_or_those_given_about_its_chats() -> None:
    files = Files()
    chunk = tuple(ArchiveFile(path, 1, 1) for path in ("a.json", "b.json", "bad.json", "c.json"))
    given = tuple(Probe(f"q{name}", ("m0",), name, query="?") for name in ("b", "a", "gone", "b"))
    found, bad = ProbesOfFiles(files, PLAIN, given)(chunk)  # type: ignore[arg-type]
    assert [(path, [probe.id for probe in some.probes]) for path, some in found] == [
        ("a.json", ["qa"]),
        ("b.json", ["qb", "qb"]),
    ]
    assert bad == [BadFile("bad.json", "", "cannot be read")]
    own, _ = ProbesOfFiles(files, PLAIN)(chunk[:1])  # type: ignore[arg-type]
    assert [[probe.id for probe in some.probes] for _, some in own] == [["of a"]]


def test_open_chats_are_the_same_in_another_process() -> None:
    chats = OpenChats(pipeline_of(chat("a"), chat("b")))
    again = pickle.loads(pickle.dumps(chats))
    assert again.plain.workspace == chats.plain.workspace
    assert again.plain.choices.policies == chats.plain.choices.policies
    assert again.pipeline("b") is again.pipeline("a") is again.plain


def test_a_chat_is_that_of_the_first_file_with_its_name() -> None:
    places, bad = dict[str, str](), list[BadFile]()
    first = _first_of_name("one.json", found_with("a", "b"), places, bad)
    second = _first_of_name("two.json", found_with("b", "c", "b"), places, bad)
    assert [probe.conversation for probe in (*first.probes, *second.probes)] == ["a", "b", "c"]
    assert places == {"a": "one.json", "b": "one.json", "c": "two.json"}
    assert bad == [BadFile("two.json", "b", "a conversation of this name is in one.json, which is asked")]


def test_questions_of_no_file_are_named_with_their_reason_once() -> None:
    probes = [Probe("q0", ("m",), "a"), Probe("q7", ("m",), "gone"), Probe("q8", ("m",)), Probe("q9", ("m",), "a")]
    told = found_with("a", skipped=[Skipped("q9", "why")])
    assert _nowhere(probes, [told]) == (
        Skipped("q7", "the conversation gone is in no file"),
        Skipped("q8", "names no conversation"),
    )
