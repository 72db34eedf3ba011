"""prompt-inspector search: which conversations, messages, memories and lorebook entries hold these words."""

from typing import Any

import click

from inspector.cli.loading import open_pipeline, progress_bar
from inspector.cli.options import format_option, paths_argument
from inspector.cli.output import print_json, say
from inspector.figures import counted
from inspector.model import Conversation, Lorebook, MemorySet
from inspector.retrieval.search.find import LEADS, MOST_PLACES, Found, Group, Place, Search, time_of

SEARCH_FORMAT = "prompt-inspector/search@1"
SHOWN_FROM_TEXTS = 20_000
_KINDS = {Conversation: "conversation", MemorySet: "memory_set", Lorebook: "lorebook"}


@click.command(short_help="Find conversations by title, and messages, memories and lore by text.")
@click.argument("text")
@paths_argument
@click.option("--most", type=click.IntRange(min=1), default=MOST_PLACES, metavar="N", help="List so many places.")
@format_option
def search(text: str, paths: tuple[str, ...], most: int, answer_format: str) -> None:
    """Find TEXT in PATHS: conversations by title, messages, memories and lorebook entries by text, the best first.

    All words have to be there, in any order and case; words in quotes have to stand together.
    """
    if not text.strip():
        raise click.UsageError("name something to look for")
    found = _found(Search(open_pipeline(paths).workspace), text, most)
    if answer_format == "json":
        print_json(found_value(text, found))
    else:
        _print(found)


def _found(everything: Search, text: str, most: int) -> Found:
    try:
        with progress_bar("Making the index", SHOWN_FROM_TEXTS) as advance:
            for share in everything.build():
                advance(round(share * len(everything)), len(everything))
        return everything.find(text, most)
    finally:
        everything.close()


def found_value(query: str, found: Found) -> dict[str, Any]:
    """What was found as one JSON value: groups with their places, each with an excerpt and the marks in it."""
    return {
        "format": SEARCH_FORMAT,
        "query": query,
        "total": found.total,
        "groups": [_group_value(group) for group in found.groups],
    }


def _group_value(group: Group) -> dict[str, Any]:
    kind = _KINDS[type(group.holder)]
    title = {kind: group.holder.id, "title": group.holder.title, "origin": group.holder.origin}
    return {**title, "places": [_place_value(place) for place in group.places]}


def _place_value(place: Place) -> dict[str, Any]:
    time, excerpt = time_of(place.thing), place.excerpt
    return {
        "id": place.thing.id,
        "time": time.isoformat() if time else None,
        "excerpt": excerpt.text,
        "marks": [[start, end] for start, end in excerpt.marks],
    }


def _print(found: Found) -> None:
    if not found.groups:
        say("Nothing found.")
        return
    from inspector.cli.console import Console, Table, styled

    console = Console()
    for group in found.groups:
        console.print(styled(f"{LEADS[type(group.holder)]}{group.holder.title or group.holder.id}", "bold"))
        table = Table(("item", ""), ("when", ""), ("text", ""))
        for place in group.places:
            time = time_of(place.thing)
            table.add_row(place.thing.id, f"{time:%Y-%m-%d}" if time else "", place.excerpt.text)
        if group.places:
            console.print(table)
    more = f", {found.listed:,} of them listed (--most lists more)" if found.listed < found.total else ""
    say(f"{counted(found.total, 'place')}{more}.")
