"""The help of commands with many options: first the command's own, then the shared options under headings."""

import click

SECTIONS = {
    "Policy and model": (
        "--scenario",
        "--save-scenario",
        "--policy",
        "--preset",
        "--set",
        "--model",
        "--tokenizer",
        "--window",
        "--no-defaults",
        "--thoughts",
        "--thinking",
        "--server",
        "--server-context",
    ),
    "Conversation": (
        *("--conversation", "--at", "--as-of", "--leaf", "--draft", "--character", "--assistant"),
        *("--classify", "--now"),
    ),
    "Memories, lore and summaries": (
        *("--memories", "--no-memories", "--scores", "--query", "--similarity", "--relevance", "--embedding", "--lore"),
        *("--summaries", "--summary-tokens"),
    ),
    "Items": ("--pin", "--exclude", "--override"),
    "Files": ("--verbose", "--repair", "--reveal-secrets"),
}
"""The options shared by many commands, by their first names, in the order of the help."""
OWN = "Options"
"""The heading of all other options."""


class SectionedCommand(click.Command):
    """A command whose help lists its options in sections."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options by section, first the command's own; omit empty sections."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        named = {option.opts[0]: option.get_help_record(ctx) for option in options}
        told = {name: record for name, record in named.items() if record is not None}
        shared = {name for names in SECTIONS.values() for name in names}
        sections = {OWN: tuple(name for name in told if name not in shared), **SECTIONS}
        for title, names in sections.items():
            if records := [told[name] for name in names if name in told]:
                with formatter.section(title):
                    formatter.write_dl(records)
