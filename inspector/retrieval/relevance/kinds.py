"""The kind of a chat by its own shape, and the weights of similarities that suit it.

In a chat with an assistant, short questions get replies of many paragraphs. Such replies hold words of every topic, so
that BM25 must hold long texts back, the reply after a question tells more than the one before it, and vectors tell more
than words. Between people none of this holds. The weights were chosen on half of BEAM (mohammadtavakoli78/BEAM), and
leave chats between people, of LoCoMo and REALTALK, as they were.
"""

from dataclasses import dataclass, replace
from math import exp, log, log2

import numpy as np
from numpy.typing import NDArray

from inspector.derived import cached_property
from inspector.retrieval.relevance.settings import AS_MEASURED, RelevanceSettings

F64 = NDArray[np.float64]
Bool = NDArray[np.bool_]
Rows = NDArray[np.intp]

SHORT_REPLY, LONG_REPLY = 500, 2_000
"""Characters: replies up to the first are those of any chat, from the second on those of an assistant."""
WITH_ASSISTANT = {"before": 0.2, "after": 0.5, "vectors": 1.5, "length": 0.9}
"""The weights in a chat with an assistant."""


@dataclass(frozen=True, eq=False)
class Sides:
    """The messages of a talk: whether each is a reply of the assistant, and the logarithm of its characters.

    Messages without text, and those of neither side, have NaN.
    """

    is_reply: Bool
    logarithms: F64

    def of(self, rows: Rows | slice) -> "Sides":
        """Return only these messages."""
        return Sides(self.is_reply[rows], self.logarithms[rows])

    @cached_property
    def assistance(self) -> float:
        """The degree, 0–1, to which the talk is one with an assistant that writes long replies.

        It rises with the logarithm of the usual length of a reply, between the two lengths above, and only as far as
        replies are longer than what they answer: from equally long to twice as long. Usual is the geometric mean.
        """
        known = ~np.isnan(self.logarithms)
        replies, others = self.logarithms[known & self.is_reply], self.logarithms[known & ~self.is_reply]
        if not len(replies) or not len(others):
            return 0.0
        reply, other = exp(float(replies.mean())), exp(float(others.mean()))
        is_long = log(reply / SHORT_REPLY) / log(LONG_REPLY / SHORT_REPLY)
        return min(max(min(is_long, log2(reply / other)), 0.0), 1.0)


def settings_of_kind(settings: RelevanceSettings, assistance: float) -> RelevanceSettings:
    """Return the settings with the weights of a kind of chat, in this degree, for those that nobody set otherwise."""
    if not settings.by_kind or not assistance:
        return settings
    moved = {
        name: usual + assistance * (weight - usual)
        for name, weight in WITH_ASSISTANT.items()
        if getattr(settings, name) == (usual := getattr(AS_MEASURED, name))
    }
    return replace(settings, **moved)
