"""Replays in words: captions of turns, names of items, broken prefixes, and the cost of all turns."""

from datetime import datetime

import numpy as np

from inspector.analysis.caching.money import Spending
from inspector.analysis.replay.ask import NOTHING, Replay
from inspector.analysis.replay.falling import Fall
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I64, Action, Bool, Kind, Rows, Section, word
from inspector.assembly.decisions import NO_LIMIT
from inspector.assembly.numbers import called, title_in
from inspector.assembly.policy import policy_title
from inspector.figures import UNKNOWN_PRICE, counted, dollars, figures, percentage
from inspector.tables import written_time


def sections_in(found: Replay) -> list[Section]:
    """Return the sections with tokens at any turn, in prompt order."""
    return [section for section in Section if found.tokens[:, section].any()]


def warned(found: Replay) -> Bool:
    """Return the turns with a warning or an error."""
    return np.array([bool(codes) for codes in found.findings], np.bool_) | found.refused


def reach_heights(found: Replay) -> F64:
    """Return how many messages back each prompt reaches, for a plot: refused turns are drawn at full height."""
    reach = found.horizon.astype(np.float64)
    return np.where(found.refused, reach.max(initial=1.0), reach)


def fallen(found: Replay) -> Rows:
    """Return the items dropped at some turn after they were in a prompt, in order of falling."""
    rows = np.flatnonzero(found.fell_at != NOTHING)
    return rows[np.argsort(found.fell_at[rows], kind="stable")]


def stayed(found: Replay) -> I64:
    """Return for each falling message the number of turns it was there before; NOTHING for everything else."""
    said_at = np.arange(len(found.candidates)) - found.candidates.items.first_message + 1
    return np.where((said_at > 0) & (found.fell_at != NOTHING), found.fell_at - said_at, NOTHING)


def policy_name(found: Replay) -> str:
    """Return the policy and preset of a replay."""
    return f"{found.case.policy_name}/{found.case.preset_name}"


def titled_policy(found: Replay) -> str:
    """Return the title of the policy of a replay, and its preset."""
    return f"{policy_title(found.case.policy_name, type(found.case.policy))}, {found.case.preset_name}"


def broken(found: Replay) -> int:
    """Return how many of the sent prompts do not continue the whole previous prompt."""
    return int((found.is_broken & found.is_sent).sum())


def time_of(found: Replay, place: int) -> datetime | None:
    """Return the time of the newest message of a turn; None if the file has none."""
    return found.case.chosen.parts.messages[int(found.turns[place]) - 1].time


def time_text(found: Replay, place: int) -> str:
    """Return the time of the newest message of a turn to the minute; "" where the file has none."""
    time = time_of(found, place)
    return written_time(time) if time else ""


def lane_figures(found: Replay) -> tuple[str, str, str]:
    """Return the figures of all turns for the lanes: items fallen, prompts in a cache, and cost."""
    if not len(found):
        return "", "", ""
    most = int(found.fallen.max())
    fell = f"{figures(int(found.fallen.sum()))} in all, {figures(most)} at most" if most else "nothing falls"
    sent = int(found.is_sent.sum())
    cached = f"{broken(found):,} of {counted(sent, 'sent prompt')} broke the prefix" if found.has_all_sent else ""
    return fell, cached, _cost_figures(found)


def _cost_figures(found: Replay) -> str:
    spending = found.spending()
    if spending is None or not found.has_all_sent:
        return UNKNOWN_PRICE if spending is None else "in all only once every prompt is replayed"
    return spending_words(spending, bool(found.estimated[found.is_sent].any()), " in all")


def spending_words(spending: Spending, estimated: bool, alone: str) -> str:
    """Return a cost without the provider's cache, described by `alone`, and with it: a saving or a loss.

    $0.0720 in all, $0.0900 with the cache: 25.0 % more.
    """
    without = f"{dollars(spending.without, estimated)}{alone}"
    if spending.cached is None:
        return f"{without}; the rule of its cache is not known"
    with_cache = f"{without}, {dollars(spending.cached, estimated)} with the cache"
    return f"{with_cache}: {_changed(spending.change or 0.0)}"


