"""Reasons: why a candidate was kept, summarized, truncated or dropped, with the sentence that says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason code of the contract, a few words for tables, and the sentence for a person.

    The sentence may use these fields: {thing} {section} {tokens} {spent} {left} {limit} {missing} {place} {score}.
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
    "The {section} budget{limit} had {left} left when {thing}, which needs {tokens}, was decided{place}: "
    "{missing} too few.",
)
AFTER_STOP = Reason(
    "after_stop",
    "after the budget was full",
    "The {section} budget{limit} was closed by an earlier misfit, and nothing after that is considered{place}.",
)
NOT_RETRIEVED = Reason(
    "not_retrieved", "not retrieved", "{thing} was not among the most similar that are considered for ranking."
)
FILTERED = Reason("filtered", "not placed", "This policy has no place for {thing} as it stands.")
INACTIVE = Reason(
    "filtered", "not activated", "No key of this lorebook entry occurs in the newest four messages, or it is disabled."
)
SWITCHED_OFF = Reason("filtered", "switched off", "This component is blank, or its condition is not met.")
OLD_FILLER = Reason(
    "old_filler",
    "old and unmarked",
    "{thing} is older than the newest messages that are summarized, and is not marked.",
)
EXCLUDED = Reason("excluded", "excluded", "{thing} is excluded, by the file or by you, before any policy sees it.")
NOT_YET = Reason("not_yet", "later than this turn", "{thing} does not exist yet at the turn that is being replayed.")
NOT_DECIDED = Reason("not_decided", "not decided", "The policy stopped with an error before {thing} was decided.")
