"""Merging a listing into the user's own rows of the model table: new, changed, unchanged and skipped models."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from inspector.tokens.models.files import Entry, entry_of
from inspector.tokens.models.listing import LITELLM, MODELS_DEV, ListedModel, Listing
from inspector.tokens.models.names import key_of, plain
from inspector.tokens.models.table import ModelRow, ModelTable

# The providers that are makers themselves, by their names in the two listings. Hosts list the same models with their
# own windows and prices, so only the maker's entry is a fact about a model, unless a provider is requested by name.
_MAKERS = {
    "ai21": "AI21",
    "alibaba": "Alibaba",
    "anthropic": "Anthropic",
    "cohere": "Cohere",
    "cohere_chat": "Cohere",
    "dashscope": "Alibaba",
    "deepseek": "DeepSeek",
    "gemini": "Google",
    "google": "Google",
    "inception": "Inception",
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
    "xai": "xAI",
    "xiaomi": "Xiaomi",
    "zai": "Z.ai",
}
_FACTS = ("context_window", "max_input", "max_output", "price_in", "price_out", "price_cached")

HOST = "listed by a host that is not the maker"
OTHER_MAKER = "a model of another maker"
SECOND_NAME = "another name of a model that is listed too"
OWN_ROW = "a row that you wrote yourself"


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact with its value in the table and in the listing."""

    fact: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """A model whose facts differ."""

    name: str
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """The result of an import: the new content of the user's file, and a summary of it.

    `same` is the number of listed models whose facts the table already has; `skipped` counts the others by reason.
    """

    entries: tuple[Entry, ...]
    new: tuple[str, ...]
    changed: tuple[Change, ...]
    same: int
    skipped: Mapping[str, int]


def import_listing(
    listing: Listing, table: ModelTable, own: Sequence[Entry], date: str, providers: Sequence[str] = ()
) -> Import:
    """Merge a listing into the entries of the user's own file. `table` has the shipped rows with these on top.

    Without `providers`, only makers' entries for their own models are taken; with them, all entries of these providers.
    Rows written by the user stay unchanged; rows of an earlier import are replaced.
    """
    skipped: Counter[str] = Counter(listing.left_out)
    written = {plain(str(entry.get("name", ""))) for entry in own if not _is_imported(entry)}
    new: list[ModelRow] = []
    changed: dict[Change, ModelRow] = {}
    same = 0
    for model, known in _one_each(listing.models, table, providers, skipped):
        relative = known or table.find(model.name).row
        row = _row(model, relative, known is not None, f"{listing.kind} ({model.provider})", date)
        differing = _differing(relative, row)
        if known is not None and plain(known.name) in written:
            skipped[OWN_ROW] += 1
        elif not differing:  # also a new name with the facts of its beginning: gpt-4-0613 equals gpt-4
            same += 1
        elif known is None:
            new.append(row)
        else:
            changed[Change(row.name, differing)] = row
    rows = {plain(row.name): entry_of(row) for row in (*changed.values(), *new)}
    kept = (entry for entry in own if plain(str(entry.get("name", ""))) not in rows)
    names = tuple(row.name for row in new)
    return Import((*kept, *rows.values()), names, tuple(changed), same, dict(skipped))


def _differing(known: ModelRow | None, row: ModelRow) -> tuple[Difference, ...]:
    """Return the facts in which a row differs from the known one; without a known row, all of them."""
    pairs = ((fact, getattr(known, fact, None), getattr(row, fact)) for fact in _FACTS)
    return tuple(Difference(*pair) for pair in pairs if pair[1] != pair[2])


def _is_imported(entry: Entry) -> bool:
    return str(entry.get("source", "")).startswith((f"{MODELS_DEV} (", f"{LITELLM} ("))


def _one_each(
    models: Sequence[ListedModel], table: ModelTable, providers: Sequence[str], skipped: Counter[str]
) -> Iterator[tuple[ListedModel, ModelRow | None]]:
    """Yield a single listed model for each row of the table and each unknown name: the model with the name of the row,
    else the first. The others are counted as skipped.
    """
    chosen: dict[object, tuple[ListedModel, ModelRow | None]] = {}
    for model in models:
        if model.provider not in (providers or _MAKERS):
            skipped[HOST] += 1
            continue
        match = table.find(model.name)
        row = match.row if match.how in ("exact", "alias") else None
        if row is not None and not providers and row.maker != _MAKERS[model.provider]:
            skipped[OTHER_MAKER] += 1
            continue
        name = key_of(row.name if row is not None else model.name)
        if not name:
            skipped[SECOND_NAME] += 1
        elif name not in chosen:
            chosen[name] = model, row
        elif row is not None and match.how == "exact" and plain(chosen[name][0].name) != plain(row.name):
            chosen[name] = model, row
            skipped[SECOND_NAME] += 1
        else:
            skipped[SECOND_NAME] += 1
    yield from chosen.values()


def _row(model: ListedModel, relative: ModelRow | None, is_known: bool, source: str, date: str) -> ModelRow:
    """Return the row of a listed model: the table's row with the listed facts, or a new row like its relative's."""
    row = relative if relative is not None and is_known else _new_row(model, relative)
    window = _window(model, relative, is_known)
    if model.price_in is not None:
        row = replace(row, price_in=model.price_in, price_out=model.price_out, price_cached=model.price_cached)
    output = model.max_output or row.max_output
    return replace(
        row,
        context_window=window,
        max_input=model.max_input if model.max_input is not None and model.max_input < window else None,
        max_output=output if output is not None and output <= window else None,
        date=date,
        source=source,
    )


def _window(model: ListedModel, relative: ModelRow | None, is_known: bool) -> int:
    """Return the window. If the listing gives only the longest prompt, the table's window, but at least this length."""
    if model.context_window is not None:
        return model.context_window
    most = model.max_input or 1
    if relative is not None and (is_known or most in (relative.max_input, relative.context_window)):
        return max(relative.context_window, most)
    return most


def _new_row(model: ListedModel, relative: ModelRow | None) -> ModelRow:
    """Return a row without facts for a model unknown to the table, with the tokenizer of its relative."""
    maker = _MAKERS.get(model.provider, "")
    if relative is None:
        tokenizer = "estimate:ibex-claude" if maker == "Anthropic" else "estimate:ibex"
        return ModelRow(model.name, maker or model.provider, 1, None, tokenizer, "chatml", "")
    return ModelRow(
        name=model.name,
        maker=maker or relative.maker,
        context_window=1,
        max_output=None,
        tokenizer=relative.tokenizer,
        chat_format=relative.chat_format,
        family=relative.family,
    )
