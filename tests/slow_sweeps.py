"""The command line with a policy `slow` that takes half a minute for every chat but a short one: for interruptions."""

import sys
import time
from dataclasses import dataclass
from importlib.metadata import EntryPoint, EntryPoints

from inspector import plugins
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.assembly.policies.naive import Naive

LONG, SECONDS = 10, 30.0


@dataclass(frozen=True)
class Slow:
    """As `naive`, later."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        if len(candidates) >= LONG:
            time.sleep(SECONDS)
        return Naive()(candidates, window)


if __name__ == "__main__":
    from inspector.cli import group

    point = EntryPoint("slow", "tests.slow_sweeps:Slow", plugins.POLICY_GROUP)
    plugins.installed = lambda: EntryPoints([point])
    group(sys.argv[1:], prog_name="prompt-inspector")
