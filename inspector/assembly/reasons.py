"""Reasons: why a candidate was kept, summarized, truncated or dropped, with the sentence for it."""

from typing import NamedTuple


class Reason(NamedTuple):
    """A reason code of the contract, a few words for tables, and the sentence for users.

    The sentence may use these fields: {thing} {section} {tokens} {cost} {spent} {left} {limit} {missing} {order}
    {score} {activation} {who}, with {tokens} of the whole item, {cost} the charge of the form in which it was
    considered, {spent} in this prompt, and {who} the source of an exclusion: the file, or you. Token numbers arrive
    with thousands separators.
    """

    code: str
    label: str
    sentence: str

    @property
    def tells_missing(self) -> bool:
        """Whether its sentence gives the tokens missing from the budget, so tables give them too."""
        return "{missing}" in self.sentence


ALWAYS = Reason("always", "always in the prompt", "This policy always puts {thing} into the prompt ({tokens} tokens).")
WITHIN_BUDGET = Reason(
    "within_budget",
    "fits",
    "{thing} needs {spent} tokens, and the {section} budget{limit} had {left} left at its turn{order}.",
)
EVERYTHING_FITS = Reason("within_budget", "no limit", "No limit applies to the {section} here, so everything stays.")
GUARANTEED = Reason(
    "guaranteed",
    "among the newest",
    "{thing} is among the newest messages, which are always kept ({spent} tokens).",
)
PINNED = Reason(
    "pinned",
    "pinned",
    "{thing} is pinned, so it is kept first, whatever it costs ({spent} tokens of the {section} budget).",
)
REQUIRED = Reason(
    "guaranteed", "required", "{thing} is marked as required, so it stays whatever it costs ({spent} tokens)."
)
ALL_FITS = Reason("within_budget", "everything fits", "Everything fits into the limit, so nothing is left out.")
SUMMARY = Reason(
    "summary",
    "stored summary",
    "The summary in the file stands in its place: {spent} tokens instead of {tokens}.",
)
PREVIEW = Reason(
    "preview",
    "first 100 characters",
    "The file has no summary of it, so its first 100 characters stand in its place: {spent} tokens instead of "
    "{tokens}.",
)
CUT = Reason("cut", "cut to a length", "Only its beginning is in the prompt: {spent} of {tokens} tokens.")
CUT_MIDDLE = Reason(
    "cut", "middle cut out", "Only its beginning and its end are in the prompt: {spent} of {tokens} tokens."
)
INPUTS_CLEARED = Reason(
    "cleared",
    "arguments cleared",
    "The results of its calls are cleared, and the arguments of these calls went with them.",
)
OVER_BUDGET = Reason(
    "over_budget",
    "does not fit",
    "{thing} needs {cost} tokens, and the {section} budget{limit} had {left} left at its turn{order}: {missing} too "
    "few.",
)
AFTER_STOP = Reason(
    "after_stop",
    "budget was full",
    "The {section} budget{limit} was full before the turn of {thing}{order}: an item before it did not fit, and "
    "nothing after that is considered.",
)
NOT_IN_BEST = Reason(
    "over_budget",
    "not in the best set",
    "The {section} budget{limit} does not hold everything, and its best total score is reached without {thing} "
    "({tokens} tokens, score {score}).",
)
NOT_IN_DENSEST = Reason(
    "over_budget",
    "too little score per token",
    "{thing} ({tokens} tokens, score {score}) did not fit into the {section} budget{limit} beside items with more "
    "score per token.",
)
NOT_IN_BUCKETS = Reason(
    "over_budget",
    "not in the best set",
    "The {section} budget{limit} does not hold everything, and {thing} ({tokens} tokens, score {score}) is not in the "
    "best set, found by counting tokens in steps of 16.",
)
AFTER_MISFITS = Reason(
    "after_stop",
    "budget was full",
    "Too many memories in a row did not fit into the {section} budget{limit}, so {thing} was not considered{order}.",
)
NOT_IN_FIRST = Reason(
    "not_retrieved",
    "not among the first",
    "Only the first memories of the file are ranked, and {thing} comes after them.",
)
NOT_RETRIEVED = Reason(
    "not_retrieved", "not retrieved", "{thing} is not among the most similar memories, and only those are ranked."
)
NOT_RECALLED = Reason(
    "not_retrieved",
    "not retrieved",
    "The conversation budget does not reach back to {thing}, and it is not among the older messages most similar to "
    "the query.",
)
NOT_READ = Reason(
    "not_retrieved", "too far back", "Only the newest messages are read from the store, and {thing} is older."
)
COMMAND = Reason(
    "filtered", "a command", "{thing} is a command (it begins with an exclamation mark), or the answer to a command."
)
FIRST_CHUNK = Reason(
    "guaranteed",
    "best match",
    "{thing} has the highest score of all retrieved items, and the best is kept whatever it costs ({spent} tokens).",
)
NOTHING_RETRIEVED = Reason(
    "not_retrieved", "no room to retrieve", "The conversation leaves no tokens for retrieval, so nothing is retrieved."
)
GREETED = Reason("filtered", "already begun", "The conversation has begun, so {thing} is not needed.")
GREETING_FIRST = Reason(
    "within_budget", "opens the conversation", "The prompt has no message of the conversation, so {thing} opens it."
)
REPEATED = Reason("filtered", "already there", "{thing} repeats a message of the prompt.")
DISABLED = Reason("filtered", "disabled", "{thing} is disabled in its lorebook.")
FILTERED = Reason("filtered", "no place for it", "This policy has no place for {thing}.")
INACTIVE = Reason("filtered", "not activated", "{activation}")
SWITCHED_OFF = Reason("filtered", "switched off", "{thing} is blank, or its condition is not met.")
GETS_ITS_SHARE = Reason(
    "within_budget", "fits its share", "{thing} ({spent} tokens) is no longer than its share of the characters."
)
DUPLICATE = Reason(
    "duplicate",
    "says the same",
    "It begins with the same 200 characters as another component, and only one stays.",
)
EMERGENCY = Reason(
    "emergency", "no room beside the system", "The system message alone takes the whole limit, so {thing} is left out."
)
EMERGENCY_CUT = Reason(
    "emergency",
    "system message cut",
    "The system message alone takes the whole limit and was cut here: {spent} of {tokens} tokens are left.",
)
OLD_FILLER = Reason(
    "old_filler",
    "too old to summarize",
    "{thing} is too old to be summarized, and not marked as important.",
)
FILLER = Reason("filler", "filler", "{thing} is filler and not among the newest messages.")
EXCLUDED = Reason("excluded", "left out", "{thing} is left out by {who}, before any policy sees it.")
NOT_YET = Reason("not_yet", "later than this turn", "{thing} does not exist yet at the turn that is being replayed.")
NOT_DECIDED = Reason("not_decided", "not decided", "The policy stopped with an error before {thing} was decided.")

