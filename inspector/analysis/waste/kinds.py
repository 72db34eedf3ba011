"""The kinds of waste: the sentence about each, and the one thing to do."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WasteKind:
    """A kind of waste: its code, its title, and advice in a sentence."""

    code: str
    title: str
    advice: str


KINDS: Mapping[str, WasteKind] = {
    kind.code: kind
    for kind in (
        WasteKind(
            "unused_tools",
            "Tools never called",
            "Leave these tools out of the requests, or offer them only once they are needed.",
        ),
        WasteKind(
            "repeated_result",
            "The same result again",
            "Return a short note in place of a result that the request has already, such as: unchanged, see above.",
        ),
        WasteKind(
            "stale_result",
            "A result that is out of date",
            "Clear the earlier result once the same call returned something else.",
        ),
        WasteKind(
            "encoded_data",
            "Encoded data in a text",
            "Cut encoded data out of results before they are sent, or send a picture as one: the model cannot read it.",
        ),
        WasteKind(
            "near_duplicate",
            "Nearly the same text again",
            "Send the lines that changed in place of the whole text.",
        ),
        WasteKind(
            "broken_prefix",
            "A prefix broken by a time",
            "Move the time behind the text that stays the same, such as into the newest message.",
        ),
        WasteKind(
            "carried_thoughts",
            "Thoughts carried along",
            "Send thoughts back only until the tools of the same question have answered.",
        ),
        WasteKind(
            "lost_by_compaction",
            "Lost by a compaction, and asked for again",
            "Tell the summary to keep the results that are still needed, or compact later.",
        ),
    )
}
