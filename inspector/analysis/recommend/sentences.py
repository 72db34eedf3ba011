"""The sentences of the screen: the result of a search for a window, and its progress."""

from collections.abc import Iterator
from math import ceil

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.ceiling import Ceiling
from inspector.analysis.recommend.interval import MOST_NEEDED
from inspector.analysis.recommend.learning import enough
from inspector.analysis.recommend.rendered import Rendered
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.figures import counted, percentage, points

NOTHING_TRIED = (
    "Run tries a few hundred settings for each window; each conversation is left out of the whole search once."
)
OTHER_SETTING = "This is about a setting that is no longer the current one: Run searches again."
_NOTICED = 0.05
"""Fewer points are not worth a word."""
RETRIEVES_NOTHING = "The current setting retrieves nothing: no prompt has a memory, lore or a passage."
_SAMPLES = {False: "conversations", True: "parts of the conversation"}
MAY_BE_CHANCE = "may be chance"
OTHER_FILES = "This is about the files open before: Run searches again."


def verdict(found: Searched, place: int) -> str:
    """Return the advice on a window in a word."""
    if found.in_use == place:
        return "in use"
    advice = found.windows[place]
    word = "change" if advice.changes else MAY_BE_CHANCE if advice.may_be_chance else "keep"
    return word if found.recommendation.is_whole else f"{word}?"


def standing(found: Searched) -> str:
    """Return the state of the whole table: partial, of another setting, in use, or complete."""
    made = found.recommendation
    said = []
    if found.is_old:
        said.append(OTHER_SETTING if found.is_of_open else OTHER_FILES)
    if not made.is_whole:
        ended = "The search was stopped, and this is" if found.stopped else "This is"
        said.append(f"{ended} partial: by {counted(made.probes, 'question')} so far.")
    if found.is_used and found.used is not None:
        said.append(f"A setting for {found.used[0]:,} tokens is in use; “now” is the one before it.")
    if made.is_whole and not found.is_old:
        said.append(f"By {counted(made.probes, 'question')}, with {made.terms.reply:,} tokens left for the reply.")
    return " ".join([*said, *made.notes])


def advice_sentences(found: Searched, place: int) -> Iterator[str]:
    """Yield the sentences about a window, the most important first."""
    advice = found.windows[place]
    in_use, first = found.in_use == place, headline(found, place)
    first = first if found.recommendation.is_whole else f"So far: {first[0].lower()}{first[1:]}"
    yield _in_use(advice) if in_use else first
    yield from _gain_sentences(advice)
    if advice.current.fits < 1:
        now, then = percentage(advice.current.fits), percentage(advice.best.fits)
        before, after = ("Before", "now") if in_use else ("Now", "then")
        yield f"{before} {now} of the prompts leave room for the reply, {after} {then}."
    if retrieves_nothing(advice):
        yield RETRIEVES_NOTHING
    yield from window_sentences(found, place)


def retrieves_nothing(advice: WindowAdvice) -> bool:
    """Return whether no counted prompt of the current setting has a memory, lore or a passage."""
    return advice.rendered_now is not None and not advice.rendered_now.retrieved


def window_sentences(found: Searched, place: int) -> Iterator[str]:
    """Yield the sentences about a window that hold for all of its settings."""
    advice = found.windows[place]
    if advice.binds:
        names = ", ".join(found.label(advice.best.scenario, name) for name in advice.binds)
        yield f"What holds the current setting back: {names}."
    yield from limit_sentences(advice)
    yield from _learning_sentences(found)


def limit_sentences(advice: WindowAdvice) -> Iterator[str]:
    """Yield the measured size of the recommended prompts, and the recall that a window of this size allows."""
    if advice.rendered is not None:
        yield rendered_sentence(advice.context_window, advice.rendered)
    if advice.ceiling is not None:
        yield from _ceiling_sentences(advice, advice.ceiling)


def rendered_sentence(window: int, prompts: Rendered) -> str:
    """Return the tokens of recommended prompts as counted on their texts, beside the plan and the window."""
    return (
        f"Counted on their texts, {counted(prompts.prompts, 'prompt')} of the best setting have {prompts.tokens:,.0f} "
        f"tokens on average ({prompts.planned:,.0f} planned); the largest has {prompts.largest:,} of {window:,}."
    )


def _in_use(advice: WindowAdvice) -> str:
    before, now = percentage(advice.current.recall_with_memories), percentage(advice.best.recall_with_memories)
    return f"In use: the prompts hold {now} of the needed items, and {before} before."


