"""A recommendation beside the current setting, its costs, the questions behind it, and what is lost by kind."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import pytest

import inspector
from inspector.analysis.basis import Basis, result_of
from inspector.analysis.recall.ask import Loss, ProbeRecall, Recalled
from inspector.analysis.recall.probes import Skipped
from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.categories import ALL, CATEGORIES, NONE, categories_in, gain, held, what_holds_back
from inspector.analysis.recommend.effect import effect_of
from inspector.analysis.recommend.learning import LearningPoint
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.policy_rows import POLICIES, PolicyRow, all_policy_rows, answer_sentences, policy_rows
from inspector.analysis.recommend.priced import PRICED, SHORT_FRONTS, all_priced, priced_in, window_order
from inspector.analysis.recommend.questions import Questions, Source
from inspector.analysis.recommend.search import Terms
from inspector.analysis.recommend.searched import Searched
from inspector.analysis.recommend.sentences import OTHER_FILES, OTHER_SETTING, advice_sentences, standing, verdict
from inspector.analysis.recommend.tables import WINDOWS
from inspector.assembly.columns import Section
from inspector.assembly.marks import Marks
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Conversation, Message, Probe, Workspace
from inspector.plugins import policies
from inspector.tables import Kind, Table

PIPELINE = Pipeline(Workspace(), policies()[0], load_presets())
NOW = Scenario(tokenizer="estimate:words", similarity="lexical")
BEST = replace(NOW, policy="window_rag", similarity="auto", parameters={"per_source": 60, "min_tail": 4})


def setting(scenario: Scenario, window: int, recall: float, tokens: float | None, cost: float | None = None) -> Setting:
    return Setting(replace(scenario, context_window=window), recall / 2, recall, 1.0, tokens, cost)


def advice(window: int, *, is_kept: bool = False) -> WindowAdvice:
    """A window with a front of seven settings, of which the last is the best."""
    now = setting(NOW, window, 0.2, 100.0, 0.001)
    front = tuple(
        setting(replace(BEST, parameters={"per_source": 10 * n}), window, n / 10, 100.0 * n, 0.001 * n)
        for n in range(3, 10)
    )
    best = now if is_kept else setting(BEST, window, 0.9, 900.0, 0.009)
    gains = tuple(BlockGain(name, 5, change, 1.0, best.scenario) for name, change in (("a", 60.0), ("b", 80.0)))
    own = () if is_kept else (PolicyAdvice(best, (0.8, 1.0), gains, (50.0, 90.0)),)
    listed = (*own, PolicyAdvice(now, (0.1, 0.3), (), None, is_current=True))
    return WindowAdvice(window, now, best, gains, (50.0, 90.0), front, listed, ("similarity", "min_tail"))


def found_with(*windows: WindowAdvice, **more: object) -> Searched:
    terms = Terms(tuple(each.context_window for each in windows), 50)
    made = Recommendation(terms, 0.04, 10, (), windows, (LearningPoint(10, 0.5),), ("Few.",), True)
    return Searched.of(PIPELINE, NOW, replace(made, **more))  # type: ignore[arg-type]


def test_a_setting_in_use_is_that_of_its_window_alone() -> None:
    found = found_with(advice(1_000), advice(2_000), advice(4_000, is_kept=True))
    used = found.beside(replace(BEST, context_window=2_000), 2_000)
    assert (used.in_use, used.used_place, used.is_used, used.is_of_now, used.is_old) == (1, (1, 0), True, False, False)
    elsewhere = found.beside(BEST, 3_000)
    assert (elsewhere.in_use, elsewhere.used_place, elsewhere.is_used, elsewhere.is_old) == (None, None, False, True)
    unknown = found.beside(BEST, None)
    assert (unknown.in_use, unknown.used, unknown.used_place) == (None, None, None)
    now = found.beside(replace(NOW, policy="ratio", query="who?"), 4_000)
    assert (now.in_use, now.used_place, now.is_used, now.is_of_now, now.is_old) == (None, (2, 0), False, True, False)
    assert replace(now, is_of_open=False).is_old
    assert found.beside(replace(NOW, similarity="fused"), 1_000).is_old


def test_it_says_whether_it_is_whole_old_or_in_use() -> None:
    found = found_with(advice(1_000), advice(2_000, is_kept=True))
    assert standing(found) == "By 10 questions, with 50 tokens left for the reply. Few."
    part = replace(found, recommendation=replace(found.recommendation, is_whole=False, notes=()))
    assert standing(part) == "This is partial: by 10 questions so far."
    assert (
        standing(replace(part, stopped=True)) == "The search was stopped, and this is partial: by 10 questions so far."
    )
    assert standing(found.beside(replace(NOW, similarity="fused"), 9)) == f"{OTHER_SETTING} Few."
    assert standing(replace(found, is_of_open=False)) == f"{OTHER_FILES} Few."
    used = found.beside(BEST, 1_000)
    assert standing(used).startswith(
        "A setting for 1,000 tokens is in use; “now” is the one before it. By 10 questions"
    )
    assert [verdict(used, place) for place in (0, 1)] == ["in use", "keep"]
    assert [verdict(found, place) for place in (0, 1)] == ["change", "keep"]
    assert [verdict(part, place) for place in (0, 1)] == ["change?", "keep?"]
    assert next(advice_sentences(used, 0)) == "In use: the prompts hold 90.0 % of the needed items, and 20.0 % before."
    assert next(advice_sentences(part, 0)).startswith("So far: ship this: the prompts hold 90.0 %")


def test_a_setting_is_written_by_its_policy_and_what_it_sets() -> None:
    found = found_with(advice(1_000), advice(2_000, is_kept=True))
    title = found.title(BEST)
    assert title != found.title(NOW) == found.title(replace(NOW, policy="ratio"))
    values = found.values(0, 0)
    assert [value.split()[0] for value in values] == ["similarity", *(v.split()[0] for v in values[1:])]
    assert values[1] == found.text(BEST, "min_tail", 4), "in the order of what binds"
    assert len(values) == 3
    assert found.words(0).split(" · ")[0] == title
    assert set(found.words(0).split(" · ")) == {title, *values}
    assert found.words(1) == f"the current one: {found.title(NOW)}"
    assert found.setting_words(replace(NOW, preset="long-chat", parameters={"memory_share": 0.25})) == " · ".join(
        [found.title(NOW), "preset long-chat", "similarity lexical", found.text(NOW, "memory_share", 0.25)]
    )
    assert found.setting_words(replace(NOW, similarity="auto")) == found.title(NOW)
    assert found.value_text(BEST, "policy", "window_rag") == title
    assert found.label(NOW, "no_such_name") == "no such name"
    assert found.options[0][1].startswith("--policy window_rag --similarity auto --set per_source=60 --set min_tail=4")


def test_priced_settings_are_the_fronts_with_now_and_the_best_of_the_selected_window() -> None:
    found = found_with(advice(1_000), advice(2_000), advice(4_000))
    assert window_order(found, 1) == [1, 0, 2]
    rows = priced_in(found, 1)
    assert [(each.window, each.kind, each.line) for each in rows] == [
        *((window, "front", line) for line, window in enumerate((2_000, 1_000, 4_000)) for _ in range(7)),
        *((2_000, "now", 3), (2_000, "recommended", 4)),
    ]
    assert [each.tokens for each in rows[:7]] == [100.0 * n for n in range(3, 10)]
    assert [each.options for each in rows[:7]] == list(found.options[1][2:9])
    assert rows[-1].sentence == f"recommended, 2,000: 90.0 % for 900 tokens a prompt ($0.0090): {rows[-1].words}"
    free = replace(rows[0], setting=replace(rows[0].setting, cost=None, tokens=None))
    assert free.sentence == f"2,000: 30.0 % for 0 tokens a prompt: {free.words}"
    whole = all_priced(found)
    assert [each.kind for each in whole] == ["now", *["front"] * 7] * 3
    assert [each.window for each in whole] == [1_000] * 8 + [2_000] * 8 + [4_000] * 8
    short = list(SHORT_FRONTS.records(whole))
    assert [row["tokens"] for row in short[:5]] == [300.0, 500.0, 600.0, 700.0, 900.0]
    assert len(short) == 15
    records = list(PRICED.records(whole))
    assert [(row["recall"], row["recall_with_memories"], row["cost"]) for row in records[:2]] == [
        (0.1, 0.2, 0.001),
        (0.15, 0.3, pytest.approx(0.003)),
    ]
    lost = replace(advice(1_000), current=setting(NOW, 1_000, 0.2, None), best=setting(BEST, 1_000, 0.9, None))
    assert {each.kind for each in priced_in(found_with(lost), 0)} == {"front"}


def test_rows_of_policies_say_how_sure_they_are() -> None:
    found = found_with(advice(1_000), advice(2_000, is_kept=True))
    best, now, kept = all_policy_rows(found)
    assert policy_rows(found, 0) == (best, now)
    assert [row.certainty for row in (best, now, kept)] == ["gain", "loss", "keep"]
    assert (best.held, now.held) == ("held on all 2 chats that the search did not see", "")
    assert [row.words for row in (now, kept)] == ["as set now", "as set now"]
    assert now.title == f"{found.title(NOW)}, as set now"
    assert list(answer_sentences(kept)) == [
        "Keep what you have",
        f"Keep {found.title(NOW)} as it is set now.",
        "The prompts keep 20.0 % of what the questions need, for the same 100 tokens a prompt ($0.0010).",
    ]
    used = policy_rows(found.beside(BEST, 1_000), 0)[0]
    assert (used.certainty, used.is_in_use, used.is_now) == ("use", True, True)
    assert used.headline.startswith(f"{found.title(BEST)} is in use: ")


def kept_items(workspace: Workspace, scenario: Scenario) -> dict[str, int]:
    """The items that a prompt keeps, with their tokens."""
    items = inspector.assemble(workspace, scenario)["items"]
    return {item["id"]: item["tokens"] for item in items if item["action"] == "kept"}


@pytest.mark.parametrize("rooms", [(60, 20), (20, 60), (60, 55), (55, 60), (60, 30), (60, 36), (30, 30), (60, 0)])
def test_the_effect_on_the_open_prompt_is_the_difference_of_what_is_kept(rooms: tuple[int, int]) -> None:
    """Twelve messages of five words, of which a slot keeps as many of the newest as fit."""
    said = tuple(Message(f"m{n}", ("user", "assistant")[n % 2], "w " * 5) for n in range(12))
    workspace = Workspace((Conversation("a", said),))
    open_now = replace(NOW, policy="slots", conversation="a", context_window=4_000)
    before, after = (replace(open_now, parameters={"history_slot": room}) for room in rooms)
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    found = result_of(effect_of(Basis(pipeline, open_now), before, after))
    one, two = kept_items(workspace, before), kept_items(workspace, after)
    came, left = len(two.keys() - one.keys()), len(one.keys() - two.keys())
    words = f"{came} {'item comes' if came == 1 else 'items come'} in and {left} leave{'s' if left == 1 else ''}."
    used = [answer.assembly.used[Section.HISTORY] for answer in (found.before, found.after)]
    lost = int(used[0]) - int(used[1])
    most = f" It drops most of the conversation: {used[1]} of {used[0]} tokens of it stay."
    every = f" It drops all of the conversation, {used[0]} tokens."
    shrunk = "" if 2 * lost <= used[0] else most if used[1] else every
    changed = f"In the open prompt {words}{shrunk}" if came or left else "In the open prompt it changes nothing."
    assert found.sentence == changed


def unsure(*interval: float, number: int = 0, changes: bool = False) -> PolicyRow:
    """The first or second row of a window whose best setting has this interval of its gain."""
    whole = advice(1_000)
    best, now = whole.policies
    other = replace(best, interval=(interval[0], interval[1]) if interval else None)
    low = 1.0 if changes else -1.0
    made = replace(whole, policies=(best, other, now)[1 - number :], interval=(low, 9.0))
    return policy_rows(found_with(made), 0)[number]


@pytest.mark.parametrize(
    ("interval", "side", "first", "second"),
    [((1.0, 9.0), 1, "gain", "gain"), ((0.0, 9.0), 0, "chance", "chance"), ((-9.0, 0.0), 0, "chance", "chance"),
     ((-9.0, -1.0), -1, "loss", "loss"), ((), 0, "chance", "chance")],
)  # fmt: skip
def test_a_row_is_as_sure_as_its_interval_is_on_one_side(
    interval: tuple[float, ...], side: int, first: str, second: str
) -> None:
    assert (unsure(*interval).side, unsure(*interval).certainty) == (side, first)
    assert unsure(*interval, number=1).certainty == second
    assert unsure(*interval, changes=True).certainty == "gain", "a change is advised, if only because the prompts fit"
    assert unsure(*interval, number=1, changes=True).certainty == second


def test_what_is_in_use_is_not_the_setting_that_it_was_compared_with() -> None:
    rows = policy_rows(found_with(advice(1_000)).beside(NOW, 1_000), 0)
    assert [(row.is_now, row.is_in_use, row.certainty) for row in rows] == [
        (False, False, "gain"),
        (True, False, "loss"),
    ]


def test_the_policy_of_a_setting_declares_its_words_also_where_it_is_the_usual_one() -> None:
    found, unnamed = found_with(advice(1_000)), replace(NOW, policy=None)
    assert found.value_text(unnamed, "memory_share", 0.25) == "25.0 %"
    assert found.value_text(BEST, "memory_share", 0.25) == "0.25", "another policy does not declare it"
    assert found.label(unnamed, "memory_share") == found.label(replace(NOW, policy="ratio"), "memory_share")
    assert found.label(BEST, "per_source") != "per source"


def sorted_by(table: Table[Any], subject: Any) -> Iterator[tuple[str, list[float], list[Any]]]:
    """The key of each column that is sorted by numbers, with these, and with its values; those of switches are left."""
    for column in table.columns_of(subject):
        if column.values is not None and column.kind is not Kind.TEXT:
            values = [column.value(subject, row) for row in table.rows(subject)]
            yield column.key, list(column.values(subject)), [nan if each is None else each for each in values]


def test_every_column_is_sorted_by_its_values() -> None:
    found = found_with(advice(1_000), advice(2_000, is_kept=True))
    priced = [replace(each, setting=replace(each.setting, cost_cached=cost)) for each, cost in
              zip(all_priced(found)[:3], (0.5, None, 0.25), strict=True)]  # fmt: skip
    kinds = categories_in(recalled(("a", [-1, 2], [0, 0]), ("b", [2, 2], [0, 1])), None, 9)
    given = [(PRICED, priced), (CATEGORIES, kinds), (POLICIES, policy_rows(found, 0)), (WINDOWS, found)]
    seen = [key for table, subject in given for key, numbers, values in sorted_by(table, subject)
            if numbers == pytest.approx(values, nan_ok=True)]  # fmt: skip
    assert seen == [key for table, subject in given for key, *_ in sorted_by(table, subject)]
    assert {"tokens", "cost_cached", "fits", "now", "then_whole", "gain", "low", "held_on", "ceiling"} <= set(seen)


def recalled(*rows: tuple[str, Sequence[int], Sequence[int]]) -> Recalled:
    """A question for each kind with the reasons by which its items are lost (-1: not), and which a memory names."""
    found = tuple(
        ProbeRecall(np.array(lost) < 0, np.array(cited) > 0, np.zeros(len(lost), np.bool_), np.array(lost))
        for _, lost, cited in rows
    )
    probes = tuple(Probe(f"q{n}", ("m0",), category=name) for n, (name, _, _) in enumerate(rows))
    return Recalled(probes, found, (None,) * len(rows), ())


def test_kinds_have_their_own_questions_and_the_one_that_lacks_most_is_named() -> None:
    room, far = int(Loss.OVER_BUDGET), int(Loss.NOT_RETRIEVED)
    now = recalled(("early", [-1, room], [0, 0]), ("", [room, room], [0, 0]), ("early", [-1, -1], [0, 0]))
    then = recalled(("early", [-1, -1], [0, 0]), ("", [far, -1], [0, 0]), ("early", [far, far], [0, 1]))
    found = categories_in(now, then, 77)
    assert [each.name for each in found] == [ALL, "early", NONE]
    assert [len(each.now) for each in found] == [3, 2, 1]
    assert [held(each.now) for each in found] == pytest.approx([0.5, 0.75, 0.0])
    assert [held(each.then) for each in found] == pytest.approx([2 / 3, 0.75, 0.5])
    assert [held(each.then, "recall") for each in found] == pytest.approx([0.5, 0.5, 0.5])
    assert [gain(each) for each in found] == pytest.approx([100 / 6, 0, 50])
    assert what_holds_back(found) == f"“{NONE}” lacks 50.0 % of what is needed, mostly not retrieved."
    assert (
        what_holds_back(categories_in(now, None))
        == f"“{NONE}” lacks 100.0 % of what is needed, mostly for want of room."
    )
    one = categories_in(recalled(("late", [room, -1], [0, 0])), None)
    assert [each.name for each in one] == [ALL]
    assert what_holds_back(one) == "The questions lack 50.0 % of what is needed, mostly for want of room."
    assert (gain(one[0]), held(())) == (None, None)
    assert what_holds_back(categories_in(recalled(("a", [-1] * 300, [0] * 300)), None)) == ""
    rows = list(CATEGORIES.records(found))
    assert [row["context_window"] for row in rows] == [77] * 3
    assert [row["questions"] for row in rows] == [3, 2, 1]
    assert [(row["now"], row["now_whole"], row["then"], row["then_whole"]) for row in rows][2] == (0.0, 0.0, 0.5, 0.5)
    assert [row["gain"] for row in rows] == pytest.approx([100 / 6, 0, 50])


def test_questions_are_those_of_files_and_marks_and_warn_of_too_few() -> None:
    said = (Message("m0", "user", "hello"),)
    chats = Conversation("a", said, "First"), Conversation("b", said)
    asked = [Probe(f"q{n}", ("m0",), "ab"[n % 2], query="?") for n in range(4)]
    workspace = Workspace(chats, probes=(*asked, Probe("lost", ("gone",), "a", query="?")))
    both = Questions.of(workspace, Marks(), Source.BOTH)
    assert (both.is_open, len(both.offered), both.conversations, both.marked) == (True, 5, 2, 0)
    assert both.words == "5 questions about 2 conversations"
    assert Questions.of(workspace, Marks(), Source.MARKS).source is Source.BOTH, "there are no marks"
    assert Questions.of(workspace, Marks(), Source.FILES).source is Source.FILES
    assert [both.title(probe) for probe in asked[:2]] == ["First", "b"]
    assert "2 conversations are few: the gain is known only roughly." in both.warnings
    few = replace(both, asked=tuple(asked[:1]), skipped=(Skipped("lost", "why"),))
    assert few.warnings == (
        "1 question is few: 50 or more tell settings apart. Only one conversation: how others would do cannot be "
        "known. 1 question cannot be asked: why."
    )
    many = tuple(Probe(f"q{n}", ("m0",), "abc"[n % 3], query="?") for n in range(50))
    assert replace(both, asked=many, skipped=()).warnings == ""
    assert replace(both, asked=many[:49], skipped=()).warnings.startswith("49 questions are few")
    assert not Questions.of(Workspace(), Marks(), Source.BOTH).is_open
