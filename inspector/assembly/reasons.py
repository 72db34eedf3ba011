"""Reasons: why a candidate was kept, summarized, truncated or dropped, with the sentence that says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason code of the contract, a few words for tables, and the sentence for a person.

    The sentence may use these fields: {thing} {section} {tokens} {cost} {spent} {left} {limit} {missing} {place}
    {score}, with {tokens} of the whole item, {cost} of the form in which it was considered, and {spent} in this prompt.
    Token numbers arrive with thousands separators.
    """

    code: str
    label: str
    sentence: str


ALWAYS = Reason("always", "always in the prompt", "This policy always puts {thing} into the prompt ({tokens} tokens).")
WITHIN_BUDGET = Reason(
    "within_budget",
    "fits the budget",
    "{thing} needs {spent} tokens, and the {section} budget{limit} had {left} left when it was decided{place}.",
)
EVERYTHING_FITS = Reason("within_budget", "no limit", "No limit applies to the {section} here, so everything stays.")
GUARANTEED = Reason(
    "guaranteed",
    "guaranteed",
    "{thing} belongs to the newest part of the conversation, which is kept whatever it costs ({spent} tokens).",
)
PINNED = Reason(
    "pinned", "pinned", "{thing} is pinned: it is kept first, whatever it costs ({spent} tokens, charged to {section})."
)
REQUIRED = Reason(
    "guaranteed", "required", "{thing} is marked as required: it stays whatever it costs ({spent} tokens)."
)
ALL_FITS = Reason(
    "within_budget", "everything fits", "Everything fits into the limit together, so nothing had to be left out."
)
SUMMARY = Reason(
    "summary",
    "stored summary",
    "The stored summary stands in its place: {spent} tokens instead of {tokens}.",
)
PREVIEW = Reason(
    "preview",
    "first 100 characters",
    "It has no stored summary, so its first 100 characters stand in its place: {spent} tokens instead of {tokens}.",
)
CUT = Reason("cut", "cut to a length", "Only its beginning is in the prompt: {spent} of {tokens} tokens.")
OVER_BUDGET = Reason(
    "over_budget",
    "does not fit",
    "The {section} budget{limit} had {left} left when {thing}, which needs {cost}, was decided{place}: "
    "{missing} too few.",
)
AFTER_STOP = Reason(
    "after_stop",
    "after the budget was full",
    "The {section} budget{limit} was closed by an earlier misfit, and nothing after that is considered{place}.",
)
NOT_IN_BEST = Reason(
    "over_budget",
    "not in the best set",
    "The {section} budget{limit} does not hold everything, and the best total score in it is reached without {thing} "
    "({tokens} tokens, score {score}).",
)
NOT_IN_DENSEST = Reason(
    "over_budget",
    "too little score per token",
    "{thing} ({tokens} tokens, score {score}) no longer fitted into the {section} budget{limit} when what has more "
    "score per token had been taken.",
)
NOT_RETRIEVED = Reason(
    "not_retrieved", "not retrieved", "{thing} was not among the most similar that are considered for ranking."
)
NOT_RECALLED = Reason(
    "not_retrieved",
    "not retrieved",
    "The history does not reach back to {thing}, and it is not among the older messages that are most like the query.",
)
REPEATED = Reason("filtered", "already there", "{thing} repeats a message that is in the prompt itself.")
DISABLED = Reason("filtered", "disabled", "{thing} is disabled in its lorebook.")
FILTERED = Reason("filtered", "not placed", "This policy has no place for {thing} as it stands.")
INACTIVE = Reason(
    "filtered", "not activated", "No key of this lorebook entry occurs in the newest four messages, or it is disabled."
)
SWITCHED_OFF = Reason("filtered", "switched off", "{thing} is blank, or its condition is not met.")
GETS_ITS_SHARE = Reason(
    "within_budget", "fits its share", "{thing} ({spent} tokens) is no longer than its share of the characters."
)
DUPLICATE = Reason(
    "duplicate", "says the same", "It begins with the same 200 characters as another component, which stays instead."
)
EMERGENCY = Reason(
    "emergency", "no room beside the system", "The system message alone takes the whole limit, and {thing} had to go."
)
EMERGENCY_CUT = Reason(
    "emergency",
    "system message cut",
    "The system message alone takes the whole limit and was cut here: {spent} of {tokens} tokens are left.",
)
OLD_FILLER = Reason(
    "old_filler",
    "old and unmarked",
    "{thing} is older than the newest messages that are summarized, and is not marked.",
)
EXCLUDED = Reason("excluded", "excluded", "{thing} is excluded, by the file or by you, before any policy sees it.")
NOT_YET = Reason("not_yet", "later than this turn", "{thing} does not exist yet at the turn that is being replayed.")
NOT_DECIDED = Reason("not_decided", "not decided", "The policy stopped with an error before {thing} was decided.")


def taken_out(code: str, order: str, needed: int, limit: int) -> Reason:
    """The reason of what a last check removes again, in an `order` said in words, from a prompt over a total limit."""
    sentence = f"The prompt needed {needed:,} tokens of a total of {limit:,}, so the last check took things out again, "
    return Reason(
        code, "removed by the last check", sentence + order + ", until it fitted: {thing} ({tokens} tokens) went."
    )
