"""Reference pages, made from the declarations that *Help ▸ Reference* and the command line show."""

from collections.abc import Iterable, Iterator, Mapping

import click

from docs.markdown import code, declared_table, prose, table
from inspector.analysis.reference import (
    Article,
    Value,
    finding_articles,
    format_values,
    policy_value,
    preset_values,
    reason_articles,
    tokenizer_values,
)
from inspector.analysis.reference_tables import PARAMETERS
from inspector.assembly.preset import Preset
from inspector.assembly.presets import load_presets
from inspector.cli import COMMAND_GROUPS, group
from inspector.cli.sections import OWN, SECTIONS
from inspector.formats import built_in_formats
from inspector.gui.table.filter_fields import FIELDS
from inspector.plugins import BUILT_IN, policies

Presets = Mapping[tuple[str, str], Preset]
_MAKERS = {"design": "Designs", "program": "Programs", "library": "Libraries"}
KEYS_PAGE = "reference/keys.md"
"""The page of keys, which needs a window (`keys_page`)."""


def reference_pages() -> dict[str, str]:
    """Return the generated pages by their paths in the site, but for that of the keys."""
    known, presets = policies()[0], load_presets()
    return {
        "reference/policies.md": _page("Policies", POLICIES_ARE, _policies(known, presets)),
        "reference/presets.md": _page("Presets", PRESETS_ARE, [_presets(presets)]),
        "reference/reasons.md": _page("Reasons", REASONS_ARE, _reasons(known, presets)),
        "reference/findings.md": _page("Findings", FINDINGS_ARE, map(_finding, finding_articles())),
        "reference/formats.md": _page("Formats", FORMATS_ARE, [_formats()]),
        "reference/tokenizers.md": _page("Tokenizers", TOKENIZERS_ARE, [_tokenizers()]),
        "reference/filter.md": _page("Filter fields", FILTER_IS, [_filter()]),
        "reference/commands.md": _page("Commands", COMMANDS_ARE, _commands()),
    }


POLICIES_ARE = (
    "A policy decides which items get into the prompt. Each parameter is a slider in the window, a `--set NAME=VALUE` "
    "on the command line, and a key of `parameters` in a scenario file. `prompt-inspector policies NAME` prints the "
    "same. [Which policy is which](../how-to/policies.md) says whose rules each follows."
)
PRESETS_ARE = (
    "A preset is a named set of parameters of a policy, chosen with `--preset NAME`. "
    "[Your own presets](../how-to/policies.md#your-own-presets) stand beside these."
)
REASONS_ARE = (
    "Each item of an answer has an outcome and a `reason`. The words are those of the tables; … stands for a figure."
)
FINDINGS_ARE = (
    "A finding says what deserves attention in a prompt. The codes are stable; `check --fail-on CODE` takes them."
)
FORMATS_ARE = (
    "Files are recognized by their content. `prompt-inspector formats FILE…` says which of these a file may have, and "
    "why. [What it opens](../how-to/open.md) has them by application."
)
TOKENIZERS_ARE = (
    "Names for `--tokenizer` and `tokenizer:` in files; "
    "[their kinds](../how-to/tokens.md#tokenizers) are explained there."
)
FILTER_IS = (
    "The filter above the table of items, and `filter` in an inspection, take words, and fields with a value: "
    "`action:dropped role:user boats`. Words have to be in the text of the item; a minus in front negates."
)
COMMANDS_ARE = (
    "`prompt-inspector [PATH]…` opens the window; every command below works without one. "
    "Exit codes: 0 done; 1 the prompt does not fit and `--strict` was given, or `check` found something short; 2 wrong "
    "usage or unreadable input, in one line on standard error."
)
KEYS_ARE = (
    "Shortcuts of menus work everywhere; the others while their part of the window has the focus. *Help ▸ Keys* lists "
    "them as they are set."
)


def _page(title: str, introduction: str, parts: Iterable[str]) -> str:
    return "\n".join([f"# {title}\n", f"{introduction}\n", *parts])


def _policies(known: Mapping[str, type], presets: Presets) -> Iterator[str]:
    values = [policy_value(name, kind, presets) for name, kind in known.items()]
    for maker in dict.fromkeys(value["group"] for value in values):
        yield f"## {_MAKERS.get(maker, maker.capitalize())}\n"
        yield from (_policy(value) for value in values if value["group"] == maker)


