"""prompt-inspector servers: local model servers, the context they really run with, and their counts beside ours."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from inspector.assembly.answer import Answer
from inspector.assembly.render import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.cli import completion
from inspector.cli.failure import InputError
from inspector.cli.loading import (
    STANDARD_INPUT,
    answer_for,
    named_failures,
    open_pipeline,
    progress_bar,
    standard_input,
)
from inspector.cli.options import format_option
from inspector.cli.output import print_json, say, warn
from inspector.plugins import tokenizers
from inspector.tokens.choice import TokenizerChoice, choose_tokenizer
from inspector.tokens.servers.search import (
    DEFAULT_ADDRESSES,
    count_messages_on_server,
    find_servers,
    known_model,
    measure_on_server,
    reads_specials,
    sent_messages,
    title_of,
)
from inspector.tokens.servers.server import ServedModel, Server, ServerError

SERVERS_FORMAT = "prompt-inspector/servers@1"
MOST_ROWS = 40
PROGRESS_FROM_TEXTS = 500
SPECIALS_NOTE = "This server counts special tokens that are spelled out in a text as such; ours are ordinary text."

Value = dict[str, Any]


@click.command(short_help="Find local model servers; compare their counts with ours.")
@click.argument("addresses", nargs=-1, metavar="[ADDRESS]...")
@click.option(
    "--count",
    "counted",
    metavar="FILE",
    shell_complete=completion.files,
    help="Count this file (- for standard input) there and here.",
)
@click.option("--model", help="Model of a server to count with.")
@click.option("--tokenizer", default="auto", help="Our tokenizer to compare with, such as gguf:FILE.")
@format_option
def servers(
    addresses: tuple[str, ...], counted: str | None, model: str | None, tokenizer: str, answer_format: str
) -> None:
    """Ask local model servers what they have loaded and how long a context it takes.

    ADDRESS is HOST:PORT. Without one, the usual ports of this machine are asked (Ollama, LM Studio, llama.cpp, vLLM,
    KoboldCpp), and nothing else. --count sends the texts of FILE to the first of them that counts.
    """
    asked = list(find_servers(addresses or DEFAULT_ADDRESSES))
    value: Value = {
        "format": SERVERS_FORMAT,
        "servers": [asdict(server) for server in asked if server.kind],
        "silent": [{"address": server.address, "problems": server.problems} for server in asked if not server.kind],
    }
    _report(asked, explicit=bool(addresses))
    if counted is not None:
        server, served = _counting(asked, model)
        with named_failures():
            try:
                value["measured"] = _measured(server, served, counted, tokenizer)
            except ServerError as problem:
                raise InputError(str(problem)) from None
    if answer_format == "json":
        print_json(value)
    else:
        _print(asked, value.get("measured"))


def _report(asked: Sequence[Server], explicit: bool) -> None:
    """One line on standard error for what could not be learned; silence at the usual ports is usual."""
    for server in asked:
        if server.kind or explicit:
            for problem in server.problems:
                warn(problem)
    if not explicit and not any(server.kind for server in asked):
        places = ", ".join(server.address for server in asked)
        warn(f"no model server answers on this machine ({places})")


def _counting(asked: Sequence[Server], wanted: str | None) -> tuple[Server, ServedModel]:
    """The first loaded model, or the one of that name, on a server that counts."""
    for server in asked:
        for served in server.models if server.counts_tokens else ():
            if served.name == wanted or (wanted is None and served.loaded):
                return server, served
    found = [f"{title_of(server)} at {server.address}" for server in asked if server.kind]
    what = f"counts with {wanted}" if wanted else "counts tokens"
    raise InputError(f"no server that {what} answers; found: {', '.join(found) or 'none'}")


def _measured(server: Server, served: ServedModel, file: str, tokenizer: str) -> Value:
    if file == STANDARD_INPUT:
        choice = choose_tokenizer(tokenizer, known_model(served.name), tokenizers()[0])
        return _measured_items(server, served, choice, [(STANDARD_INPUT, standard_input())])
    row = known_model(served.name)
    scenario = Scenario(model=row.name if row else served.name, tokenizer=tokenizer, context_window=served.window)
    pipeline = open_pipeline([file])
    answer = answer_for(pipeline, scenario)
    items, choice = answer.assembly.candidates.items, answer.model.tokenizer
    value = _measured_items(server, served, choice, list(zip(items.names, items.texts, strict=True)))
    if not answer.case.chosen.parts.tools:
        value["prompt"] = _measured_prompt(server, served, answer)
    return value


def _measured_items(
    server: Server, served: ServedModel, choice: TokenizerChoice, items: Sequence[tuple[str, str]]
) -> Value:
    warn(choice.reason)
    measured = []
    with progress_bar("Counting on the server", PROGRESS_FROM_TEXTS) as advance:
        for item in measure_on_server(server, served.name, choice.tokenizer, items):
            measured.append(item)
            advance(len(measured), len(items))
    return {
        "server": server.kind,
        "address": server.address,
        "model": served.name,
        "tokenizer": choice.tokenizer.name,
        "exact": choice.exact,
        "items": [asdict(item) for item in measured],
        "total": {"ours": sum(item.ours for item in measured), "theirs": sum(item.theirs for item in measured)},
        "different": sum(item.difference != 0 for item in measured),
        "reads_specials": reads_specials(server),
        "prompt": None,
    }


def _measured_prompt(server: Server, served: ServedModel, answer: Answer) -> Value | None:
    """The whole prompt of the scenario as it is here, counted as one text on both sides; None where that cannot be.

    Definitions of tools are not sent, so prompts with tools are not compared.
    """
    messages = sent_messages(message.said for message in prompt_messages(answer.assembly))
    if not messages or answer.ledger.rendered is None:
        return None
    try:
        theirs = count_messages_on_server(server, served.name, messages)
    except ServerError as problem:
        warn(problem)
        return None
    return None if theirs is None else {"ours": answer.ledger.rendered, "theirs": theirs, "messages": len(messages)}


def _print(asked: Sequence[Server], measured: Value | None) -> None:
    from inspector.cli.tables import print_rows

    rows = [
        {
            "server": f"{title_of(server)} {server.version}".strip(),
            "address": server.address,
            "model": model.name,
            "loaded": "yes" if model.loaded else "no",
            "context": model.context_length,
            "at_most": model.max_context_length,
        }
        for server in asked
        for model in server.models
    ]
    if rows:
        print_rows(rows, tuple(rows[0]))
    if measured is not None:
        _print_measured(measured)


def _print_measured(value: Value) -> None:
    from inspector.cli.tables import print_rows

    rows = [{**item, "difference": item["ours"] - item["theirs"]} for item in value["items"]]
    shown = sorted(rows, key=lambda row: -abs(row["difference"]))[:MOST_ROWS] if len(rows) > MOST_ROWS else rows
    print_rows(shown, ("item", "ours", "theirs", "difference"))
    if len(shown) < len(rows):
        say(f"The {len(shown)} that differ most, of {len(rows):,} items.")
    sureness = "exact" if value["exact"] else "estimated"
    say(f"ours: {value['total']['ours']:,} tokens ({value['tokenizer']}, {sureness})")
    say(f"measured by your server: {value['total']['theirs']:,} tokens ({value['model']} at {value['address']})")
    say(f"{value['different']:,} of {len(rows):,} items differ.")
    if (prompt := value["prompt"]) is not None:
        words = f"{prompt['theirs']:,} tokens measured by your server, {prompt['ours']:,} ours"
        say(f"The whole prompt of {prompt['messages']:,} messages: {words}")
    if value["reads_specials"] and value["different"]:
        say(SPECIALS_NOTE)
