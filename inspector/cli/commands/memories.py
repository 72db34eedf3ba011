"""prompt-inspector memories: the arguments and options."""

from typing import Any

import click

from inspector.cli.options import format_option, paths_argument, probes_option, scenario_options
from inspector.cli.sections import SectionedCommand


@click.command(cls=SectionedCommand)
@paths_argument
@scenario_options
@click.option("--use", "of_use", is_flag=True, help="How each memory serves the questions of PATHS or of --probes.")
@click.option(
    "--written", "of_writing", is_flag=True, help="How other ways to write memories would serve the same questions."
)
@click.option(
    "--places", "of_places", is_flag=True, help="What a prompt costs with the memories at other places of it."
)
@probes_option
@format_option
def memories(**asked: Any) -> None:
    """List the memories of PATHS in the order of the policy's choice: rank, score, similarity and reason.

    With --use, ask every question of PATHS, or of --probes FILE, and list for each memory how often it is considered,
    kept, and carries evidence of the question, the recall lost if it is left out, and how many others say nearly the
    same; then the needed messages that no memory names.

    With --written, ask them with other memories, side by side: none, those of the files, the summaries of the files as
    memories, and extracts, the most informative sentences of each sitting. Where questions have known answers, the ways
    are compared by the share of the answers' words in the prompts, beyond that of the other questions' answers.

    With --places, replay the last prompts of the conversations with the memories where the policy puts them, before the
    conversation, before the newest message, and without memories: the cost of a prompt with the provider's cache, which
    reads the common beginning of prompts, beside the recall of the questions.
    """
    from inspector.cli.memories import memories as run

    run(**asked)
