"""Targets: a file of each format, opened alone and beside others of its kind, used and saved; and lorebooks' keys."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from inspector.formats import load_file, load_parts, load_workspace
from inspector.model import Workspace
from inspector.retrieval.lore.activation import activate
from inspector.retrieval.lore.book import LoreBook, Scene
from inspector.retrieval.lore.settings import LoreSettings
from inspector.retrieval.lore.text import Piece
from tests.fuzz.made import as_json
from tests.fuzz.outcome import Input
from tests.fuzz.seeds import files_by_format
from tests.fuzz.target import Target
from tests.fuzz.targets.using import check_loaded, check_saved, chooser, use


def open_file(kind: str, file: Path, scratch: Path) -> None:
    """Open a file, alone or beside others of its kind; check, save and use what it holds."""
    rng = chooser(file.read_bytes())
    alone = load_file(file)
    check_loaded(alone, [file])
    _check_listed(file, alone)
    beside = rng.sample(files_by_format()[kind], min(rng.choice((0, 0, 1, 2)), len(files_by_format()[kind])))
    for number, other in enumerate(beside):
        (scratch / f"{number} {other.name.replace('/', ' ')}").write_bytes(other.data)
    files = [file, *sorted(scratch.iterdir())]
    together = load_workspace(files)
    check_loaded(together, files)
    check_saved(together, scratch, rng)
    use(together, rng)


def _check_listed(file: Path, whole: Workspace) -> None:
    """Check that a file whose conversations are only listed at first holds the same."""
    part = load_parts([file], listed_from=0)[0]
    if part.whole is None:
        return
    with suppress(RecursionError):  # of values nested deeper than Python compares
        assert part.workspace.conversations == whole.conversations, "what is listed is not what is read"
        assert part.completed().workspace == whole, "what was listed and then read is not what is read"


def open_lore(file: Path, scratch: Path) -> None:
    """Scan the lorebooks of a file in scenes that ask for much."""
    rng = chooser(file.read_bytes())
    workspace = load_file(file)
    entries = [entry for book in workspace.lorebooks for entry in book.entries]
    texts = ["The old harbour is near the sea.", "a" * 3_000, "x\n" * 300, rng.choice(_SCANNED)]
    pieces = [Piece("message", f"m{number}", text, "Ines") for number, text in enumerate(texts)]
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


FORMATS = tuple(
    Target(f"formats/{kind}", partial(files_by_format().__getitem__, kind), partial(open_file, kind))
    for kind in sorted(files_by_format())
)
TARGETS = (*FORMATS, Target("lore", _lorebook_seeds, open_lore))
