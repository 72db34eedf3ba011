"""prompt-inspector cache: where counts and log are kept, how large they are, and how to be rid of the counts."""

from typing import Any

import click

from inspector.cli.failure import InputError
from inspector.cli.options import format_option
from inspector.cli.output import print_json
from inspector.retrieval.summaries.cache import SummaryCache
from inspector.retrieval.vectors.cache import VectorCache
from inspector.settings import cache_file, log_file
from inspector.tokens.cache import CountCache


@click.command(short_help="Say where the cache and the log are; clear the cache.")
@click.option("--clear", is_flag=True, help="Forget every token count, vector and summary.")
@format_option
def cache(clear: bool, answer_format: str) -> None:
    """Say where the cache of token counts and vectors and the log are and how large they are."""
    counts, log = CountCache(cache_file()), log_file()
    removed = _clear(counts) if clear else {}
    counts.close()
    value: dict[str, Any] = {
        "cache": str(counts.path),
        "cache_bytes": counts.size,
        "log": str(log),
        "log_bytes": log.stat().st_size if log.exists() else 0,
    }
    value |= removed
    if answer_format == "json":
        print_json(value)
    else:
        from inspector.cli.tables import print_places

        print_places(value)


def _clear(counts: CountCache) -> dict[str, int]:
    """Forget everything, also what was set aside because it was damaged; answers how much of each kind was removed."""
    removed = {"removed_counts": counts.clear(), "removed_vectors": VectorCache(counts).clear()}
    removed["removed_summaries"] = SummaryCache(counts).clear()
    if not counts.is_usable:
        raise InputError(counts.trouble)
    counts.forget_damaged()
    return removed