FIRST_SYSTEM = Reason(
    "always", "system message first", "{thing} is the system message, and this policy always keeps it first."
)
LONGEST_THAT_FITS = Reason(
    "within_budget",
    "in the part that fits",
    "{thing} is in the longest part of the conversation within the limit; {left} tokens were left before it.",
)
BEFORE_THE_PART = Reason(
    "over_budget",
    "older than the part that fits",
    "The longest part of the conversation within the limit leaves {left} tokens, and {thing} ({cost} tokens) is older.",
)
BEGINS_WITH_A_REPLY = Reason(
    "wrong_role",
    "may not be the first",
    "The conversation may begin neither with a reply nor with the result of a tool, so {thing} is left out with the "
    "message before it.",
)


def wrong_role(edge: str, role: str) -> Reason:
    """Return the reason for dropping items because the prompt has to `edge` (start or end) on a message of a role."""
    sentence = f"The conversation has to {edge} with a message of role {role}, and {{thing}} is outside of that."
    return Reason("wrong_role", f"has to {edge} with {role}", sentence)


def few_enough(total: int, most: int) -> Reason:
    """Return the reason for keeping messages too few to be cut."""
    message = f"The conversation has {total:,} messages. Up to {most:,} none is cut, so {{thing}} stays."
    return Reason("within_budget", "few enough", message)


def among_newest(kept: int, total: int) -> Reason:
    """Return the reason for keeping messages after the place where a library cuts."""
    message = f"{{thing}} is among the newest {kept:,} of {total:,} messages, and the cut leaves those."
    return Reason("within_budget", "among the newest", message)


def before_newest(kept: int, total: int, target: int) -> Reason:
    """Return the reason for dropping messages before the place where a library cuts."""
    message = f"{total:,} messages are cut to a target of {target:,}: the newest {kept:,} stay, and {{thing}} is older."
    return Reason("over_budget", "before the cut", message)


def cut_in_turn(total: int, limit: int) -> Reason:
    """Return the reason for parts whose turn, by priority and age, comes before enough tokens are gone."""
    sentence = f"All parts need {total:,} tokens of a limit of {limit:,}. Those with the highest number go first, "
    return Reason("over_budget", "its turn came", sentence + "of equal ones the oldest: {thing} ({cost} tokens) went.")


def spared(total: int, limit: int) -> Reason:
    """Return the reason for parts kept because enough others went before."""
    sentence = f"All parts need {total:,} tokens of a limit of {limit:,}, and enough of them went before the turn of "
    return Reason("within_budget", "its turn did not come", sentence + "{thing} ({spent} tokens) came.")


def taken_out(code: str, order: str, needed: int, limit: int) -> Reason:
    """Return the reason for items a last check removes, in an `order` in words, from a prompt over a total limit."""
    sentence = f"The prompt needed {needed:,} tokens of a total of {limit:,}, so the last check removed items "
    return Reason(
        code, "removed by the last check", sentence + order + ", until it fitted: {thing} ({tokens} tokens) went."
    )


EXAMPLES = (
    wrong_role("start", "user"),
    few_enough(12, 20),
    among_newest(8, 40),
    before_newest(8, 40, 8),
    cut_in_turn(9_000, 8_192),
    spared(9_000, 8_192),
    taken_out("trailing", "from the oldest on", 9_000, 8_192),
    taken_out("middle_out", "from the middle backwards", 9_000, 8_192),
)
"""Examples of the reasons that name figures of a case."""
