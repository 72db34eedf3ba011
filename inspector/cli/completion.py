"""What a shell offers for a word that is not yet whole: files, and the names that there are.

A completion answers a key: it reads nothing that takes long, and says nothing of what is wrong with what it reads.
"""

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from inspector.visible_text import on_one_line

QUICK_BYTES = 8_000_000
"""How large the files of a line may be for their items to be offered: about a quarter of a second."""
_MOST_ITEMS = 500


def files(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Files and folders, which the shell itself finds."""
    return [CompletionItem(begun, type="file")]


def policies(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The names of the policies, with those of plug-ins."""
    return _beginning(begun, _policy_names())


def policy_lists(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The names of the policies, after others and a comma."""
    before, comma, last = begun.rpartition(",")
    return [f"{before}{comma}{name}" for name in _beginning(last, _policy_names())]


def presets(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The names of the presets, of the policy that stands on the line, or of all."""
    from inspector.assembly.presets import load_presets
    from inspector.plugins import policies
    from inspector.settings import own_presets_file

    policy = context.params.get("policy") or context.params.get("name")
    known = load_presets(own_presets_file(), policies()[0])
    return _beginning(begun, (name for of, name in known if policy in (None, of)))


def models(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The names of the models of the table."""
    from inspector.settings import own_models_file
    from inspector.tokens.models.loading import load_models

    return _beginning(begun, (row.name for row in load_models(own_models_file()).rows))


def items(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """The ids of the items of the files that stand on the line, where those are soon read."""
    # An option whose value is still to come leaves the paths among what is not yet assigned.
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
    """Whether these are files, and small ones."""
    found = [os.stat(path) for path in paths]
    return all(stat.S_ISREG(one.st_mode) for one in found) and sum(one.st_size for one in found) <= QUICK_BYTES


def _beginning(begun: str, names: Iterable[str]) -> list[str]:
    """The names that begin so, but for those that a shell would take apart."""
    safe = (name for name in dict.fromkeys(names) if name.startswith(begun))
    return [name for name in safe if name and not any(map(str.isspace, name)) and on_one_line(name) == name]
