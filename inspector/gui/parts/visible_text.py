"""Visible text in widgets: how long it is there, and its beginning for lists."""

from inspector.visible_text import made_visible


def shown_length(text: str) -> int:
    """How many positions a text takes in a Qt document: UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def first_line(text: str, limit: int = 160) -> str:
    """The beginning of a text on one line, for lists."""
    head = " ".join(made_visible(text[: 2 * limit]).split())
    return head if len(head) <= limit and len(text) <= 2 * limit else f"{head[:limit].rstrip()}…"
