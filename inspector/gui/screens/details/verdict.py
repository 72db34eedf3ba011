"""The outcome of an item in a sentence, and the paragraph behind it, with links to the items it names."""

from collections.abc import Mapping

from inspector.assembly import reasons
from inspector.assembly.columns import Action, Fate, Section, outcome_tone, phrase, section_title
from inspector.assembly.compaction import Compaction, summary_id
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import decider_of, decision_sentence
from inspector.assembly.numbers import called
from inspector.assembly.reasons import Reason
from inspector.assembly.recorded import recorded_sentence
from inspector.assembly.summary_items import action_of, summary_reason
from inspector.figures import counted, figures
from inspector.gui.parts.page import link, plain, verdict
from inspector.gui.theme import ACTION_GLYPH, theme, tone_color
from inspector.secrets import masked

DECIDER_LINK, INCLUDE_LINK = "item:decider", "item:include"
SUMMARY_LINK, TOLD_LINK = "item:summary", "item:told"

_BUDGET_WAS_FULL = "{Owner} budget was full."
_HEADLINES: Mapping[Reason, str] = {
    reasons.ALWAYS: "This policy always puts it in.",
    reasons.FIRST_SYSTEM: "This policy always puts it in.",
    reasons.WITHIN_BUDGET: "It fits {owner} budget.",
    reasons.GETS_ITS_SHARE: "It fits its share.",
    reasons.EVERYTHING_FITS: "No limit applies to it.",
    reasons.ALL_FITS: "Everything fits.",
    reasons.LONGEST_THAT_FITS: "It is in the longest part that fits.",
    reasons.GUARANTEED: "It is among the newest, which always stay.",
    reasons.FIRST_CHUNK: "It scored best of all that was retrieved.",
    reasons.PINNED: "It is pinned.",
    reasons.REQUIRED: "It is marked as required.",
    reasons.SUMMARY: "Its stored summary stands in its place.",
    reasons.PREVIEW: "Its first 100 characters stand in its place.",
    reasons.CUT: "Only its beginning is in the prompt.",
    reasons.CUT_MIDDLE: "Only its beginning and end are in the prompt.",
    reasons.OVER_BUDGET: "It did not fit into {owner} budget.",
    reasons.AFTER_STOP: _BUDGET_WAS_FULL,
    reasons.AFTER_MISFITS: "Too many before it did not fit.",
    reasons.NOT_IN_BEST: "Others score more in the same room.",
    reasons.NOT_IN_DENSEST: "Others score more for each token.",
    reasons.NOT_IN_BUCKETS: "Others score more in the same room.",
    reasons.NOT_IN_FIRST: "It is not among the first that are ranked.",
    reasons.NOT_RETRIEVED: "It was not retrieved.",
    reasons.NOT_RECALLED: "It was not retrieved.",
    reasons.NOT_READ: "It is too far back to be read.",
    reasons.NOTHING_RETRIEVED: "There was no room to retrieve anything.",
    reasons.COMMAND: "It is a command, or the answer to one.",
    reasons.GREETED: "The conversation has begun.",
    reasons.GREETING_FIRST: "It opens the conversation.",
    reasons.REPEATED: "Its message is in the prompt already.",
    reasons.DUPLICATE: "Another component says the same.",
    reasons.DISABLED: "It is disabled in its lorebook.",
    reasons.FILTERED: "This policy has no place for it.",
    reasons.INACTIVE: "Nothing activated it.",
    reasons.SWITCHED_OFF: "It is blank, or its condition is not met.",
    reasons.EMERGENCY: "There was no room beside the system message.",
    reasons.EMERGENCY_CUT: "The system message fills the whole limit.",
    reasons.OLD_FILLER: "It is too old to be summarized.",
    reasons.FILLER: "It is filler.",
    reasons.EXCLUDED: "It was left out before any policy saw it.",
    reasons.NOT_YET: "It does not exist yet at this turn.",
    reasons.BEFORE_THE_PART: "It is older than the part that fits.",
    reasons.BEGINS_WITH_A_REPLY: "The prompt may not begin with it.",
}


