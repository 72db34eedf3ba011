"""prompt-inspector servers: local model servers, their actual context sizes, and their counts beside ours."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from inspector.assembly.answer import Answer
from inspector.assembly.rendered_prompt import prompt_messages
from inspector.assembly.scenario import Scenario
from inspector.cli.answering import MOST_ROWS, Telling, answer, print_table
from inspector.cli.failure import InputError
from inspector.cli.loading import answer_for, named_failures, open_pipeline, progress_bar
from inspector.cli.output import warn
from inspector.cli.piped import STANDARD_INPUT, standard_input
from inspector.plugins import tokenizers
from inspector.tables import Table
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
from inspector.tokens.servers.tables import COUNT_COLUMNS, OFFERS, Counts, offers_of

SERVERS_FORMAT = "prompt-inspector/servers@1"
PROGRESS_FROM_TEXTS = 500
SPECIALS_NOTE = "This server counts special tokens that are spelled out in a text as such; ours are ordinary text."

Value = dict[str, Any]


def servers(
    addresses: tuple[str, ...], counted: str | None, model: str | None, tokenizer: str, answer_format: str
) -> None:
    """Run `prompt-inspector servers` with the values of its options."""
    asked = list(find_servers(addresses or DEFAULT_ADDRESSES))
    offers = tuple(offer for server in asked if server.kind for offer in offers_of(server))
    value: Value = {
        "format": SERVERS_FORMAT,
        "servers": [asdict(server) for server in asked if server.kind],
        "silent": [{"address": server.address, "problems": server.problems} for server in asked if not server.kind],
    }
    _report(asked, explicit=bool(addresses))
    if counted is None:
        answer(offers, Telling([OFFERS], lambda _: value, most=None), answer_format)
        return
    server, served = _counting(asked, model)
    with named_failures():
        try:
            found, measured = _measured(server, served, counted, tokenizer)
        except ServerError as problem:
            raise InputError(str(problem)) from None
    if answer_format == "table":
        print_table(OFFERS, offers, None)
    telling = Telling([_COUNTS], lambda _: {**value, "measured": measured}, _most, partial(_totals, measured))
    answer(found, telling, answer_format)


def _by_difference(counts: Counts) -> Sequence[int]:
    """Return the rows in order; of very many rows, those with the largest differences first."""
    if len(counts) <= MOST_ROWS:
        return range(len(counts))
    return sorted(range(len(counts)), key=lambda row: -abs(counts[row].difference))


_COUNTS = Table(COUNT_COLUMNS, _by_difference)


def _most(counts: Counts) -> Iterator[str]:
    if len(counts) > MOST_ROWS:
        yield f"The {MOST_ROWS} that differ most, of {len(counts):,} items."


def _totals(value: Value, counts: Counts) -> Iterator[str]:
    sureness = "exact" if value["exact"] else "estimated"
    yield f"ours: {value['total']['ours']:,} tokens ({value['tokenizer']}, {sureness})"
    yield f"measured by your server: {value['total']['theirs']:,} tokens ({value['model']} at {value['address']})"
    yield f"{value['different']:,} of {len(counts):,} items differ."
    if (prompt := value["prompt"]) is not None:
        words = f"{prompt['theirs']:,} tokens measured by your server, {prompt['ours']:,} ours"
        yield f"The whole prompt of {prompt['messages']:,} messages: {words}"
    if value["reads_specials"] and value["different"]:
        yield SPECIALS_NOTE


def _report(asked: Sequence[Server], explicit: bool) -> None:
    """Report failed queries on standard error; silence at the usual ports is normal."""
    for server in asked:
        if server.kind or explicit:
            for problem in server.problems:
                warn(problem)
    if not explicit and not any(server.kind for server in asked):
        places = ", ".join(server.address for server in asked)
        warn(f"no model server answers on this machine ({places})")


def _counting(asked: Sequence[Server], wanted: str | None) -> tuple[Server, ServedModel]:
    """Return the first loaded model, or the named model, on a server that counts."""
    for server in asked:
        for served in server.models if server.counts_tokens else ():
            if served.name == wanted or (wanted is None and served.loaded):
                return server, served
    found = [f"{title_of(server)} at {server.address}" for server in asked if server.kind]
    what = f"counts with {wanted}" if wanted else "counts tokens"
    raise InputError(f"no server that {what} answers; found: {', '.join(found) or 'none'}")


def _measured(server: Server, served: ServedModel, file: str, tokenizer: str) -> tuple[Counts, Value]:
    """Return the counts of the texts of a file, and their JSON value."""
    if file == STANDARD_INPUT:
        choice = choose_tokenizer(tokenizer, known_model(served.name), tokenizers()[0])
        return _measured_items(server, served, choice, [(STANDARD_INPUT, standard_input())])
    row = known_model(served.name)
    scenario = Scenario(model=row.name if row else served.name, tokenizer=tokenizer, context_window=served.window)
    pipeline = open_pipeline([file])
    made = answer_for(pipeline, scenario)
    items, choice = made.assembly.candidates.items, made.model.tokenizer
    counts, value = _measured_items(server, served, choice, list(zip(items.names, items.texts, strict=True)))
    if not made.case.chosen.parts.tools:
        value["prompt"] = _measured_prompt(server, served, made)
    return counts, value


def _measured_items(
    server: Server, served: ServedModel, choice: TokenizerChoice, items: Sequence[tuple[str, str]]
) -> tuple[Counts, Value]:
    warn(choice.reason)
    measured = []
    with progress_bar("Counting on the server", PROGRESS_FROM_TEXTS) as advance:
        for item in measure_on_server(server, served.name, choice.tokenizer, items):
            measured.append(item)
            advance(len(measured), len(items))
    return measured, {
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


def _measured_prompt(server: Server, served: ServedModel, made: Answer) -> Value | None:
    """Return the whole prompt of the scenario, counted as a single text on both sides; None if this is impossible.

    Definitions of tools are not sent, so prompts with tools are not compared.
    """
    messages = sent_messages(message.said for message in prompt_messages(made.assembly))
    if not messages or made.ledger.rendered is None:
        return None
    try:
        theirs = count_messages_on_server(server, served.name, messages)
    except ServerError as problem:
        warn(problem)
        return None
    return None if theirs is None else {"ours": made.ledger.rendered, "theirs": theirs, "messages": len(messages)}
