"""The tokens of a text as a table: number, id and text of each."""

from collections.abc import Callable, Sequence, Set
from typing import overload

import numpy as np
from PySide6.QtCore import QObject

from inspector.gui.table.model import ArrayTableModel
from inspector.tables import Column, Tone
from inspector.tokens.shown.tokens import ShownTokens


class TokenNumbers(Sequence[str]):
    """The numbers of tokens as row ids, made on demand."""

    def __init__(self, count: int) -> None:
        self._numbers = range(count)

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return list(map(str, self._numbers[place])) if isinstance(place, slice) else str(self._numbers[place])


class TokenTableModel(ArrayTableModel[ShownTokens]):
    """A row for each token; `text` gives the text of a token."""

    def __init__(self, text: Callable[[ShownTokens, int], str], parent: QObject | None = None) -> None:
        super().__init__(_columns(text), parent)

    def show_tokens(self, shown: ShownTokens) -> None:
        """List the tokens of a text."""
        self.show(shown, np.arange(len(shown)), TokenNumbers(len(shown)))

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """Return nothing: another text has other tokens, whatever their numbers."""
        return {}


def _columns(text: Callable[[ShownTokens, int], str]) -> tuple[Column[ShownTokens], ...]:
    return (
        Column(
            "number",
            "#",
            "The number of the token in the text",
            lambda _, token: f"{token + 1:,}",
            digits=7,
            right=True,
        ),
        Column("id", "Id", "Its id in the vocabulary", ShownTokens.id_words, digits=7, right=True, tone=_muted),
        Column("text", "Text", "What it stands for", text, digits=10, stretches=True, tone=_text_color),
    )


def _muted(_: ShownTokens, __: int) -> Tone:
    return "muted"


def _text_color(shown: ShownTokens, token: int) -> Tone | None:
    return "accent" if shown.special[token] else None
