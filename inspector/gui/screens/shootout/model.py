"""The table of a shoot-out: a row for each item, a column for each policy and preset. Columns only; no widgets here."""

from PySide6.QtCore import QObject

from inspector.assembly.columns import Fate, Rows, phrase
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.shootout import Contender, Shootout, contender_of
from inspector.assembly.shootout_tables import ITEM_COLUMNS, policy_columns
from inspector.figures import counted
from inspector.gui.table.header import HeaderLine
from inspector.gui.table.matrix_model import MatrixModel

NOTHING_FOUND = "no warnings"


def header_lines(shootout: Shootout, place: int) -> tuple[HeaderLine, ...]:
    """Return the header of a policy: its name, its tokens, whether they fit, and its findings."""
    contender, outcome = shootout.contenders[place], shootout.outcomes[place]
    lines = [HeaderLine(contender.policy, "name"), HeaderLine(_preset_line(shootout, contender), "muted")]
    found = HeaderLine(shootout.found(place) or NOTHING_FOUND, "muted")
    if not outcome.made:
        return (*lines, HeaderLine("no prompt", "error"), found)
    lines.append(HeaderLine(counted(outcome.total, "token", estimated=not outcome.exact), "usual"))
    fits = HeaderLine(f"over by {outcome.over:,}", "error") if outcome.over else HeaderLine("fits", "muted")
    return (*lines, fits, found)


def _preset_line(shootout: Shootout, contender: Contender) -> str:
    if contender != contender_of(shootout.scenario) or not shootout.scenario.parameters:
        return contender.preset
    return "changed" if contender.preset == DEFAULT_PRESET else f"{contender.preset}, changed"


def header_tooltip(shootout: Shootout, place: int) -> str:
    """Return the totals of a policy, with every finding in words."""
    assembly = shootout.answers[place].assembly
    counts = zip(Fate, assembly.fate_counts.tolist(), strict=True)
    met = ", ".join(f"{number:,} {phrase(fate)}" for fate, number in counts if number)
    lines = [shootout.contenders[place].name, met]
    if not assembly.candidates.exact.all():
        lines.append("Some of its texts are not counted yet but estimated.")
    return "\n".join([*lines, *shootout.messages(place)])


class ShootoutModel(MatrixModel[Shootout]):
    """The matrix of a shoot-out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, lambda shootout: shootout.answers[0].assembly.candidates, header_tooltip, parent)

    def show_shootout(self, shootout: Shootout | None, rows: Rows) -> None:
        """Show these rows of a shoot-out, with a column for each of its contenders."""
        policies = policy_columns(shootout) if shootout else ()
        self.show_matrix(policies, shootout, rows, shootout.ids if shootout else ())
