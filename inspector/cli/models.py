"""prompt-inspector models: the model table, a look-up of names in it, and an import of a public listing."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli import completion
from inspector.cli.answering import Telling, answer, format_option
from inspector.cli.failure import InputError
from inspector.cli.output import print_json, say, say_written, warn
from inspector.figures import counted
from inspector.nearest import instead

if TYPE_CHECKING:
    from inspector.formats.own_file import OwnFile
    from inspector.model import Problem
    from inspector.tokens.models.columns import Listed
    from inspector.tokens.models.importing import Import
    from inspector.tokens.models.listing import Listing
    from inspector.tokens.models.table import ModelTable

_HEAD = "# Rows of the model table that override the shipped ones; `prompt-inspector models` shows all fields.\n"
_MOST_NAMED = 12


@click.command()
@click.argument("name", required=False, shell_complete=completion.models)
@click.option("--maker", metavar="MAKER", help="Only models by this maker, such as openai.")
@click.option(
    "--import",
    "listing_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="models.dev's api.json or litellm's price JSON.",
)
@click.option("--provider", "providers", multiple=True, help="Import the models of this provider; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Show the effect of an import without writing anything.")
@format_option
def models(
    name: str | None,
    maker: str | None,
    listing_file: str | None,
    providers: tuple[str, ...],
    dry_run: bool,
    answer_format: str,
) -> None:
    """List the models: window, tokenizer, prices in US dollars per million tokens, and the day of these facts.

    With NAME, list the matching models, best first: the model meant by this name, then all models whose names contain
    it. Your own rows take precedence over the shipped ones; --import FILE fills them from a downloaded listing.
    """
    from inspector.settings import own_models_file
    from inspector.tokens.models.loading import load_models

    if listing_file is None:
        if providers or dry_run:
            raise click.UsageError("models: --provider and --dry-run go with --import FILE")
        table = load_models(own_models_file())
        for problem in table.problems:
            warn(problem)
        _print_rows(table, _listed(table, name, maker), name, answer_format)
        return
    if name or maker:
        raise click.UsageError("models: --import takes no NAME and no --maker")
    if answer_format == "csv":
        raise click.UsageError("models: --import answers as table or json")
    _import(Path(listing_file), own_models_file(), providers, dry_run, answer_format)


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


def _import(listing_file: Path, own: Path, providers: Sequence[str], dry_run: bool, answer_format: str) -> None:
    """Merge a listing into the user's own rows and report the changes."""
    from inspector.reading.values import UnreadableError
    from inspector.tokens.models.listing import ListingError, read_listing

    try:
        listing = read_listing(listing_file)
        # The listings carry no date of their own; when the file was downloaded is when they said this.
        date = datetime.fromtimestamp(listing_file.stat().st_mtime, UTC).date().isoformat()
        merge = partial(_merge, listing, own, date, providers)
        result = merge(_file(own).read()[0]) if dry_run else _file(own).change(merge, [listing_file])
    except ListingError as problem:
        raise InputError(str(problem)) from None
    except UnreadableError as error:
        raise _unfit(error.problem) from None
    except OSError as problem:
        raise InputError(f"{problem.filename or own}: {problem.strerror or problem}") from None
    written = not dry_run and bool(result.new or result.changed)
    value = _import_value(result, listing.kind, own, date, written)
    print_json(value) if answer_format == "json" else _say(value, dry_run)
    if written:
        say_written("your models", own)


def _merge(listing: "Listing", own: Path, date: str, providers: Sequence[str], entries: list[Any]) -> "Import":
    """Merge the new rows of a listing into the entries of the file. End the command if any of these is a bad row."""
    from inspector.tokens.models.importing import import_listing
    from inspector.tokens.models.loading import load_models

    table = load_models(own)
    if table.problems:
        raise _unfit(table.problems[0])
    result = import_listing(listing, table, entries, date, providers)
    entries[:] = result.entries
    return result


def _file(own: Path) -> "OwnFile":
    from inspector.formats.own_file import OwnFile
    from inspector.reading.yaml import MAX_BYTES

    return OwnFile(own, _HEAD, "a list of rows", [], levels=1, most_bytes=MAX_BYTES)


def _unfit(problem: "Problem") -> InputError:
    return InputError(f"{problem}; fix this first, because an import rewrites the whole file")


def _import_value(result: "Import", kind: str, own: Path, date: str, written: bool) -> dict[str, Any]:
    changed = [
        {"name": change.name, "fields": {each.fact: [each.before, each.after] for each in change.differences}}
        for change in result.changed
    ]
    return {
        "listing": kind,
        "date": date,
        "file": str(own),
        "written": written,
        "new": list(result.new),
        "changed": changed,
        "same": result.same,
        "skipped": dict(sorted(result.skipped.items(), key=lambda pair: -pair[1])),
    }


def _say(value: Mapping[str, Any], dry_run: bool) -> None:
    new, changed = value["new"], value["changed"]
    say(f"{value['listing']}, {value['date']}: {len(new):,} new, {len(changed):,} changed, {value['same']:,} same")
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
