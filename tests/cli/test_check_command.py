"""`check`: 0 where a scenario holds, 1 with a table of what falls short, 2 for bad input."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture
def probes_file(tmp_path: Path) -> str:
    probes = [{"id": "old", "evidence": ["m0"]}, {"id": "new", "evidence": ["m9"]}, {"id": "lost", "evidence": ["m77"]}]
    file = tmp_path / "asked.jsonl"
    file.write_text("\n".join(map(json.dumps, probes)))
    return str(file)


@pytest.fixture
def narrow(scenario_file: Callable[..., str]) -> str:
    return scenario_file("narrow", context_window=60, parameters={"min_exchanges": 1})


@pytest.fixture
def wide(scenario_file: Callable[..., str]) -> str:
    return scenario_file("wide", context_window=1000)


def table_of(done: Result) -> list[list[str]]:
    return [line.split() for line in done.stdout.splitlines()[2:]]


def test_what_holds_is_one_line(run: Run, workspace_file: str, wide: str, probes_file: str) -> None:
    limits = ("--min-recall", ".9", "--max-overflow", "0")
    done = run("check", wide, workspace_file, "--probes", probes_file, *limits)
    assert done.exit_code == 0
    assert done.stdout == "all is well: 1 conversation, at most 0 tokens over, recall 1.000, with memories 1.000\n"
    assert "question lost: no item is called m77" in done.stderr


def test_low_recall_is_told(run: Run, workspace_file: str, narrow: str, probes_file: str) -> None:
    done = run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall", ".9")
    assert done.exit_code == 1
    assert table_of(done) == [[name, "recall", "0.500", "at", "least", "0.9"] for name in ("all", "c1")]
    assert run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall", ".5").exit_code == 0
    with_memories = run("check", narrow, workspace_file, "--probes", probes_file, "--min-recall-with-memories", ".9")
    assert table_of(with_memories)[0][:5] == ["all", "recall", "with", "memories", "0.500"]


@pytest.fixture
def answers_file(tmp_path: Path) -> str:
    """Two questions with answers, of which one is in every prompt and the other in none, and one without."""
    probes = [
        {"id": "there", "evidence": ["m9"], "answer": "the W"},
        {"id": "lost", "evidence": ["m9"], "answer": "Lisbon"},
        {"id": "without", "evidence": ["m9"]},
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, probes)))
    return str(file)


def test_answers_that_are_not_in_the_prompts_are_told(
    run: Run, workspace_file: str, wide: str, answers_file: str
) -> None:
    asked = (wide, workspace_file, "--probes", answers_file)
    done = run("check", *asked, "--min-answer-words", ".9")
    assert done.exit_code == 1
    assert table_of(done) == [[name, "answer", "words", "0.500", "at", "least", "0.9"] for name in ("all", "c1")]
    well = run("check", *asked, "--min-answer-words", ".5")
    assert well.exit_code == 0
    assert well.stdout.endswith("answer words 0.500\n")
    value = json.loads(run("check", *asked, "--min-answer-words", ".9", "--format", "json").stdout)
    recalled = json.loads(run("recall", workspace_file, *asked[2:], "--scenario", wide, "--format", "json").stdout)
    names = ("probes", "recall", "answers", "answer_words", "other_answer_words")
    assert [value["probes"][name] for name in names] == [recalled[name] for name in names]
    assert value["conversations"][0]["answer_words"] == 0.5
    assert value["conversations"][0]["fits"] == 1
    assert [one["what"] for one in value["short"]] == ["answer words", "answer words"]


def test_a_limit_of_answers_asks_for_answers(run: Run, workspace_file: str, wide: str, probes_file: str) -> None:
    done = run("check", wide, workspace_file, "--probes", probes_file, "--min-answer-words", ".1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--min-answer-words: none of the 2 questions has a known answer" in done.stderr


def test_prompts_that_are_too_large_are_told(run: Run, workspace_file: str, scenario_file: Callable[..., str]) -> None:
    naive = scenario_file("naive", policy="naive", context_window=60)
    assembled = json.loads(run("assemble", workspace_file, "--scenario", naive, "--format", "json").stdout)
    budget = assembled["budget"]
    over = assembled["ledger"]["total"] + budget["response_reserve"] + budget["safety_margin"] - 60
    done = run("check", naive, workspace_file, "--max-overflow", "0")
    assert done.exit_code == 1
    assert table_of(done) == [["c1", "overflow", str(over), "at", "most", "0"]]
    assert run("check", naive, workspace_file, "--max-overflow", str(over)).exit_code == 0


def test_a_prompt_fits_if_it_leaves_the_reply_that_is_asked(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    naive = scenario_file("naive", policy="naive", context_window=60)
    total = json.loads(run("assemble", workspace_file, "--scenario", naive, "--format", "json").stdout)["ledger"][
        "total"
    ]
    for reply in (0, 25):
        done = run("check", naive, workspace_file, "--max-overflow", "0", "--reply", str(reply))
        assert table_of(done) == [["c1", "overflow", str(total + reply - 60), "at", "most", "0"]]
    assert run("check", naive, workspace_file, "--max-overflow", str(total - 60), "--reply", "0").exit_code == 0


def test_a_prompt_that_cannot_be_made_falls_short(
    run: Run, workspace_file: str, scenario_file: Callable[..., str]
) -> None:
    wrong = scenario_file("wrong", parameters={"memory_share": 7})
    done = run("check", wrong, workspace_file, "--max-overflow", "0")
    assert done.exit_code == 1
    assert table_of(done)[0][:3] == ["c1", "error", "shares_do_not_sum"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "set a limit with"),
        (("--min-recall", "2"), "--min-recall"),
        (("--min-recall", ".5"), "no questions"),
        (("--min-recall", ".5", "--probes", "none.yaml"), "none.yaml"),
    ],
)
def test_bad_input_is_one_line(run: Run, workspace_file: str, wide: str, options: tuple[str, ...], said: str) -> None:
    done = run("check", wide, workspace_file, *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_probes_of_which_none_can_be_asked_are_bad_input(
    run: Run, workspace_file: str, wide: str, tmp_path: Path
) -> None:
    file, elsewhere = tmp_path / "elsewhere.json", {"id": "q", "conversation": "other", "evidence": ["m0"]}
    file.write_text(json.dumps({"format": "prompt-inspector/probes@1", "probes": [elsewhere]}))
    done = run("check", wide, workspace_file, "--probes", str(file), "--min-recall", "0")
    assert done.exit_code == 2
    assert "none of the 1 questions can be asked" in done.stderr


HOLDS = ("--max-overflow", "1000000")


def test_an_unknown_model_falls_short_unless_window_and_tokenizer_are_given(
    run: Run, workspace_file: str, tmp_path: Path
) -> None:
    file = tmp_path / "unknown.scenario.json"
    file.write_text(json.dumps({"model": "gpt-4oo"}))
    done = run("check", str(file), workspace_file, *HOLDS)
    assert done.exit_code == 1
    row, *_ = table_of(done)
    assert row[:2] == ["c1", "model_unknown"]
    given = ("--window", "5000", "--tokenizer", "estimate:words")
    assert run("check", str(file), workspace_file, *HOLDS, *given).exit_code == 0
    assert run("check", str(file), workspace_file, *HOLDS, "--window", "5000").exit_code == 1
    assert run("check", str(file), workspace_file, *HOLDS, "--model", "gpt-4o").exit_code == 0


def test_findings_of_a_code_or_as_bad_as_that_fall_short(run: Run, workspace_file: str, wide: str) -> None:
    naive = ("--policy", "naive", "--window", "60")
    for names, code in ((("error",), 1), (("warning",), 1), (("over_window",), 1), (("unknown_item",), 0)):
        fails = [word for name in names for word in ("--fail-on", name)]
        assert run("check", wide, workspace_file, *naive, *fails).exit_code == code, names
    assert run("check", wide, workspace_file, "--fail-on", "error").exit_code == 0
    twice = run("check", wide, workspace_file, *naive, "--fail-on", "unknown_item", "--fail-on", "over_window")
    assert [row[1] for row in table_of(twice)] == ["over_window"]
    wrong = run("check", wide, workspace_file, "--fail-on", "over_windw")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "--fail-on: over_windw is not a finding; did you mean over_window?" in wrong.stderr


def test_options_change_the_scenario(run: Run, workspace_file: str, wide: str, probes_file: str) -> None:
    asked = ("--probes", probes_file, "--min-recall", ".9")
    assert run("check", wide, workspace_file, *asked).exit_code == 0
    narrow = run("check", wide, workspace_file, *asked, "--window", "60", "--set", "min_exchanges=1")
    assert narrow.exit_code == 1


def test_the_same_as_json_junit_and_annotations(run: Run, tmp_path: Path, scenario_file: Callable[..., str]) -> None:
    strange = "50%: a,b\x1b[2J<&\ufffe"
    chats = [{"id": name, "messages": [{"id": "m", "role": "user", "content": "w " * 70}]} for name in (strange, "c2")]
    file = tmp_path / "strange.workspace.json"
    file.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": chats}))
    naive = scenario_file("naive", policy="naive", context_window=60)

    def checked(kind: str, *more: str) -> Result:
        return run("check", naive, str(file), "--max-overflow", "0", *more, "--format", kind)

    value = json.loads(checked("json").stdout)
    assert (value["format"], value["ok"]) == ("prompt-inspector/check@1", False)
    assert [one["what"] for one in value["short"]] == ["overflow", "overflow"]
    suites = ElementTree.fromstring(checked("junit").stdout)
    assert (suites.tag, suites.get("tests"), suites.get("failures"), suites.get("errors")) == (
        "testsuites",
        "2",
        "2",
        "0",
    )
    cases = suites.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == ["50%: a,b⟦U+001B⟧[2J<&⟦U+FFFE⟧", "c2"]
    failure = cases[1].find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("overflow: ")
    first, second = checked("github").stdout.splitlines()
    assert "title=prompt-inspector check%3A 50%25%3A a%2Cb⟦U+001B⟧[2J<&\ufffe::overflow: " in first
    assert second.startswith(f"::error file={naive.replace(':', '%3A')},title=prompt-inspector check%3A c2::overflow: ")
    well = checked("github", "--window", "5000")
    assert well.exit_code == 0
    assert well.stdout.startswith("::notice title=prompt-inspector check::all is well: 2 conversations")
    assert ElementTree.fromstring(checked("junit", "--window", "5000").stdout).get("failures") == "0"
    unmade = checked("junit", "--policy", "ratio", "--set", "memory_share=0.9")
    assert ElementTree.fromstring(unmade.stdout).get("errors") == "2"
