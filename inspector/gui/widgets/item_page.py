"""The page about one item: what happened to it, why, and the figures behind that."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np

from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Kind, Rows, Section, State
from inspector.assembly.decisions import Assembly
from inspector.assembly.explain import explain
from inspector.gui.theme import figures, section_title, theme
from inspector.gui.widgets.page import bar, beside, heading, muted, paragraph, plain, strong, table
from inspector.model import Message


@runtime_checkable
class Ranking(Protocol):
    """A policy that ranks by a weighted sum of signals."""

    def signals(self, candidates: Candidates, rows: Rows) -> Mapping[str, tuple[float, F64]]:
        """Name → weight, and one value in 0–1 for each row."""
        ...


def item_page(assembly: Assembly, row: int, policy: object | None, changes: str = "") -> str:
    """HTML of the explanation of one row; `changes` is the finished line of what would change its fate."""
    lines = [(muted(name), plain(value), muted(note)) for name, value, note in item_figures(assembly, row)]
    is_memory = assembly.candidates.kind[row] == Kind.MEMORY
    formula = _formula(assembly, row, policy) if is_memory and isinstance(policy, Ranking) else ""
    sentence = paragraph(explain(assembly, row), size="large")
    return sentence + changes + _recorded(assembly, row) + beside(heading("In figures") + table(lines), formula)


def item_figures(assembly: Assembly, row: int) -> Iterator[tuple[str, str, str]]:
    """Name, figure and remark of everything that is known of a row in numbers."""
    candidates = assembly.candidates
    section = Section(int(assembly.section[row]))
    exact = bool(candidates.exact[row])
    origin = "recorded in the file" if candidates.recorded[row] else "exact" if exact else "estimated, not counted yet"
    yield "Tokens, whole item", figures(int(candidates.tokens[row]), not exact), origin
    spent = int(assembly.spent[row])
    recorded = _metadata(candidates, row).get("recorded_tokens")
    if isinstance(recorded, int):
        yield "Tokens, as recorded", figures(recorded), "by the program that wrote the file, with its own tokenizer"
    yield "Spent in this prompt", figures(spent if assembly.in_prompt[row] else None, not exact), ""
    yield "Left before it", figures(assembly.left_of(row)), f"{section_title(section)} budget"
    budget = assembly.budget.sections.get(section)
    if budget is not None:
        note = f"and {budget.borrowed:,} borrowed" if budget.borrowed else ""
        yield "Limit of the section", "none" if budget.limit is None else figures(budget.limit), note
    yield "Order of decision", *_place(assembly, row)
    score = float(assembly.score[row])
    if not np.isnan(score):
        yield "Score", f"{score:.3f}", ""
    if candidates.kind[row] == Kind.MESSAGE:
        yield "Frame of the template", figures(int(candidates.frame_tokens[row])), "overhead, charged to no item"
    yield from _marks(candidates, row)


def _place(assembly: Assembly, row: int) -> tuple[str, str]:
    rank = int(assembly.rank[row])
    if rank < 0:
        return "–", "dropped before the policy saw it"
    inside = np.flatnonzero((assembly.section == assembly.section[row]) & (assembly.rank >= 0))
    ranks = assembly.rank[inside]
    place = int((ranks < rank).sum()) + 1
    return f"{place:,} of {len(inside):,}", _direction(assembly, inside, ranks)


def _direction(assembly: Assembly, inside: Rows, ranks: np.ndarray) -> str:
    """How the rows of a section were gone through, where nearly all of them say the same."""
    if len(inside) < 3 or not (assembly.candidates.kind[inside] == Kind.MESSAGE).all():
        return "best score first" if np.isfinite(assembly.score[inside]).any() else ""
    backwards = float((np.diff(ranks) < 0).mean())
    return "newest first" if backwards > 0.8 else "oldest first" if backwards < 0.2 else ""


def _marks(candidates: Candidates, row: int) -> Iterator[tuple[str, str, str]]:
    weight = float(candidates.emotional_weight[row])
    if not np.isnan(weight):
        yield "Emotional weight", f"{weight:.2f}", ""
    marks = (
        (candidates.pinned[row], "pinned"),
        (candidates.key_moment[row], "key moment"),
        (candidates.has_summary[row], "has a stored summary"),
        (candidates.state[row] == State.EXCLUDED, "excluded"),
    )
    words = [word for holds, word in marks if holds]
    if words:
        yield "Marks", ", ".join(words), ""


def _recorded(assembly: Assembly, row: int) -> str:
    """What the program that wrote the file did with a message, where it noted that."""
    recorded: Any = _metadata(assembly.candidates, row).get("recorded")
    if not recorded:
        return ""
    words = recorded if isinstance(recorded, str) else ""
    if isinstance(recorded, Mapping):
        reason = f" ({recorded['reason']})" if recorded.get("reason") else ""
        words = f"{recorded.get('action', 'decided')}{reason}"
    return paragraph(f"The program that wrote this file recorded: {words or recorded}.", theme().muted_text)


def _metadata(candidates: Candidates, row: int) -> Mapping[str, Any]:
    """What the source said of a message besides what policies read."""
    thing = candidates.things[row]
    return thing.metadata if isinstance(thing, Message) else {}


def _formula(assembly: Assembly, row: int, policy: Ranking) -> str:
    """The ranking of a memory with its numbers filled in: signal × weight = part."""
    signals = policy.signals(assembly.candidates, np.array([row], dtype=np.intp))
    ink = theme().section_color(Section.MEMORY)
    known = _known_signals(assembly.candidates, row)
    lines = [tuple(muted(title) for title in ("Signal", "Value", "Weight", "Part", ""))]
    total = 0.0
    heaviest = max((weight for weight, _ in signals.values()), default=0.0) or 1.0
    for name, (weight, values) in signals.items():
        value = float(values[0])
        total += weight * value
        remark = "" if known.get(name, True) else muted("not known, counts as 0")
        cells = (plain(name), f"{value:.3f}", f"× {weight:.2f}", f"= {weight * value:.3f}")
        lines.append((*cells, remark or bar(weight * value / heaviest, ink)))
    lines.append((strong("score"), "", "", strong(f"{total:.3f}"), ""))
    title = "How it would be ranked" if np.isnan(assembly.score[row]) else "How it is ranked"
    return heading(title) + table(lines, (1, 2, 3))


def _known_signals(candidates: Candidates, row: int) -> dict[str, bool]:
    """Which signals rest on something that is known of the memory."""
    return {
        "similarity": not np.isnan(candidates.similarity[row]),
        "recency": not (np.isnan(candidates.time[row]) or np.isnan(candidates.now)),
        "type": not np.isnan(candidates.type_priority[row]),
    }
