"""Native values to dataclasses: errors and unknown keys carry their path."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from inspector.formats.native.workspace import decode, read_value
from inspector.reading.source import UnreadableError
from inspector.reading.yaml import MAX_DEPTH, dump


@dataclass(frozen=True)
class Wheel:
    size: int
    colour: Literal["red", "blue"] = "red"


@dataclass(frozen=True)
class Cart:
    name: str = ""
    load: float | None = None
    wheels: tuple[Wheel, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    by_place: dict[str, Wheel] = field(default_factory=dict)


def test_values_become_dataclasses() -> None:
    cart, problems = decode({"format": "cart@1", "name": "A", "wheels": [{"size": 2}]}, Cart, "f", "$", "cart@1")
    assert cart == Cart("A", wheels=(Wheel(2),))
    assert problems == ()


def test_unknown_keys_are_warnings_with_their_path() -> None:
    value = {"nam": 1, "wheels": [{"size": 1}, {"size": 1, "sice": 2}], "by_place": {"left": {"size": 1, "x": 1}}}
    _, problems = decode({**value, "parameters": {"anything": {"goes": 1}}}, Cart, "f", "line 3: $")
    assert [problem.place for problem in problems] == [
        "line 3: $.nam",
        "line 3: $.wheels[1].sice",
        "line 3: $.by_place.left.x",
    ]
    assert {problem.severity for problem in problems} == {"warning"}


@pytest.mark.parametrize(
    ("value", "place", "words"),
    [
        ({"wheels": [{"size": 1}, {"size": "big"}]}, "$.wheels[1].size", "expected `int`"),
        ({"wheels": [{}]}, "$.wheels[0].size", "required"),
        ({"wheels": [{"size": 1, "colour": "green"}]}, "$.wheels[0].colour", "one of red, blue"),
        ({"name": 3}, "$.name", "expected `str`"),
        ([], "$", "expected an object"),
        ({"format": "cart@2"}, "$.format", "expected cart@1"),
    ],
)
def test_a_wrong_type_is_refused_with_its_path(value: Any, place: str, words: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        decode(value, Cart, "f.yaml", "$", "cart@1")
    assert (caught.value.problem.file, caught.value.problem.place) == ("f.yaml", place)
    assert words in caught.value.problem.message


def test_yaml_files_are_read_by_what_the_fields_want(tmp_path: Path) -> None:
    path = tmp_path / "cart"
    path.write_text("name: 1.10\nload: 0.50\nparameters: {share: 0.30, count: 3, word: '0.30'}\n")
    cart, _ = decode(read_value(path), Cart, str(path))
    assert cart == Cart("1.10", 0.5, parameters={"share": 0.3, "count": 3, "word": "0.30"})
    assert type(cart.parameters["share"]) is float


def test_a_format_that_is_no_text_is_named_by_its_kind() -> None:
    deep: Any = "x"
    for _ in range(990):
        deep = [deep]
    with pytest.raises(UnreadableError, match="expected cart@1, found a list"):
        decode({"format": deep}, Cart, "f", expected_format="cart@1")


def test_json_is_no_deeper_than_it_could_be_written_as_yaml(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert dump(read_value(path))
    path.write_text('{"a":' * (MAX_DEPTH + 1) + "[]" + "}" * (MAX_DEPTH + 1))
    with pytest.raises(UnreadableError, match="nested deeper than 150 levels"):
        read_value(path)


def test_reading_by_content(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text('{"a": [1]}')
    assert read_value(path) == {"a": [1]}
    for content in ("Just words.", "", '{"a": 1', "a: [1"):
        path.write_text(content)
        with pytest.raises(UnreadableError):
            read_value(path)
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_value(tmp_path / "absent")


def faults(value: Any) -> str:
    with pytest.raises(UnreadableError) as caught:
        decode(value, Cart, "f.yaml")
    return f"{caught.value.problem.place}: {caught.value.problem.message}"


def test_all_faults_of_shape_are_named_with_their_places() -> None:
    wheels = [{"size": "big"}, {"size": 1}, {"colour": "green"}, 5]
    said = faults({"name": 3, "load": "heavy", "wheels": wheels, "by_place": {"left": {"size": None}}})
    assert said == (
        "$.name: expected `str`, got `int`"
        "; also $.load: expected `float | null`, got `str`"
        "; $.wheels[0].size: expected `int`, got `str`"
        "; $.wheels[2].colour: invalid value 'green', expected one of red, blue"
        "; $.wheels[2].size: is required and missing"
        "; $.wheels[3]: expected `object`, got `int`"
        "; $.by_place.left.size: expected `int`, got `null`"
    )


def test_an_object_in_the_place_of_a_list_is_one_fault() -> None:
    with pytest.raises(UnreadableError) as refused:
        decode({"wheels": {"left": {"size": 1}}}, Cart, "f")
    assert refused.value.problem.place == "$.wheels"


def test_of_very_many_faults_the_first_are_named_and_the_others_counted() -> None:
    said = faults({"wheels": [{"size": "big"}] * 100})
    assert said.count("expected `int`") == 21
    assert said.endswith("; and 79 more")


FIRST_AT_ONCE = """
import sys
import threading
from dataclasses import make_dataclass

from inspector.reading.decode import decode

def take(kind, together):
    together.wait()
    decode({"outer": {"inner": 1}}, kind, "a.yaml")

sys.setswitchinterval(1e-6)
for number in range(60):
    inner = make_dataclass(f"Inner{number}", [("inner", int), *((f"v{n}", int, n) for n in range(30))])
    outer = make_dataclass(f"Outer{number}", [("outer", inner), *((f"v{n}", int, n) for n in range(30))])
    together = threading.Barrier(8)
    threads = [threading.Thread(target=take, args=(outer, together)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print("read")
"""


def test_threads_may_be_the_first_to_read_a_kind_of_file_at_once() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST_AT_ONCE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "read\n"), done.stderr