def _ceiling_sentences(advice: WindowAdvice, ceiling: Ceiling) -> Iterator[str]:
    """Yield the recall of the best way of comparing, the loss by division, and the recall of the newest messages."""
    lost = 100 * (ceiling.found - advice.best.recall_with_memories)
    rest = f", {lost:.1f} points of which are lost by how the room is divided" if lost >= _NOTICED else ""
    yield f"The best way of comparing ({ceiling.way}) brings {percentage(ceiling.found)} into this window{rest}."
    newest = percentage(ceiling.newest)
    yield f"The newest messages alone, as many as fit, would hold {newest}{_parts(advice, ceiling)}."


def _parts(advice: WindowAdvice, ceiling: Ceiling) -> str:
    """Return the parts of the gain in recall that come from filling the window and from comparing; "" without a gain.

    The newest messages that fill the window are chosen without looking at the question.
    """
    now, then = advice.current.recall_with_memories, advice.best.recall_with_memories
    more, filled = 100 * (then - now), 100 * (min(max(ceiling.newest, now), then) - now)
    if more < _NOTICED:
        return ""
    return f": about {filled:.1f} of the {more:.1f} points gained come from filling the window, the rest from comparing"


def headline(found: Searched, place: int) -> str:
    """Return the advice on a window in a sentence: its recall, the recall to compare with, the interval, the reason."""
    advice = found.windows[place]
    now, then = percentage(advice.current.recall_with_memories), percentage(advice.best.recall_with_memories)
    if advice.best == advice.current:
        return f"Keep the current setting, which holds {now}{_beside_shipped(advice)}: nothing better was found."
    if not advice.changes:
        return (
            f"The prompts hold {now} of the needed items now, and {then} with the best setting found, which may be "
            f"chance{_needed_to_decide(found, advice)}. It can be applied all the same."
        )
    if advice.best.recall_with_memories < advice.current.recall_with_memories:
        return (
            f"Ship this, which fits: {percentage(advice.best.fits)} of its prompts leave room for the reply, "
            f"{percentage(advice.current.fits)} do now. They hold {then} of the needed items instead of {now}."
        )
    return f"Ship this: the prompts hold {then} of the needed items instead of {_before(advice)}{_why(found, place)}."


def _before(advice: WindowAdvice) -> str:
    """Return the recall to compare with, and the interval of the gain: of the best shipped setting, else of now."""
    shipped, now = advice.baseline, percentage(advice.current.recall_with_memories)
    if shipped is None or shipped == advice.current:
        return now if advice.interval is None else f"{now}, {_surely(advice.interval)}"
    over = "" if advice.over_interval is None else f", {_surely(advice.over_interval)}"
    return f"{percentage(shipped.recall_with_memories)} (the best shipped setting that fits){over}, and {now} now"


def _surely(interval: tuple[float, float]) -> str:
    return f"a gain of {interval_text(interval)} points on conversations that the search did not see"


def _beside_shipped(advice: WindowAdvice) -> str:
    shipped = advice.baseline
    if shipped is None or shipped == advice.current:
        return ""
    return f" (the best shipped setting that fits: {percentage(shipped.recall_with_memories)})"


def _why(found: Searched, place: int) -> str:
    """Return the difference that costs most recall if it is put back; "" before that is known."""
    advice, setting = found.windows[place], found.windows[place].best.scenario
    named = {each.name: each for each in found.differences[place]}
    most = next((named[name] for name in advice.binds if name in named), None)
    if most is None or most.before is None:
        return ""
    before, after = (found.value_text(setting, most.name, value) for value in (most.before, most.after))
    return f"; mostly because “{found.label(setting, most.name)}” is {after} instead of {before}"


def _needed_to_decide(found: Searched, advice: WindowAdvice) -> str:
    """Return how many more conversations, or questions on the only one, would tell the gain from chance."""
    if len(advice.gains) < 2:
        return ": questions about another conversation would tell"
    if not advice.is_short_of_samples:
        return ""
    if advice.needed is None:
        return f": a gain so small takes more than {MOST_NEEDED:,} {_SAMPLES[found.recommendation.is_of_one]} to tell"
    more = max(1, advice.needed - len(advice.gains))
    if found.recommendation.is_of_one:
        questions = ceil(more * sum(each.probes for each in advice.gains) / len(advice.gains))
        return f": about {counted(questions, 'more question')} like these would decide"
    return f": about {counted(more, 'more conversation')} like these {len(advice.gains)} would decide"


def _gain_sentences(advice: WindowAdvice) -> Iterator[str]:
    if not advice.gains:
        yield "The gain on other conversations is not known: there is nothing to leave out."
    elif advice.best != advice.current:
        better = sum(each.gain > 0 for each in advice.gains)
        yield (
            f"On conversations unseen by the search it gains {points(advice.gain)} points "
            f"({interval_text(advice.interval)}); held on {better} of {len(advice.gains)}."
        )


def _learning_sentences(found: Searched) -> Iterator[str]:
    curve = found.recommendation.learning
    number = enough(curve)
    if number is not None and number < curve[-1].probes:
        yield f"About {counted(number, 'question')} would have chosen as well."
