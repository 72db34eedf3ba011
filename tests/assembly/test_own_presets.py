"""The person's own presets: what is good is used, what is bad is named, and nothing in the file is lost."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from inspector.assembly import own_presets
from inspector.assembly.candidates import Candidates
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.policy import param, parameter_values
from inspector.assembly.preset import Presets
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.model import Workspace
from inspector.plugins import policies
from inspector.reading.values import UnreadableError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "presets.yaml"


def written(file: Path, text: str) -> Presets:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return load_presets(file, policies()[0])


def told(presets: Presets) -> list[tuple[str, str]]:
    return [(problem.place, problem.message) for problem in presets.problems]


def own(presets: Presets) -> list[tuple[str, str]]:
    return [key for key, preset in presets.items() if preset.is_own]


def test_own_presets_stand_after_the_shipped_ones(file: Path) -> None:
    presets = written(
        file,
        "ratio:\n  mine: {title: Mine, description: For evenings, parameters: {min_exchanges: 5}}\n  2026: {}\n",
    )
    names = [name for policy, name in presets if policy == "ratio"]
    assert names[0] == "document"
    assert names[-2:] == ["mine", "2026"]
    mine = presets["ratio", "mine"]
    assert (mine.title, mine.description, dict(mine.parameters)) == ("Mine", "For evenings", {"min_exchanges": 5})
    assert presets["ratio", "2026"].title == "2026"
    assert presets.problems == ()


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "ratio:\n"])
def test_a_file_that_says_nothing_is_no_problem(file: Path, text: str) -> None:
    presets = written(file, text)
    assert dict(presets) == dict(load_presets())
    assert presets.problems == ()


def test_an_absent_file_is_an_empty_one(file: Path) -> None:
    assert dict(load_presets(file, policies()[0])) == dict(load_presets())


@pytest.mark.parametrize(
    ("entry", "place", "words"),
    [
        ("nobody: {mine: {}}", "$.nobody", "is not a policy; there are naive,"),
        ("ratio: 5", "$.ratio", "expected presets by name, found a number"),
        ("ratio: {mine: 5}", "$.ratio.mine", "expected an object, found a number"),
        ("ratio: {long-chat: {}}", "$.ratio.long-chat", "long-chat is a preset that comes with the program"),
        ("ratio: {Document: {}}", "$.ratio.Document", "Document is a preset that comes with the program"),
        ("ratio: {'a,b': {}}", "$.ratio.a,b", "A name has no comma"),
        ("ratio: {mine: {parameters: {colour: 1}}}", "$.ratio.mine.parameters.colour", "is not a parameter"),
        (
            "ratio: {mine: {parameters: {min_exchanges: -1}}}",
            "$.ratio.mine.parameters.min_exchanges",
            "must be 0 or more, not -1",
        ),
        ("ratio: {mine: {parameters: [1]}}", "$.ratio.mine.parameters", "expected `object`, got `array`"),
        ("ratio: {mine: {base: nowhere}}", "$.ratio.mine.base", "nowhere is not a shipped preset of ratio; there are"),
        ("ratio: {mine: {colour: red}}", "$.ratio.mine.colour", "is not a known key"),
    ],
)
def test_what_is_bad_is_named_with_its_place_and_the_rest_is_used(
    file: Path, entry: str, place: str, words: str
) -> None:
    presets = written(file, f"{entry}\nreserve: {{good: {{}}}}\n")
    ((told_place, message),) = told(presets)
    assert told_place == place
    assert words in message
    assert ("reserve", "good") in own(presets)
    assert not presets["ratio", "long-chat"].is_own


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        (b"ratio: [}", "line 1", "is not valid YAML"),
        (b"- 1\n", "", "expected presets by policy and name, found a list"),
        (b"ratio: \xff", "byte 7", "expected UTF-8 text"),
        (b"ratio:\n  mine: {}\nratio:\n  other: {}\n", "line 3", "ratio stands here a second time"),
        (b"ratio:\n  mine: {title: A}\n  mine: {title: B}\n", "line 3", "mine stands here a second time"),
    ],
)
def test_a_damaged_file_stops_nothing_and_is_not_written_over(file: Path, data: bytes, place: str, words: str) -> None:
    file.parent.mkdir()
    file.write_bytes(data)
    ((told_place, message),) = told(load_presets(file, policies()[0]))
    assert told_place.startswith(place)
    assert words in message
    for change in (
        lambda: own_presets.save_preset(file, "ratio", "new", {"parameters": {}}, []),
        lambda: own_presets.remove_preset(file, "ratio", "mine", []),
    ):
        with pytest.raises(UnreadableError, match=words):
            change()
    assert file.read_bytes() == data
    assert [path.name for path in file.parent.iterdir()] == ["presets.yaml"]


def test_saving_keeps_all_that_stands_there_and_the_version_before(file: Path) -> None:
    before = (
        "nobody: {theirs: {parameters: {a: 1e3, b: 1.10}}}\n"
        "ratio:\n  bad: 5\n  mine: {title: 1.20, description: For evenings, parameters: {min_exchanges: 5}}\n"
    )
    written(file, before)
    assert own_presets.save_preset(file, "ratio", "mine", {"parameters": {"min_exchanges": 6}}, [])
    assert file.with_name("presets.yaml.before").read_text("utf-8") == before
    text = file.read_text("utf-8")
    assert "a: 1e3" in text
    assert "b: 1.10" in text
    assert "bad: 5" in text
    mine = load_presets(file, policies()[0])["ratio", "mine"]
    assert (mine.title, mine.description, dict(mine.parameters)) == ("1.20", "For evenings", {"min_exchanges": 6})


def test_saving_the_same_again_writes_nothing(file: Path) -> None:
    entry = {"parameters": {"min_exchanges": 6}}
    assert not own_presets.save_preset(file, "ratio", "mine", entry, [])
    assert own_presets.save_preset(file, "ratio", "mine", entry, [])
    assert not file.with_name("presets.yaml.before").exists()


def test_a_removed_preset_can_be_put_back_as_it_was(file: Path) -> None:
    written(file, "ratio:\n  mine: {title: Mine, parameters: {min_exchanges: 5}}\n")
    taken = own_presets.remove_preset(file, "ratio", "mine", [])
    assert own(load_presets(file, policies()[0])) == []
    assert own_presets.remove_preset(file, "ratio", "mine", []) is None
    own_presets.restore_preset(file, "ratio", "mine", taken, [])
    assert load_presets(file, policies()[0])["ratio", "mine"].title == "Mine"
    own_presets.restore_preset(file, "ratio", "mine", {"title": "Other"}, [])
    assert load_presets(file, policies()[0])["ratio", "mine"].title == "Mine"


def test_what_is_open_is_not_written_over(file: Path, tmp_path: Path) -> None:
    chat = tmp_path / "chat.yaml"
    chat.write_text("")
    file.parent.mkdir()
    file.symlink_to(chat)
    with pytest.raises(OSError, match="is one of the opened files"):
        own_presets.save_preset(file, "ratio", "mine", {"parameters": {}}, [chat])
    assert chat.read_text() == ""


def test_many_who_save_at_once_lose_nothing_of_each_other(file: Path) -> None:
    names = [f"p{number}" for number in range(24)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: own_presets.save_preset(file, "ratio", name, {"parameters": {}}, []), names))
    assert sorted(name for _, name in own(load_presets(file, policies()[0]))) == sorted(names)


@pytest.mark.parametrize(
    ("policy", "preset", "parameters"),
    [
        ("ratio", "document", {"memory_share": 0.2, "history_share": 0.5}),
        ("ratio", "long-chat", {"min_exchanges": 5}),
        ("ratio", "chorus-2026.02", {"min_exchanges": 1}),
        ("reserve", "document", {}),
        ("langchain_trim", "document", {}),
    ],
)
def test_a_saved_preset_gives_the_values_and_the_tokenizer_that_it_was_saved_from(
    file: Path, policy: str, preset: str, parameters: dict[str, float]
) -> None:
    shipped = load_presets()
    before = shipped.get((policy, preset))
    given = {**(before.parameters if before else {}), **parameters}
    own_presets.save_preset(file, policy, "mine", own_presets.entry_of(given, policy, preset, shipped), [])
    found = load_presets(file, policies()[0])
    assert found.problems == ()
    again = own_presets.entry_of(found[policy, "mine"].parameters, policy, "mine", found)
    own_presets.save_preset(file, policy, "mine too", again, [])
    pipeline = Pipeline(Workspace(), policies()[0], load_presets(file, policies()[0]))
    first, *others = [
        pipeline.case(Scenario(policy=policy, preset=name, parameters=own_values))
        for name, own_values in ((preset, parameters), ("mine", {}), ("mine too", {}))
    ]
    for other in others:
        assert type(other.policy) is type(first.policy)
        assert parameter_values(other.policy) == parameter_values(first.policy)
        assert other.model.tokenizer.tokenizer.name == first.model.tokenizer.tokenizer.name


def test_a_tokenizer_of_its_own_goes_before_those_of_the_base(file: Path) -> None:
    presets = written(file, "ratio: {mine: {base: chorus-2026.02, tokenizer: estimate:words}}\n")
    assert presets["ratio", "mine"].tokenizer_for("gpt-4o") == "estimate:words"
    assert presets["ratio", "mine"].tokenizer_names == ("estimate:words",)


def test_a_name_is_suggested_that_nobody_has(file: Path) -> None:
    presets = written(file, "ratio: {mine: {}, mine 2: {}}\n")
    assert own_presets.free_preset_name("mine", "ratio", presets) == "mine 3"
    assert own_presets.free_preset_name("document", "ratio", presets) == "document 2"
    assert own_presets.free_preset_name("mine", "naive", presets) == "mine"


@pytest.mark.parametrize("name", ["", "  ", "a,b", "a/b", "-a", "a\nb", "a\u202eb", "x" * 61, "LONG CHAT", "document"])
def test_names_that_cannot_be_are_refused(name: str) -> None:
    assert own_presets.name_trouble(name, "ratio", load_presets())


@dataclass(frozen=True)
class Choosy:
    """A policy that refuses some values only together."""

    low: int = param(1, 0, 9)
    high: int = param(2, 0, 9)

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")

    def __call__(self, candidates: Candidates, window: object) -> object:
        raise AssertionError("is not asked")


def test_values_that_a_policy_refuses_together_are_told(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("choosy: {mine: {parameters: {low: 3}}}\n")
    presets = load_presets(file, {"choosy": Choosy})
    assert told(presets) == [("$.choosy.mine.parameters", "low is above high")]


def test_what_could_not_be_read_again_is_not_written(file: Path) -> None:
    """In lines a file may be longer than it was."""
    many = ", ".join(f"p{number}: {{parameters: {{a: 1}}}}" for number in range(6_200))
    written(file, f"ratio: {{{many}}}")
    before = file.read_bytes()
    with pytest.raises(UnreadableError, match="more than the 200,000 that it may have"):
        own_presets.save_preset(file, "ratio", "mine", {"parameters": {"min_exchanges": 6}}, [])
    assert file.read_bytes() == before
