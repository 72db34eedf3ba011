"""The filter language: a line such as `action:dropped tokens>200 "coral"`, compiled to a mask. No Qt here.

Terms are separated by spaces and must all match. A term is `field:value`, a comparison such as `tokens>200`, a number
such as `#119` or `#M12`, or a word or "quoted phrase" in the text; a day such as `2026-03-25` also finds its items. `-`
or `!` before a term negates it. Values separated by `,` or `|` are alternatives; in a word without a field, only `|`
separates.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from inspector.assembly.columns import Bool
from inspector.gui.table.filter_fields import COMPARISONS, FIELDS, Operator, Subject, matching_summaries

_SPACE = re.compile(r"\s*")
_FIELD = re.compile(r"([A-Za-z_]+|must-survive)(<=|>=|[:=<>])", re.IGNORECASE)
_NUMBERS = re.compile(r"#(?=[A-Za-z]?\d)")
_WORD = re.compile(r"\S+")
_VALUE = re.compile(r'[^\s,|"]+')
_QUOTED = re.compile(r'"([^"]*)"')


class FilterError(ValueError):
    """An invalid filter: the `position` in the line, and a sentence about the expected input there."""

    def __init__(self, position: int, sentence: str) -> None:
        super().__init__(sentence)
        self.position = position


@dataclass(frozen=True, slots=True)
class Term:
    """A condition: a field compared with values, any of which may match. `start` and `stop` are its place."""

    name: str
    operator: Operator
    values: tuple[Any, ...]
    negated: bool = False
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)

    def mask(self, subject: Subject) -> Bool:
        """Return the rows that match, as a mask: the candidates, then the summaries of the program."""
        found = FIELDS[self.name].matching(subject, self.operator, self.values)
        if subject.assembly.compactions:
            found = np.append(found, matching_summaries(subject.assembly, self.name, self.operator, self.values))
        return ~found if self.negated else found


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed line of the filter language: conditions that must all match."""

    text: str = ""
    terms: tuple[Term, ...] = ()

    def mask(self, subject: Subject) -> Bool:
        """Return the rows that match, as a mask: the candidates, then the summaries of the program."""
        assembly = subject.assembly
        found = np.ones(len(assembly.candidates) + len(assembly.compactions), dtype=np.bool_)
        for term in self.terms:
            found &= term.mask(subject)
        return found

    def parted(self, name: str) -> tuple["Filter", "Filter"]:
        """Return the conditions on a field, and all others."""
        on = tuple(term for term in self.terms if term.name == name)
        return Filter(self.text, on), Filter(self.text, tuple(term for term in self.terms if term.name != name))

    def names(self, name: str) -> bool:
        """Return whether there is a condition on this field."""
        return any(term.name == name for term in self.terms)

    @property
    def words(self) -> tuple[str, ...]:
        """The words and phrases in matching texts: those of all conditions on the text that are not negated."""
        return tuple(word for term in self.terms if term.name == "text" and not term.negated for word in term.values)

    def single_value(self, name: str) -> Any:
        """Return the value of the only condition on a field, or None unless it asks for a single value."""
        terms = [term for term in self.terms if term.name == name]
        if len(terms) != 1 or terms[0].negated or len(terms[0].values) != 1:
            return None
        return terms[0].values[0]

    def replacing(self, name: str, value: str) -> str:
        """Return the line without any conditions on a field, and with `name:value` in front unless the value is ""."""
        kept = [self.text[term.start : term.stop] for term in self.terms if term.name != name]
        return " ".join([f"{name}:{value}", *kept] if value else kept)

    def without(self, term: Term) -> str:
        """Return the line without one of its conditions."""
        return " ".join(self.text[other.start : other.stop] for other in self.terms if other is not term)

    def adding(self, other: "Filter") -> str:
        """Return the line with the conditions of another filter in front, replacing those on the same fields.

        Words required in the text are added to the present ones.
        """
        fields = {term.name for term in other.terms} - {"text"}
        kept = [term for term in self.terms if term.name not in fields and term not in other.terms]
        return " ".join([other.text.strip(), *(self.text[term.start : term.stop] for term in kept)]).strip()

    def holds(self, other: "Filter") -> bool:
        """Return whether all conditions of another filter are among these."""
        return all(term in self.terms for term in other.terms)


def parse_filter(text: str) -> Filter:
    """Parse a line; an empty line matches everything. Raises FilterError."""
    return Filter(text, tuple(_Reader(text).terms()))


class _Reader:
    """Reads a line from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def terms(self) -> Iterable[Term]:
        self._take(_SPACE)
        while self._position < len(self._text):
            yield self._term()
            self._take(_SPACE)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        match = pattern.match(self._text, self._position)
        if match:
            self._position = match.end()
        return match

    def _next(self) -> str:
        return self._text[self._position : self._position + 1]

    def _term(self) -> Term:
        start = self._position
        negated = self._next() in ("-", "!")
        if negated:
            self._position += 1
            if not self._next().strip():
                raise FilterError(self._position, f"A word or a field is expected after “{self._text[start]}”.")
        name, operator, values = self._condition()
        return Term(name, operator, values, negated, start, self._position)

    def _condition(self) -> tuple[str, Operator, tuple[Any, ...]]:
        if self._next() == '"':
            return "text", ":", (self._quoted(),)
        start = self._position
        if self._take(_NUMBERS):
            return "number", ":", self._values("number", ":")
        match = self._take(_FIELD)
        if not match:
            word = self._take(_WORD)
            return "text", ":", tuple(part for part in (word[0] if word else "").split("|") if part) or ("|",)
        name = match[1].lower().replace("-", "_")
        if name not in FIELDS:
            raise FilterError(
                start, f"There is no field “{match[1]}”. The fields are {', '.join(FIELDS)}; quote it to search for it."
            )
        operator = cast(Operator, match[2])
        if operator in COMPARISONS and not FIELDS[name].ordered:
            raise FilterError(match.start(2), f"“{name}” has no order: write {name}: and {FIELDS[name].takes}.")
        return name, operator, self._values(name, operator)

    def _values(self, name: str, operator: Operator) -> tuple[Any, ...]:
        values = [self._value(name, operator)]
        while self._next() in (",", "|"):
            if operator in COMPARISONS:
                raise FilterError(
                    self._position, f"One value is expected after “{operator}”: {FIELDS[name].takes}, without commas."
                )
            self._position += 1
            values.append(self._value(name, operator))
        if self._next().strip():
            raise FilterError(self._position, f"A space is expected before “{self._next()}”.")
        return tuple(values)

    def _value(self, name: str, operator: Operator) -> Any:
        start, takes = self._position, FIELDS[name].takes
        match = None
        if self._next() != '"':
            match = self._take(_VALUE)
            if not match:
                raise FilterError(start, f"After “{name}{operator}” comes {takes}.")
        text = match[0] if match else self._quoted()
        value = FIELDS[name].read(text)
        if value is None:
            raise FilterError(start, f"“{text}” is not understood: after “{name}{operator}” comes {takes}.")
        return value

    def _quoted(self) -> str:
        start = self._position
        match = self._take(_QUOTED)
        if not match:
            raise FilterError(start, "The quotation mark that opens here is never closed.")
        return match[1]
