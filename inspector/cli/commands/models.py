"""prompt-inspector models: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.option_types import INSTALLED
from inspector.cli.options import format_option


@click.command()
@click.argument("name", required=False, shell_complete=completion.models)
@click.option("--maker", metavar="MAKER", help="Only models by this maker, such as openai.")
@click.option(
    "--import",
    "listing_file",
    metavar="[FILE]",
    is_flag=False,
    flag_value=INSTALLED,
    shell_complete=completion.files,
    help="models.dev's api.json, litellm's price JSON or genai-prices' data; without FILE, that of an installed "
    "litellm or genai-prices.",
)
@click.option("--provider", "providers", multiple=True, help="Import the models of this provider; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Show the effect of an import without writing anything.")
@format_option
def models(**asked: Any) -> None:
    """List the models: window, tokenizer, prices in US dollars per million tokens, and the day of these facts.

    With NAME, list the matching models, best first: the model meant by this name, then all models whose names contain
    it. Your own rows take precedence over the shipped ones; --import fills them from a listing, downloaded or
    installed.
    """
    from inspector.cli.models import models as run

    run(**asked)
