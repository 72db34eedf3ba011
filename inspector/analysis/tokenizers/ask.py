"""Tokenizer comparisons: the same texts under several tokenizers, the error of each, and the flipped decisions.

The counts of the texts themselves are compared: a count recorded in a file, which overrides them in policies, affects
only the decisions.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, I32, I64, U8, Bool, Rows, frozen
from inspector.assembly.items import ItemTexts
from inspector.assembly.lacking import missing_texts
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.tokens.cache import CountCache
from inspector.tokens.choice import AUTO, load_tokenizer
from inspector.tokens.content_kinds import ContentKind, content_kinds
from inspector.tokens.counting import count_texts, each_once
from inspector.tokens.spread import Bounds, spread_of
from inspector.tokens.tokenizer import Tokenizer

DEFAULT_CONTENDERS = (
    *("embedded:o200k_base", "embedded:cl100k_base", "embedded:llama3", "embedded:qwen2.5", "embedded:gemma3"),
    *("estimate:chorus", "estimate:brain", "estimate:brain-0.1"),
)
RULES = {
    "estimate:chorus": "characters / 4",
    "estimate:whisperengine": "characters / 4, white space collapsed",
    "estimate:whisperengine-component": "characters / 4, down to 0",
    "estimate:ibex": "characters / 4, rounded up",
    "estimate:ibex-claude": "characters / 3.5, rounded up",
    "estimate:brain": "characters / 3",
    "estimate:brain-0.1": "bytes / 4",
    "estimate:scribe": "bytes / 4",
    "estimate:words": "words",
}
"""The formulas of the estimators, in their well-known wording."""

_PROBES = (
    *(
        "Hello, world! This is a test.",
        "it's 3:45 pm,  1234567890 km",
        "Grüße aus Köln, señor",
        "for (i = 0; i < 10; ++i) {",
    ),
    *(
        "\n\n\n\tdef f(x):\n        return x\n",
        "東京は晴れです。我們明天去",
        "مرحبا يا صديقي",
        "Привет, как дела?",
        "안녕하세요",
    ),
    *("👩🏽‍🎓🎉💯🏴", '{"a": [1, 2.50, null], "b": "c"}', "unbelievably antidisestablishmentarian"),
)

_probes_counted: dict[str, bytes] = {}


@dataclass(frozen=True, slots=True, eq=False)
class TokenizerColumn:
    """The items under a tokenizer: tokens of each text, and the policy's action for each.

    `tokens` is None until everything is counted; `actions` is None, too, if the policy makes no prompt. `bounds` are
    the least and the most tokens of each text, None where no error of the tokenizer is known.
    """

    name: str
    exact: bool
    tokens: I32 | None = None
    actions: U8 | None = None
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class KindErrors:
    """The errors of a tokenizer on `items` texts: `total` tokens where the base of the comparison counts `compared`.

    `low` and `high` are the least and the most that `total` may be by the tokenizer's own error, None if unknown.

    `mean_absolute_error` is in tokens a text; `worst` is the row with the largest error, None if there is none.
    """

    items: int
    total: int
    compared: int
    mean_absolute_error: float
    worst: int | None
    low: int | None = None
    high: int | None = None

    @property
    def bias(self) -> float | None:
        """The excess of the total as a share of the true total (below 0: too small); None if the true total is 0."""
        return (self.total - self.compared) / self.compared if self.compared else None


@dataclass(frozen=True, eq=False)
class TokenizerComparison:
    """The items of a scenario under several tokenizers; the first column is the scenario's own.

    `kinds` is the `ContentKind` of each row. Columns are compared with the column at `base`, which is the reference if
    it counts exactly; if none does, the scenario's own replaces it and differences are not errors.
    """

    scenario: Scenario
    candidates: Candidates
    kinds: U8
    columns: tuple[TokenizerColumn, ...]
    base: int

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the rows."""
        return self.candidates.ids

    @property
    def reference(self) -> TokenizerColumn | None:
        """The exact tokenizer against which the others are measured, None if none of them is exact."""
        base = self.columns[self.base]
        return base if base.exact else None

    def sum_up(self) -> None:
        """Compute everything derived from the columns now, so that showing it does not wait."""
        _ = self._shares, self._errors, self.disputed

    @property
    def kinds_present(self) -> tuple[ContentKind, ...]:
        """The kinds of content among the texts."""
        return tuple(map(ContentKind, np.unique(self.kinds).tolist()))

    def differences(self, place: int) -> I64 | None:
        """Return for each row the tokens of a column less those of the base; None until both are counted."""
        tokens, base = self.columns[place].tokens, self.columns[self.base].tokens
        return None if tokens is None or base is None else tokens.astype(np.int64) - base

    def shares(self, place: int) -> F64 | None:
        """Return the differences as shares of the base's tokens: 0 where both count 0, NaN if the base alone does."""
        return self._shares[place]

    @cached_property
    def _shares(self) -> tuple[F64 | None, ...]:
        base, found = self.columns[self.base].tokens, map(self.differences, range(len(self.columns)))
        return tuple(None if base is None or one is None else _shares_of(one, base) for one in found)

    def errors(self, place: int, kind: ContentKind | None = None) -> KindErrors | None:
        """Return how far a column is off for the texts of a kind, or for all; None if it is not counted yet."""
        return self._errors[place].get(kind)

    @cached_property
    def _errors(self) -> tuple[dict[ContentKind | None, KindErrors], ...]:
        groups: dict[ContentKind | None, Rows] = {None: np.arange(len(self.kinds))}
        groups.update((kind, np.flatnonzero(self.kinds == kind)) for kind in self.kinds_present)
        found: list[dict[ContentKind | None, KindErrors]] = []
        for place, column in enumerate(self.columns):
            tokens, differences = column.tokens, self.differences(place)
            if tokens is None or differences is None:
                found.append({})
            else:
                found.append({kind: _errors_of(column, tokens, differences, rows) for kind, rows in groups.items()})
        return tuple(found)

    def flipped(self, place: int) -> Bool | None:
        """Return a mask of the rows with another action than under the base; None if unknown."""
        return self._flipped[place]

    @cached_property
    def _flipped(self) -> tuple[Bool | None, ...]:
        base, found = self.columns[self.base].actions, (column.actions for column in self.columns)
        return tuple(None if base is None or one is None else one != base for one in found)

    def flips(self, place: int) -> Rows | None:
        """Return the rows whose decision flips under a column; None if unknown."""
        flipped = self.flipped(place)
        return None if flipped is None else np.flatnonzero(flipped)

    @cached_property
    def dissent(self) -> I32:
        """For each row under how many of the tokenizers its decision flips."""
        dissent = np.zeros(len(self.kinds), np.int32)
        for flipped in self._flipped:
            if flipped is not None:
                dissent += flipped
        return dissent

    @cached_property
    def disputed(self) -> int:
        """The number of rows flipped by any tokenizer."""
        return int(np.count_nonzero(self.dissent))