def _changed(change: float) -> str:
    words = percentage(abs(change))
    if words == percentage(0.0):
        return "the same"
    return f"{words} more" if change > 0 else f"{words} less"


def cache_sentence(found: Replay) -> str:
    """Describe the rule of the cache by which all turns are priced; "" where none is known."""
    if found.scheme is None:
        return ""
    least = f"{found.scheme.rule}; nothing below {counted(found.scheme.minimum, 'token')}."
    return f"{least} Prompts without a time are taken as still kept." if found.assumes_alive else least


def lane_figures_at(found: Replay, place: int) -> tuple[str, str, str]:
    """Return the figures of a turn for the lanes."""
    cost, total = float(found.paid[place]), int(found.totals[place])
    price = "" if np.isnan(cost) else f"{dollars(cost, bool(found.estimated[place]))} here"
    share = f"{percentage(int(found.shared[place]) / total, 0)} here{_read_share(found, place)}" if total else ""
    return f"{figures(int(found.fallen[place]))} here", share, price


def _read_share(found: Replay, place: int) -> str:
    """Return how much of the prompt is read from the cache, after how much it shares."""
    if found.scheme is None:
        return ""
    return f", {percentage(int(found.read[place]) / int(found.totals[place]), 0)} read from the cache"


def heavy_turns(found: Replay) -> Rows:
    """Return the turns at which much falls: at least as much as on average where anything does."""
    there = found.fallen[found.fallen > 0]
    return found.turns[found.fallen >= there.mean()] if len(there) else found.turns[:0]


def lasting_sentence(found: Replay) -> str:
    """Describe how long messages last: how far back the last prompt reaches, and when half of the fallen were gone."""
    turns = stayed(found)
    turns = turns[turns != NOTHING]
    if not len(found) or not len(turns):
        return "No message falls out of the prompt." if len(found) else ""
    half = f"Half of the messages that fall out are gone {counted(int(np.median(turns)), 'turn')} after they were said."
    return f"{half} The last prompt reaches {counted(int(found.horizon[-1]), 'message')} back."


def caption(found: Replay, place: int) -> str:
    """Describe a turn for an audience: what no longer fits, and the missing room."""
    if found.refused[place]:
        return "This policy refuses to make a prompt here."
    if len(found.falls[place].rows):
        return fall_caption(found.candidates, found.falls[place])
    reach = int(found.horizon[place])
    return f"The prompt reaches {counted(reach, 'message')} back." if reach else "No message is in the prompt."


def fall_headline(candidates: Candidates, fall: Fall) -> str:
    """Describe a fall in a few words, for a large line: "14 things fall out of the prompt, 2 are shortened."."""
    dropped = int((fall.actions == Action.DROPPED).sum())
    shortened = len(fall.rows) - dropped
    if len(fall.rows) > 1 and not dropped:
        return f"{figures(shortened)} things are shortened from now on."
    if len(fall.rows) > 1:
        fallen = "1 thing falls" if dropped == 1 else f"{figures(dropped)} things fall"
        others = f", {figures(shortened)} {'is' if shortened == 1 else 'are'} shortened" if shortened else ""
        return f"{fallen} out of the prompt{others}."
    name, action = item_name(candidates, int(fall.rows[0])), Action(int(fall.actions[0]))
    return f"{name} falls out of the prompt." if action == Action.DROPPED else f"{name} is {word(action)} from now on."


def fall_caption(candidates: Candidates, fall: Fall) -> str:
    """Describe a fall by its newest dropped item: "Message 40 no longer fits: …" with the number of others."""
    dropped = np.flatnonzero(fall.actions == Action.DROPPED)
    chosen = int(dropped[-1]) if len(dropped) else len(fall.rows) - 1
    more = len(fall.rows) - 1
    others = f" {counted(more, 'other item')} {'falls' if more == 1 else 'fall'} with it." if more else ""
    return f"{_fall_sentence(candidates, fall, chosen)}{others}"


