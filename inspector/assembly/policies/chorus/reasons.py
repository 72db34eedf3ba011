"""Reasons specific to Chorus Engine's code, with their sentences. Other modules decide which applies."""

from inspector.assembly.reasons import Reason

ALL_DOCUMENTS = Reason(
    "within_budget",
    "no limit applied",
    "Every excerpt of a document is kept ({spent} tokens here): this system computes a {section} limit{limit} and "
    "never applies it.",
)
NO_QUERY = Reason("not_retrieved", "no query", "There is no user message or query to compare {thing} with.")
SAME_CONVERSATION = Reason("filtered", "this conversation", "{thing} is about this conversation itself.")
BEYOND_CAP = Reason(
    "not_retrieved",
    "enough are taken",
    "The prompt already has enough past conversations that are more similar to the query.",
)
SUMMARY_FITS = Reason(
    "within_budget", "fits the block", "The block of past conversations fits into the {section} budget{limit}."
)
SUMMARY_UNLIMITED = Reason(
    "within_budget",
    "no limit",
    "The {section} limit is 0, which means no limit in this system, so {thing} stays ({spent} tokens).",
)
SUMMARY_TOO_MUCH = Reason(
    "over_budget",
    "the block does not fit",
    "The block of past conversations exceeds the {section} budget{limit}; the least similar are dropped until it fits, "
    "and {thing} ({tokens} tokens) is one of them.",
)
OTHER_TYPE = Reason("filtered", "type not recalled", "This system does not recall memories of the type of {thing}.")
NOT_APPROVED = Reason("filtered", "not approved", "{thing} is not approved.")
PASSING = Reason("filtered", "ephemeral", "{thing} is marked as ephemeral, so it does not last.")
OTHER_PLATFORM = Reason(
    "filtered",
    "another platform",
    "{thing} comes from another platform than this conversation.",
)
OTHER_THREAD = Reason(
    "filtered",
    "another thread",
    "{thing} belongs to another thread, and memories of its type stay in theirs.",
)
MANY_ENOUGH = Reason(
    "over_budget", "more than the cap", "{thing} would fit, but the policy takes no more memories than its cap{order}."
)
NOT_READ = Reason(
    "not_retrieved",
    "not read",
    "This system reads a fixed number of messages of a conversation, and {thing} is beyond them.",
)
SCENE = Reason("filtered", "scene capture", "{thing} marks a captured scene and is not part of the talk.")
ERROR_TEXT = Reason(
    "filtered", "an error message", "{thing} is an error message of the system itself, hidden from the model."
)
BLANK = Reason("filtered", "blank", "Nothing is left of {thing} but white space.")
CUT_AT_ERROR = Reason(
    "cut",
    "cut at an error message",
    "An error message of the system itself begins inside it, and only the text before is kept: {spent} of {tokens} "
    "tokens.",
)
FILLER = Reason("filler", "filler", "{thing} is old and says little more than okay or thanks.")
EARLIER = Reason(
    "preview",
    "beginning of the text",
    "The file has no summary of it, so up to 100 of its first characters stand in its place: {spent} tokens instead of "
    "{tokens}.",
)
ALONE = Reason(
    "guaranteed",
    "the newest alone",
    "Even the newest message alone exceeds the {section} budget{limit}, and it is kept nevertheless ({spent} tokens).",
)
TRAILING = Reason(
    "trailing",
    "after the last user message",
    "The conversation has to end with a message of the user, so {thing} after it is removed.",
)


def below_threshold(threshold: float) -> Reason:
    """Return the reason for an item less similar to the query than its type requires."""
    return Reason(
        "below_threshold",
        "not similar enough",
        f"Its similarity of {{score}} is below the {threshold:g} required of {{thing}}.",
    )


EXAMPLES = (below_threshold(0.35),)
"""Examples of the reasons that name figures of a case."""
