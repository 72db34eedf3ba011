"""check_policy passes what is built in, and refuses policies that break one rule each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pytest

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import Action, Kind, Section
from inspector.assembly.decisions import Assembly, Run
from inspector.assembly.defaults import drop_unplaced
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.ratio import Ratio
from inspector.assembly.policy import PolicyError, Traits, make_policy, param
from inspector.assembly.presets import load_presets
from inspector.assembly.reasons import ALWAYS, OVER_BUDGET, Reason
from inspector.plugins import policies
from inspector.testing import check_policy
from inspector.testing.workspaces import EVERYTHING, SITUATIONS
from tests.examples import pairs

PRESETS = pairs(key for key in load_presets() if key[0] in policies()[0])
OTHERS = tuple(kind for kind in Kind if kind != Kind.MESSAGE)


@pytest.mark.parametrize(("policy", "preset"), PRESETS)
def test_every_preset_keeps_the_rules(policy: str, preset: str) -> None:
    chosen = load_presets()[policy, preset]
    assert check_policy(make_policy(chosen.kind(policies()[0][policy]), chosen.parameters)) is None


def test_every_policy_has_a_preset_that_is_checked() -> None:
    assert {policy for policy, _ in load_presets()} >= set(policies()[0])


def test_there_is_one_of_every_kind_of_thing() -> None:
    found = {name for name in ("characters", "passages", "summaries", "documents", "attachments", "skipped", "tools")
             if getattr(EVERYTHING, name)}  # fmt: skip
    assert len(found) == 7
    assert {situation.at for situation in SITUATIONS} == {None, 0, 12}


def messages_alone(candidates: Candidates, window: ContextWindow) -> Ledger:
    """A ledger that has dropped everything but the messages."""
    ledger = Ledger(candidates, window)
    drop_unplaced(ledger, *OTHERS)
    return ledger


def said(assembly: Assembly) -> tuple[Run, ...]:
    return (Run(assembly.kept_rows(Kind.MESSAGE)),)


def keeps_all(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
    return ledger.close(said)


def changed(make: Callable[[Assembly], dict[str, Any]]) -> Callable[[Candidates, ContextWindow], Assembly]:
    """A decision that is sound but for these fields; the same where there is nothing to change."""

    def decide(candidates: Candidates, window: ContextWindow) -> Assembly:
        assembly = keeps_all(candidates, window)
        return replace(assembly, **make(assembly)) if assembly.in_prompt.any() else assembly

    return decide


def with_value(column: np.ndarray, mask: np.ndarray, value: int) -> np.ndarray:
    copy = column.copy()
    copy[np.flatnonzero(mask)[:1]] = value
    return copy


CALLS = count()


def decides_by_the_call(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger, odd = messages_alone(candidates, window), next(CALLS) % 2
    rows = ledger.rows(Kind.MESSAGE)
    ledger.keep(rows[odd:], ALWAYS)
    ledger.drop(rows[:odd], OVER_BUDGET)
    return ledger.close(said)


def writes_into_the_input(candidates: Candidates, window: ContextWindow) -> Assembly:
    assembly = keeps_all(candidates, window)
    candidates.tokens.flags.writeable = True
    candidates.tokens[assembly.in_prompt] += 1
    return keeps_all(candidates, window)


def decides_twice(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
    ledger.drop(ledger.rows(Kind.MESSAGE)[:1], OVER_BUDGET)
    return ledger.close(said)


def forgets_memories(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = Ledger(candidates, window)
    drop_unplaced(ledger, *(kind for kind in OTHERS if kind != Kind.MEMORY))
    ledger.keep(ledger.rows(Kind.MESSAGE), ALWAYS)
    return ledger.close(said)


def spends_over_its_limit(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    ledger.limit(Section.HISTORY, window.tokens)
    ledger.keep(ledger.rows(Kind.MESSAGE), Reason("hoped", "hoped for", "{thing} was hoped to fit."))
    return ledger.close(said)


def cannot_say_why(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    ledger.keep(ledger.rows(Kind.MESSAGE), Reason("odd", "odd", "{thing} has {nothing} to say."))
    return ledger.close(said)


def keeps_half_a_text(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    rows = ledger.rows(Kind.MESSAGE)
    ledger.reshape(rows, Action.KEPT, None, np.ones(len(rows), np.int32), lambda _: "half")
    ledger.keep(rows, ALWAYS)
    return ledger.close(said)


def drops_more_in_a_larger_window(candidates: Candidates, window: ContextWindow) -> Assembly:
    ledger = messages_alone(candidates, window)
    rows = ledger.rows(Kind.MESSAGE)
    ledger.keep(rows[:1] if window.tokens > 100 else rows, ALWAYS)
    ledger.drop(rows[1:] if window.tokens > 100 else rows[:0], OVER_BUDGET)
    return ledger.close(said)


def refuses_now_and_then(candidates: Candidates, window: ContextWindow) -> Assembly:
    if next(CALLS) % 2:
        raise PolicyError("request_too_large", "not today")
    return keeps_all(candidates, window)


BROKEN = {
    "another column": decides_by_the_call,
    "changed the column tokens": writes_into_the_input,
    "LedgerError: .* was decided twice": decides_twice,
    "LedgerError: .* were not decided": forgets_memories,
    "neither guaranteed nor named in a finding": spends_over_its_limit,
    "raised KeyError": cannot_say_why,
    "is kept, but the text in its place": keeps_half_a_text,
    "it claims to be monotone": drops_more_in_a_larger_window,
    "once gave an error": refuses_now_and_then,
    "raised ZeroDivisionError": lambda candidates, window: keeps_all(candidates, ContextWindow(1 // window.tokens)),
    "returned NoneType": lambda candidates, window: None,
    "of other candidates": changed(lambda old: {"candidates": replace(old.candidates)}),
    "column spent has 1 rows": changed(lambda old: {"spent": old.spent[:1]}),
    "has no reason that exists": changed(lambda old: {"reasons": ()}),
    "left out or does not exist yet": changed(lambda old: {"action": old.action * 0}),
    "same place in the order": changed(lambda old: {"decided": old.decided * 0}),
    "is dropped and spends": changed(lambda old: {"spent": with_value(old.spent, ~old.in_prompt, 3)}),
    "does not spend what it costs": changed(lambda old: {"spent": with_value(old.spent, old.in_prompt, 1_000)}),
    "spends less than nothing": changed(lambda old: {"spent": with_value(old.spent, old.in_prompt, -1)}),
    "in none of its messages": changed(lambda old: {"layout": lambda _: ()}),
    "more than once": changed(lambda old: {"layout": lambda it: said(it) * 2}),
    "is dropped and stands in a message": changed(
        lambda old: {"layout": lambda it: (*said(it), Run(np.flatnonzero(~it.in_prompt)))}
    ),
    "stands after a later message": changed(lambda old: {"layout": lambda it: (Run(said(it)[0].rows[::-1]),)}),
}


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_policy_that_breaks_a_rule_is_refused(sentence: str) -> None:
    @dataclass(frozen=True)
    class Broken:
        traits: ClassVar[Traits] = Traits(monotone=True)

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Any:
            return BROKEN[sentence](candidates, window)

    with pytest.raises(AssertionError, match=f"Broken: .*{sentence}"):
        check_policy(Broken())


def test_what_the_broken_ones_are_made_from_is_sound() -> None:
    @dataclass(frozen=True)
    class Sound:
        traits: ClassVar[Traits] = Traits(monotone=True)

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return keeps_all(candidates, window)

    assert check_policy(Sound()) is None


def test_a_policy_has_to_be_a_frozen_value_that_accepts_itself() -> None:
    @dataclass
    class Loose:
        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return keeps_all(candidates, window)

    @dataclass(frozen=True)
    class Refusing:
        share: float = param(-1.0, 0, 1)

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return keeps_all(candidates, window)

    with pytest.raises(AssertionError, match="not frozen"):
        check_policy(Loose())
    with pytest.raises(AssertionError, match="share must be 0 or more"):
        check_policy(Refusing())
    with pytest.raises(AssertionError, match="a value of a frozen dataclass"):
        check_policy(Ratio)  # type: ignore[arg-type]


def reads(column: str) -> Callable[[Candidates, ContextWindow], Assembly]:
    """A decision that looks at a column before it keeps everything."""

    def decide(candidates: Candidates, window: ContextWindow) -> Assembly:
        assert getattr(candidates, column) is not None
        return keeps_all(candidates, window)

    return decide


@pytest.mark.parametrize(
    ("column", "trait"),
    [
        ("replacement_counts", "counts_replacements"),
        ("caller_tokens", "counts_contents"),
        ("message_likeness", "compares_messages"),
    ],
)
def test_a_policy_reads_only_the_columns_that_it_asks_for(column: str, trait: str) -> None:
    @dataclass(frozen=True)
    class Reading:
        asks: bool = param(False)

        @property
        def traits(self) -> Traits:
            declared: dict[str, Any] = {trait: self.asks}
            return Traits(**declared)

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return reads(column)(candidates, window)

    with pytest.raises(AssertionError, match=f"reads {column}, .* without the trait {trait}"):
        check_policy(Reading())
    assert check_policy(Reading(asks=True)) is None


def values(count_of: Callable[[int], int]) -> Callable[[Candidates, Any], Any]:
    return lambda candidates, rows: np.zeros(count_of(len(rows)))


def too_small(window: int, prompt: int) -> list[dict[str, int]]:
    return [{"size": prompt - window - 1}]


TRAITS = {
    "the trait default_window is asked before there are parameters": lambda one: Traits(default_window=one.size),
    "the trait greets is asked before there are parameters": lambda one: Traits(greets=one.size > 1),
    "traits has to be a value of Traits": lambda one: {"monotone": True},
    "it refuses its own division of 0 of 0 tokens: size must be 0 or more": lambda one: Traits(divisions=too_small),
    "its signal far has 1 values for 0 memories": lambda one: Traits(
        signals=lambda candidates, rows: {"far": (1.0, values(lambda rows: rows + 1)(candidates, rows))}
    ),
    "its thresholds are not one for each memory": lambda one: Traits(thresholds=values(lambda rows: rows // 2)),
    "a share in effect for width, which is none of its parameters": lambda one: Traits(
        shares_in_effect=lambda candidates: {"size": 0.5, "width": 0.5}
    ),
}


@pytest.mark.parametrize("sentence", TRAITS)
def test_traits_that_a_policy_does_not_keep_to_are_refused(sentence: str) -> None:
    @dataclass(frozen=True)
    class Traitor:
        size: int = param(1, 0, 9)

        @property
        def traits(self) -> Any:
            return TRAITS[sentence](self)

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return keeps_all(candidates, window)

    with pytest.raises(AssertionError, match=f"Traitor: .*{sentence}"):
        check_policy(Traitor(2))


def test_traits_that_a_policy_keeps_to_are_accepted() -> None:
    @dataclass(frozen=True)
    class Faithful:
        size: int = param(1, 0, 9)

        @property
        def traits(self) -> Traits:
            return Traits(
                default_window=4_096,
                parameters_for=self.of_model,
                counts_contents=self.size > 1,
                signals=lambda candidates, rows: {"near": (1.0, values(int)(candidates, rows))},
                thresholds=values(int),
                shares_in_effect=lambda candidates: {"size": 0.5},
            )

        def of_model(self, model: str) -> dict[str, int]:
            return {"size": len(model)}

        def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
            return keeps_all(candidates, window)

    assert check_policy(Faithful(2)) is None
