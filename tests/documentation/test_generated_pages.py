"""The generated reference has everything that is declared, and its tables are tables."""

import re

import click
import pytest

from docs.build import generated_pages
from docs.markdown import anchor, prose, table
from docs.reference import COMMANDS_ARE, keys_page
from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.policy import parameters_of
from inspector.assembly.presets import load_presets
from inspector.cli import group
from inspector.formats import built_in_formats
from inspector.gui.table.filter_fields import FIELDS
from inspector.plugins import policies
from inspector.tokens.embedded import EMBEDDED_NAMES

PAGES = generated_pages()


def _section(page: str, name: str) -> str:
    """The part of a page from the heading with an anchor to the next heading of its level or above."""
    text = PAGES[page]
    found = re.search(rf"^(#+) .*\{{#{re.escape(name)}\}}$", text, re.MULTILINE)
    assert found, f"{page} has no heading {name}"
    return re.split(rf"^#{{1,{len(found[1])}}} ", text[found.end() :], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("name", sorted(policies()[0]))
def test_each_policy_has_its_parameters_and_their_words(name: str) -> None:
    told = _section("reference/policies.md", name)
    for parameter in parameters_of(policies()[0][name]):
        assert f"| `{parameter.name}` |" in told
        assert all(f"`{parameter.name}={word}`" in told for word in parameter.choices)


def test_each_command_has_its_options() -> None:
    context = click.Context(group)
    for name in (*group.list_commands(context), "window"):
        command = group.get_command(context, name)
        assert command is not None
        told = _section("reference/commands.md", name)
        shown = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
        assert all(f"| `{option.opts[0]}" in told or f", {option.opts[0]}" in told for option in shown)


def test_each_declared_name_has_its_place() -> None:
    assert all(_section("reference/findings.md", kind.code) for kind in FINDING_KINDS)
    named = {
        "reference/presets.md": [f"| `{policy}` | `{name}` |" for policy, name in load_presets()],
        "reference/formats.md": [f"| `{one.name}` |" for one in built_in_formats()],
        "reference/tokenizers.md": [f"| `embedded:{name}` |" for name in EMBEDDED_NAMES],
        "reference/filter.md": [f"| `{name}` |" for name in FIELDS],
        "reference/fields.md": ["| `source_messages` |", "| `context_window` |", "### Scenario {#scenario}"],
    }
    assert [(page, one) for page, told in named.items() for one in told if one not in PAGES[page]] == []


def test_reasons_are_explained() -> None:
    assert "needs … tokens" in _section("reference/reasons.md", "within_budget")
    assert "{" not in re.sub(r"\{#\w+\}|\\\{", "", PAGES["reference/reasons.md"])


def _cells(row: str) -> int:
    """The cells of a row of a table; signs in code and escaped ones divide nothing."""
    return len(re.sub(r"`[^`]*`|\\\|", "", row).strip().strip("|").split("|"))


@pytest.mark.parametrize("name", sorted(PAGES))
def test_each_row_of_a_table_has_as_many_cells_as_its_head(name: str) -> None:
    rows = [line for block in PAGES[name].split("\n\n") if block.startswith("|") for line in [block]]
    assert all(len({_cells(row) for row in block.strip().splitlines()}) == 1 for block in rows)


def test_exit_codes_are_told() -> None:
    assert all(f" {code} " in COMMANDS_ARE for code in (0, 1, 2))


def test_keys_stand_by_their_place() -> None:
    told = keys_page([("Open…", "Ctrl+O", "File", "Open [chats]."), ("Undo", "Ctrl+Z", "Edit", "")])
    assert told.index("## File") < told.index("`Ctrl+O`") < told.index("## Edit") < told.index("`Ctrl+Z`")
    assert r"Open \[chats\]." in told


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b *c* <d> [e] f|g", r"a\_b \*c\* &lt;d> \[e\] f\|g"),
        ("`a_b|c` d_e", r"`a_b|c` d\_e"),
        ("two\n  lines & more", "two lines &amp; more"),
    ],
)
def test_prose_is_shown_as_it_is(text: str, shown: str) -> None:
    assert prose(text) == shown


def test_a_table_has_a_head_and_rows() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


@pytest.mark.parametrize(
    ("heading", "expected"), [("Your own presets", "your-own-presets"), ("`a_b`, and c", "a_b-and-c")]
)
def test_anchors_are_those_of_the_site(heading: str, expected: str) -> None:
    assert anchor(heading) == expected
