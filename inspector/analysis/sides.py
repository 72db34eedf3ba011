"""Settings answered side by side: all of them as one matrix, and any two with the changes of their items and texts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector.analysis.basis import Basis, Share
from inspector.analysis.tokenizers.errors import short_name
from inspector.assembly.answer import Answer, complete_answer, planned_answer
from inspector.assembly.case import Case
from inspector.assembly.choices import ScenarioError
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import DEFAULT_PRESET, Scenario
from inspector.assembly.scenario_records import record_of
from inspector.assembly.side_by_side import Side, SideBySide, side_by_side
from inspector.assembly.side_choice import (
    NOW,
    Beside,
    SideChoice,
    changed_parameters,
    chosen_scenario,
)
from inspector.assembly.text_diff import WrittenLine, text_diff, written_lines
from inspector.tokens.choice import UnknownTokenizerError

Pair = tuple[Answer, Answer]
AS_DESIGNED = "as designed"
GONE = "is not there any more"


@dataclass(frozen=True, eq=False)
class _Asked:
    """A choice with its scenario and its title."""

    choice: SideChoice
    scenario: Scenario
    title: str
    about: str

    @property
    def answered(self) -> Scenario:
        """The scenario to answer."""
        return _answered(self.choice, self.scenario)


def sides_of(basis: Basis, choices: Sequence[SideChoice], beside: Beside) -> Iterator[Share | SideBySide]:
    """Yield the sides as planned, with estimates for missing counts, then shares of the work, then as measured.

    A policy that is the same as now or as the baseline has no column of its own. A choice that is refused is named
    with the reason. Raise ScenarioError and UnknownTokenizerError if the current scenario itself is refused.
    """
    asked, refused = _asked(basis, choices, beside)
    pipeline = basis.pipeline
    yield side_by_side(
        [_side(one, beside.answers, planned_answer(pipeline, pipeline.case(one.answered))) for one in asked], refused
    )
    sides = []
    for number, one in enumerate(asked):
        yield Share(number, len(asked), "Side by side")
        sides.append(_side(one, beside.answers, complete_answer(pipeline, one.answered, basis.cache)))
    measured = side_by_side(sides, refused)
    measured.dissent  # noqa: B018 - worked out here, not in the window
    yield measured


def pair_of(
    basis: Basis, before: SideChoice, after: SideChoice, beside: Beside
) -> Iterator[tuple[Answer, Answer] | str]:
    """Yield the answers to two choices; a sentence if one of them is refused."""
    answers = []
    for choice in (before, after):
        answer = beside.answers.get(choice)
        try:
            scenario = _answered(choice, _scenario(basis, choice, beside))
            answers.append(answer or complete_answer(basis.pipeline, scenario, basis.cache))
        except (ScenarioError, UnknownTokenizerError) as problem:
            yield f"{choice.name or choice.kind}: {problem}"
            return
    yield answers[0], answers[1]


def text_changes(
    basis: Basis, before: SideChoice, after: SideChoice, beside: Beside
) -> Iterator[Sequence[WrittenLine] | str]:
    """Yield the differences between the prompts of two choices; a sentence if there is none to compare."""
    for pair in pair_of(basis, before, after, beside):
        if isinstance(pair, str):
            yield pair
            return
        errors = [answer.assembly.error.message for answer in pair if answer.assembly.error is not None]
        yield errors[0] if errors else tuple(written_lines(text_diff(*(answer.assembly for answer in pair))))


def _asked(basis: Basis, choices: Sequence[SideChoice], beside: Beside) -> tuple[list[_Asked], list[str]]:
    """Return the choices to answer, in order, and the reasons against the others."""
    asked: list[_Asked] = []
    records: list[Scenario] = []
    refused: list[str] = []
    for choice in dict.fromkeys(choices):
        try:
            case = basis.pipeline.case(_scenario(basis, choice, beside))
        except (ScenarioError, UnknownTokenizerError) as problem:
            if choice == NOW:
                raise
            refused.append(f"{choice.name or choice.kind}: {problem}")
            continue
        held = _settled(case)
        if choice.kind != "policy" or held not in records:
            asked.append(_Asked(choice, case.scenario, *_titles(basis.pipeline, choice, case)))
            records.append(held)
    return asked, refused


def _scenario(basis: Basis, choice: SideChoice, beside: Beside) -> Scenario:
    found = chosen_scenario(choice, basis.pipeline, basis.scenario, beside.snapshots, beside.baseline)
    if found is None:
        raise ScenarioError(GONE, "")
    return found


def _settled(case: Case) -> Scenario:
    """Return the scenario of a case by its values alone."""
    return replace(record_of(case), policy=case.policy_name, preset=None, base=None, given=None)


def _titles(pipeline: Pipeline, choice: SideChoice, case: Case) -> tuple[str, str]:
    """Return the title of a side, and what it is."""
    if choice.kind in ("model", "snapshot"):
        return choice.name, choice.kind
    if choice.kind == "tokenizer":
        return short_name(choice.name), choice.kind
    title = policy_title(case.policy_name, pipeline.choices.policies.get(case.policy_name))
    return (title if choice.kind == "policy" else f"{title}, {choice.kind}"), setting_words(pipeline, case.scenario)


def setting_words(pipeline: Pipeline, scenario: Scenario) -> str:
    """Return how a scenario differs from its policy as designed: `as designed`, `long-chat, 2 changed`."""
    preset, changed = scenario.preset or DEFAULT_PRESET, len(changed_parameters(pipeline, scenario))
    named = [] if preset == DEFAULT_PRESET else [preset]
    return ", ".join([*named, *([f"{changed:,} changed"] if changed else [])]) or AS_DESIGNED


def _side(asked: _Asked, answers: Mapping[SideChoice, Answer], answer: Answer) -> Side:
    return Side(asked.choice.key, asked.title, asked.about, asked.scenario, answers.get(asked.choice, answer))


def _answered(choice: SideChoice, scenario: Scenario) -> Scenario:
    """Return the scenario to answer: nothing is sent to a server for what was kept earlier."""
    was_kept = choice.kind in ("snapshot", "baseline")
    return replace(scenario, summaries=None) if was_kept and scenario.summaries == "endpoint" else scenario
