"""Fidelity: the facts of a text kept by its summary, those lost, and the share kept.

A fact counts once, however often it is said. It is kept if the summary says the same value: a number also inside an
amount; an amount, a date or a time also in another form; a name if all its words are in the summary; an address, code
or a quotation also without its marks. Nothing is understood: "three" does not keep 3, nor "she" Anna. A text has a
fidelity of 1 to itself; an empty summary of a text with facts 0; a text without facts has nothing to lose, and no
fidelity.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from inspector.derived import cached_property
from inspector.retrieval.facts.facts import Fact, FactKind, facts_of, folded, words_of

_MOST_REMEMBERED = 20_000
_WRITTEN = {FactKind.CODE, FactKind.QUOTATION, FactKind.URL, FactKind.EMAIL, FactKind.PATH}
"""Kinds of facts that are kept if the summary contains them letter by letter."""


@dataclass(frozen=True)
class Fidelity:
    """The facts of a text and their fate in a summary.

    `facts` are in text order, each as often as it is said; `kept` says for each whether the summary has it.
    """

    facts: tuple[Fact, ...]
    kept: tuple[bool, ...]

    @cached_property
    def by_kind(self) -> dict[FactKind, tuple[int, int]]:
        """For each kind in the text, the numbers of different facts kept and in all."""
        found: dict[FactKind, tuple[int, int]] = {}
        for (kind, _), kept in self._different.items():
            before = found.get(kind, (0, 0))
            found[kind] = before[0] + kept, before[1] + 1
        return found

    @cached_property
    def _different(self) -> dict[tuple[FactKind, str], bool]:
        return {(fact.kind, fact.value): kept for fact, kept in zip(self.facts, self.kept, strict=True)}

    @property
    def kept_count(self) -> int:
        """The number of different facts kept."""
        return sum(self._different.values())

    @property
    def fact_count(self) -> int:
        """The number of different facts in the text."""
        return len(self._different)

    @property
    def share(self) -> float | None:
        """The share of the facts kept, 0–1; None if the text has none."""
        return self.kept_count / self.fact_count if self.fact_count else None

    @property
    def lost(self) -> tuple[Fact, ...]:
        """The facts lost in the summary, as written in the text."""
        return tuple(fact for fact, kept in zip(self.facts, self.kept, strict=True) if not kept)


@lru_cache(_MOST_REMEMBERED)
def fidelity(original: str, summary: str, names: frozenset[str] = frozenset()) -> Fidelity:
    """Return the fidelity of a summary to the original. `names` are known names (see `names_in`)."""
    facts = facts_of(original, names)
    if not facts:
        return Fidelity((), ())
    said = _Said(summary, names.union(*(fact.value.split() for fact in facts if fact.kind is FactKind.NAME)))
    return Fidelity(facts, tuple(map(said.has, facts)))


def total_share(fidelities: Iterable[Fidelity]) -> tuple[int, int]:
    """Return the numbers of facts kept and in all over several texts: each fact weighs the same."""
    counts = [(one.kept_count, one.fact_count) for one in fidelities]
    return sum(kept for kept, _ in counts), sum(facts for _, facts in counts)


class _Said:
    """The content of a summary, in the forms facts are looked up in."""

    def __init__(self, summary: str, names: Iterable[str]) -> None:
        self._values = {(fact.kind, fact.value) for fact in facts_of(summary, names)}
        self._numbers = {value.split()[0] for kind, value in self._values if kind in (FactKind.NUMBER, FactKind.AMOUNT)}
        self._words = words_of(summary)
        self._folded = folded(summary)

    def has(self, fact: Fact) -> bool:
        """Return whether the summary says a fact."""
        if (fact.kind, fact.value) in self._values:
            return True
        if fact.kind is FactKind.NAME:
            return self._words.issuperset(fact.value.split())
        if fact.kind is FactKind.NUMBER:
            return fact.value in self._numbers
        return fact.kind in _WRITTEN and folded(fact.value) in self._folded
