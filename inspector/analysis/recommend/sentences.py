"""The sentences of the screen: the result of a search for a window, and its progress."""

from collections.abc import Iterator

from inspector.analysis.recommend.advice import WindowAdvice
from inspector.analysis.recommend.learning import enough
from inspector.analysis.recommend.searched import Searched, interval_text
from inspector.figures import counted, percentage, points

NOTHING_TRIED = (
    "Run tries a few hundred settings for each window; each conversation is left out of the whole search once."
)
OTHER_SETTING = "This is about a setting that is no longer the current one: Run searches again."
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
    in_use, first = found.in_use == place, _first_sentence(advice)
    first = first if found.recommendation.is_whole else f"So far: {first[0].lower()}{first[1:]}"
    yield _in_use(advice) if in_use else first
    yield from _gain_sentences(advice)
    if advice.current.fits < 1:
        now, then = percentage(advice.current.fits), percentage(advice.best.fits)
        before, after = ("Before", "now") if in_use else ("Now", "then")
        yield f"{before} {now} of the prompts leave room for the reply, {after} {then}."
    yield from window_sentences(found, place)


def window_sentences(found: Searched, place: int) -> Iterator[str]:
    """Yield the sentences about a window that hold for all of its settings."""
    advice = found.windows[place]
    if advice.binds:
        names = ", ".join(found.label(advice.best.scenario, name) for name in advice.binds)
        yield f"What holds the current setting back: {names}."
    if advice.ceiling is not None:
        yield (
            f"{percentage(advice.ceiling.coverage)} of the evidence is within reach of this setting; "
            f"most that could fit: {percentage(advice.ceiling.oracle)}."
        )
    yield from _learning_sentences(found)


def _in_use(advice: WindowAdvice) -> str:
    before, now = percentage(advice.current.recall_with_memories), percentage(advice.best.recall_with_memories)
    return f"In use: the prompts hold {now} of the needed items, and {before} before."


def _first_sentence(advice: WindowAdvice) -> str:
    now, then = percentage(advice.current.recall_with_memories), percentage(advice.best.recall_with_memories)
    if advice.changes:
        return f"Change: the prompts hold {now} of the needed items now, and {then} then."
    if advice.best == advice.current:
        return f"Keep the current setting, which holds {now}: nothing better was found."
    return (
        f"The prompts hold {now} of the needed items now, and {then} with the best setting found, which may be "
        "chance. It can be applied all the same."
    )


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
