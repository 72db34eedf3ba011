"""make fuzz: mutations of files of every kind, in worker processes with limits, for a given time.

`python -m tests.fuzz [--minutes N] [--workers N] [--seed N] [--only NAME]…` prints for each loader how many inputs
were tried, what was raised, what hung (5 s of the processor) and the highest memory beside an idle worker's (1 GB), and
exits with 1 if anything went wrong. What failed is kept; `--replay FILE --only NAME` tries it again.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.fuzz.campaign import Campaign, Failure, replayed
from tests.fuzz.measuring import limit_memory
from tests.fuzz.outcome import Limits
from tests.fuzz.registry import targets_among

_WIDTH = 130
_ADDRESS_SPACE = 6_000_000_000  # bytes, for making mutations, too: nothing that is tried here may harm the machine
_COLUMNS = ("loader", "inputs", "exceptions", "hangs", "crashes", "over 1 GB", "peak MB", "slowest s", "inputs/s")


def main() -> int:
    """Run a campaign, or replay a file; 1 where something went wrong."""
    options = _options()
    limit_memory(_ADDRESS_SPACE)
    console = Console(width=_WIDTH, highlight=False, markup=False)
    targets = targets_among(options.only)
    if not targets:
        console.print(f"no loader's name begins with {' or '.join(options.only)}")
        return 2
    folder = Path(tempfile.mkdtemp(prefix="prompt-inspector-fuzz-"))
    if options.replay:
        outcome = replayed(targets[0], Path(options.replay), folder, Limits())
        console.print(f"{targets[0].name}: {outcome.kind} {outcome.what} {outcome.place}\n{outcome.detail}")
        return int(outcome.kind != "fine")
    seed = int(time.time()) if options.seed is None else options.seed
    campaign = Campaign(
        targets, folder, seed, options.workers, on_failure=lambda failure: console.print(_line(failure))
    )
    try:
        campaign.run(60 * options.minutes)
    except KeyboardInterrupt:
        console.print("stopped")
    _report(console, campaign)
    return int(bool(campaign.failures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated files for every loader.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, help="default: another one each time")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="loaders whose names begin so")
    parser.add_argument("--replay", metavar="FILE", help="try this input once, on the loader of --only")
    return parser.parse_args()


def _line(failure: Failure) -> str:
    outcome = failure.outcome
    where = f"{outcome.kind}: {outcome.what} at {outcome.place}" if outcome.place else f"{outcome.kind}: {outcome.what}"
    return f"{failure.target.name}: {where} ({failure.size:,} bytes in {failure.file})"


def _report(console: Console, campaign: Campaign) -> None:
    table = Table(title=f"Mutated files, seed {campaign.seed}")
    for name in _COLUMNS:
        table.add_column(name, justify="left" if name == "loader" else "right")
    for name, row in campaign.figures.items():
        rate = row.inputs / row.seconds if row.seconds else 0.0
        figures = (row.inputs, row.exceptions, row.hangs, row.deaths, row.oversized, row.peak // 1_000_000)
        table.add_row(name, *(f"{figure:,}" for figure in figures), f"{row.slowest:.1f}", f"{rate:.1f}")
    table.add_section()
    rows = campaign.figures.values()
    totals = [
        sum(getattr(row, name) for row in rows) for name in ("inputs", "exceptions", "hangs", "deaths", "oversized")
    ]
    largest = (max((row.peak for row in rows), default=0) // 1_000_000, max((row.slowest for row in rows), default=0.0))
    table.add_row("all", *(f"{total:,}" for total in totals), f"{largest[0]:,}", f"{largest[1]:.1f}", "")
    console.print(table)
    _list_failures(console, list(campaign.failures.values()))


def _list_failures(console: Console, failures: Sequence[Failure]) -> None:
    if not failures:
        console.print("Nothing went wrong.")
        return
    console.print(f"{len(failures)} causes:")
    for failure in sorted(failures, key=lambda one: -one.times):
        console.print(f"{failure.times:6,} × {_line(failure)}")
    first = failures[0]
    console.print(f"Replay: python -m tests.fuzz --only '{first.target.name}' --replay '{first.file}'")


if __name__ == "__main__":
    sys.exit(main())
