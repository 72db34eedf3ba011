"""prompt-inspector search: the conversations, messages, memories and lorebook entries with certain words."""

import click

from inspector.cli.answering import Telling, answer, format_option
from inspector.cli.loading import open_pipeline, progress_bar
from inspector.cli.options import paths_argument
from inspector.figures import counted
from inspector.retrieval.search.find import MOST_PLACES, Found, Search
from inspector.retrieval.search.hits import HITS, found_value, hits_of

SHOWN_FROM_TEXTS = 20_000


@click.command()
@click.argument("text")
@paths_argument
@click.option("--most", type=click.IntRange(min=1), default=MOST_PLACES, metavar="N", help="List so many places.")
@format_option
def search(text: str, paths: tuple[str, ...], most: int, answer_format: str) -> None:
    """Find TEXT in PATHS: conversations by title, messages, memories and lorebook entries by text, best matches first.

    All words are required, in any order and case; words in quotes have to be adjacent.
    """
    if not text.strip():
        raise click.UsageError("name something to look for")
    found = _found(Search(open_pipeline(paths).workspace), text, most)
    telling = Telling([HITS], lambda _: found_value(text, found), below=lambda _: _count(found), most=None)
    answer(hits_of(found), telling, answer_format)


def _found(everything: Search, text: str, most: int) -> Found:
    try:
        with progress_bar("Making the index", SHOWN_FROM_TEXTS) as advance:
            for share in everything.build():
                advance(round(share * len(everything)), len(everything))
        return everything.find(text, most)
    finally:
        everything.close()


def _count(found: Found) -> list[str]:
    if not found.groups:
        return ["Nothing found."]
    more = f", {found.listed:,} of them listed (--most lists more)" if found.listed < found.total else ""
    return [f"{counted(found.total, 'place')}{more}."]
