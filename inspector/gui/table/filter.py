"""The filter language: a line such as `action:dropped tokens>200 "coral"`, compiled to a mask. No Qt here.

Terms are parted by spaces and all have to match. A term is `field:value`, a comparison such as `tokens>200`, or a
word or "quoted phrase" that the text must hold. `-` or `!` before a term turns it round. Values parted by `,` or `|`
are alternatives; in a word without a field, only `|` parts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from inspector.assembly.columns import Bool
from inspector.gui.table.filter_fields import COMPARISONS, FIELDS, Operator, Subject

_SPACE = re.compile(r"\s*")
_FIELD = re.compile(r"([A-Za-z_]+|must-survive)(<=|>=|[:=<>])", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_VALUE = re.compile(r'[^\s,|"]+')
_QUOTED = re.compile(r'"([^"]*)"')


class FilterError(ValueError):
    """A filter that is not understood: the `position` in the line, and a sentence with what was expected there."""

    def __init__(self, position: int, sentence: str) -> None:
        super().__init__(sentence)
        self.position = position


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: a field compared with values, any of which may match; `start` and `stop` are its place."""

    name: str
    operator: Operator
    values: tuple[Any, ...]
    negated: bool = False
    start: int = field(default=0, compare=False)
    stop: int = field(default=0, compare=False)

    def mask(self, subject: Subject) -> Bool:
        """The candidates that this condition matches."""
        found = FIELDS[self.name].matching(subject, self.operator, self.values)
        return ~found if self.negated else found


@dataclass(frozen=True, slots=True)
class Filter:
    """A line of the filter language, understood: conditions that all have to match."""

    text: str = ""
    terms: tuple[Term, ...] = ()

    def mask(self, subject: Subject) -> Bool:
        """The candidates that match, as a mask of the candidates' length."""
        found = np.ones(len(subject.assembly.candidates), dtype=np.bool_)
        for term in self.terms:
            found &= term.mask(subject)
        return found

    def names(self, name: str) -> bool:
        """Whether a condition on this field is among the terms."""
        return any(term.name == name for term in self.terms)

    @property
    def words(self) -> tuple[str, ...]:
        """What texts that match hold: the words and phrases of conditions on the text that are not turned round."""
        return tuple(word for term in self.terms if term.name == "text" and not term.negated for word in term.values)

    def single_value(self, name: str) -> Any:
        """The value of the only condition on a field, None unless it asks for exactly one value."""
        terms = [term for term in self.terms if term.name == name]
        if len(terms) != 1 or terms[0].negated or len(terms[0].values) != 1:
            return None
        return terms[0].values[0]

    def replacing(self, name: str, value: str) -> str:
        """The line with all conditions on a field taken out, and `name:value` put first unless the value is ""."""
        kept = [self.text[term.start : term.stop] for term in self.terms if term.name != name]
        return " ".join([f"{name}:{value}", *kept] if value else kept)

    def without(self, term: Term) -> str:
        """The line with one of its conditions taken out."""
        return " ".join(self.text[other.start : other.stop] for other in self.terms if other is not term)

    def adding(self, other: "Filter") -> str:
        """The line with the conditions of another one first, in the place of those on the same fields.

        Words that the text has to hold come to those that are there.
        """
        fields = {term.name for term in other.terms} - {"text"}
        kept = [term for term in self.terms if term.name not in fields and term not in other.terms]
        return " ".join([other.text.strip(), *(self.text[term.start : term.stop] for term in kept)]).strip()

    def holds(self, other: "Filter") -> bool:
        """Whether all conditions of another one are among these."""
        return all(term in self.terms for term in other.terms)


def parse_filter(text: str) -> Filter:
    """Understand a line; the empty one matches everything. Raises FilterError."""
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
            raise FilterError(match.start(2), f"“{name}” is not a number: write {name}: and {FIELDS[name].takes}.")
        return name, operator, self._values(name, operator)

    def _values(self, name: str, operator: Operator) -> tuple[Any, ...]:
        values = [self._value(name, operator)]
        while self._next() in (",", "|"):
            if operator in COMPARISONS:
                raise FilterError(self._position, f"One number is expected after “{operator}”, such as 1200.")
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
