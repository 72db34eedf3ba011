"""Targets: a file of each format, opened alone and beside others of its kind, used and saved; and lorebooks' keys."""

from functools import partial
from pathlib import Path
from typing import Any

from inspector.formats import load_file
from inspector.retrieval.lore.activation import activate
from inspector.retrieval.lore.book import LoreBook, Scene
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.lore.text import ScannedText
from tests.fuzz.made import as_json
from tests.fuzz.outcome import Input
from tests.fuzz.seeds import files_by_format
from tests.fuzz.target import Target
from tests.fuzz.targets.opening import open_file
from tests.fuzz.targets.using import chooser


def open_lore(file: Path, scratch: Path) -> None:
    """Scan the lorebooks of a file in scenes that ask for much."""
    rng = chooser(file.read_bytes())
    workspace = load_file(file)
    entries = [entry for book in workspace.lorebooks for entry in book.entries]
    texts = ["The old harbour is near the sea.", "a" * 3_000, "x\n" * 300, rng.choice(_SCANNED)]
    pieces = [ScannedText("message", f"m{number}", text, "Ines") for number, text in enumerate(texts)]
    settings = LoreSettings(depth=rng.choice((0, 1, 100)), recursive=rng.random() < 0.5, max_steps=rng.choice((0, 3)))
    book = LoreBook(entries, settings=settings, people={"char": "Ines", "user": "["})
    costs = [1] * len(entries) if rng.random() < 0.5 else []
    activate(book, Scene(pieces, rng.choice((0, 4, 10**6)), {"persona": "harbour"}, costs, 1_000, ("Ines",), ()))


_SCANNED = ("İstanbul ﬁ ß ẞ ǅ", "", "((((", "\u2028" * 50, "😀" * 100, "ab" * 2_000, "/harbour/", "a\0b")
_KEYS = (
    *(r"/(a+)+$/", r"/(?:a|aa)+b/i", r"/\bharbour\b/gi", r"/^x$/m", r"/[^a-z]+?/su", r"/(?<year>\d{4})\k<year>/"),
    *(
        r"/\u{1F600}/u",
        r"/(?=a)(?!b)(?<=c)(?<!d)/",
        r"/a{1,3}?b{2,}/",
        r"/[\w-]\S\D\x41\u0041/",
        "near",
        "{{char}}",
        "x y",
    ),
)


def _lorebook_seeds() -> tuple[Input, ...]:
    """A lorebook with keys of all sorts, and those that formats are tried on."""
    entries = {str(number): _entry(number, key) for number, key in enumerate(_KEYS)}
    return Input("keys.json", as_json({"entries": entries})), *files_by_format()["world_info"]


def _entry(number: int, key: str) -> dict[str, Any]:
    scanned = {"key": [key, "sea"], "keysecondary": [_KEYS[-number]], "caseSensitive": bool(number % 2)}
    return {"uid": number, **scanned, "content": key, "order": number, "selective": True, "position": number % 8}


_OPENINGS = 4
"""A file is opened so many times, each within the usual limit."""

FORMATS = tuple(
    Target(f"formats/{kind}", files, partial(open_file, files), patience=_OPENINGS)
    for kind in sorted(files_by_format())
    for files in [partial(files_by_format().__getitem__, kind)]
)
TARGETS = (*FORMATS, Target("lore", _lorebook_seeds, open_lore))
