"""Manual pages, made from the declarations of the commands: prompt-inspector.1, and one for each command.

The macros are those of man(7). python -m docs.man [FOLDER]
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from inspector import __version__
from inspector.cli import COMMAND_GROUPS, group

BUILT = Path(__file__).resolve().parent.parent / "build" / "man"
PROGRAM = "prompt-inspector"


def man_pages() -> dict[str, str]:
    """Return the text of every manual page by the name of its file."""
    context = click.Context(group, info_name=PROGRAM)
    summaries = {name: told for commands in COMMAND_GROUPS.values() for name, (_, told) in commands.items()}
    pages = {f"{PROGRAM}.1": "\n".join(_whole(context))}
    for name, told in {"window": "Open the window.", **summaries}.items():
        pages[f"{PROGRAM}-{name}.1"] = "\n".join(_of_command(name, told, context))
    return pages


def _whole(context: click.Context) -> Iterator[str]:
    summary, *rest = (group.help or "").split("\n\n")
    yield from _head(PROGRAM, summary)
    yield from (".SH SYNOPSIS", _bold(PROGRAM), "[PATH]...", ".br", _bold(PROGRAM), "COMMAND [ARGUMENT]...")
    yield ".SH DESCRIPTION"
    yield from _paragraphs(rest)
    yield from _options(group, context)
    for title, commands in COMMAND_GROUPS.items():
        yield f".SH {_text(title).upper()}"
        for name, (_, told) in commands.items():
            yield from (".TP", _bold(f"{PROGRAM}-{name}"), _line(told))
    yield from (".SH SEE ALSO", _bold(f"{PROGRAM}-window"))


def _of_command(name: str, summary: str, context: click.Context) -> Iterator[str]:
    command = group.get_command(context, name)
    assert command is not None, "a listed command is there"
    own = click.Context(command, info_name=name, parent=context)
    yield from _head(f"{PROGRAM}-{name}", summary)
    yield from (".SH SYNOPSIS", _bold(f"{PROGRAM} {name}"), _line(" ".join(command.collect_usage_pieces(own))))
    yield ".SH DESCRIPTION"
    yield from _paragraphs((command.help or "").split("\n\n"))
    yield from _options(command, own)
    yield from (".SH SEE ALSO", _bold(PROGRAM))


def _head(title: str, summary: str) -> Iterator[str]:
    yield f'.TH "{_text(title).upper()}" "1" "" "Prompt Inspector {__version__}"'
    yield from (".SH NAME", f"{_text(title)} \\- {_text(_unbroken(summary)).removesuffix('.')}")


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    yield ".SH OPTIONS"
    for option in command.get_params(context):
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record is not None:
            yield from (".TP", _bold(record[0]), _line(record[1]))


def _paragraphs(parts: list[str]) -> Iterator[str]:
    for part in parts:
        yield from (".PP", _line(part))


def _bold(text: str) -> str:
    return f"\\fB{_text(text)}\\fR"


def _unbroken(text: str) -> str:
    return " ".join(text.split())


def _line(text: str) -> str:
    """Return a text as a line that is no request: those begin with a full stop or an apostrophe."""
    line = _text(_unbroken(text))
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _text(text: str) -> str:
    """Return a text as troff shows it unchanged: hyphens are those of options, and quotes those that can be copied."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")


def write_man_pages(folder: Path) -> list[Path]:
    """Write all manual pages into a folder, and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in man_pages().items():
        (folder / name).write_text(f"{text}\n", "utf-8")
        written.append(folder / name)
    return written


if __name__ == "__main__":
    print(f"{len(write_man_pages(Path(sys.argv[1]) if len(sys.argv) > 1 else BUILT))} manual pages are written")
