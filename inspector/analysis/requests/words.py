"""A recording in words: how much was sent, and what another setting would have saved."""

from collections.abc import Iterator

import numpy as np

from inspector.analysis.requests.measured import Measured
from inspector.analysis.requests.recording import Recording
from inspector.assembly.columns import Bool
from inspector.figures import counted, dollars, figures, percentage

_LEAST_MONEY = 0.00005
NO_REQUESTS = "Nothing open was recorded. Record an application, or open a file of recorded requests."


def recording_sentences(found: Recording) -> Iterator[str]:
    """Yield how many requests of how many agents there are, and what they cost as they were sent."""
    if not len(found):
        yield NO_REQUESTS
        return
    failed = int((~found.is_answered).sum())
    told = [f"{counted(len(found), 'request')} of {_agents(found)}"]
    told += [f"{failed:,} failed"] if failed else []
    yield f"{', '.join(told)}."
    if found.sent is not None:
        yield from _sent(found, found.sent)


def _agents(found: Recording) -> str:
    agents = counted(len(found.agents), "agent")
    return f"{agents} and {counted(len(found.subagents), 'subagent')}" if found.subagents else agents


def _sent(found: Recording, sent: Measured) -> Iterator[str]:
    counted_here = _is_there(found, sent)
    if not counted_here.any():
        return
    tokens, shared = (int(values[counted_here].sum()) for values in (sent.tokens, sent.shared))
    estimated = bool(sent.estimated[counted_here].any())
    repeated = percentage(shared / tokens if tokens else 0.0, 0)
    yield (
        f"{counted(tokens, 'token', estimated=estimated)} were sent, counted here{_usage(found)}; "
        f"{figures(shared, estimated)} of them ({repeated}) begin as the request before, and a cache can use them."
    )
    if (paid := money(sent, counted_here)) is not None:
        plain, cached = paid
        beside = "" if cached is None else f", {dollars(cached, estimated)} with the maker's cache"
        yield f"The input costs {dollars(plain, estimated)}{beside}."


def _usage(found: Recording) -> str:
    """Return the provider's own total beside ours, if it told the usage of each request."""
    told = [one.usage.prompt for one, answered in zip(found.requests, found.is_answered, strict=True) if answered]
    known = [tokens for tokens in told if tokens is not None]
    if not known:
        return ""
    of = "" if len(known) == len(told) else f" for {len(known):,} of {len(told):,}"
    return f" ({sum(known):,} by the provider{of})"


def saving_sentence(found: Recording) -> str:
    """Return what the setting in question would have saved over the recording; "" before it is known."""
    sent, other = found.sent, found.other
    if sent is None or other is None:
        return ""
    both = _is_there(found, sent) & _is_there(found, other)
    if not both.any():
        return f"{found.setting_words}: no request can be made."
    was, now = int(sent.tokens[both].sum()), int(other.tokens[both].sum())
    estimated = bool((sent.estimated | other.estimated)[both].any())
    told = f"{_tokens(was, now, estimated)}{_money(sent, other, both, estimated)}"
    return f"{found.setting_words}: {told}.{_lost(other, both)}"


def _tokens(was: int, now: int, estimated: bool) -> str:
    head = f"{counted(now, 'token', estimated=estimated)} in place of {was:,}"
    if was == now:
        return f"{head}, as many"
    share = percentage(abs(was - now) / was if was else 0.0, 0)
    return f"{head}, {figures(abs(was - now), estimated)} {'fewer' if now < was else 'more'} ({share})"


def _money(sent: Measured, other: Measured, both: Bool, estimated: bool) -> str:
    was, now = paid_total(sent, both), paid_total(other, both)
    if was is None or now is None:
        return ", with no price known for the money"
    if abs(was - now) < _LEAST_MONEY:
        return f", for the same {dollars(was, estimated)}"
    word = "saved" if now < was else "more"
    return f", {dollars(abs(was - now), estimated)} {word} ({dollars(was, estimated)} → {dollars(now, estimated)})"


def _lost(other: Measured, both: Bool) -> str:
    cut, over = int((other.dropped[both] > 0).sum()), int(other.is_over[both].sum())
    words = [f"{counted(cut, 'request')} would lack messages"] if cut else []
    words += [f"{over:,} would not fit"] if over else []
    return f" {' and '.join(words)}." if words else ""


def money(measured: Measured, rows: Bool) -> tuple[float, float | None] | None:
    """Return US dollars of the input of these requests, without a cache and with it (None: no rule); None: no price."""
    costs, cached = measured.costs[rows], measured.cached_costs[rows]
    if not len(costs) or np.isnan(costs).any():
        return None
    return float(costs.sum()), None if np.isnan(cached).any() else float(cached.sum())


def paid_total(measured: Measured, rows: Bool) -> float | None:
    """Return US dollars of the input of these requests, with the cache where its rule is known; None: no price."""
    paid = measured.paid[rows]
    return None if not len(paid) or np.isnan(paid).any() else float(paid.sum())


def _is_there(found: Recording, measured: Measured) -> Bool:
    """Return which requests were answered, and have a prompt."""
    return found.is_answered & (measured.tokens >= 0)
