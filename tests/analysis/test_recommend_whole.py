"""Whole searches over small chats: against every setting measured on every question, and unmoved by what is beside."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
import pytest

from inspector.analysis.recommend import climbing
from inspector.analysis.recommend.advice import Recommendation, recommend
from inspector.analysis.recommend.blocks import asked_of, find_probes
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.folds import Kin, RecallTable, choose
from inspector.analysis.recommend.measure import gathered
from inspector.analysis.recommend.search import Terms, ways_to_try
from inspector.analysis.recommend.settings import distance, family_name, settings_to_try
from inspector.assembly.columns import F64
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies as known_policies

MESSAGES, WINDOW, REPLY = 30, 220, 20
CURRENT = Scenario(policy="ratio", tokenizer="estimate:words", similarity="lexical", context_window=WINDOW)
POLICIES = ("ratio", "window_rag")
NEEDS = {"a": (2, 5, 28, 11), "b": (8, 26, 9), "c": (27, 1, 4, 14, 29)}


def chat(name: str, filler: int = 5) -> Conversation:
    """A chat in which every message has a word of its own and as many that all have."""
    texts = (f"word{name}{n} " + " ".join(["so"] * filler) for n in range(MESSAGES))
    said = (Message(f"m{n}", ("user", "assistant")[n % 2], text) for n, text in enumerate(texts))
    return Conversation(name, tuple(said), origin="chats.json")


def pipeline_of(*names: str) -> Pipeline:
    chats = tuple(chat(name, 5 + "abcd".index(name)) for name in names)
    return Pipeline(Workspace(chats), known_policies()[0], load_presets())


def asks(*names: str) -> list[Probe]:
    return [Probe(f"{name}-{n}", (f"m{n}", f"m{n + 1}" if n < 29 else "m0"), name, query=f"word{name}{n}?")
            for name in names for n in NEEDS[name]]  # fmt: skip


def found_with(
    probes: Sequence[Probe], *windows: int, names: Sequence[str] = "abc", policies: Sequence[str] = POLICIES
) -> Recommendation:
    """The answer of a search that tries no other settings on its way: only those that are known beforehand."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("try_at_border", "try_neighbours"):
            patched.setattr(climbing, name, lambda *_: np.empty(0, np.intp))
        *_, last = recommend(pipeline_of(*names), CURRENT, probes, Terms(windows or (WINDOW,), REPLY, tuple(policies)))
    assert last.found is not None
    return last.found


@cache
def usual() -> Recommendation:
    return found_with(asks("a", "b", "c"))


class Everything:
    """All settings of a window, measured one by one on all questions, and the table of them."""

    def __init__(
        self, probes: Sequence[Probe], names: Sequence[str] = "abc", policies: Sequence[str] = POLICIES
    ) -> None:
        self.pipeline, self.chats = pipeline_of(*names), [names.index(probe.conversation) for probe in probes]
        asked = asked_of([find_probes(self.pipeline, CURRENT, probes)])
        ways = ways_to_try(asked)
        self.settings = settings_to_try(self.pipeline, CURRENT, REPLY, policies, ways)
        self.cells = gathered(OpenChats(self.pipeline), self.settings, probes)
        counts = np.bincount(self.chats)
        families = [family_name(self.pipeline, setting, REPLY) for setting in self.settings]
        self.table = RecallTable(
            *(WINDOW, WINDOW - REPLY),
            np.array([[self.own(row, at).sum() for at in range(len(counts))] for row in range(len(self.settings))]),
            np.array([[max(self.totals(row, at)) for at in range(len(counts))] for row in range(len(self.settings))]),
            counts,
            [
                Kin(distance(self.pipeline, CURRENT, setting), families.index(family))
                for setting, family in zip(self.settings, families, strict=True)
            ],
        )

    def own(self, row: int, chat: int) -> F64:
        return np.array([self.cells.with_memories[row, n] for n, at in enumerate(self.chats) if at == chat], np.float64)

    def totals(self, row: int, chat: int) -> list[int]:
        return [int(self.cells.total[row, n]) for n, at in enumerate(self.chats) if at == chat]

    def best(self, rows: Sequence[int], chats: Sequence[int]) -> int:
        return choose(self.table, np.array(rows), np.array(chats))

    def of_policy(self, name: str) -> list[int]:
        return [row for row, setting in enumerate(self.settings) if setting.policy == name]


