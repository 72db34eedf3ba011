"""make models: renews the shipped model table from litellm's newest price file.

`python -m tests.models [--file FILE --release VERSION] [--date DAY] [--dry-run]` fetches the newest litellm from PyPI
(MIT; nothing of it is run), merges its price file with `resources/models` and prints what is new, changed, and without
a declared line. Facts of models that litellm does not list by their makers stay as they are.
"""

import argparse
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from inspector.tokens.models.installed import read_any_listing
from inspector.tokens.models.loading import load_models
from inspector.tokens.models.merging import Merge, merge_listing
from tests.models.shipped import renewed, shipped_files, written

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "resources" / "models"
FOLDER = ROOT / ".models"
PRICES = "litellm/model_prices_and_context_window_backup.json"
HOSTS = ("deepinfra", "together_ai")
"""Asked for open models that no maker lists: both call models by their repositories."""


def main() -> int:
    """Renew the table and print what changed."""
    options = _options()
    file, release = (options.file, options.release) if options.file else _fetched()
    before = shipped_files(TABLE)
    merge = merge_listing(read_any_listing(file), load_models(), options.date, hosts=HOSTS, release=release)
    after = renewed(before, merge)
    for line in _told(merge):
        print(line)
    if not options.dry_run:
        for name, rows in after.items():
            if rows != before[name]:
                (TABLE / f"{name}.json").write_text(written(rows), encoding="utf-8")
    print(f"{sum(map(len, after.values())):,} rows, {sum(map(len, before.values())):,} before")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.models", description="The shipped model table, renewed.")
    parser.add_argument("--file", type=Path, help="a price file that is here, instead of the newest from PyPI")
    parser.add_argument("--release", default="", help="its version")
    parser.add_argument("--date", default=datetime.now(UTC).date().isoformat(), help="the day of the facts")
    parser.add_argument("--dry-run", action="store_true", help="print what would change, and write nothing")
    return parser.parse_args()


def _fetched() -> tuple[Path, str]:
    """Return the price file of the newest litellm, fetched from PyPI, and its version."""
    wheels = FOLDER / "wheels"
    for old in wheels.glob("litellm-*.whl"):
        old.unlink()
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), "litellm"]
    subprocess.run(command, check=True)
    (wheel,) = wheels.glob("litellm-*.whl")
    with zipfile.ZipFile(wheel) as content:
        return Path(content.extract(PRICES, FOLDER)), wheel.name.split("-")[1]


def _told(merge: Merge) -> Iterator[str]:
    for row in merge.new:
        how = f"{row.context_window:,} tokens, ${row.price_in} / ${row.price_out}, {row.tokenizer}"
        yield f"{'new' if row.family else 'left out, without a line'}: {row.name} ({row.maker}): {how}"
    for change in merge.changed:
        told = (f"{each.fact} {each.before} → {each.after}" for each in change.differences)
        yield f"changed: {change.name}: {', '.join(told)}"
    for name, more in merge.more_names.items():
        yield f"also called: {name}: {', '.join(more)}"
    yield from _kept(merge)
    yield f"{merge.same:,} the same"
    yield from (f"skipped: {number:,} {reason}" for reason, number in merge.skipped.items())


def _kept(merge: Merge) -> Iterator[str]:
    """Yield the rows with prices that the listing does not have from their makers: they keep those they had."""
    kept = [row.name for row in load_models().rows if row.name not in merge.current and row.price_in is not None]
    if kept:
        yield f"not in this listing, kept as of their day: {', '.join(kept)}"


if __name__ == "__main__":
    sys.exit(main())
