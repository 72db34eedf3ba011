"""The finding about secrets: the items with masked keys and tokens."""

from collections.abc import Iterator

import numpy as np

from inspector.assembly.columns import Rows
from inspector.assembly.decisions import Assembly, Finding
from inspector.assembly.finding_kinds import SECRET_MASKED
from inspector.assembly.items import ItemTexts
from inspector.figures import counted
from inspector.model import Workspace
from inspector.secrets import MASKED, kinds_words, secrets_in

_BETWEEN = "\0"  # in no text: readers of files replace it


def secret_findings(workspace: Workspace, assembly: Assembly) -> Iterator[Finding]:
    """Yield a finding if items hold secrets. Texts are searched only if a secret was seen in a file."""
    if not any(problem.message.endswith(MASKED) for problem in workspace.problems):
        return
    items = assembly.candidates.items
    rows, kinds = items.derived("secrets", (), lambda: _secrets_of(items))
    takes_part = assembly.candidates.open[rows]
    holding, number = np.unique(rows[takes_part]), int(takes_part.sum())
    if number:
        what = f"{counted(len(holding), 'item')} {'holds' if len(holding) == 1 else 'hold'}"
        words = kinds_words(kind for kind, is_in in zip(kinds, takes_part, strict=True) if is_in)
        yield Finding(SECRET_MASKED, f"{what} {counted(number, 'secret')}: {words}.", holding)


def _secrets_of(items: ItemTexts) -> tuple[Rows, tuple[str, ...]]:
    """Return for each secret its row and its kind."""
    found = list(secrets_in(_BETWEEN.join(items.texts)))
    starts = np.cumsum([0, *(len(text) + 1 for text in items.texts)])
    rows = np.searchsorted(starts, [place for place, _ in found], side="right") - 1
    return rows.astype(np.intp), tuple(kind for _, kind in found)
