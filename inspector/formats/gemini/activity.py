"""Google's "My Activity" of Gemini, as Takeout packs it: every prompt with its answer, the newest first.

It does not say which prompts belong to the same chat, so all of them are a single list, oldest first. Answers are HTML.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

from inspector.formats.branches import Link, branches_of
from inspector.formats.content.media import made
from inspector.formats.content.turns import beside
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Conversation, Message, Part, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time, stem

_PRODUCTS = ("Gemini Apps", "Gemini", "Bard")
_PROMPTED = re.compile(r"\APrompted\s")
_NO_PROMPTS = frozenset(("Created", "Used", "Selected", "Gave", "Viewed", "Visited"))
_BLOCKS = frozenset(("p", "div", "br", "li", "ul", "ol", "tr", "pre", "table", "blockquote", "h1", "h2", "h3", "h4"))
_UNSEEN = frozenset(("script", "style", "head"))


def _sniff(source: FileSource) -> float:
    if source.shape != "json" or source.raw_items is None:
        return 0.0
    return 0.95 if any(_is_entry(value) for value in source.first_items) else 0.0


def _picture(entry: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the picture of a prompt, a file beside the list."""
    if file := entry.get("imageFile"):
        yield made("image", name=as_text(file))


def _is_entry(value: Any) -> bool:
    held = mapping(value)
    if not isinstance(held.get("title"), str) or "time" not in held:
        return False
    products = [held.get("header"), *items_of(held.get("products"))]
    return any(product in _PRODUCTS for product in products if isinstance(product, str))


def _load(source: FileSource) -> Workspace:
    notes = Notes(source.path)
    entries = sorted(_entries(source, notes), key=lambda entry: entry[0])
    links: list[Link] = []
    tip = ""
    for number, (_, place, entry) in enumerate(entries):
        prompt, *answers = _messages(entry, number)
        links.append(Link(prompt.id, tip, [prompt], place))
        links += [Link(answer.id, prompt.id, [answer], place) for answer in answers]
        tip = answers[0].id if answers else prompt.id
    if not links:
        raise notes.unreadable("$", "expected prompts of Gemini in a list of activities, found none")
    branches = branches_of(links, tip, notes.add)
    words = "which prompts belong to one chat is not in this file; all of them are one list, oldest first"
    notes.add("", words, "info")
    id_ = stem(source.path)
    conversation = Conversation(id_, branches.path, "Gemini activity", tree=branches.tree)
    return Workspace(conversations=(conversation,), problems=tuple(notes.problems))


def _entries(source: FileSource, notes: Notes) -> Iterator[tuple[tuple[float, int], str, Mapping[str, Any]]]:
    """Yield the prompts with their sort key: the time, and among equal times the last prompt first."""
    others: Counter[str] = Counter()
    for number, value in enumerate(items_of(source.json)):
        place = f"$[{number}]"
        if not _is_entry(value):
            notes.add(place, "expected an activity of Gemini with a title and a time; it was left out")
        elif (word := next(iter(value["title"].split(None, 1)), "")) in _NO_PROMPTS:
            others[word] += 1
        else:
            time = parse_time(value["time"])
            if time is None:
                notes.add(f"{place}.time", f"expected a time, found {as_text(value['time'])[:40]}")
            yield (time.timestamp() if time else 0.0, -number), place, value
    if others:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(others.items()))
        notes.add("", f"activities that are not prompts were left out: {kinds}", "info")


def _messages(entry: Mapping[str, Any], number: int) -> list[Message]:
    """Return the prompt and its answers: the first, and the regenerated ones."""
    time = parse_time(entry["time"])
    names = [as_text(one.get("name")).lstrip("- ") for one in objects(entry.get("subtitles"))]
    prompt = Message(
        f"m{2 * number}",
        "user",
        time=time,
        parts=beside(_PROMPTED.sub("", as_text(entry["title"]), count=1), media=_picture(entry)),
        metadata={"notes": names} if names else {},
    )
    texts = [text_of_html(as_text(one.get("html"))) for one in objects(entry.get("safeHtmlItem"))]
    answers = (
        Message(f"m{2 * number + 1}" + (f".{n}" if n else ""), "assistant", text, time=time)
        for n, text in enumerate(texts)
    )
    return [prompt, *answers]


class _Text(HTMLParser):
    """The text of HTML: blocks on lines of their own, scripts left out."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in _UNSEEN
        if tag in _BLOCKS:
            self.pieces.append("\n")
        if tag == "li":
            self.pieces.append("- ")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0
        if tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.pieces.append(data)


def text_of_html(html: str) -> str:
    """Return the text of an answer without markup; no more than one blank line in a row."""
    parser = _Text()
    parser.feed(html)
    parser.close()
    lines = [line.rstrip() for line in "".join(parser.pieces).split("\n")]
    kept = [line for number, line in enumerate(lines) if line or (number and lines[number - 1])]
    return "\n".join(kept).strip()


FORMAT = Format(
    "gemini_activity",
    "Gemini activity of Takeout",
    _sniff,
    _load,
    "entries with `header`, `title` and `products` of Gemini",
)
