"""The common settings of all lorebooks. Imports nothing heavy, because scenarios hold these settings."""

from dataclasses import dataclass, fields

from inspector.limits import MOST

LORE_DEPTH = 4
"""The number of newest messages searched for the keys of an entry without its own setting."""


@dataclass(frozen=True)
class LoreSettings:
    """SillyTavern's common settings of all lorebooks; a book or an entry may override some of them.

    `depth` is in messages. `recursive` scans the contents of active entries too; `max_steps` then limits the number of
    scans including the first, 0 for no limit. With `min_activations`, older messages are read until this many entries
    are active, up to `min_activations_depth` messages (0: all). `budget_percent` is a share of the context window,
    `budget_cap` in tokens; without a percentage there is no budget.
    """

    depth: int = LORE_DEPTH
    case_sensitive: bool = False
    whole_words: bool = False
    include_names: bool = False
    recursive: bool = False
    max_steps: int = 0
    min_activations: int = 0
    min_activations_depth: int = 0
    group_scoring: bool = False
    budget_percent: float | None = None
    budget_cap: int = 0

    def trouble(self) -> str:
        """Return the fault of the first invalid number, "" if all are valid."""
        for field in fields(self):
            value, most = getattr(self, field.name), 100 if field.name == "budget_percent" else MOST
            if value is not None and not isinstance(value, bool) and not 0 <= value <= most:
                return f"{field.name} must be a number from 0 to {most:,}, not {value!r}"
        return ""

    def budget(self, window: int | None) -> int | None:
        """Return the tokens shared by all entries in a window, None for no limit. At least 1, as in SillyTavern."""
        if self.budget_percent is None or window is None:
            return None
        tokens = round(self.budget_percent * window / 100) or 1
        return min(tokens, self.budget_cap) if self.budget_cap > 0 else tokens


AS_NATIVE = LoreSettings()
"""The default activation of lore."""
