"""A public listing merged with the rows of the model table: the models that are new, changed, the same or skipped."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inspector.tokens.models.lines import NO_VOCABULARY, Line, line_of, tokenizer_of
from inspector.tokens.models.listed import NO_WINDOW, ListedModel, Listing
from inspector.tokens.models.makers import maker_of, words_before_dash
from inspector.tokens.models.names import Key, key_of, modes, plain, shorter
from inspector.tokens.models.prices import prices_told
from inspector.tokens.models.table import ModelRow, ModelTable

# The providers that are makers themselves, by their names in the listings. Hosts list the same models with their own
# windows and prices, so only the maker's entry is a fact about a model, unless a provider is requested by name.
_MAKERS = {
    "ai21": "AI21",
    "alibaba": "Alibaba",
    "amazon_nova": "Amazon",
    "anthropic": "Anthropic",
    "cohere": "Cohere",
    "cohere_chat": "Cohere",
    "dashscope": "Alibaba",
    "deepseek": "DeepSeek",
    "gemini": "Google",
    "google": "Google",
    "inception": "Inception",
    "meta": "Meta",
    "meta_llama": "Meta",
    "minimax": "MiniMax",
    "mistral": "Mistral AI",
    "moonshot": "Moonshot AI",
    "moonshotai": "Moonshot AI",
    "openai": "OpenAI",
    "perplexity": "Perplexity",
    "stepfun": "StepFun",
    "tencent": "Tencent",
    "tencent-tokenhub": "Tencent",
    "upstage": "Upstage",
    "volcengine": "ByteDance",
    "x-ai": "xAI",
    "xai": "xAI",
    "xiaomi": "Xiaomi",
    "xiaomi_mimo": "Xiaomi",
    "zai": "Z.ai",
}
_FACTS = ("context_window", "max_input", "max_output", "price_in", "price_out", "price_cached")
_OWN_NAMES = ("exact", "alias")

HOST = "listed by a host that is not the maker"
OTHER_MAKER = "a model of another maker"
SECOND_NAME = "another name of a model that is listed too"


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact with its value in the table and in the listing."""

    fact: str
    before: float | str | None
    after: float | str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A model whose facts differ."""

    name: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """The rows of a listing that the table lacks, and the changed ones.

    `same` is the number of listed models whose facts the table already has; `skipped` counts the others by reason.
    `more_names` are new other names of rows, by the row's name: modes of a model that cost the same. `current`
    has the listed rows of the table as the listing has them, changed or not, by name.
    """

    new: tuple[ModelRow, ...]
    changed: Mapping[Change, ModelRow]
    same: int
    skipped: Mapping[str, int]
    more_names: Mapping[str, tuple[str, ...]]
    current: Mapping[str, ModelRow]


def merge_listing(
    listing: Listing,
    table: ModelTable,
    date: str,
    providers: Collection[str] = (),
    hosts: Sequence[str] = (),
    release: str = "",
) -> Merge:
    """Merge a listing with a table: makers' entries for their own models, or all entries of the given providers.

    `hosts` are asked for open models that no maker lists, the first first. `release` is the listing's version.
    """
    merging = _Merging(listing, table, date, release, bool(providers))
    named = providers or tuple(_MAKERS)
    merging.take([model for model in listing.models if model.provider in named])
    for host in hosts:
        merging.take_open([model for model in listing.models if model.provider == host and model.repository])
    left = Counter(merging.skipped)
    left[HOST] += sum(model.provider not in named for model in listing.models)
    names = {name: tuple(more) for name, more in merging.more_names.items()}
    return Merge(tuple(merging.new.values()), merging.changed, merging.same, dict(+left), names, merging.current)


@dataclass(slots=True)
class _Merging:
    """A merge under way: what was found so far. New rows are looked up like those of the table."""

    listing: Listing
    table: ModelTable
    date: str
    release: str
    is_asked_for: bool
    new: dict[Key, ModelRow] = field(default_factory=dict)
    changed: dict[Change, ModelRow] = field(default_factory=dict)
    current: dict[str, ModelRow] = field(default_factory=dict)
    more_names: dict[str, list[str]] = field(default_factory=dict)
    same: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    repositories: Mapping[Key, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.skipped.update(self.listing.left_out)
        self.repositories = dict(reversed(list(_repositories(self.listing.models))))

    def take(self, models: Sequence[ListedModel]) -> None:
        """Merge models of makers, or of providers that were asked for: own names first, then dated names and modes."""
        own: dict[str, list[ListedModel]] = {}
        others: list[ListedModel] = []
        for model in models:
            match = self.table.find(model.name)
            if not self._is_by_its_maker(model, match.row):
                self.skipped[OTHER_MAKER] += 1
            elif match.row is not None and (match.how in _OWN_NAMES or _is_latest(model.name, match.row)):
                own.setdefault(match.row.name, []).append(model)
            else:
                others.append(model)
        for name, named in own.items():
            best = next((model for model in named if plain(model.name) == f"{plain(name)}-latest"), None)
            best = best or next((model for model in named if plain(model.name) == plain(name)), named[0])
            self._update(best)
            others.extend(model for model in named if model is not best)
        for model in sorted(others, key=lambda model: len(key_of(model.name))):
            self._add(model)

    def take_open(self, models: Sequence[ListedModel]) -> None:
        """Add open models from a host, by their repositories at Hugging Face, that are not in the table by now."""
        for model in models:
            line = line_of(model.repository)
            organisation = model.repository.partition("/")[0]
            if line is None or not line.is_open or maker_of(organisation) != line.maker:
                continue
            bare = _bare_name(model.name)
            known = self.table.find(bare).row or self.table.find(model.name).row or _found(bare, self.new)
            if known is None and not _is_variant(bare):
                self._append(replace(model, name=bare), line)

    def _is_by_its_maker(self, model: ListedModel, row: ModelRow | None) -> bool:
        if self.is_asked_for:
            return True
        line = line_of(model.name)
        maker = row.maker if row is not None else line.maker if line is not None else _MAKERS[model.provider]
        return maker == _MAKERS[model.provider]

    def _update(self, model: ListedModel) -> None:
        """Take the facts of a model that the table knows by this name."""
        known = self.table.find(model.name).row
        assert known is not None
        row = self._with_facts(known, model)
        self.current[known.name] = row
        differing = (*_differing(known, row), *_priced_otherwise(known, row))
        if differing:
            self.changed[Change(row.name, differing)] = row
        else:
            self.same += 1

    def _add(self, model: ListedModel) -> None:
        """Take a model of a name that no row has as its own: a row, a mode of a row, or another name with its facts."""
        match = self.table.find(model.name)
        known = _found(model.name, self.new) or match.row
        relative = self.current.get(known.name, known) if known is not None else None
        is_row = known is not None and plain(known.name) == plain(model.name)
        if relative is not None and (
            is_row or self.is_asked_for or not _differing(relative, self._with_facts(relative, model))
        ):
            self.skipped[SECOND_NAME] += 1
            return
        of_mode = self._of_mode(model)
        if of_mode is not None:
            self.more_names.setdefault(of_mode.name, []).append(plain(model.name))
            self.skipped[SECOND_NAME] += 1
        elif key_of(model.name):
            self._append(model, line_of(model.name))

    def _of_mode(self, model: ListedModel) -> ModelRow | None:
        """Return the row whose mode a model is, with the same facts: grok-4.20 of grok-4.20-beta-reasoning."""
        for name in modes(plain(model.name)):
            known = _found(name, self.new) or self.table.find(name).row
            row = self.current.get(known.name, known) if known is not None else None
            if row is not None:
                return None if _differing(row, self._with_facts(row, model)) else row
        return None

    def _append(self, model: ListedModel, line: Line | None) -> None:
        if model.context_window is None:
            self.skipped[NO_WINDOW] += 1
            return
        self.new[key_of(model.name)] = self._with_facts(self._row_of_line(model, line), model)

    def _row_of_line(self, model: ListedModel, line: Line | None) -> ModelRow:
        """Return a row without facts, with tokenizer and chat format of the line."""
        maker = line.maker if line is not None else _MAKERS.get(model.provider, model.provider)
        if line is None:
            return ModelRow(model.name, maker, 1, None, NO_VOCABULARY, "chatml", "")
        tokenizer, own = tokenizer_of(line, self.repositories.get(key_of(_bare_name(model.name)), ""))
        return ModelRow(model.name, maker, 1, None, tokenizer, line.chat_format, line.family, (), own)

    def _with_facts(self, row: ModelRow, model: ListedModel) -> ModelRow:
        """Return a row with the facts of a listed model, and what the listing does not say as before."""
        window, most = row.context_window, row.max_input
        if model.context_window is not None and (model.knows_windows or window == 1):
            most = model.max_input or (most if window == model.context_window else None)
            window = model.context_window
        if model.price_in is not None:
            is_as_before = (row.price_in, row.price_out) == (model.price_in, model.price_out)
            row = replace(
                row,
                price_in=model.price_in,
                price_out=model.price_out,
                price_cached=model.price_cached or (row.price_cached if is_as_before else None),
                prices=model.prices or (row.prices if is_as_before else None),
            )
        output = model.max_output or row.max_output
        release = f"{self.listing.kind} {self.release}".strip()
        return replace(
            row,
            context_window=window,
            max_input=most if most is not None and most < window else None,
            max_output=output if output is not None and output <= window else None,
            date=self.date,
            source=f"{release} ({model.provider})",
        )


def _found(name: str, rows: Mapping[Key, ModelRow]) -> ModelRow | None:
    return next((rows[key] for key in (key_of(name), _bare_key(name)) if key in rows), None)


def _is_latest(name: str, row: ModelRow) -> bool:
    """Return whether a listed name is that of a row as it is meant today, whatever the listing kept by its own name."""
    return plain(name) == f"{plain(row.name)}-latest"


def _bare_key(name: str) -> Key:
    """Return the key of a name without all that stands behind it."""
    return key_of(next((less.text for less in reversed(list(shorter(plain(name))))), name))


def _bare_name(name: str) -> str:
    """Return the name of a repository without its maker, tuning and quantisation: nemotron-3-nano-30b-a3b."""
    bare = next((less.text for less in reversed(list(shorter(plain(name))))), plain(name))
    return next((bare[len(word) + 1 :] for word in words_before_dash(bare) if line_of(bare[len(word) + 1 :])), bare)


def _is_variant(name: str) -> bool:
    """Return whether a host runs a model in a way of its own under this name, faster or cheaper."""
    return name.endswith(("-turbo", "-ultra", "-fast", "-highspeed"))


def _repositories(models: Sequence[ListedModel]) -> Iterator[tuple[Key, str]]:
    """Yield the names of the repositories of the makers of open models, by the keys of the models."""
    for model in models:
        organisation = model.repository.partition("/")[0]
        line = line_of(model.repository) if model.repository else None
        if line is not None and line.is_open and maker_of(organisation) == line.maker:
            yield key_of(_bare_name(model.name)), model.repository


def _differing(known: ModelRow, row: ModelRow) -> tuple[Difference, ...]:
    """Return the facts in which a row differs from the known one."""
    pairs = ((fact, getattr(known, fact), getattr(row, fact)) for fact in _FACTS)
    return tuple(Difference(*pair) for pair in pairs if pair[1] != pair[2])


def _priced_otherwise(known: ModelRow, row: ModelRow) -> Iterator[Difference]:
    """Yield the difference of prices besides those of a short request."""
    if known.prices != row.prices:
        yield Difference("prices", prices_told(known.prices), prices_told(row.prices))
