"""The table of a shoot-out: one row an item, one column a policy under a preset. Columns only; no widgets here."""

import numpy as np
from PySide6.QtCore import QObject

from inspector.assembly.columns import Action, Fate, Rows, outcome_tone, outcome_words, phrase
from inspector.assembly.explain import explain
from inspector.assembly.scenario import DEFAULT_PRESET
from inspector.assembly.shootout import Contender, Shootout, contender_of
from inspector.figures import counted
from inspector.gui.table.header_entries import HeaderLine
from inspector.gui.table.matrix_model import MatrixModel
from inspector.tables import Column, Tone, first_line

NO_PROMPT = "–"
NOTHING_FOUND = "no warnings"


def policy_key(contender: Contender) -> str:
    """The key of the column of a policy under a preset."""
    return f"policy:{contender.name}"


def header_lines(shootout: Shootout, place: int) -> tuple[HeaderLine, ...]:
    """What the header of a policy says: its name, its tokens, whether they fit, and what is found."""
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
    """What a policy comes to, with every finding in words."""
    assembly = shootout.answers[place].assembly
    counts = zip(Fate, assembly.fate_counts.tolist(), strict=True)
    met = ", ".join(f"{number:,} {phrase(fate)}" for fate, number in counts if number)
    lines = [shootout.contenders[place].name, met]
    if not assembly.candidates.exact.all():
        lines.append("Some of its texts are not counted yet but estimated.")
    return "\n".join([*lines, *shootout.messages(place)])


def _is_dropped_by_all(shootout: Shootout, row: int) -> bool:
    return bool((shootout.actions[row] == Action.DROPPED).all())


def _item_color(shootout: Shootout, row: int) -> Tone | None:
    return "muted" if _is_dropped_by_all(shootout, row) else None


def _muted(shootout: Shootout, row: int) -> Tone:
    return "muted"


def _dissent(shootout: Shootout, row: int) -> str:
    dissent = int(shootout.dissent[row])
    return f"{dissent} of {int(shootout.made.sum())}" if dissent else ""


def _dissent_tooltip(shootout: Shootout, row: int) -> str:
    dissent = int(shootout.dissent[row])
    return f"{dissent} differ from most." if dissent else "All of them decide the same."


ITEM_COLUMNS: tuple[Column[Shootout], ...] = (
    Column(
        "number",
        "#",
        "The number of the item, as it was loaded; sorts by it",
        lambda _, row: f"{row + 1:,}",
        lambda shootout: np.arange(len(shootout.actions)),
        digits=7,
        least=5,
        right=True,
        tone=_muted,
        tooltip=lambda shootout, row: shootout.ids[row],
    ),
    Column(
        "kind",
        "Kind",
        "Who a message is from, or what the item is",
        Shootout.role,
        digits=10,
        yields=1,
        tone=_item_color,
    ),
    Column(
        "text",
        "Text",
        "The first line of the item",
        lambda shootout, row: first_line(shootout.answers[0].assembly.candidates.texts[row]),
        digits=26,
        least=12,
        stretches=True,
        tone=_item_color,
        tooltip=lambda shootout, row: shootout.answers[0].assembly.candidates.texts[row],
    ),
    Column(
        "dissent",
        "Differ",
        "How many policies differ from most; sorts by it",
        _dissent,
        lambda shootout: shootout.dissent,
        digits=9,
        least=7,
        tooltip=_dissent_tooltip,
    ),
)


def _policy_column(place: int, contender: Contender) -> Column[Shootout]:
    def text(shootout: Shootout, row: int) -> str:
        return outcome_words(Fate(int(shootout.fates[row, place]))) if shootout.outcomes[place].made else NO_PROMPT

    def tone(shootout: Shootout, row: int) -> Tone | None:
        fate = Fate(int(shootout.fates[row, place]))
        is_quiet = fate is Fate.KEPT or not shootout.outcomes[place].made
        return "muted" if is_quiet else outcome_tone(fate)

    def tooltip(shootout: Shootout, row: int) -> str:
        return f"{contender.name}: {explain(shootout.answers[place].assembly, row)}"

    return Column(policy_key(contender), contender.name, "", text, digits=16, tone=tone, tooltip=tooltip)


class ShootoutModel(MatrixModel[Shootout]):
    """The matrix of a shoot-out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(ITEM_COLUMNS, lambda shootout: shootout.answers[0].assembly.candidates, header_tooltip, parent)

    def show_shootout(self, shootout: Shootout | None, rows: Rows) -> None:
        """Show these rows of a shoot-out, with a column for each of its contenders."""
        contenders = shootout.contenders if shootout else ()
        policies = [_policy_column(place, contender) for place, contender in enumerate(contenders)]
        self.show_matrix(policies, shootout, rows, shootout.ids if shootout else ())
