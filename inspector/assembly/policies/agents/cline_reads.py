"""Repeated reads of a file in a session of Cline 3, and the texts that stand for the older ones.

Source: cline/cline 6eeee7c4, `ContextManager.ts`, `getPossibleDuplicateFileReads` and
`applyFileReadContextHistoryUpdates`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from inspector.assembly.policies.agents.course import Course
from inspector.assembly.policies.agents.talk import TOOL, USER, Talk
from inspector.assembly.reasons import Reason

DUPLICATE_READ = Reason(
    "duplicate",
    "read again later",
    "The file in it is read again later, so a notice stands in its place: {spent} tokens instead of {tokens}.",
)
_HEADER = re.compile(r"\[(read_file|write_to_file|replace_in_file) for '([^']+)'\] Result:")
_CHANGED = re.compile(r'(<final_file_content path="[^"]*">).*?(</final_file_content>)', re.DOTALL)
_MENTION = re.compile(r'<file_content path="([^"]*)">.*?</file_content>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Read:
    """A read of the file `path` in the message of a place.

    `whole` is the text that replaces all of the message, or "" for a mention, of which `found` gives way to `notice`.
    """

    place: int
    path: str
    whole: str
    found: str = ""
    notice: str = ""


@dataclass(slots=True)
class Replaced:
    """What has been replaced so far: whole messages, and by message the paths of its mentions."""

    whole: set[int] = field(default_factory=set)
    mentions: dict[int, list[str]] = field(default_factory=dict)


def replace_repeated(course: Course, places: range, notice: str, replaced: Replaced) -> dict[int, str]:
    """Put the notice in place of all reads of a file but the last, in the messages of a range.

    Return the texts that the changed messages had before.
    """
    reads: dict[str, list[Read]] = {}
    known = _all_reads(course.talk, notice)
    listed = [*known]
    for place in listed[bisect_left(listed, places.start) : bisect_left(listed, places.stop)]:
        if place not in replaced.whole:
            done = replaced.mentions.get(place, ())
            for read in known[place]:
                if read.whole or read.path not in done:
                    reads.setdefault(read.path, []).append(read)
    before: dict[int, str] = {}
    for read in (read for found in reads.values() for read in found[:-1]):
        text = course.text(read.place)
        if read.whole:
            replaced.whole.add(read.place)
        elif read.found in text:
            replaced.mentions.setdefault(read.place, []).append(read.path)
        else:
            continue
        before.setdefault(read.place, text)
        course.change(read.place, read.whole or text.replace(read.found, read.notice, 1), DUPLICATE_READ)
    return before


def _all_reads(talk: Talk, notice: str) -> Mapping[int, tuple[Read, ...]]:
    """Return the reads by the places of the messages with any, in order; each text is searched once for a notice."""

    def make() -> Mapping[int, tuple[Read, ...]]:
        places = np.flatnonzero((talk.roles == USER) | (talk.roles == TOOL)).tolist()
        found = ((place, tuple(_reads(talk.content(place), place, notice))) for place in places)
        return {place: reads for place, reads in found if reads}

    return talk.derived("cline reads", notice, make)


def _reads(text: str, place: int, notice: str) -> Iterator[Read]:
    """Yield the reads in a text: itself as the result of a tool, or the mentions in it."""
    header = _HEADER.match(text)
    if header and header[1] == "read_file":
        yield Read(place, header[2], f"{header[0]}\n{notice}")
    elif header and _CHANGED.search(text):
        put = lambda found: f"{found[1]} {notice} {found[2]}"  # noqa: E731 - in this text
        yield Read(place, header[2], _CHANGED.sub(put, text, count=1))
    else:
        for found in _MENTION.finditer(text):
            kept = f'<file_content path="{found[1]}">{notice}</file_content>'
            yield Read(place, found[1], "", found[0], kept)
