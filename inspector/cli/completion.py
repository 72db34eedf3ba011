"""Shell completion: files, and the known names.

A completion answers a keystroke: it reads only small files, and reports no problems with them.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from inspector.visible_text import on_one_line

QUICK_BYTES = 8_000_000
"""The maximum size of files whose items are offered: about a quarter of a second."""
_MOST_ITEMS = 500


def files(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return files and folders, which the shell itself finds."""
    return [CompletionItem(begun, type="file")]


def policies(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return the names of the policies, including those of plug-ins, and the word for the file's own."""
    from inspector.assembly.own_policy import OWN

    return _beginning(begun, (*_policy_names(), OWN))


def policy_lists(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return the names of the policies, after others and a comma."""
    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{name}" for name in _beginning(last, _policy_names())]


def presets(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Return the names of the presets, of the policy on the command line or of all policies."""
    from inspector.assembly.presets import load_presets
    from inspector.plugins import policies
    from inspector.settings import own_presets_file

    policy = context.params.get("policy") or context.params.get("name")
    known = load_presets(own_presets_file(), policies()[0])
    return _beginning(begun, (name for of, name in known if policy in (None, of)))


def models(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Return the names of the models of the table."""
    from inspector.settings import own_models_file
    from inspector.tokens.models.loading import load_models

    return _beginning(begun, (row.name for row in load_models(own_models_file()).rows))


def items(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Return the ids of the items in the files on the command line, provided the files are small."""
    # While the value of an option is missing, the paths are among the unassigned arguments.
    named = [path for path in (*context.params.get("paths", ()), *context.args) if os.path.exists(path)]
    if not named or not _are_quick(named):
        return []
    return _beginning(begun, _ids(named, context.params.get("conversation")))[:_MOST_ITEMS]


def _policy_names() -> Iterable[str]:
    from inspector.plugins import policies

    return policies()[0]


def _ids(paths: Iterable[str], conversation: str | None) -> tuple[str, ...]:
    from inspector import load
    from inspector.assembly.choices import ScenarioError
    from inspector.assembly.pipeline import Pipeline
    from inspector.assembly.presets import load_presets
    from inspector.assembly.scenario import Scenario
    from inspector.plugins import policies

    pipeline = Pipeline(load(*paths), policies()[0], load_presets())
    with suppress(ScenarioError):
        return pipeline.scoped(pipeline.case(Scenario(conversation=conversation))).ids
    return ()


def _are_quick(paths: Iterable[str]) -> bool:
    """Return whether these are small files."""
    found = [os.stat(path) for path in paths]
    return all(stat.S_ISREG(one.st_mode) for one in found) and sum(one.st_size for one in found) <= QUICK_BYTES


def _beginning(begun: str, names: Iterable[str]) -> list[str]:
    """Return the names with this beginning, except those split by a shell."""
    safe = (name for name in dict.fromkeys(names) if name.startswith(begun))
    return [name for name in safe if name and not any(map(str.isspace, name)) and on_one_line(name) == name]
