"""Visible text: characters that change how a text reads without being seen are written out.

Bidirectional controls can show a text in another order than the model reads it (CVE-2021-42574, "Trojan Source");
tag characters (U+E0000 to U+E007F) and zero-width ones can carry words that a person does not see at all.

A text of a file may be of any length; `one_line` and `excerpt` take from its beginning what a place has room for, so
that no widget lays out more than that.
"""

LINE_CODE_POINTS = 300
"""More than fits on a line."""
EXCERPT_CODE_POINTS = 2_000
EXCERPT_LINES = 40
"""More than anybody reads in a label."""

_NAMES = {
    0x061C: "ALM",
    0x200B: "ZWSP",
    0x200E: "LRM",
    0x200F: "RLM",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0xFEFF: "BOM",
}
_CONTROLS = {number: f"U+{number:04X}" for number in (*range(0x20), *range(0x7F, 0xA0)) if number not in (9, 10)}
_TAGS = {number: f"TAG {chr(number - 0xE0000)}" for number in range(0xE0020, 0xE007F)}
_SPECIAL_TAGS = {0xE0001: "TAG LANGUAGE", 0xE007F: "TAG END"}
_WRITTEN_OUT = {number: f"⟦{name}⟧" for number, name in {**_CONTROLS, **_NAMES, **_TAGS, **_SPECIAL_TAGS}.items()} | {
    0x2028: "\n",
    0x2029: "\n",
}
_SPACES = {ord("\n"): " ", ord("\t"): " "}

# The flags of England, Scotland and Wales, the only ones that Unicode recommends to be written with tags (UTS #51).
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)


def made_visible(text: str) -> str:
    """The text with unseen characters as ⟦RLO⟧ and the like, and every line end as a single newline."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    if lines.isascii() and lines.isprintable():
        return lines
    seen = lines.translate(_WRITTEN_OUT)
    if "⟦TAG" in seen:
        for flag in _FLAGS:
            seen = seen.replace(flag.translate(_WRITTEN_OUT), flag)
    return seen


def shown_length(text: str) -> int:
    """How many positions a text takes in a Qt document: UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def one_line(text: str, limit: int = LINE_CODE_POINTS) -> str:
    """The beginning of a text on one line, with its spaces as they are; … stands for what is left out."""
    if len(text) <= limit and text.isprintable():
        return text
    head = made_visible(text[:limit]).translate(_SPACES)
    return head if len(text) <= limit else f"{head}…"


def excerpt(text: str, limit: int = EXCERPT_CODE_POINTS, lines: int = EXCERPT_LINES) -> str:
    """The beginning of a text in so many lines at most; … stands for what is left out."""
    if len(text) <= limit and text.isprintable():
        return text
    first = made_visible(text[:limit]).split("\n", lines)
    shown = "\n".join(first[:lines])
    return f"{shown}…" if len(text) > limit or len(first) > lines else shown


def first_line(text: str, limit: int = 160) -> str:
    """The beginning of a text on one line, for lists."""
    head = " ".join(made_visible(text[: 2 * limit]).split())
    return head if len(head) <= limit and len(text) <= 2 * limit else f"{head[:limit].rstrip()}…"