def tokenizer_comparisons(basis: Basis, names: Sequence[str] | None = None) -> Iterator[Share | TokenizerComparison]:
    """Yield the comparison with everything counted already, then each further column, with progress in between.

    The scenario's own tokenizer is always the first; without `names` follow that of its model and those of the default
    contenders with different counts. Everything but the tokenizer stays as in the scenario. Raise ScenarioError,
    UnknownTokenizerError and TokenizerUnavailableError.
    """
    pipeline, scenario = basis.pipeline, basis.scenario
    tokenizers = yield from _contenders(pipeline, scenario, names)
    base = next((place for place, tokenizer in enumerate(tokenizers) if tokenizer.exact), 0)
    columns = [TokenizerColumn(tokenizer.name, tokenizer.exact) for tokenizer in tokenizers]
    places = sorted(range(len(columns)), key=lambda place: (place != base, place))
    scenarios = [scenario, *(replace(scenario, tokenizer=tokenizer.name) for tokenizer in tokenizers[1:])]
    wanted = {place: _uncounted(pipeline, scenarios[place], tokenizers[place]) for place in places}
    for place in places:
        if not wanted[place]:
            columns[place] = _column(pipeline, scenarios[place], tokenizers[place])
    candidates = pipeline.candidates(pipeline.case(scenario))
    comparison = TokenizerComparison(scenario, candidates, _kinds_of(candidates.items), tuple(columns), base)
    comparison.sum_up()
    yield comparison
    for place in places:
        if wanted[place]:
            yield from _counted(pipeline, tokenizers[place], wanted[place], basis.cache)
            columns[place] = _column(pipeline, scenarios[place], tokenizers[place])
            comparison = replace(comparison, columns=tuple(columns))
            comparison.sum_up()
            yield comparison


