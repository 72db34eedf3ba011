"""The data of genai-prices: a list of providers, each {id, models: [{id, context_window, prices}]}.

Prices are US dollars per million tokens (`input_mtok`, `output_mtok`, `cache_read_mtok`), a number or {base, tiers};
`prices` is a mapping or a list of {constraint, prices}, of which the last that holds counts. The package on PyPI has
the same as Python source, which is read as text and never run. The windows are those at a model's publication at best.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from inspector.tokens.models.listed import (
    NO_CHAT,
    UNREADABLE,
    ListedModel,
    ListingError,
    cached,
    count,
    price,
    without_host,
)

_MOST_DEPTH = 50


def is_genai_prices(value: Any) -> bool:
    """Return whether a value is written like the data of genai-prices."""
    return isinstance(value, list) and any(
        isinstance(one, dict) and isinstance(one.get("models"), list) for one in value
    )


def models_of_genai_prices(value: Sequence[Any]) -> Iterator[ListedModel | str]:
    """Yield the models of the data, and the reason why an entry is left out."""
    for provider in value:
        models = provider.get("models") if isinstance(provider, dict) else None
        if not isinstance(models, list):
            yield UNREADABLE
            continue
        for model in models:
            yield _model(str(provider.get("id", "")), model) if isinstance(model, dict) else UNREADABLE


def providers_in(source: str, name: str) -> list[Any]:
    """Return the data in the package's Python source: `providers` as plain values, calls as mappings of their keywords.

    Raises ListingError for a source without them.
    """
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ListingError(f"{name}: expected the data of genai-prices, got no Python") from None
    for statement in module.body:
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == "providers" and isinstance(statement, ast.AnnAssign):
            value = _plain(statement.value)
            return value if isinstance(value, list) else []
    raise ListingError(f"{name}: expected the data of genai-prices, a list called providers")


def _plain(node: ast.expr | None, depth: int = 0) -> Any:
    """Return a literal as a value; a call as its only argument, or as a mapping of its keywords; None for the rest."""
    if node is None or depth > _MOST_DEPTH:
        return None
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        return [_plain(one, depth + 1) for one in node.elts]
    if isinstance(node, ast.Call):
        if node.keywords:
            return {keyword.arg: _plain(keyword.value, depth + 1) for keyword in node.keywords}
        arguments = [_plain(one, depth + 1) for one in node.args]
        if isinstance(node.func, ast.Name) and node.func.id == "Decimal":
            return _number(arguments[0]) if arguments else None
        return "-".join(f"{part:02}" for part in arguments if isinstance(part, int))  # datetime.date(2026, 3, 13)
    return None


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def _model(provider: str, model: Mapping[str, Any]) -> ListedModel | str:
    name = without_host(str(model.get("id", "")))
    prices = _prices(model.get("prices"), datetime.now(UTC).date())
    full, out = price(_base(prices.get("input_mtok"))), price(_base(prices.get("output_mtok")))
    if "embed" in name.casefold() or out is None:
        return NO_CHAT
    return ListedModel(
        name=name,
        provider=provider,
        context_window=count(model.get("context_window")),
        max_input=None,
        max_output=None,
        price_in=full,
        price_out=out,
        price_cached=cached(price(_base(prices.get("cache_read_mtok"))), full),
        knows_windows=False,
    )


def _prices(value: Any, today: date) -> Mapping[str, Any]:
    """Return the prices that hold today."""
    for one in reversed(value if isinstance(value, list) else [{"prices": value}]):
        if isinstance(one, dict) and isinstance(one.get("prices"), dict) and _holds(one.get("constraint"), today):
            return one["prices"]
    return {}


def _holds(constraint: Any, today: date) -> bool:
    """Return whether a price holds all day, today: not before its first day, and not at some hours only."""
    if not isinstance(constraint, dict):
        return True
    return "start_date" in constraint and str(constraint["start_date"]) <= today.isoformat()


def _base(value: Any) -> Any:
    return value.get("base") if isinstance(value, dict) else value