@cache
def everything() -> Everything:
    return Everything(asks("a", "b", "c"))


def gains_by_hand(whole: Everything, rows: Sequence[int], before: int) -> Iterator[float]:
    """For each chat the gain of the setting that is chosen from the others, on the setting before."""
    for at in range(3):
        row = whole.best(rows, [other for other in range(3) if other != at])
        yield 100 * float((whole.own(row, at) - whole.own(before, at)).mean())


def test_the_best_is_that_of_all_settings_measured_on_all_questions() -> None:
    whole, (advice,) = everything(), usual().windows
    every = range(len(whole.settings))
    row = whole.best(every, range(3))
    assert advice.best.scenario == whole.settings[row]
    assert advice.best.recall_with_memories == pytest.approx(whole.cells.with_memories[row].mean())
    assert advice.best.tokens == pytest.approx(whole.cells.total[row].mean())
    assert [each.gain for each in advice.gains] == pytest.approx(list(gains_by_hand(whole, every, 0)), abs=1e-4)
    assert [each.probes for each in advice.gains] == [4, 3, 5]
    assert advice.margin == pytest.approx(whole.table.margins(np.array([row]), np.arange(3))[0] / WINDOW)


def test_the_best_of_a_policy_and_its_gains_are_those_of_its_settings_alone() -> None:
    whole, (advice,) = everything(), usual().windows
    for each in advice.policies:
        rows = whole.of_policy(each.policy)
        expected = 0 if each.is_current else whole.best(rows, range(3))
        assert each.setting.scenario == whole.settings[expected]
        hand = [] if each.is_current else list(gains_by_hand(whole, rows, 0))
        assert [gain.gain for gain in each.gains] in ([pytest.approx(g, abs=1e-4) for g in hand], [])
    assert {each.policy for each in advice.policies} == set(POLICIES)


def test_the_best_shipped_setting_has_no_value_of_its_own_and_the_highest_recall_of_those() -> None:
    whole, (advice,) = everything(), usual().windows
    shipped = [row for row, setting in enumerate(whole.settings) if not setting.parameters]
    fitting = [row for row in shipped if whole.cells.total[row].max() <= WINDOW - REPLY]
    assert advice.baseline is not None
    best = max(whole.cells.with_memories[row].mean() for row in fitting)
    assert advice.baseline.recall_with_memories == pytest.approx(best)
    before = whole.settings.index(advice.baseline.scenario)
    hand = list(gains_by_hand(whole, range(len(whole.settings)), before))
    assert [each.gain for each in advice.over] == pytest.approx(hand, abs=1e-4)


def test_the_front_is_of_all_settings_whose_prompts_fit_with_their_margins() -> None:
    whole, (advice,) = everything(), usual().windows
    fits = whole.table.excess(np.arange(len(whole.settings)), np.arange(3)) <= 0
    recall, tokens = (cells.mean(axis=1).tolist() for cells in (whole.cells.with_memories, whole.cells.total))
    pairs = [(tokens[row], recall[row]) for row in np.flatnonzero(fits).tolist()]
    hand = {pair for pair in pairs if pair[1] >= recall[0] and not any(beats(other, pair) for other in pairs)}
    assert [each.tokens for each in advice.front] == pytest.approx([pair[0] for pair in sorted(hand)])
    held = [each.recall_with_memories for each in advice.front]
    assert held == pytest.approx([pair[1] for pair in sorted(hand)])
    assert len(held) > 1


