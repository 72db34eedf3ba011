"""The regret of recommended settings: how far the choice for a chat, made from the others, is behind the best tried.

The best is known only in hindsight: of all settings that the search measured on every question, that with the highest
recall over all chats whose prompts all fit. Chats count by their questions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import active_children
from os import times

import numpy as np
from rich.table import Table

from inspector.analysis.recall.probes import read_probes
from inspector.analysis.recommend.blocks import asked_of, find_probes
from inspector.analysis.recommend.chats import OpenChats
from inspector.analysis.recommend.climbing import Measuring, climb
from inspector.analysis.recommend.folds import RecallTable, choose
from inspector.analysis.recommend.measure import measuring
from inspector.analysis.recommend.search import Search, Terms, begin
from inspector.assembly.columns import Rows
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.formats import load_workspace
from inspector.model import Probe
from tests.bench.retrieval import files_with_probes, talk_folder
from tests.bench.texts import pipeline_of

WINDOWS = (2_048, 4_096, 8_192, 16_384)
MOST_REGRET = 1.0
"""Points."""
LOCOMO = "locomo/locomo5.json"


@dataclass(frozen=True, slots=True)
class Regret:
    """The recall over all chats, in %: of the best setting in hindsight, and of those chosen for each chat unseen.

    `fits` is the share of fitting prompts under these.
    """

    window: int
    best: float
    left_out: float
    fits: float

    @property
    def points(self) -> float:
        """The difference."""
        return self.best - self.left_out


def asked_sets() -> dict[str, tuple[Pipeline, Sequence[Probe]]]:
    """The data sets that are here, by name, with their questions."""
    found: dict[str, tuple[Pipeline, Sequence[Probe]]] = {}
    locomo = talk_folder() / LOCOMO
    if locomo.is_file():
        pipeline = pipeline_of(load_workspace([str(locomo)]))
        found["LoCoMo"] = pipeline, pipeline.workspace.probes
    for title in ("REALTALK", "BEAM"):
        if files := files_with_probes(title.lower()):
            chats, probes = files
            found[title] = pipeline_of(load_workspace([str(chats)])), read_probes(str(probes))[0]
    return found


def searched(pipeline: Pipeline, probes: Sequence[Probe], windows: Sequence[int] = WINDOWS) -> Search:
    """A whole search from the usual setting."""
    scenario = Scenario()
    asked = asked_of([find_probes(pipeline, scenario, probes)])
    search = begin(pipeline, scenario, asked, Terms(tuple(windows)))
    with measuring(len(asked.probes)) as executor:
        for _ in climb(search, Measuring(OpenChats(pipeline), None, executor)):
            pass
    return search


def regrets_of(search: Search) -> Iterator[Regret]:
    """The regret in each window of a search at its end."""
    probes, everything = search.rungs[-1], search.others(search.folds[-1])
    for window, table in enumerate(search.tables(probes)):
        best = table.mean(fitting_rows(table, search.rows[window], everything), everything).max(initial=0.0)
        recall, fits = 0.0, 0
        for block in everything.tolist():
            row = choose(table, search.alive[block][window], search.others(block))
            own = probes[search.asked.blocks[probes] == block]
            recall += table.sums[row, block]
            fits += int((search.cells.total[row, own] <= table.room).sum())
        asked = len(probes)
        yield Regret(table.window, 100 * float(best), 100 * recall / asked, fits / asked)


def fitting_rows(table: RecallTable, rows: Rows, blocks: Rows) -> Rows:
    """The rows that are measured for all questions and whose prompts all fit."""
    measured = rows[~np.isnan(table.sums[rows]).any(axis=1)]
    return measured[table.excess(measured, blocks, has_margin=False) <= 0]


def processor_seconds() -> float:
    """The seconds of this process and of all that it began, waited for: those of others count once they have ended."""
    for process in active_children():
        process.join()
    return sum(times()[:4])


def regret_tables() -> Iterator[Table]:
    """A row for each data set and window, and the seconds of all processors for a set."""
    for name, (pipeline, probes) in asked_sets().items():
        before = processor_seconds()
        search = searched(pipeline, probes)
        took = processor_seconds() - before
        title = f"{name}: recommend on chats left out, in %; {took:,.0f} s of processors for {len(WINDOWS)} windows"
        table = Table("window", "best tried that fits", "chosen from other chats", "regret", "fit", title=title)
        for each in regrets_of(search):
            figures = (f"{value:.1f}" for value in (each.best, each.left_out, each.points, 100 * each.fits))
            table.add_row(f"{each.window:,}", *figures)
        yield table
