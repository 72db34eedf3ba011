"""make bench: the speed table, as ratios measured side by side in this run, retrieval and advice. Nothing fails."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

from rich.console import Console
from rich.table import Table

from tests.bench import (
    archives,
    counting,
    each_policy,
    gaps,
    keeping,
    loading,
    opening,
    ranking,
    reassembly,
    recommending,
    recording,
    regrets,
    replaying,
    retrieval,
    start,
    surviving,
    sweeping,
    ticks,
    waits,
    yaml_files,
)

TABLE_WIDTH = 150
MEASUREMENTS = (
    reassembly,
    each_policy,
    surviving,
    keeping,
    sweeping,
    archives,
    replaying,
    recommending,
    ranking,
    counting,
    recording,
    gaps,
    loading,
    opening,
    yaml_files,
    ticks,
    waits,
    start,
)


def main() -> None:
    """Measure everything and print one table."""
    table = Table(title="Speed, measured in this run")
    for title in ("what", "ours", "compared with", "theirs", "ratio", "goal", ""):
        table.add_column(title, justify="left" if title in ("what", "compared with", "") else "right")
    console = Console(width=TABLE_WIDTH)
    for measurement in MEASUREMENTS:
        for row in measurement.rows():
            table.add_row(*row.cells())
        console.print(f"[dim]{measurement.__name__.rpartition('.')[2]} measured[/dim]")
    console.print(table)
    for found in (*retrieval.retrieval_tables(), *regrets.regret_tables()):
        console.print(found)


if __name__ == "__main__":
    main()