def _policy(value: Value) -> str:
    named = ", ".join(map(code, value["presets"])) or "none"
    lines = [f"### {prose(value['title'])} {{#{value['name']}}}\n", f"`{value['name']}`; presets: {named}\n"]
    lines += [prose(part) + "\n" for part in value["description"].split("\n\n")]
    lines += [declared_table(PARAMETERS, value)] if value["parameters"] else ["It has no parameters.\n"]
    chosen = [
        f"* `{one['name']}={word}`: {prose(meaning)}"
        for one in value["parameters"]
        for word, meaning in one["choices"].items()
    ]
    return "\n".join([*lines, *chosen, ""])


def _presets(presets: Presets) -> str:
    values = list(preset_values(presets))
    rows = ([code(one["policy"]), code(one["preset"]), prose(one["description"])] for one in values)
    return table(["policy", "preset", "what it is"], rows)


def _reasons(known: Mapping[str, type], presets: Presets) -> Iterator[str]:
    for name in known:
        known[name]  # reasons are declared beside the policies, which are imported when they are used
    for article in reason_articles(known, presets):
        yield f"## {code(article.name)} {{#{article.name}}}\n"
        yield table(["in tables", "sentence"], ([prose(label), prose(told)] for label, told in article.facts))


def _finding(article: Article) -> str:
    facts = dict(article.facts)
    told = " ".join(map(prose, (article.summary, *article.paragraphs)))
    heading = f"## {code(article.name)} {{#{article.name}}}\n"
    return f"{heading}\n**{prose(facts['title'])}**, {facts['severity']}. {told}\n"


def _formats() -> str:
    values = format_values(built_in_formats(), lambda _: BUILT_IN)
    return table(["name", "title"], ([code(value["name"]), prose(value["title"])] for value in values))


def _tokenizers() -> str:
    values = tokenizer_values({}, lambda _: BUILT_IN, BUILT_IN)
    return table(["name", "what counts"], ([code(value["name"]), prose(value["title"])] for value in values))


def _filter() -> str:
    rows = (
        [code(name), prose(field.takes), code(": < <= > >=" if field.ordered else ":")]
        for name, field in FIELDS.items()
    )
    return table(["field", "takes", "operators"], rows)


def _commands() -> Iterator[str]:
    context = click.Context(group, info_name="prompt-inspector")
    yield _command("window", context)
    for title, commands in COMMAND_GROUPS.items():
        yield f"## {title}\n"
        yield from (_command(name, context) for name in commands)


def _command(name: str, context: click.Context) -> str:
    command = group.get_command(context, name)
    assert command is not None, "a listed command is there"
    own = click.Context(command, info_name=name, parent=context)
    level, title = ("##", "The window") if name == "window" else ("###", name)
    told = [prose(part) + "\n" for part in (command.help or "").split("\n\n")]
    usage = " ".join([own.command_path, *command.collect_usage_pieces(own)])
    return "\n".join([f"{level} {title} {{#{name}}}\n", f"    {usage}\n", *told, _options(command, own)])


def _options(command: click.Command, context: click.Context) -> str:
    """Return the options of a command: first its own, then those that many commands share, by section."""
    options = (option for option in command.params if isinstance(option, click.Option))
    records = {option.opts[0]: record for option in options if (record := option.get_help_record(context))}
    shared = {name for names in SECTIONS.values() for name in names}
    sections = {OWN: [name for name in records if name not in shared], **SECTIONS}
    parts = []
    for title, names in sections.items():
        if rows := [[code(records[name][0]), prose(records[name][1])] for name in names if name in records]:
            parts += ([] if title == OWN else [f"**{title}**\n"]) + [table(["option", "meaning"], rows)]
    return "\n".join(parts)


def keys_page(lines: Iterable[tuple[str, str, str, str]]) -> str:
    """Return the page of keys, from lines of action, keys, place and more, as *Help ▸ Keys* lists them."""
    told = list(lines)
    parts = []
    for place in dict.fromkeys(line[2] for line in told):
        rows = ([prose(title), code(keys), prose(more)] for title, keys, where, more in told if where == place)
        parts += [f"## {prose(place)}\n", table(["action", "keys", "more"], rows)]
    return _page("Keys", KEYS_ARE, parts)
