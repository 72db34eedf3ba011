"""The context of a server as the server itself tells it, for `--server-context found` or `HOST:PORT`."""

from collections.abc import Sequence

import click

from inspector.assembly.served_contexts import ServedContext, served_contexts, server_word
from inspector.assembly.servers import TITLES
from inspector.cli.failure import InputError
from inspector.cli.option_types import FOUND
from inspector.figures import counted
from inspector.tokens.servers.kinds import KINDS
from inspector.tokens.servers.search import find_servers, known_model
from inspector.tokens.servers.server import Server


def found_context(server: str, model: str | None, place: str) -> int:
    """Return the context in tokens with which a server runs its model, by asking it at this place.

    Of several running models, the `model` of the scenario counts. End the command if the server does not tell.
    """
    option = f"--server-context {place}"
    if server not in TITLES:
        raise click.UsageError(f"{option}: name the server with --server ({', '.join(TITLES)})")
    kind = next(kind for kind in KINDS.values() if server_word(kind.name) == server)
    address = f"127.0.0.1:{kind.port}" if place == FOUND else place
    running = _running(next(find_servers((address,))), server, f"{option}: {TITLES[server]} at {address}")
    named = [one for one in running if model is not None and _is_named(one.model, model)] or running
    if len({one.tokens for one in named}) > 1:
        told = ", ".join(f"{one.model} with {counted(one.tokens, 'token')}" for one in named)
        raise InputError(f"{option}: several models run there ({told}); name one of them with --model")
    return named[0].tokens


def _running(found: Server, server: str, where: str) -> Sequence[ServedContext]:
    """Return the contexts of the running models. End the command if there are none."""
    if server_word(found.kind) != server:
        reason = "; ".join(found.problems) or f"{found.kind} answers there"
        raise InputError(f"{where} does not answer ({reason})")
    running = served_contexts(found)
    if not running:
        raise InputError(f"{where} runs no model whose context it tells")
    return running


def _is_named(served: str, model: str) -> bool:
    row = known_model(served)
    return served == model or (row is not None and row.name == model)
