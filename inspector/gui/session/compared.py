"""What the pages of Compare set beside each other: the columns of the matrix, and the two sides of a comparison."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from inspector.assembly.contenders import Contender
from inspector.assembly.policy import policy_title
from inspector.assembly.side_choice import BASELINE, NOW, SideChoice, policy_choice
from inspector.assembly.snapshots import Snapshots

Offered = Sequence[tuple[SideChoice, str]]


class ComparedSides(QObject):
    """The chosen `columns` besides now and the baseline (None: not chosen yet), and the sides `before` and `after`.

    `page` is the page that last showed the two, `changes` or `texts`; `step_requested(by)` asks it for the next or the
    previous change. Not a step of the history: the scenario stays.
    """

    columns_changed = Signal()
    pair_changed = Signal()
    step_requested = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[SideChoice, ...] | None = None
        self.before, self.after = BASELINE, NOW
        self.page = "changes"

    def set_columns(self, columns: Sequence[SideChoice]) -> None:
        """Set the columns of the matrix."""
        if tuple(columns) != self.columns:
            self.columns = tuple(columns)
            self.columns_changed.emit()

    def chosen(self, policies: Iterable[str]) -> tuple[SideChoice, ...]:
        """Return the columns of the matrix: before the user has chosen any, every policy as designed."""
        usual = tuple(policy_choice(Contender(policy)) for policy in policies)
        return usual if self.columns is None else self.columns

    def compare(self, before: SideChoice, after: SideChoice) -> None:
        """Compare these two."""
        if (before, after) != (self.before, self.after):
            self.before, self.after = before, after
            self.pair_changed.emit()

    def offered(self, policies: Mapping[str, type], snapshots: Snapshots, has_baseline: bool) -> Offered:
        """Return what can be compared, with titles: the baseline, now, the snapshots, and the columns of the matrix."""
        return [
            *([(BASELINE, "baseline")] if has_baseline else []),
            (NOW, "now"),
            *((SideChoice("snapshot", one.name), one.name) for one in snapshots),
            *_titled((one for one in self.chosen(policies) if one.kind != "snapshot"), policies),
        ]

    def pair(self, offered: Offered) -> tuple[SideChoice, SideChoice]:
        """Return the sides to compare: those chosen, or if they are gone the first snapshot, and now."""
        there = [choice for choice, _ in offered]
        kept = next((choice for choice in there if choice.kind == "snapshot"), BASELINE)
        return self.before if self.before in there else kept, self.after if self.after in there else NOW


def _titled(choices: Iterator[SideChoice], policies: Mapping[str, type]) -> Iterator[tuple[SideChoice, str]]:
    from inspector.analysis.tokenizers.errors import short_name  # only once sides are offered

    for choice in choices:
        policy, _, preset = choice.name.partition("/")
        if choice.kind == "policy":
            title = policy_title(policy, policies.get(policy))
            yield choice, f"{title}, {preset}" if preset else title
        else:
            yield choice, short_name(choice.name) if choice.kind == "tokenizer" else choice.name
