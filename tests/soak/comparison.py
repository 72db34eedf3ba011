"""What the window shows against fresh assemblies of the same scenarios, made as the command line makes them."""

from collections.abc import Iterator
from typing import Any

from inspector.assembly.answer import Answer, answer_value, complete_answer
from inspector.assembly.choices import ScenarioError
from inspector.assembly.lacking import first_lacking
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.gui.session.session import Session
from inspector.plugins import policies, tokenizers
from inspector.settings import own_presets_file
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import UnknownTokenizerError

_SHOWN = 300


def differences(session: Session, cache: CountCache) -> list[str]:
    """What a ready session shows that is not as new pipelines make it, or is an estimate that could be exact.

    The baseline is held to what it shows: all but its findings.
    """
    found = _different_answer(session, cache)
    for shown in session.shown:
        found += estimates(shown.answer)
        if (work := first_lacking(shown.pipeline, shown.pipeline.case(shown.answer.scenario))) is not None:
            found.append(f"still lacking: {work.title}")
    baseline = session.baseline_answer
    if baseline is not None:
        expected = _without_findings(_fresh(session, baseline.scenario, cache))
        found += [f"baseline{one}" for one in _different(expected, _without_findings(baseline))]
    return found


def _different_answer(session: Session, cache: CountCache) -> list[str]:
    try:
        expected = _fresh(session, session.scenario, cache)
    except (ScenarioError, UnknownTokenizerError) as refused:
        return [] if session.trouble == str(refused) else [f"refused with {refused!s}, shown is {session.trouble!r}"]
    if session.answer is None or session.trouble:
        return [f"nothing is shown: {session.trouble}"]
    return list(_different(answer_value(expected), answer_value(session.answer)))


def _fresh(session: Session, scenario: Scenario, cache: CountCache) -> Answer:
    pipeline = Pipeline(
        session.workspace, policies()[0], load_presets(own_presets_file(), policies()[0]), tokenizers=tokenizers()[0]
    )
    pipeline.known.marks = session.marks
    pipeline.known.summarizing.allow(None)  # as a window does whose settings name no server
    return complete_answer(pipeline, scenario, cache, finds_duplicates=True)


def estimates(answer: Answer) -> list[str]:
    """What of an answer is an estimate although it could be exact."""
    candidates, ledger, found = answer.assembly.candidates, answer.ledger, []
    uncounted = [name for name, exact in zip(candidates.ids, candidates.exact.tolist(), strict=True) if not exact]
    if uncounted:
        found.append(f"not counted: {uncounted}")
    if ledger.rendered is None:
        found.append("not measured")
    doubtful = (candidates.recorded | (candidates.images > 0)) & answer.assembly.in_prompt
    model, prompt = answer.case.model, ledger.prompt
    by_rule = bool(answer.case.chosen.parts.tools) or candidates.has_results or len(candidates.items.callers) > 0
    is_exact = model.tokenizer.exact and model.chat_format.published and not doubtful.any() and not by_rule
    is_exact = is_exact and not answer.assembly.summaries_total  # the program's model would write them
    is_faithful = prompt is not None and prompt.chat.faithful and not prompt.refusal
    if is_exact and is_faithful and answer.assembly.error is None and not ledger.exact:
        found.append("the ledger is an estimate")
    return found


def _without_findings(answer: Answer) -> dict[str, Any]:
    return {key: held for key, held in answer_value(answer).items() if key not in ("findings", "status")}


def _different(expected: Any, shown: Any, place: str = "") -> Iterator[str]:
    """Where two values differ, in words."""
    if isinstance(expected, dict) and isinstance(shown, dict):
        for key in sorted(expected.keys() | shown.keys(), key=str):
            yield from _different(expected.get(key), shown.get(key), f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(shown, list) and len(expected) == len(shown):
        for number, pair in enumerate(zip(expected, shown, strict=True)):
            yield from _different(*pair, f"{place}[{number}]")
    elif expected != shown:
        yield f"{place}: expected {repr(expected)[:_SHOWN]}, shown is {repr(shown)[:_SHOWN]}"
