"""prompt-inspector servers: the arguments and options."""

from typing import Any

import click

from inspector.cli import completion
from inspector.cli.options import format_option


@click.command()
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@click.option(
    "--count",
    "counted",
    metavar="FILE",
    shell_complete=completion.files,
    help="Count this file (- for standard input) there and here.",
)
@click.option("--model", "-m", help="Model of a server to count with.")
@click.option("--tokenizer", default="auto", help="Our tokenizer to compare with, such as gguf:FILE.")
@format_option
def servers(**asked: Any) -> None:
    """Ask local model servers for their loaded models and context sizes.

    ADDRESS is HOST:PORT. Without ADDRESS, the usual ports of this machine are asked (Ollama, LM Studio, llama.cpp,
    vLLM, KoboldCpp), and nothing else. --count sends the texts of FILE to the first server that counts.
    """
    from inspector.cli.servers import servers as run

    run(**asked)