def _fall_sentence(candidates: Candidates, fall: Fall, chosen: int) -> str:
    """Describe the outcome of a single fallen item."""
    name, action = item_name(candidates, int(fall.rows[chosen])), Action(int(fall.actions[chosen]))
    if action != Action.DROPPED:
        return f"{name} is {word(action)} from now on."
    left, needed = int(fall.left[chosen]), int(fall.needed[chosen])
    if left == NO_LIMIT or left >= needed:
        return f"{name} is no longer in the prompt."
    return f"{name} no longer fits: {counted(left, 'token')} left, it needs {figures(needed)}."


def item_name(candidates: Candidates, row: int) -> str:
    """Return the displayed name of an item: Message 40, The memory M 12."""
    kind = Kind(int(candidates.kind[row]))
    title = title_in(candidates.items, row)
    return title if kind == Kind.MESSAGE else f"The {_THINGS.get(kind, word(kind))} {title}"


_THINGS = {Kind.LORE: "lore entry", Kind.SYSTEM: "system prompt"}


def prefix_sentence(found: Replay, place: int) -> str:
    """Describe how much of a turn's prompt begins as the last one did, where this part ends, and what a cache does."""
    shared, total = int(found.shared[place]), int(found.totals[place])
    if not total:
        return "No prompt."
    whole = counted(total, "token", estimated=bool(found.estimated[place]))
    last = "the last prompt" if found.has_all_sent else "the last replayed prompt"
    said = f"{figures(shared)} of {whole} begin as {last} did ({percentage(shared / total)})"
    if found.is_broken[place]:
        return f"{said}; then {_replaced(found, place)}.{_cache_words(found, place)}"
    return f"{said}; the rest goes on from there.{_cache_words(found, place)}"


def _replaced(found: Replay, place: int) -> str:
    """Describe what differs where the prompt stops being the last one."""
    was, now = int(found.was[place]), int(found.breaks[place])
    if now == NOTHING == was:
        return "a text that is no item differs, such as a summary"
    if now == NOTHING:
        return f"the prompt ends where {called(found.candidates, was)} stood"
    stands = called(found.candidates, now)
    if was == NOTHING:
        return f"{stands} stands where the last prompt ended"
    if was == now:
        return f"the text at {stands} differs"
    return f"{stands} stands where {called(found.candidates, was)} stood"


def _cache_words(found: Replay, place: int) -> str:
    """Describe what a prompt reads from the cache of its provider and writes to it."""
    if found.scheme is None:
        return ""
    read, written = int(found.read[place]), int(found.written[place])
    if not read and not written:
        return " Nothing is read from the cache."
    told = [f"{figures(read)} read from it"] if read else []
    told += [f"{figures(written)} written to it"] if written else []
    return f" The cache: {' and '.join(told)}."


def summary_sentence(found: Replay) -> str:
    """Describe all turns in a line: prompts sent, broken prefixes, and the savings of a cache; of some turns only the
    first.
    """
    sent = int(found.is_sent.sum())
    if not found.has_all_sent:
        some = f"{sent:,} of {counted(found.sent_in_all, 'sent prompt')} replayed"
        return f"{some}; broken prefixes and the cost of all need every one"
    said = f"{counted(sent, 'prompt')} sent, {broken(found):,} broke the prefix"
    spending = found.spending()
    if spending is None:
        return f"{said}, {UNKNOWN_PRICE}"
    estimated = bool(found.estimated[found.is_sent].any())
    told = f"{said}, {spending_words(spending, estimated, ' without a cache of prompts')}"
    return f"{told} (no times: taken as still kept)" if found.assumes_alive else told


def summary_sentences(found: Replay) -> list[str]:
    """Return the line of all turns with its policy; if every one is replayed, also where the prefix first breaks, and
    the rule of the cache.
    """
    more = (first_break_sentence(found), cache_sentence(found)) if found.has_all_sent else ()
    return [headed_summary(found), *filter(None, more)]


def first_break_sentence(found: Replay) -> str:
    """Describe the first sent prompt that does not continue the whole one before; "" if all do."""
    places = np.flatnonzero(found.is_broken & found.is_sent)
    if not len(places):
        return ""
    place = int(places[0])
    return f"The prefix first breaks at turn {int(found.turns[place]):,}: {_replaced(found, place)}."


def headed_summary(found: Replay) -> str:
    """Return the line of all turns with its policy."""
    return f"{policy_name(found)}: {summary_sentence(found)}"
