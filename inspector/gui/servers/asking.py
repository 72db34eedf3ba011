"""The work behind the servers dialog: finding servers, counting on them, both on workers, and using their windows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QObject

from inspector.assembly.edits import use_served_model
from inspector.assembly.rendered_prompt import PromptMessage, prompt_messages
from inspector.assembly.served_contexts import served_contexts
from inspector.figures import counted
from inspector.gui.servers.view import ServersView
from inspector.gui.session.session import Session
from inspector.tokens.servers.search import (
    DEFAULT_ADDRESSES,
    count_messages_on_server,
    find_servers,
    known_model,
    measure_on_server,
    sent_messages,
)
from inspector.tokens.servers.server import Measured, Server, ServerError
from inspector.tokens.tokenizer import Tokenizer

SEARCH, COUNTS = "servers", "server counts"
NO_PROMPT = "There is no prompt to count: open a conversation first."
_TEXTS_PER_CHUNK = 20


@dataclass(frozen=True, slots=True)
class _Whole:
    """A server's count of the whole prompt, None if it was not measured, and the problem, if any."""

    theirs: int | None
    problem: str = ""


class ServerSearch(QObject):
    """The link from the servers dialog to a session. Nothing is asked before the user's request."""

    def __init__(self, session: Session, view: ServersView) -> None:
        super().__init__(view)
        self._session = session
        self._view = view
        view.find_requested.connect(self.find)
        view.cancel_requested.connect(self.cancel)
        view.measure_requested.connect(self.measure)
        view.window_requested.connect(self.use_window)

    def find(self, addresses: Sequence[str]) -> None:
        """Ask these addresses; if there are none, the usual ones of this machine."""
        session, view, wanted = self._session, self._view, bool(addresses)
        view.begin_search()
        session.take_served(())

        def take(server: Server) -> None:
            view.add_server(server, wanted)
            session.take_served((*session.served, *served_contexts(server)))

        session.tasks.run(
            SEARCH,
            lambda: find_servers(addresses or DEFAULT_ADDRESSES),
            take,
            view.end_search,
            self._failed,
        )

    def measure(self, server: Server, model: str) -> None:
        """Have a server count the messages of the shown prompt, and the whole of it."""
        session, view, answer = self._session, self._view, self._session.answer
        messages = [] if answer is None else list(prompt_messages(answer.assembly))
        if answer is None or not messages:
            view.show_problem(NO_PROMPT)
            return
        tokenizer, ours = answer.model.tokenizer.tokenizer, answer.ledger.rendered
        has_tools = bool(answer.case.chosen.parts.tools)
        request = lambda: _counts(server, model, tokenizer, messages, has_tools)  # noqa: E731 - as in the session
        view.begin_counts()
        ended: list[_Whole] = []

        def take(chunk: tuple[Measured, ...] | _Whole) -> None:
            if isinstance(chunk, _Whole):
                ended.append(chunk)
            else:
                view.add_counts(chunk)

        def finish() -> None:
            view.end_counts(server, ours, ended[-1].theirs)
            if ended[-1].problem:
                view.show_problem(ended[-1].problem)

        session.tasks.run(COUNTS, request, take, finish, self._failed)

    def cancel(self) -> None:
        """Stop asking; results so far stay."""
        for name in (SEARCH, COUNTS):
            self._session.tasks.cancel(name)
        self._view.show_working("")
        self._view.say("Stopped.")

    def use_window(self, model: str, window: int) -> None:
        """Plan with the window of a server's model, and with that model if the model table has it."""
        row = known_model(model)
        self._session.edit(use_served_model, model, row.name if row else None, window)
        unknown = "" if row else " The model table does not know this model, so the tokenizer stays as it is."
        self._view.say(f"Planned with {counted(window, 'token')}{f' and {row.name}' if row else ''}.{unknown}")

    def _failed(self, error: Exception) -> None:
        self._view.show_working("")
        self._view.show_problem(f"{type(error).__name__}: {error}")


def _counts(
    server: Server, model: str, tokenizer: Tokenizer, messages: Sequence[PromptMessage], has_tools: bool
) -> Iterator[tuple[Measured, ...] | _Whole]:
    """Yield the counts of the messages in chunks, then the count of the whole; a refusal ends them with its reason.

    Tool definitions are not sent, so the whole is not measured for a prompt with tools.
    """
    items = [(f"{number}  {message.role}", message.content) for number, message in enumerate(messages, 1)]
    measured = measure_on_server(server, model, tokenizer, items)
    try:
        while chunk := tuple(islice(measured, _TEXTS_PER_CHUNK)):
            yield chunk
        sent = sent_messages(message.said for message in messages)
        yield _Whole(None if has_tools else count_messages_on_server(server, model, sent))
    except ServerError as problem:
        yield _Whole(None, str(problem))
