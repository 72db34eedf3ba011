"""The settings of a fused similarity, part by part. Imports nothing heavy, because scenarios hold these settings."""

import math
from dataclasses import dataclass, fields

MOST_WEIGHT = 10.0
_MOST = {"length": 1.0}


@dataclass(frozen=True)
class RelevanceSettings:
    """The weights of the parts of a similarity, relative to a text's own words, which weigh 1; 0 leaves a part out.

    `stems` counts all forms of a word as the same, `stop_words` leaves words like "the" out of the query, in the
    language of the texts. `speakers` adds the name of the speaker to the words of a message, `months` the month and the
    year of a text. `before` and `after` weigh the messages beside a message, `sitting` the three best texts of its
    sitting, `sources` the best of the messages a memory was made from, and `vectors` the likeness of vectors.
    `length` is BM25's b: how strongly long texts are held back. With `by_kind`, weights that have their usual value
    suit the kind of the chat where the way of comparing is `auto` (see `kinds`).
    """

    stems: bool = True
    stop_words: bool = True
    speakers: bool = True
    months: bool = True
    before: float = 0.5
    after: float = 0.2
    sitting: float = 0.75
    sources: float = 1.0
    vectors: float = 0.5
    length: float = 0.3
    by_kind: bool = True

    def trouble(self) -> str:
        """Return the fault of the first invalid weight, "" if all are valid."""
        for field in fields(self):
            value = getattr(self, field.name)
            most = _MOST.get(field.name, MOST_WEIGHT)
            if not isinstance(value, bool) and not (math.isfinite(value) and 0 <= value <= most):
                return f"{field.name} must be a number from 0 to {most:g}, not {value!r}"
        return ""


AS_MEASURED = RelevanceSettings()
"""The weights that found most of the answers to questions about long chats."""