def _contenders(
    pipeline: Pipeline, scenario: Scenario, names: Sequence[str] | None
) -> Generator[Share, None, tuple[Tokenizer, ...]]:
    """Return the tokenizers to compare, the scenario's own first, each once; their vocabularies are loaded on the
    way.
    """
    own, of_model = (
        pipeline.case(asked).model.tokenizer.tokenizer for asked in (scenario, replace(scenario, tokenizer=AUTO))
    )
    if names is not None:
        chosen = (
            own,
            *(of_model if name == AUTO else load_tokenizer(name, pipeline.choices.tokenizers) for name in names),
        )
        return tuple({tokenizer.name: tokenizer for tokenizer in chosen}.values())
    different: dict[bytes, Tokenizer] = {}
    for tokenizer in (own, of_model, *map(load_tokenizer, DEFAULT_CONTENDERS)):
        if tokenizer.fingerprint not in _probes_counted:
            yield Share(0, what=_counting(tokenizer))
            _probes_counted[tokenizer.fingerprint] = tokenizer.count(_PROBES).tobytes()
        different.setdefault(_probes_counted[tokenizer.fingerprint], tokenizer)
    return tuple(different.values())


def _errors_of(column: TokenizerColumn, tokens: I32, differences: I64, rows: Rows) -> KindErrors:
    sizes, total = np.abs(differences[rows]), int(tokens[rows].sum(dtype=np.int64))
    worst = int(rows[np.argmax(sizes)]) if len(rows) and sizes.max() else None
    mean = float(sizes.mean()) if len(rows) else 0.0
    low, high = (None, None) if column.bounds is None else (int(b[rows].sum(dtype=np.int64)) for b in column.bounds)
    return KindErrors(len(rows), total, total - int(differences[rows].sum()), mean, worst, low, high)


def _shares_of(differences: I64, base: I32) -> F64:
    shares = np.full(len(base), np.nan)
    np.divide(differences, base, out=shares, where=base > 0)
    shares[(base == 0) & (differences == 0)] = 0.0
    return shares


def _uncounted(pipeline: Pipeline, scenario: Scenario, tokenizer: Tokenizer) -> list[str]:
    """Return the texts to count for a column: all those needed by its assembly; those of the items if there will be
    none.
    """
    case = pipeline.case(scenario)
    if case.policy is None:
        counts = pipeline.known.counts(tokenizer)
        return [*counts.texts_at(counts.missing(each_once(pipeline.items(case).places("texts", counts))))]
    return missing_texts(pipeline, case)


def _counted(pipeline: Pipeline, tokenizer: Tokenizer, texts: list[str], cache: CountCache | None) -> Iterator[Share]:
    """Count texts into the pipeline; if stopped half-way, the counts so far are kept."""
    yield Share(0, len(texts), _counting(tokenizer))
    counts = pipeline.known.counts(tokenizer)
    for chunk in count_texts(texts, tokenizer, cache):
        stop = chunk.start + len(chunk.counts)
        counts.add(counts.places(texts[chunk.start : stop]), chunk.counts, chunk.bounds)
        yield Share(stop, len(texts), _counting(tokenizer))


def _counting(tokenizer: Tokenizer) -> str:
    return f"Counting with {tokenizer.name}"


def _column(pipeline: Pipeline, scenario: Scenario, tokenizer: Tokenizer) -> TokenizerColumn:
    """Return the column of a tokenizer with everything counted."""
    assembly = pipeline.assemble(pipeline.case(scenario))
    counts = pipeline.known.counts(tokenizer)
    places = assembly.candidates.items.places("texts", counts)
    tokens, _ = counts.at(places)
    bounds = None if spread_of(tokenizer) is None else counts.bounds_at(places)
    actions = None if assembly.error else assembly.action
    return TokenizerColumn(tokenizer.name, tokenizer.exact, frozen(tokens), actions, bounds)


def _kinds_of(items: ItemTexts) -> U8:
    """Return the kinds of content of the items, found once for the same items."""
    return items.derived("kinds of content", None, lambda: frozen(content_kinds(items.texts)))
