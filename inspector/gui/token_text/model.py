"""The model of the table of the tokens of a text."""

from collections.abc import Sequence, Set
from typing import overload

import numpy as np
from PySide6.QtCore import QObject

from inspector.gui.table.model import ArrayTableModel
from inspector.tokens.shown.tokens import TOKEN_COLUMNS, ShownTokens


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
    """A row for each token."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(TOKEN_COLUMNS, parent)

    def show_tokens(self, shown: ShownTokens) -> None:
        """List the tokens of a text."""
        self.show(shown, np.arange(len(shown)), TokenNumbers(len(shown)))

    def rows_of(self, ids: Set[str]) -> dict[str, int]:
        """Return nothing: another text has other tokens, whatever their numbers."""
        return {}
