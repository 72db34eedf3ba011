"""Recall along: the recall of probes under many settings, by block, on more and more of the probes.

A picture is there soon, by a few probes of every block, and gets surer while it is looked at.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.analysis.basis import Share
from inspector.analysis.recall.settings import recall_of_each
from inspector.analysis.recommend.blocks import Asked
from inspector.analysis.recommend.interval import bounded_interval
from inspector.analysis.recommend.settings import is_taken
from inspector.assembly.columns import F64, I64, Bool
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.model import Probe
from inspector.tokens.cache import CountCache

RUNGS = (2, 8, 32, 128)
"""The numbers of probes of each block after which results are shown."""
_SEED = 7


@dataclass(frozen=True, eq=False)
class RecallAlong:
    """Settings × blocks: sums of recall with memories over the probes asked so far, and the number of these.

    `taken` says which settings their policy accepts; the sums of the others are meaningless. `of` is the number of
    probes to ask.
    """

    sums: F64
    probes: I64
    taken: Bool
    of: int

    @property
    def asked(self) -> int:
        """The number of probes asked."""
        return int(self.probes.sum())

    @property
    def means(self) -> F64:
        """The mean recall of each setting over all probes; NaN for a refused setting."""
        return np.where(self.taken, self.sums.sum(axis=1) / max(1, self.asked), np.nan)

    def interval(self, setting: int) -> tuple[float, float] | None:
        """Return the 95 % confidence interval of the mean of a setting over blocks; None for fewer than two blocks.

        The mean is a ratio of two sums over blocks; each block counts by its effect on the ratio (Cochran, 6.4).
        """
        there = self.probes > 0
        if not self.taken[setting] or int(there.sum()) < 2:
            return None
        mean, probes = float(self.means[setting]), self.probes[there]
        moved = mean + (self.sums[setting, there] - mean * probes) * len(probes) / probes.sum()
        return bounded_interval(moved.tolist(), 0.0, 1.0)


def recall_along(
    pipeline: Pipeline, settings: Sequence[Scenario], asked: Asked, cache: CountCache | None = None
) -> Iterator[Share | RecallAlong]:
    """Yield the recall under each of the settings, again and again, by ever more of the probes, at last by all of them.

    Between them it yields the number of probes asked so far, of all. Raise ScenarioError, UnknownTokenizerError, and
    AbandonedError once the result is no longer wanted.
    """
    taken = np.array([is_taken(pipeline, setting) for setting in settings], np.bool_)
    tried = [setting for setting, is_one in zip(settings, taken, strict=True) if is_one]
    blocks = len(asked.names)
    sums, probes = np.zeros((len(settings), blocks)), np.zeros(blocks, np.int64)
    for rung in _rungs(asked):
        for block, some in enumerate(rung):
            if some and tried:
                found = recall_of_each(pipeline, tried, some, cache)
                sums[taken, block] += [mean.sums[1] for mean in found]
                probes[block] += found[0].probes
                yield Share(int(probes.sum()), len(asked.probes))
        yield RecallAlong(sums.copy(), probes.copy(), taken, len(asked.probes))


def _rungs(asked: Asked) -> Iterator[list[list[Probe]]]:
    """Yield for each rung the additional probes of each block."""
    shuffled = np.random.default_rng(_SEED).permutation(len(asked.probes))
    members = [shuffled[asked.blocks[shuffled] == block].tolist() for block in range(len(asked.names))]
    largest = max(map(len, members), default=0)
    ends = [*(rung for rung in RUNGS if 2 * rung <= largest), largest]
    for first, end in zip([0, *ends], ends, strict=False):
        yield [[asked.probes[place] for place in some[first:end]] for some in members]