def beats(other: tuple[float, float], pair: tuple[float, float]) -> bool:
    """Whether a pair of tokens and recall has no more tokens and no less recall than another, and is not the same."""
    return other != pair and other[0] <= pair[0] and other[1] >= pair[1]


def test_the_order_of_chats_and_of_questions_changes_no_advice() -> None:
    (advice,) = usual().windows
    (other,) = found_with([*asks("c")[::-1], *asks("a"), *asks("b")[::-1]], names="bca").windows
    assert other.best.scenario == advice.best.scenario
    assert {each.name: each.gain for each in other.gains} == pytest.approx(
        {each.name: each.gain for each in advice.gains}
    )
    assert other.interval == pytest.approx(advice.interval)
    assert other.margin == advice.margin
    assert [each.scenario for each in other.front] == [each.scenario for each in advice.front]
    assert [each.setting.scenario for each in other.policies] == [each.setting.scenario for each in advice.policies]


def test_another_window_changes_nothing_of_this_one() -> None:
    (advice,) = usual().windows
    found = found_with(asks("a", "b", "c"), 500, WINDOW)
    assert [each.context_window for each in found.windows] == [500, WINDOW]
    assert found.windows[1] == advice
    assert found.margin == max(each.margin for each in found.windows)


def test_a_chat_without_questions_and_a_question_that_cannot_be_asked_change_nothing() -> None:
    found = found_with([*asks("a", "b", "c"), Probe("lost", ("nothing",), "d", query="?")], names="abcd")
    assert found.windows == usual().windows
    assert (found.probes, found.notes) == (usual().probes, usual().notes)
    assert [each.id for each in found.skipped] == ["lost"]


def test_where_all_settings_tie_the_current_one_is_kept() -> None:
    """The newest message is in every prompt."""
    probes = [Probe(name, ("m29",), name, query="so?") for name in "abc"]
    (advice,) = found_with(probes).windows
    assert advice.best == advice.current
    assert [each.gain for each in advice.gains] == [0.0] * 3
    assert (advice.interval, advice.changes, advice.binds) == ((0.0, 0.0), False, ())
    assert len(advice.front) == 1


def test_where_nothing_fits_the_least_over_is_chosen_and_it_is_said() -> None:
    """A policy that drops nothing, beside one whose three newest exchanges are too large."""
    found = found_with(asks("a", "b", "c"), 60, policies=("naive",))
    (advice,) = found.windows
    assert (advice.best, advice.best.fits) == (advice.current, 0.0)
    assert not advice.front
    assert (advice.baseline, advice.over, advice.gain_over_baseline) == (None, (), None)
    assert [each.policy for each in advice.policies] == ["ratio", "naive"]
    assert any(note.startswith("Window 60: no setting that was tried leaves 20 tokens") for note in found.notes)


def test_of_one_chat_its_sittings_are_left_out_and_without_questions_nothing_is_searched() -> None:
    found = found_with(asks("c"), names="c")
    assert found.is_of_one
    assert [each.name for each in found.windows[0].gains] == [
        f"c, part {n}" for n in range(1, len(found.windows[0].gains) + 1)
    ]
    assert len(found.windows[0].gains) > 1
    with pytest.raises(ValueError, match="there are none"):
        found_with([])


def test_with_more_questions_than_the_first_rung_the_best_is_as_good_as_of_all_settings() -> None:
    probes = [Probe(f"{name}{n}", (f"m{n}",), name, query=f"word{name}{n}?") for name in "ab" for n in range(6, 28, 2)]
    whole, (advice,) = (
        Everything(probes, "ab", POLICIES[1:]),
        found_with(probes, names="ab", policies=POLICIES[1:]).windows,
    )
    row = whole.best(range(len(whole.settings)), range(2))
    assert advice.best.recall_with_memories >= whole.cells.with_memories[row].mean() - 0.005
    assert advice.best.fits == 1.0
