"""llamaindex_summary_buffer: `ChatSummaryMemoryBuffer` of llama-index-core 0.14.25."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import I64
from inspector.assembly.decisions import Assembly
from inspector.assembly.ledger import Ledger
from inspector.assembly.policies.agents.course import Course, lived, replay_param, summary_size_param
from inspector.assembly.policies.agents.folds import Folds, take_folds
from inspector.assembly.policies.agents.talk import ASSISTANT, TOOL, Talk, open_talk
from inspector.assembly.policy import Traits, null_is, param


@dataclass(frozen=True)
class LlamaindexSummaryBuffer:
    """Keeps the newest messages up to a limit, and folds the older ones into one summary before them."""

    traits: ClassVar[Traits] = Traits(
        title="LlamaIndex summary buffer", whose="llama-index-core", maker="library", counts_contents=True
    )

    token_limit: int = param(
        2_000,
        0,
        200_000,
        scale="log",
        unit="tokens",
        help="The counted tokens of the messages that stay; three quarters of the window where a model is given.",
        sizes="history",
    )
    summary_text: str = param(
        "",
        reads=null_is(""),
        help="The text of the summary, which costs what it counts; empty: the size below.",
        topic="summaries",
    )
    replay: bool = replay_param()
    summary_size: int = summary_size_param()

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Live the session through. There is always a prompt, over the window if necessary."""
        ledger = Ledger(candidates, window)
        pinned, talk = open_talk(ledger)
        return lived(talk, self, self._live).closed(ledger, pinned)

    def _live(self, course: Course) -> None:
        talk, text = course.talk, self.summary_text
        size = talk.count(text) if text else self.summary_size
        requests = talk.requests if self.replay else talk.requests[-1:]
        folded, starts = self._starts(talk, requests, size)
        at, sums = requests[folded], talk.sums
        earlier = np.concatenate([[0], starts])[: len(starts)]
        before = sums[at + 1] - sums[earlier] + np.where(np.arange(len(at)) > 0, size, 0)
        folds = Folds(at, starts, before, sums[at + 1] - sums[starts] + size, "token")
        take_folds(course, folds, np.ones(len(talk), np.bool_), size, "system", text or None)

    def _starts(self, talk: Talk, requests: I64, size: int) -> tuple[I64, I64]:
        """Return the numbers of the requests at which something is folded, and the first message that stays at each.

        The limit holds for counts, not for recorded costs.
        """
        sums, following = _sums_and_following(talk)
        upto = requests + 1
        fitting = np.searchsorted(sums, sums[upto] - self.token_limit)
        tokens, start, numbers, starts = sums.tolist(), 0, list[int](), list[int]()
        for number, (end, least) in enumerate(zip(upto.tolist(), fitting.tolist(), strict=True)):
            if least <= start and numbers and tokens[end] - tokens[start] + size <= self.token_limit:
                continue
            place = following[least if least > start else start]
            place = end if place > end else place
            if place > start:
                numbers.append(number)
                starts.append(place)
                start = place
        return np.array(numbers, np.int64), np.array(starts, np.int64)


def _sums_and_following(talk: Talk) -> tuple[I64, tuple[int, ...]]:
    """Return the counted tokens of the first n messages, and the next place of no assistant and no tool from each."""

    def make() -> tuple[I64, tuple[int, ...]]:
        counts = np.array(talk.counts_of_contents, np.int64)
        places = np.where(np.isin(talk.roles, (ASSISTANT, TOOL)), len(talk), np.arange(len(talk)))
        following = np.minimum.accumulate(places[::-1])[::-1]
        return np.concatenate([[0], np.cumsum(counts)]), (*following.tolist(), len(talk))

    return talk.derived("llamaindex", (), make)
