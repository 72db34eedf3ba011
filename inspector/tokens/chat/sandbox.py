"""The sandbox for chat templates: programs with values and a little time, and no access to anything else."""

import json
import threading
import time
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from typing import Any

from inspector.steps import AbandonedError, check_wanted
from inspector.tokens.chat.marks import MarkedMapping, MarkedText

SECONDS = 10.0
"""The time limit of a template."""

TOO_LONG, TOO_MUCH = "it took too long", "it needed more memory than it may"

_LONGEST_PRODUCT = 1_000_000
_LONGEST_REASON = 300
# The default date in Meta's template. A fixed one, so that a prompt is the same tomorrow.
_TODAY = date(2024, 7, 26)


class ChatTemplateError(ValueError):
    """A template cannot be read, failed, took too long, or refused the chat; the message quotes the template."""


class RunawayTemplateError(ChatTemplateError):
    """A template could not be rendered in a separate process, or the process had to be ended: it is not tried again."""


def render_template(source: str, variables: Mapping[str, Any], seconds: float = SECONDS) -> str:
    """Return the output of a template for these variables. Raises ChatTemplateError with the reason if there is none.

    Raises AbandonedError once the output is no longer wanted. The time is checked between the steps of the template,
    and a single step may take for ever: templates we do not ship run in a separate process.
    """
    from jinja2 import TemplateError

    _clock.start(seconds)
    try:
        return _compiled(source).render(variables)
    except (AbandonedError, ChatTemplateError):
        raise
    except TemplateError as problem:
        raise ChatTemplateError(problem.message or type(problem).__name__) from problem
    except MemoryError as problem:
        raise ChatTemplateError(TOO_MUCH) from problem
    except Exception as problem:
        raise ChatTemplateError(failure(problem)) from problem


def doubt_of_last() -> str:
    """Return the reason for which the maker's own code refuses the last prompt rendered on this thread, "" for none."""
    return _clock.doubt


def failure(problem: Exception) -> str:
    """Return the words for an exception raised by a template."""
    reason = str(problem)
    return f"it failed with {type(problem).__name__}: {reason[:_LONGEST_REASON]}"


class _Clock(threading.local):
    """The time limit of the template on this thread: called at every step, it checks at every 256th.

    `doubt` is what the template itself says against its prompt.
    """

    doubt = ""

    def start(self, seconds: float) -> None:
        self._deadline = time.monotonic() + seconds
        self._steps = 0
        self.doubt = ""

    def check(self) -> None:
        self._steps += 1
        if self._steps & 0xFF:
            return
        check_wanted()
        if time.monotonic() > self._deadline:
            raise ChatTemplateError(TOO_LONG)


_clock = _Clock()


@lru_cache(maxsize=32)
def _compiled(source: str) -> Any:
    return _environment().from_string(source)


@cache
def _environment() -> Any:
    """Return Jinja's sandbox as transformers sets it up, with a clock checked at every call and look-up."""
    from jinja2.ext import Extension
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandbox(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset({"*", "**"})

        def call(self, *arguments: Any, **keywords: Any) -> Any:
            _clock.check()
            return super().call(*arguments, **keywords)

        def getattr(self, obj: Any, attribute: str) -> Any:
            _clock.check()
            if type(obj) is dict and attribute in obj and not hasattr(dict, attribute):
                return obj[attribute]  # the sandbox's own result, three times as fast
            return super().getattr(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            _clock.check()
            return super().getitem(obj, argument)

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            if operator == "**" or _size(left) * _size(right) > _LONGEST_PRODUCT:
                raise ChatTemplateError("it multiplies more than it may")
            return super().call_binop(context, operator, left, right)

    class Generation(Extension):
        """The tag of transformers around the model's own text: replaced by its content."""

        tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = Sandbox(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", Generation])
    environment.filters["tojson"] = _as_json
    environment.globals["raise_exception"] = _refuse
    environment.globals["doubt"] = _doubt
    environment.globals["strftime_now"] = _TODAY.strftime
    return environment


def _size(value: Any) -> int:
    """Return the number of repetitions of the other operand in a product with this value."""
    return len(value) if isinstance(value, str | list | tuple) else int(abs(value)) if isinstance(value, int) else 1


def _refuse(message: object) -> None:
    raise ChatTemplateError(str(message))


def _doubt(message: object) -> str:
    """Note that the maker's own code refuses this prompt, which servers mend; the first reason counts."""
    _clock.doubt = _clock.doubt or str(message)[:_LONGEST_REASON]
    return ""


def _as_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **options: Any) -> str:
    """Return JSON as transformers writes it in templates, without HTML escapes; marked values keep their marks."""
    marked: list[MarkedMapping] = []
    options = {**options, "ensure_ascii": ensure_ascii}
    text = json.dumps(_ready(value, marked if indent is None else None), indent=indent, **options)
    for mapping in marked:
        text = text.replace(json.dumps(mapping.mark, **options), mapping.marked(json.dumps(mapping, **options)))
    return text


def _ready(value: Any, marked: list[MarkedMapping] | None) -> Any:
    """Return the value without characters JSON would escape in marked texts.

    If `marked` is a list, marked mappings are added to it and replaced by their marks.
    """
    if isinstance(value, MarkedMapping) and marked is not None:
        marked.append(value)
        return value.mark
    if isinstance(value, MarkedText):
        return value.without_edges
    if isinstance(value, dict):
        return {key: _ready(part, marked) for key, part in value.items()}
    return [_ready(part, marked) for part in value] if isinstance(value, list | tuple) else value
