"""Texts about tokens: the token under the mouse, the current token, and all tokens of a text."""

from inspector.tokens.shown.tokens import SPECIAL, ShownTokens
from inspector.visible_text import made_visible

_ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}
ESTIMATE = "{} estimates: it has no tokens to show. Choose an exact tokenizer."
"""The message for a tokenizer, by name, without tokens to show."""


def escaped(text: str) -> str:
    """Return a token's text on a single line, in quotes, with line breaks and tabs escaped as in programs."""
    shown = "".join(_ESCAPES.get(character, character) for character in text)
    return f"“{made_visible(shown)}”"


def part_words(shown: ShownTokens, token: int) -> str:
    """Return the text of a token; if several tokens spell a sign together, with its position among them."""
    cells = shown.cells
    cell = cells.of_token(token)
    tokens = cells.tokens(cell)
    begin, end = cells.span(cell)
    text = escaped(shown.text[begin:end])
    return text if len(tokens) == 1 else f"{text}, part {token - tokens.start + 1} of {len(tokens)}"


def token_tooltip(shown: ShownTokens, cell: int) -> str:
    """Return a tooltip with text, ids and number of the tokens under the mouse."""
    tokens = shown.cells.tokens(cell)
    begin, end = shown.cells.span(cell)
    ids = ", ".join(shown.id_words(token) for token in tokens)
    first, last, count = tokens.start + 1, tokens.stop, f"of {len(shown):,}"
    if len(tokens) > 1:
        about = f"{len(tokens)} tokens, ids {ids}\ntokens {first:,} to {last:,} {count}"
    elif shown.special[tokens.start]:
        known = "" if ids == SPECIAL else f", id {ids}"
        about = f"special token{known}\ntoken {first:,} {count}"
    else:
        about = f"id {ids}\ntoken {first:,} {count}"
    return f"{escaped(shown.text[begin:end])}\n{about}"


def token_line(shown: ShownTokens, token: int) -> str:
    """Return the current token on a single line."""
    number = shown.id_words(token)
    about = "special token" if number == SPECIAL else f"id {number}"
    return f"token {token + 1:,} of {len(shown):,}  ·  {about}  ·  {part_words(shown, token)}"


def summary(shown: ShownTokens) -> str:
    """Return the number of tokens and of characters, and the characters per token."""
    characters = len(shown.text)
    parts = [f"{characters:,} character{'' if characters == 1 else 's'}"]
    if len(shown):
        parts.insert(0, f"{len(shown):,} token{'' if len(shown) == 1 else 's'}")
        parts.append(f"{characters / len(shown):.1f} characters per token")
    if shown.left_out:
        parts.append(f"{shown.left_out:,} more characters are not shown")
    return "  ·  ".join(parts)
