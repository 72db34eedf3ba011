"""Reasons given by the policies of chat programs and servers only."""

from inspector.assembly.reasons import Reason

EMPTY_MESSAGE = Reason("filtered", "empty", "{thing} is empty, and an empty message is not sent.")
NO_EXAMPLES = Reason("filtered", "examples left out", "The setting never includes example dialogue, such as {thing}.")
FIXED_TEXT = Reason(
    "always", "fixed text", "{thing} is part of the fixed text, which is sent whatever it costs ({tokens} tokens)."
)
FIXED_MISFIT = Reason(
    "over_budget",
    "fixed prompt does not fit",
    "{thing} is a fixed prompt, and each of these must fit in its turn: {left} tokens were left, too few for it. "
    "SillyTavern stops there and sends only the prompts before it.",
)
AFTER_FIXED_MISFIT = Reason(
    "after_stop",
    "after one that does not fit",
    "A fixed prompt before {thing} did not fit. SillyTavern stops there and sends only the prompts before it.",
)
SOME_EXAMPLES = Reason(
    "cut", "some examples", "Only the first blocks of {thing} fit: {spent} of {tokens} tokens are in the prompt."
)
IGNORES_BUDGET = Reason(
    "always", "ignores the budget", "{thing} is set to ignore the budget of lore, so it is always in ({tokens} tokens)."
)
CUT_AWAY = Reason(
    "emergency",
    "tokens cut away",
    "All tokens of {thing} are in the part of the prompt that is cut away to fit it into the context.",
)
PARTLY_CUT = Reason(
    "cut", "tokens cut away", "A cut of the prompt goes through {thing}: {spent} of {tokens} tokens are left."
)
NEVER_OLDEST = Reason(
    "within_budget",
    "in the part that fits",
    "The oldest messages are dropped until the rest fits, and {thing} ({spent} tokens) is in that rest.",
)
FITS_CONTEXT = Reason("within_budget", "in the context", "{thing} ({spent} tokens) is in the part that fits.")
BEGINNING_ONLY = Reason(
    "cut", "cut to fit", "Alone {thing} is too long, so only its beginning is sent: {spent} of {tokens} tokens."
)
CUT_TO_NOTHING = Reason("emergency", "cut to nothing", "Alone {thing} is too long, and no token is left for it.")
BELOW_THRESHOLD = Reason(
    "within_budget", "nothing is folded", "Nothing is folded into a summary, so {thing} ({spent} tokens) stays."
)
AFTER_FOLDED = Reason(
    "within_budget", "after the fold", "Only messages before {thing} are folded into a summary ({spent} tokens)."
)
FOLDED = Reason(
    "compacted",
    "folded into a summary",
    "{thing} is among the older messages, which a summary of the model stands for. It is not made here.",
)
LAST_ALWAYS = Reason("always", "newest message", "The newest message always stays, whatever it costs ({spent} tokens).")
LOST_CALL = Reason("after_stop", "lost its call", "{thing} is the result of a tool call that is not in the prompt.")


def oldest_dropped(needed: int, limit: int) -> Reason:
    """Return the reason for messages dropped from the front because all together are over a limit."""
    sentence = f"All messages need {needed:,} tokens of a context of {limit:,}, so the oldest are dropped, one by one, "
    return Reason("over_budget", "among the oldest", sentence + "until the rest fits: {thing} ({cost} tokens) went.")


EXAMPLES = (oldest_dropped(9_000, 4_096),)
"""Examples of the reasons that name figures of a case."""
