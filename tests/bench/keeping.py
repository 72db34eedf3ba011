"""What would keep some items: every way for one message and for four of the oldest, on one core."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from inspector.analysis.basis import Basis, result_of
from inspector.analysis.keeping.search import ways_to_keep
from inspector.assembly.columns import Rows
from inspector.assembly.lacking import make_all
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_file import read_scenario
from inspector.assembly.scenario_values import no_kind
from inspector.formats import load_workspace
from inspector.plugins import policies
from inspector.resources import samples_folder
from tests.bench.measure import Row, median_of
from tests.bench.texts import pipeline_of, workspace_of

GOALS = {1: 0.2, 4: 2.0}
"""Items, and the seconds that the search may take."""
MESSAGES, REPEATS = 100_000, 5


@dataclass(frozen=True)
class _Chat:
    name: str
    pipeline: Pipeline
    scenario: Scenario

    def dropped(self) -> Rows:
        """Messages that are left out for want of room, from the oldest on."""
        assembly = self.pipeline.assemble(make_all(self.pipeline, self.scenario))
        rows = np.flatnonzero(~assembly.in_prompt & assembly.candidates.open)
        return rows[rows >= assembly.candidates.items.first_message]


def rows() -> Iterator[Row]:
    """The median of whole searches, texts counted."""
    for chat in _chats():
        dropped = chat.dropped()
        for count, most in GOALS.items():
            wanted = dropped[np.linspace(0, len(dropped) - 1, count + 2).astype(np.intp)[1:-1]]

            def search(chat: _Chat = chat, wanted: Rows = wanted) -> object:
                return result_of(ways_to_keep(Basis(chat.pipeline, chat.scenario), wanted))

            search()
            what = f"what would keep {count} of {chat.name}"
            yield Row(what, median_of(search, REPEATS), f"{most:g} s", most, at_most=1.0)


def _chats() -> Iterator[_Chat]:
    folder = samples_folder()
    sample = Pipeline(load_workspace([folder / "companion.workspace.yaml"]), policies()[0], load_presets())
    scenario, _ = read_scenario(folder / "companion.scenario.yaml", no_kind)
    yield _Chat("Harbour talks", sample, scenario)
    long = pipeline_of(workspace_of(MESSAGES * 4 // 5, MESSAGES // 5))
    yield _Chat(f"{MESSAGES:,} items", long, Scenario(policy="ratio", context_window=32_000, similarity="lexical"))
