"""prompt-inspector search: the same that the window finds."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> str:
    talk = [{"id": f"m{n}", "role": "user", "content": text} for n, text in enumerate(("A coral reef", "Nothing"))]
    value = {
        "format": "prompt-inspector/workspace@1",
        "conversations": [{"id": "c1", "title": "Talks", "messages": talk}],
        "memory_sets": [{"id": "s", "title": "Likes", "memories": [{"id": "k0", "content": "Likes the reef"}]}],
    }
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(value))
    return str(path)


def test_places_are_listed_below_their_conversations(run: Run, file: str) -> None:
    printed = run("search", "REEF", file).stdout
    assert printed.index("Talks") < printed.index("A coral reef")
    assert printed.index("Memories: Likes") < printed.index("Likes the reef")
    assert "2 places." in printed


def test_json_has_excerpts_with_marks(run: Run, file: str) -> None:
    value = json.loads(run("search", "coral reef", file, "--format", "json").stdout)
    (group,) = value["groups"]
    assert (value["format"], value["total"]) == ("prompt-inspector/search@1", 1)
    assert (group["conversation"], group["title"]) == ("c1", "Talks")
    assert group["places"] == [{"id": "m0", "time": None, "excerpt": "A coral reef", "marks": [[2, 7], [8, 12]]}]


def test_csv_has_a_row_for_each_place_with_its_home(run: Run, file: str) -> None:
    rows = list(csv.DictReader(run("search", "reef", file, "--format", "csv").stdout.splitlines()))
    assert [(row["kind"], row["in"], row["title"], row["id"]) for row in rows] == [
        ("conversation", "c1", "Talks", "m0"),
        ("memory_set", "s", "Likes", "k0"),
    ]


def test_no_more_than_asked_for_is_listed(run: Run, file: str) -> None:
    assert "2 places, 1 of them listed" in run("search", "reef", file, "--most", "1").stdout


def test_nothing_found_says_so(run: Run, file: str) -> None:
    assert run("search", "NEAR( *", file).stdout == "Nothing found.\n"


@pytest.mark.parametrize(("words", "told"), [((" ", "FILE"), "name something"), (("reef",), "name a file")])
def test_wrong_usage_is_told_in_one_line(run: Run, file: str, words: tuple[str, ...], told: str) -> None:
    result = run("search", *(file if word == "FILE" else word for word in words))
    assert result.exit_code == 2
    assert told in result.output
