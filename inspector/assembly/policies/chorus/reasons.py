"""Reasons specific to Chorus Engine's code, with their sentences. Other modules decide which applies."""

from inspector.assembly.reasons import Reason

ALL_DOCUMENTS = Reason(
    "within_budget",
    "no limit applied",
    "Every document excerpt goes in ({spent} tokens here): this system works out a {section} limit{limit} and never "
    "applies it.",
)
NO_QUERY = Reason("not_retrieved", "no query", "There is no user message or query to compare {thing} with.")
SAME_CONVERSATION = Reason("filtered", "this conversation", "{thing} is of this very conversation.")
BEYOND_CAP = Reason(
    "not_retrieved",
    "enough are taken",
    "Enough past conversations that are more similar to the query are there already.",
)
SUMMARY_FITS = Reason(
    "within_budget", "fits the block", "The block of past conversations fits into the {section} budget{limit}."
)
SUMMARY_UNLIMITED = Reason(
    "within_budget",
    "a limit of 0 is none",
    "The {section} limit is 0, which this system takes for no limit at all, so {thing} stays ({spent} tokens).",
)
SUMMARY_TOO_MUCH = Reason(
    "over_budget",
    "the block does not fit",
    "The block of past conversations, with the lines around them, is more than the {section} budget{limit}; the least "
    "similar go until it fits, and {thing} ({tokens} tokens) did.",
)
OTHER_TYPE = Reason("filtered", "type not recalled", "This system does not recall memories of the type of {thing}.")
NOT_APPROVED = Reason("filtered", "not approved", "{thing} is not approved.")
PASSING = Reason("filtered", "ephemeral", "{thing} is marked as ephemeral: it was not meant to last.")
OTHER_PLATFORM = Reason(
    "filtered",
    "another platform",
    "{thing} comes from another platform than this conversation, even if it is a core one.",
)
OTHER_THREAD = Reason(
    "filtered",
    "another thread",
    "{thing} does not belong to the thread of this conversation, and its type calls for that.",
)
MANY_ENOUGH = Reason(
    "over_budget", "more than the cap", "{thing} would fit, but no more memories than the cap are taken{order}."
)
NOT_READ = Reason(
    "not_retrieved",
    "not read",
    "This system reads only so many messages of a conversation, and {thing} is beyond them.",
)
SCENE = Reason("filtered", "scene capture", "{thing} marks a captured scene and is not part of what was said.")
ERROR_TEXT = Reason(
    "filtered", "an error message", "{thing} is an error message of the system itself, which is not shown to the model."
)
BLANK = Reason("filtered", "blank", "Nothing is left of {thing} but white space.")
CUT_AT_ERROR = Reason(
    "cut",
    "cut at an error message",
    "An error message of the system itself begins inside; what stands before it is kept: {spent} of {tokens} tokens.",
)
FILLER = Reason("filler", "filler", "{thing} only says something like okay or thanks, and is old.")
EARLIER = Reason(
    "preview",
    "beginning of the text",
    "It has no stored summary, so its first 100 characters at most stand in its place: {spent} tokens instead of "
    "{tokens}.",
)
ALONE = Reason(
    "guaranteed",
    "the newest alone",
    "Not even the newest message fits into the {section} budget{limit}, and it is kept nevertheless ({spent} tokens).",
)
TRAILING = Reason(
    "trailing",
    "after the last user message",
    "The history has to end with a user message, so {thing} after it is removed.",
)


def below_threshold(threshold: float) -> Reason:
    """Return the reason for an item less similar to the query than its type requires."""
    return Reason(
        "below_threshold",
        "not similar enough",
        f"Its similarity of {{score}} is below {threshold:g}, as {{thing}} needs.",
    )


EXAMPLES = (below_threshold(0.35),)
"""Examples of the reasons that name figures of a case."""