def headline(assembly: Assembly, row: int) -> str:
    """Return the reason of a row as a short sentence."""
    reason = assembly.reason_of(row)
    owner = _possessive(section_title(Section(int(assembly.section[row]))).lower())
    words = _HEADLINES.get(reason) or f"{reason.label[:1].upper()}{reason.label[1:]}."
    return words.replace("{owner}", f"the {owner}").replace("{Owner}", f"The {owner}")


def outcome(assembly: Assembly, row: int) -> str:
    """Return the outcome of a row with its glyph, such as `✕ Dropped`."""
    fate = Fate(int(assembly.fate[row]))
    return f"{ACTION_GLYPH[fate]} {phrase(fate).capitalize()}".lstrip()


def verdict_page(assembly: Assembly, row: int, is_before: bool = False) -> str:
    """Return the HTML of the sentence about a row, and of the paragraph that explains it; faint for a prompt before."""
    tone, faint = outcome_tone(Fate(int(assembly.fate[row]))), theme().muted_text if is_before else None
    ink = faint or (tone_color(tone) if tone else theme().text)
    first = f'<span style="color:{ink.name()};">{plain(outcome(assembly, row))}.</span>'
    sentence = verdict(f"{first} {plain(headline(assembly, row))}", faint)
    return sentence + _why(assembly, row) + _recorded(assembly, row)


def _why(assembly: Assembly, row: int) -> str:
    """Return the paragraph, with a link to the item that decided; it follows the sentence that names the outcome."""
    whole, decider = decision_sentence(assembly, row), decider_of(assembly, row)
    words = whole.partition(". ")[2]
    if assembly.into is not None and (number := int(assembly.into[row])):
        return _prose(f"{plain(words)} {_told_by(number)}")
    if decider is None:
        again = f" {link(INCLUDE_LINK, 'Use it again')}." if assembly.reason_of(row) is reasons.EXCLUDED else ""
        return _prose(plain(words) + again)
    # The link is the same for every item, so that moving a slider replaces only text.
    named = called(assembly.candidates, decider.row)
    ending = f" {link(DECIDER_LINK, named[:1].upper() + named[1:])}."
    return _prose(plain(f"{words} {decider.words}") + ending)


def _told_by(number: int) -> str:
    return f"It is told by {link(SUMMARY_LINK, summary_id(number), 'Show this summary')}."


def summary_page(summary: Compaction) -> str:
    """Return the HTML of the sentence about a summary of the program, with links to its messages, and of its text."""
    action, reason = action_of(summary), summary_reason(summary)
    tone = outcome_tone(action)
    first = f'<span style="color:{(tone_color(tone) if tone else theme().text).name()};">{plain(_said(action))}.</span>'
    sentence = verdict(f"{first} {plain(reason.label[:1].upper() + reason.label[1:])}.")
    told = link(TOLD_LINK, counted(summary.told, "message"), "Show only these in the table")
    words = f"{plain(figures(summary.size, estimated=True))} tokens, sent as {plain(summary.role)}, for {told}."
    newer = f" {_told_by(summary.into)}" if summary.into else ""
    text = f'<p style="white-space:pre-wrap;margin:8px 0px 0px 0px;">{plain(masked(summary.text))}</p>'
    return sentence + _prose(words + newer) + text


def _said(action: Action) -> str:
    return f"{ACTION_GLYPH[Fate(int(action))]} {phrase(action).capitalize()}".lstrip()


def _recorded(assembly: Assembly, row: int) -> str:
    """Return the outcome of a message as recorded by the program that wrote the file, "" without a recording."""
    sentence = recorded_sentence(assembly.candidates.things[row])
    return _prose(plain(sentence)) if sentence else ""


def _prose(html: str) -> str:
    """Return a paragraph in the second ink."""
    return f'<p style="margin:0px 0px 4px 0px;color:{theme().second_text.name()};line-height:120%;">{html}</p>'


def _possessive(noun: str) -> str:
    return f"{noun}'" if noun.endswith("s") else f"{noun}'s"
