"""The survey of an archive as sentences, and as a JSON value."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from inspector.analysis.archive.survey import Estimate, Survey, WindowFit
from inspector.figures import counted, dollars, figures, percentage

_MOST_FINDINGS = 5


def survey_lines(survey: Survey) -> Iterator[str]:
    """Yield what all chats come to, a sentence for each question; nothing if none has been looked at."""
    if not survey.looked:
        return
    sure = "" if survey.is_complete else f" ({survey.looked:,} of {survey.of_all:,} looked at)"
    yield (
        f"{survey.whole:,} of {counted(survey.looked, 'chat')} {'fit' if survey.looked > 1 else 'fits'} as a whole, "
        f"{_shown(survey.fitting)}{sure}; {survey.over_window:,} over the window, {survey.failed:,} without a prompt."
    )
    yield (
        f"Dropped: {_shown(survey.dropped)} of {counted(survey.items, 'token', estimated=not survey.exact)}; "
        f"of the median chat {percentage(survey.dropped_median)}."
    )
    prompts, cost = survey.prompts, "" if survey.cost is None else f"; a prompt of each costs {dollars(survey.cost)}"
    yield f"Median prompt {prompts.median:,.0f} tokens, largest {prompts.largest:,.0f}{cost}."
    fits = (f"{one.window:,}{' (now)' if one.is_now else ''} {percentage(one.share)}" for one in telling_fits(survey))
    yield f"Fit as a whole, by window: {', '.join(fits)}."
    if survey.findings:
        most = survey.findings[:_MOST_FINDINGS]
        yield f"Most frequent findings: {', '.join(f'{one.kind.short} ({figures(one.chats)})' for one in most)}."


def survey_value(survey: Survey) -> dict[str, Any]:
    """Return the survey as JSON: the fields of `Survey`, findings by their codes."""
    found = [{"code": one.kind.code, "severity": one.kind.severity, "chats": one.chats} for one in survey.findings]
    return {**asdict(survey), "findings": found}


def telling_fits(survey: Survey) -> list[WindowFit]:
    """Return the windows up to the first in which all chats fit, and the one in use."""
    full = next((one.window for one in survey.fits if one.share == 1), None)
    return [one for one in survey.fits if one.is_now or full is None or one.window <= full]


def _shown(share: Estimate) -> str:
    if share.low == share.high:
        return percentage(share.value)
    return f"≈ {percentage(share.value)}, {percentage(share.low)} to {percentage(share.high)}"
