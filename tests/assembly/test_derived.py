"""What is worked out from a value: made once for the same terms, only the last few kept, none of it in a copy."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from threading import Event, Thread
from typing import Any

import pytest
from building import chat, memories, pipeline_for, workspace

from inspector.assembly.scenario import Scenario
from inspector.derived import Deriving, cached_property

REMEMBERED = 4


@dataclass(frozen=True, eq=False)
class Word(Deriving):
    """The smallest value that derives."""

    text: str
    _derived: dict[str, dict[Hashable, Any]] = field(default_factory=dict, init=False, repr=False)


class Making:
    """A way to make results that remembers for which terms it was asked."""

    def __init__(self) -> None:
        self.asked: list[Hashable] = []

    def of(self, terms: Hashable, result: object = "made") -> Callable[[], object]:
        def make() -> object:
            self.asked.append(terms)
            return result

        return make


def words() -> Deriving:
    return Word("boat")


def candidates() -> Deriving:
    pipeline = pipeline_for(workspace(chat(3, 4), memories(2)))
    return pipeline.candidates(pipeline.case(Scenario(tokenizer="estimate:words")))


def items() -> Deriving:
    pipeline = pipeline_for(workspace(chat(3, 4), memories(2)))
    return pipeline.items(pipeline.case(Scenario(tokenizer="estimate:words")))


every_kind = pytest.mark.parametrize("make", [words, candidates, items])


@every_kind
def test_a_result_is_made_once_for_the_same_terms(make: Callable[[], Deriving]) -> None:
    value, making = make(), Making()
    first = value.derived("length", ("in", 3), making.of(3, [4]))
    assert value.derived("length", ("in", 3), making.of(3, [5])) is first
    assert first == [4]
    assert value.derived("length", ("in", 4), making.of(4, [6])) == [6]
    assert value.derived("width", ("in", 3), making.of("width", [7])) == [7], "another name is another result"
    assert making.asked == [3, 4, "width"]


def test_none_and_what_is_empty_are_results_like_others() -> None:
    value, making = Word("boat"), Making()
    for result in (None, False, ()):
        for _ in range(2):
            assert value.derived("found", (type(result),), making.of(result, result)) is result
    assert making.asked == [None, False, ()]


def test_the_last_four_terms_of_each_name_are_remembered() -> None:
    value, making = Word("boat"), Making()
    value.derived("other", "kept", making.of("other"))
    for terms in range(REMEMBERED + 1):
        value.derived("length", terms, making.of(terms))
    making.asked.clear()
    for terms in range(REMEMBERED, 0, -1):
        value.derived("length", terms, making.of(terms))
    assert making.asked == []
    value.derived("length", 0, making.of(0))
    assert making.asked == [0], "the first of five is forgotten"
    value.derived("other", "kept", making.of("other"))
    assert making.asked == [0], "another name has four places of its own"


def test_what_could_not_be_made_is_made_the_next_time() -> None:
    def fail() -> int:
        raise ValueError("not now")

    value = Word("boat")
    with pytest.raises(ValueError, match="not now"):
        value.derived("length", None, fail)
    assert value.derived("length", None, lambda: 4) == 4


@every_kind
def test_a_changed_copy_starts_with_none(make: Callable[[], Deriving]) -> None:
    value, making = make(), Making()
    value.derived("length", None, making.of("first", 4))
    copy = replace(value)  # type: ignore[type-var]
    assert copy is not value
    assert copy.derived("length", None, making.of("copy", 5)) == 5
    assert value.derived("length", None, making.of("first", 6)) == 4, "and the first one keeps its own"
    assert making.asked == ["first", "copy"]


class Shape:
    """Something whose area takes until its gate is open."""

    def __init__(self) -> None:
        self.gate, self.is_asked = Event(), Event()

    @cached_property
    def area(self) -> object:
        """A new object each time that it is worked out."""
        self.is_asked.set()
        assert self.gate.wait(20)
        return object()


def test_what_is_worked_out_once_stays_and_may_be_set() -> None:
    shape = Shape()
    shape.gate.set()
    assert shape.area is shape.area
    shape.area = "known"
    assert shape.area == "known"
    del shape.area
    assert shape.area != "known"
    assert "a new object" in (Shape.area.__doc__ or "").casefold()


def test_nobody_waits_for_what_a_worker_makes_of_another_object() -> None:
    first, second = Shape(), Shape()
    worker = Thread(target=lambda: first.area)
    worker.start()
    assert first.is_asked.wait(20)
    second.gate.set()
    assert second.area
    assert worker.is_alive()
    first.gate.set()
    worker.join()
