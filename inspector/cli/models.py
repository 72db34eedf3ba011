"""prompt-inspector models: the model table, what a name leads to in it, and an import of a public listing."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspector.cli import completion
from inspector.cli.failure import InputError
from inspector.cli.options import format_option
from inspector.cli.output import print_json, say, say_written, warn
from inspector.nearest import instead

if TYPE_CHECKING:
    from inspector.formats.own_file import OwnFile
    from inspector.model import Problem
    from inspector.tokens.models.importing import Import
    from inspector.tokens.models.listing import Listing
    from inspector.tokens.models.row import ModelRow
    from inspector.tokens.models.table import ModelTable

# The table's headings, short enough for a name, a tokenizer and every figure on one line, and what they stand for.
_COLUMNS = {
    "name": "name",
    "maker": "maker",
    "window": "context_window",
    "output": "max_output",
    "tokenizer": "tokenizer",
    "in": "price_in",
    "out": "price_out",
    "cached": "price_cached",
    "date": "date",
}
_HEAD = "# Rows of the model table that stand on top of the shipped ones; `prompt-inspector models` shows all fields.\n"
_MOST_NAMED = 12
_WIDEST = 24


@click.command(short_help="List the models of the model table; import a public listing into your own rows.")
@click.argument("name", required=False, shell_complete=completion.models)
@click.option("--maker", metavar="MAKER", help="Only models by this maker, such as openai.")
@click.option(
    "--import",
    "listing_file",
    metavar="FILE",
    shell_complete=completion.files,
    help="models.dev's api.json or litellm's price JSON.",
)
@click.option("--provider", "providers", multiple=True, help="Import what this provider lists; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Say what an import would do, and write nothing.")
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

    With NAME, those that match it, best first: what the program takes for a model of that name, then those that have
    it as a part. Your own rows stand on top of the shipped ones; --import FILE fills them from a downloaded listing.
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
    _import(Path(listing_file), own_models_file(), providers, dry_run, answer_format)


def _listed(table: "ModelTable", name: str | None, maker: str | None) -> list[dict[str, Any]]:
    """The rows to show; with a name, each with how it matches."""
    matches: Sequence[tuple[ModelRow, str]] = table.matches(name) if name else [(row, "") for row in table.rows]
    wanted = (maker or "").casefold()
    return [
        {**({"match": how} if name else {}), **asdict(row)} for row, how in matches if wanted in row.maker.casefold()
    ]


def _print_rows(table: "ModelTable", rows: list[dict[str, Any]], name: str | None, answer_format: str) -> None:
    if answer_format == "json":
        print_json({"models": rows})
        return
    from inspector.cli.tables import print_rows

    if not rows:
        near = table.nearest(name or "")
        nothing = f"No model matches; {instead(name or '', near)}" if near else "No model matches."
        say(nothing if name else "No model of this maker.")
        return
    columns = {"match": "match", **_COLUMNS} if name else _COLUMNS
    cells = [
        {title: row[field] if field == "name" else _cell(row[field]) for title, field in columns.items()}
        for row in rows
    ]
    print_rows(cells, tuple(columns))
    say(f"{len(rows):,} {'model' if len(rows) == 1 else 'models'}; prices are US dollars per million tokens.")


def _cell(value: Any) -> Any:
    """A price without a needless .0, and a long text (the repository of a tokenizer) cut."""
    if isinstance(value, str) and len(value) > _WIDEST:
        return f"{value[: _WIDEST - 1]}…"
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _import(listing_file: Path, own: Path, providers: Sequence[str], dry_run: bool, answer_format: str) -> None:
    """Merge a listing into the person's own rows and say what that does."""
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
    """Put what is new in a listing among the entries of the file. Ends the command where one of them is no good row."""
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
