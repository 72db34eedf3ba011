"""What Python code gets as an answer: the keys of its JSON, each of which is an attribute as well."""

from collections.abc import ItemsView, Iterator, Mapping
from typing import Any

from inspector.nearest import instead


class Answered(Mapping[str, Any]):
    """An assembly as JSON has it, read-only: `answer["status"]` and `answer.status` are the same.

    `answer.items` is the list of items, and called, what `items()` of any mapping is.
    """

    items: "_Items"  # pyright: ignore[reportIncompatibleMethodOverride] - the pairs where it is called

    def __init__(self, value: Mapping[str, Any]) -> None:
        vars(self).update(value, items=_Items(value["items"], self))

    def __getitem__(self, key: str) -> Any:
        return list(vars(self)[key]) if key == "items" else vars(self)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        return len(vars(self))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"an answer has no {name}; {instead(name, list(vars(self)))}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an answer cannot be changed; to_dict() gives a dict that can (as to {name})")

    def __repr__(self) -> str:
        return f"Answered({self.to_dict()!r})"

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dict, as `json.dumps` takes it."""
        return {key: self[key] for key in self}


class _Items(list[Any]):
    """The items of an answer, which is a mapping as well and has to be able to give its pairs."""

    def __init__(self, items: list[Any], answer: Mapping[str, Any]) -> None:
        super().__init__(items)
        self._answer = answer

    def __call__(self) -> ItemsView[str, Any]:
        return ItemsView(self._answer)
