"""Recall by category: what the setting of now and a recommended one hold of what each kind of question needs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspector.analysis.basis import Basis, Share
from inspector.analysis.recall import ProbeRecall, Recalled, losses, mean_of, recalls
from inspector.assembly.columns import word
from inspector.assembly.scenario import Scenario
from inspector.model import Probe

ALL, NONE = "all questions", "no category"


@dataclass(frozen=True, eq=False)
class Category:
    """A kind of question: what became of the evidence of each now, and then; nothing under `then` where none is."""

    name: str
    now: tuple[ProbeRecall, ...]
    then: tuple[ProbeRecall, ...]


Categories = tuple[Category, ...]


def categories_in(now: Recalled, then: Recalled | None) -> Categories:
    """All questions, then each category in the order of the probes."""
    names = list(dict.fromkeys(probe.category for probe in now.probes))
    whole = Category(ALL, now.found, then.found if then else ())
    if len(names) < 2:
        return (whole,)
    return whole, *(Category(name or NONE, _of(now, name), _of(then, name) if then else ()) for name in names)


def _of(recalled: Recalled, name: str) -> tuple[ProbeRecall, ...]:
    pairs = zip(recalled.probes, recalled.found, strict=True)
    return tuple(found for probe, found in pairs if probe.category == name)


def asked_by_category(
    basis: Basis, settings: Sequence[Scenario], probes: Sequence[Probe]
) -> Iterator[Share | Categories]:
    """Ask the probes under the setting of now and, where there is one, another; what is known after each of them.

    Raises ScenarioError and UnknownTokenizerError.
    """
    total = len(settings) * len(probes)
    found: list[Recalled] = []
    for setting in settings:
        before = len(found) * len(probes)
        for step in recalls(replace(basis, scenario=setting), probes):
            if isinstance(step, Share):
                yield Share(before + step.done, total)
            else:
                found.append(step)
        yield categories_in(found[0], found[1] if len(found) > 1 else None)


def held(found: Sequence[ProbeRecall], name: str = "recall_with_memories") -> float | None:
    """The mean of a figure of recall; None for no questions."""
    return mean_of(found).columns[name]


def gain(category: Category) -> float | None:
    """Then less now, in points; None where there is no other setting."""
    now, then = held(category.now), held(category.then)
    return None if now is None or then is None else (then - now) * 100


def category_rows(categories: Categories) -> Iterator[dict[str, Any]]:
    """A row for each category, as files have it: recall now and then, and why what is lost now is lost; shares 0-1."""
    for each in categories:
        lost = {f"lost_{word(loss)}": part for loss, part in losses(each.now).items()}
        yield {
            "category": each.name,
            "questions": len(each.now),
            "now": held(each.now),
            "now_whole": held(each.now, "recall"),
            "then": held(each.then),
            "then_whole": held(each.then, "recall"),
            "gain": gain(each),
            **lost,
        }
