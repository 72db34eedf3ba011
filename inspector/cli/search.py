"""prompt-inspector search: the conversations, messages, memories and lorebook entries with certain words."""

import click

from inspector.cli.answering import Telling, answer
from inspector.cli.loading import open_pipeline, progress_bar
from inspector.figures import counted
from inspector.retrieval.search.find import Found, Search
from inspector.retrieval.search.hits import HITS, found_value, hits_of

SHOWN_FROM_TEXTS = 20_000


def search(text: str, paths: tuple[str, ...], most: int, answer_format: str) -> None:
    """Run `prompt-inspector search` with the values of its options."""
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
