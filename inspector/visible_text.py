"""Visible text: unseen characters that change how a text reads are written out.

Bidirectional controls can show a text in another order than the model reads it (CVE-2021-42574, "Trojan Source"); tag
characters (U+E0000 to U+E007F) and zero-width ones can carry words invisible to the reader; control characters are
commands to a terminal. Secrets are masked here, too: all output goes through this module.
"""

import re
from collections.abc import Mapping

from inspector.secrets import masked, masked_json

_NAMES = {
    0x061C: "ALM",
    0x180E: "MVS",
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
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0))
_UNSEEN = (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF9, 0xFFFC))
_SURROGATES = range(0xD800, 0xE000)
_LAYOUT = (0x09, 0x0A)
_LINE_ENDS = {0x2028: "LS", 0x2029: "PS"}
_JOINERS = {"\u200c": "ZWNJ", "\u200d": "ZWJ"}

_NUMBERED = {number: f"U+{number:04X}" for number in (*_CONTROLS, *_UNSEEN, *_SURROGATES)}
_TAGS = {number: f"TAG {chr(number - 0xE0000)}" for number in range(0xE0020, 0xE007F)}
_SPECIAL_TAGS = {0xE0001: "TAG LANGUAGE", 0xE007F: "TAG END"}
_EVERY = {
    number: f"⟦{name}⟧" for number, name in {**_NUMBERED, **_NAMES, **_TAGS, **_SPECIAL_TAGS, **_LINE_ENDS}.items()
}
_BUT_LAYOUT = {number: name for number, name in _EVERY.items() if number not in _LAYOUT} | dict.fromkeys(
    _LINE_ENDS, "\n"
)

# The flags of England, Scotland and Wales, the only ones that Unicode recommends to be written with tags (UTS #51).
_FLAGS = tuple(
    "\U0001f3f4" + "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f"
    for region in ("gbeng", "gbsct", "gbwls")
)
# Joiners belong between signs of scripts and pictures; beside ASCII they only hide.
_HIDDEN_JOINER = re.compile(r"(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")
_COMMANDS = re.compile(f"[{''.join(map(chr, sorted(number for number in _EVERY if number >= 0x7F)))}]")


def made_visible(text: str) -> str:
    """Return the text with unseen characters as ⟦RLO⟧ and the like, and all line ends as newlines; tabs stay."""
    text = masked(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    return _written_out(lines, _BUT_LAYOUT)


def on_one_line(text: str) -> str:
    """Return the text for a line of a terminal or a cell of its tables: line ends and tabs are written out, too."""
    text = masked(text)
    if text.isascii() and text.isprintable():
        return text
    return _written_out(_HIDDEN_JOINER.sub(lambda found: f"⟦{_JOINERS[found[0]]}⟧", text), _EVERY)


def without_commands(json: bytes) -> bytes:
    """Return a JSON document of the same value without terminal commands: their characters are escaped (`\\u009b`).

    JSON writers escape only the first 32 characters, as they must.
    """
    json = masked_json(json)
    if json.isascii() and b"\x7f" not in json:
        return json
    return _COMMANDS.sub(lambda found: _escaped(found[0]), json.decode()).encode()


def _written_out(text: str, table: Mapping[int, str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    seen = text.translate(table)
    if "⟦TAG" in seen:
        for flag in _FLAGS:
            seen = seen.replace(flag.translate(table), flag)
    return seen


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[place] << 8 | units[place + 1]:04x}" for place in range(0, len(units), 2))
