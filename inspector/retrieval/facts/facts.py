"""Facts in a text, by the same rules for every language: details a reader would miss if a summary lost them.

Kinds, in order of priority for a stretch of the text; only quotations may hold other facts:

* code: a fenced block, an `inline span`, and words of programs: snake_case, camelCase, call(), --option, v1.2;
* url, email, path: addresses; paths that begin with /, ~/, ./ or a drive, and file names of well-known extensions;
* date: 2024-03-05, 5.3.2024, 3/5/24, 5 March 2024, March 5th, 5. März, 2024年3月5日, and days of the week in English;
* time: 15:30, 3 pm, 3:30 p.m., 14h30, 15時30分;
* amount: a number with a currency or a percent sign;
* number: any other figures, in any script's digits, except in a word (x12) or at the beginning of a list item; number
  words are none;
* name: a run of capitalised words. The first word of a sentence, always capitalised, counts only if it is all in
  capitals, or known: written with a capital inside a sentence and never without, in this text or in those the `names`
  come from. Scripts without capitals (Chinese, Japanese, Arabic, Hindi, …) have no names by this rule, and never wrong
  ones; in Japanese the word before a title such as さん or 様 is a name. German capitalises every noun: there nouns
  count too;
* quotation: text between “…”, "…", „…“, «…», 「…」 or 『…』 on the same line, if it is two words or more (in scripts
  without spaces, four characters or more).

Each fact has a value independent of its spelling: 1,204 and 1204, 3 pm and 15:00, $5 and 5 dollars.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from inspector.retrieval.facts.rules import RULES, FactKind, folded
from inspector.retrieval.summaries.sentences import sentences

CODE_POINTS_READ = 100_000
"""Only this much of a longer text is read."""


class Fact(NamedTuple):
    """A fact at text[start:end], and its value."""

    kind: FactKind
    value: str
    start: int
    end: int


_LETTERS = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTERS}(?:{_LETTERS}|[\u0300-\u036f])*(?:['’-]{_LETTERS}+)*")
_ALONE = frozenset(("i", "i'm", "i'll", "i've", "i'd", "ok", "okay"))
"""Words written with a capital everywhere without being names."""
_OPENING = '"“„«‘*_(:['
_TITLED = re.compile(r"([\u4e00-\u9fff々]{1,4}|[\u30a1-\u30ff]{2,12})(?=さん|さま|様|ちゃん|くん|先生|殿)")
_QUOTATION = re.compile(r"“([^“”\n]+)”|\"([^\"\n]+)\"|„([^“”„\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」|『([^『』\n]+)』")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_LEAST_UNSPACED = 4


def facts_of(text: str, names: Iterable[str] = ()) -> tuple[Fact, ...]:
    """Return the facts of a text in order, each as often as it is said.

    `names` are known names in lower case, as `names_in` finds them in the messages around.
    """
    read = text[:CODE_POINTS_READ]
    found: list[Fact] = []
    rest = read
    for rule in RULES:
        if not rule.sign.search(rest):
            continue
        new = [
            Fact(rule.kind, value, *match.span())
            for match in rule.pattern.finditer(rest)
            if (value := rule.value(match))
        ]
        rest = _blanked(rest, new)
        found += new
    code = [fact for fact in found if fact.kind is FactKind.CODE]
    found += _names(rest, names_in([rest]).union(names))
    found += _quotations(_blanked(read, sorted(code, key=lambda fact: fact.start)))
    return tuple(sorted(found, key=lambda fact: (fact.start, fact.end)))


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the words written with a capital inside a sentence and never without in these texts, in lower case."""
    found: set[str] = set()
    small: set[str] = set()
    for text in texts:
        read = text[:CODE_POINTS_READ]
        found.update(_inner_names(read))
        small.update(word for word in _WORD.findall(read) if word[0].islower())
    return frozenset(found - small)


def words_of(text: str) -> frozenset[str]:
    """Return all words of a text in the form used in the values of names, without Japanese titles."""
    words = (part.lower() for word in _WORD.finditer(text) for part in _parts(word[0]))
    return frozenset((*words, *(found[1] for found in _TITLED.finditer(text))))


def _blanked(text: str, facts: Iterable[Fact]) -> str:
    """Return the text with these facts blanked out for later rules; all other text keeps its place."""
    pieces: list[str] = []
    place = 0
    for fact in facts:
        pieces += [text[place : fact.start], "\0" * (fact.end - fact.start)]
        place = fact.end
    return "".join((*pieces, text[place:]))


def _inner_names(text: str) -> Iterator[str]:
    """Yield the capitalised words inside sentences, in lower case."""
    for word, begins in _capitalised(text):
        if not begins or _is_in_capitals(word[0]):
            yield from (part.lower() for part in _parts(word[0]))


def _capitalised(text: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the possible names, and whether each is the first word of its sentence."""
    for start, end in sentences(text):
        first = True
        for word in _WORD.finditer(text, start, end):
            if word[0][0].isupper() and word[0].lower().replace("’", "'") not in _ALONE and len(word[0]) > 1:
                before = text[max(start, word.start() - 3) : word.start()]
                yield word, first or before[-1] in _OPENING or before.rstrip().endswith(":")
            first = False


def _is_in_capitals(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _parts(word: str) -> list[str]:
    """Return a word without an English genitive, split at its hyphens."""
    plain = re.sub(r"['’]s$", "", word)
    return [part for part in plain.split("-") if part]


def _names(text: str, known: frozenset[str]) -> Iterator[Fact]:
    """Yield runs of capitalised words; the value is their words in lower case."""
    run: list[re.Match[str]] = []
    for word, begins in _capitalised(text):
        if begins and not _is_in_capitals(word[0]) and not known.intersection(part.lower() for part in _parts(word[0])):
            continue
        if run and (begins or text[run[-1].end() : word.start()].strip(" ") or word.start() - run[-1].end() > 1):
            yield _name(run)
            run = []
        run.append(word)
    if run:
        yield _name(run)
    for titled in _TITLED.finditer(text):
        yield Fact(FactKind.NAME, titled[1], *titled.span())


def _name(run: list[re.Match[str]]) -> Fact:
    value = " ".join(part.lower() for word in run for part in _parts(word[0]))
    return Fact(FactKind.NAME, value, run[0].start(), run[-1].end())


def _quotations(text: str) -> Iterator[Fact]:
    for found in _QUOTATION.finditer(text):
        inside = folded(found[found.lastindex or 0])
        letters = len(_UNSPACED.findall(inside))
        if letters >= _LEAST_UNSPACED or (not letters and len(inside.split()) > 1):
            yield Fact(FactKind.QUOTATION, inside, *found.span())
