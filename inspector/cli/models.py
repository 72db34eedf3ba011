"""prompt-inspector models: the model table, a look-up of names in it, and an import of a public listing."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli.answering import Telling, answer
from inspector.cli.failure import InputError
from inspector.cli.option_types import INSTALLED
from inspector.cli.output import print_json, say, say_written, warn
from inspector.figures import counted
from inspector.nearest import instead

if TYPE_CHECKING:
    from inspector.assembly.own_models import ModelImport
    from inspector.tokens.models.columns import Listed
    from inspector.tokens.models.table import ModelTable

_MOST_NAMED = 12
"""The value of --import without a file."""


def models(
    name: str | None,
    maker: str | None,
    listing_file: str | None,
    providers: tuple[str, ...],
    dry_run: bool,
    answer_format: str,
) -> None:
    """Run `prompt-inspector models` with the values of its options."""
    from inspector.settings import own_models_file
    from inspector.tokens.models.loading import load_models

    if listing_file is None:
        if providers or dry_run:
            raise click.UsageError("models: --provider and --dry-run go with --import")
        table = load_models(own_models_file())
        for problem in table.problems:
            warn(problem)
        _print_rows(table, _listed(table, name, maker), name, answer_format)
        return
    if name or maker:
        raise click.UsageError("models: --import takes no NAME and no --maker")
    if answer_format == "csv":
        raise click.UsageError("models: --import answers as table or json")
    _import(
        Path(listing_file) if listing_file != INSTALLED else None, own_models_file(), providers, dry_run, answer_format
    )


def _listed(table: "ModelTable", name: str | None, maker: str | None) -> "Listed":
    """Return the rows to show; with a name, each with the kind of match."""
    matches = table.matches(name) if name else [(row, "") for row in table.rows]
    wanted = (maker or "").casefold()
    return [(row, how) for row, how in matches if wanted in row.maker.casefold()]


def _print_rows(table: "ModelTable", found: "Listed", name: str | None, answer_format: str) -> None:
    from inspector.tokens.models.columns import MODELS

    def count(_: object) -> list[str]:
        if found:
            return [f"{counted(len(found), 'model')}; prices are US dollars per million tokens."]
        near = table.nearest(name or "")
        nothing = f"No model matches; {instead(name or '', near)}" if near else "No model matches."
        return [nothing if name else "No model of this maker."]

    telling = Telling([MODELS], lambda listed: {"models": list(MODELS.records(listed))}, below=count, most=None)
    answer(found, telling, answer_format)


def _import(listing_file: Path | None, own: Path, providers: Sequence[str], dry_run: bool, answer_format: str) -> None:
    """Merge a listing into the user's own rows and report the changes."""
    from inspector.assembly.own_models import ModelImportError, import_models

    try:
        done = import_models(listing_file, own, providers, writes=not dry_run)
    except ModelImportError as problem:
        raise InputError(str(problem)) from None
    value = _import_value(done, own)
    print_json(value) if answer_format == "json" else _say(value, done.summary, dry_run)
    if done.written:
        say_written("your models", own)


def _import_value(done: "ModelImport", own: Path) -> dict[str, Any]:
    changed = [
        {"name": change.name, "fields": {each.fact: [each.before, each.after] for each in change.differences}}
        for change in done.changes.changed
    ]
    return {
        "listing": done.kind,
        "source": str(done.source),
        "date": done.date,
        "file": str(own),
        "written": done.written,
        "new": list(done.changes.new),
        "changed": changed,
        "same": done.changes.same,
        "skipped": dict(sorted(done.changes.skipped.items(), key=lambda pair: -pair[1])),
    }


def _say(value: Mapping[str, Any], summary: str, dry_run: bool) -> None:
    new, changed = value["new"], value["changed"]
    say(summary)
    for title, names in (("new", new), ("changed", [_changed_text(change) for change in changed])):
        for text in names[:_MOST_NAMED]:
            say(f"  {title}: {text}")
        if len(names) > _MOST_NAMED:
            say(f"  … and {len(names) - _MOST_NAMED:,} more {title} (--format json lists all)")
    for reason, number in value["skipped"].items():
        say(f"  skipped: {number:,} {reason}")
    if not value["written"]:
        say(f"{'dry run, nothing' if dry_run else 'nothing'} written to {value['file']}")


def _changed_text(change: Mapping[str, Any]) -> str:
    told = (f"{fact} {before} → {after}" for fact, (before, after) in change["fields"].items())
    return f"{change['name']}: {', '.join(told)}"
