"""Policies as values: frozen dataclasses whose declared fields are their parameters, and the declarations of these."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import getdoc
from reprlib import repr as shown
from typing import Any, Protocol, cast, runtime_checkable

from inspector.assembly.advice import SIZES
from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.columns import F64, Rows
from inspector.assembly.decisions import Assembly
from inspector.assembly.thresholds import Packing
from inspector.contained import contained
from inspector.limits import MOST
from inspector.nearest import instead, nearest

_WORDS = "_"
"""Separates the name of a parameter from the word to which it applies."""


@runtime_checkable
class Policy(Protocol):
    """A frozen dataclass that decides: candidates and a window in, an assembly out, the same every time.

    It declares its needs and its further abilities in its attribute `traits`, by default `PLAIN`.
    """

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        """Decide every candidate exactly once. Raise PolicyError if no prompt can be made."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """The needs and further abilities of a policy.

    A policy declares them as `traits`: a value of the class, or a property if they depend on the parameters. Those of
    the first group are read before there are parameters, from `Kind()`, and have to be the same for all parameters.
    `inspector.testing.check_policy` checks a policy against its declaration.
    """

    title: str = ""
    """A title for users, at most four words; "" if the name of the policy is clear enough."""
    whose: str = ""
    """The program or library with this behaviour."""
    maker: str = "design"
    """The group of the policy: `program`, `library`, or `design`."""
    default_window: int | None = None
    """The context window in tokens if neither scenario nor file names a window or a model."""
    unknown_window: int | None = None
    """The context window of a named but unknown model, if the published rule has one."""
    prefers_directive: bool = False
    """Whether a character with both a directive and a system prompt speaks by the directive."""
    greets: bool = False
    """Whether the character's greeting is a candidate."""
    parameters_for: Callable[[str], Mapping[str, Any]] | None = None
    """The parameters whose defaults depend on the model, for the name of a model."""
    divisions: Callable[[int, int], Iterable[Mapping[str, Any]]] | None = None
    """Divisions of a window worth trying: for the tokens of the window and the most that a prompt may take, sets of
    parameters with which prompts take about this many tokens.
    """

    counts_contents: bool = False
    """Whether it reads `Candidates.caller_tokens`: messages with tool calls, without their calls."""
    counts_replacements: bool = False
    """Whether it reads `Candidates.replacement_tokens`: the replacements of summarized messages."""
    compares_messages: bool = False
    """Whether it reads `Candidates.message_likeness`: the likeness of each message to the query."""
    monotone: bool = False
    """Whether a larger window never drops what a smaller one keeps."""
    question: Callable[[Candidates], str] | None = None
    """The text compared with memories, if it is not the newest user message."""
    signals: Callable[[Candidates, Rows], Mapping[str, tuple[float, F64]]] | None = None
    """The terms of the score that ranks memories: name → weight, and one value in 0–1 for each row."""
    thresholds: Callable[[Candidates, Rows], F64] | None = None
    """The least similarity required of each of these memories."""
    packing: Callable[[Candidates], Packing | None] | None = None
    """The decisions independent of the budgets, and the thresholds of the rest; None if there are no thresholds.

    It has to be the same for every value of the parameters named in `budgets`.
    """
    shares_in_effect: Callable[[Candidates], Mapping[str, float]] | None = None
    """The actual shares of sections, by the names of their parameters, if the conversation shifts them."""


PLAIN = Traits()
"""The traits of a policy without a declaration."""


def traits_of(policy: object) -> Traits:
    """Return the declared traits of a policy."""
    with contained():
        return getattr(policy, "traits", PLAIN)


def policy_title(name: str, kind: type | None) -> str:
    """Return the title of a policy for users: the declared one, else its name."""
    return (traits_of(kind()).title if kind is not None else "") or name


def policy_sentence(kind: type) -> str:
    """Return what a policy does, in one sentence: the first line of its documentation."""
    return (getdoc(kind) or "").partition("\n")[0]


SCALES = ("linear", "log")
TOPICS: Mapping[str, str] = {
    "conversation": "Conversation",
    "memories": "Memories",
    "lore": "Lore",
    "documents": "Documents",
    "summaries": "Summaries",
    "rare": "Rarely used",
}
"""The topics of parameters, with the titles of their groups among the settings."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter of a policy, the source of its slider, its option, its YAML key and its test.

    `minimum` and `maximum` are the range of the slider; a value above the range is accepted where it makes sense.
    `scale` is `linear`, or `log` for a slider over round numbers growing by about the same factor; `step` is then a
    fine step. `at_minimum` is the word for the minimum if it is not an amount, such as `off`. `unit` is `share`,
    `tokens`, `messages`, `exchanges`, `memories`, `characters`, `days` or "". Parameters of the same `group` move
    together. `topic` is a key of `TOPICS`, under which the window folds the parameter; without one it is always in
    sight. `sizes` is a key of `SIZES`, by which advice finds the parameter. `cuts` says that it cuts longer texts to
    this many tokens. `choices` maps each word of a choice to its effect; a switch has the default True or False, and a
    text has a text as its default and no choices. `reads` turns null, an object or a list in a file into values of
    parameters by their names; the file has it under `object_name`, by default the name of the parameter. `writes` turns
    values by name into that object. A choice with an `object_name` is the kind of an amount; the amount of the kind
    `tokens` in the object `keep` is the parameter `keep_tokens`. Raise TypeError for an invalid declaration.
    """

    name: str
    default: Any
    minimum: float = 0
    maximum: float = 0
    step: float = 1
    label: str = ""
    help: str = ""
    unit: str = ""
    group: str = ""
    choices: Mapping[str, str] = dataclasses.field(default_factory=dict)
    scale: str = "linear"
    at_minimum: str = ""
    sizes: str = ""
    topic: str = ""
    cuts: bool = False
    object_name: str = ""
    reads: Callable[[str, Any], Mapping[str, Any]] | None = None
    writes: Callable[[Mapping[str, Any]], Any] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.choices, Mapping):
            raise TypeError(f"{self.name}: choices maps each word to what it does, and is {self.choices!r}")
        if self.scale not in SCALES:
            raise TypeError(f"{self.name}: scale is one of {', '.join(SCALES)}, not {self.scale!r}")
        if self.sizes and self.sizes not in SIZES:
            raise TypeError(f"{self.name}: sizes is one of {', '.join(SIZES)}, not {self.sizes!r}")
        if self.topic and self.topic not in TOPICS:
            raise TypeError(f"{self.name}: topic is one of {', '.join(TOPICS)}, not {self.topic!r}")

    @property
    def declaration(self) -> dict[str, Any]:
        """What is declared, as values of a file."""
        return {name: value for name, value in dataclasses.asdict(self).items() if name not in ("reads", "writes")}

    @property
    def amounts(self) -> Mapping[str, str]:
        """The parameter with the amount of each kind, by name, if this is the kind in an object; else none."""
        return {word: f"{self.object_name}{_WORDS}{word}" for word in self.choices} if self.object_name else {}

    @property
    def is_text(self) -> bool:
        """Whether any text is a value: a default that is a text, without choices."""
        return isinstance(self.default, str) and not self.choices

    @property
    def is_number(self) -> bool:
        """Whether a number is a value, and no switch, choice, list or text."""
        return not isinstance(self.default, bool | tuple | str) and not self.choices

    def word_for(self, value: Any) -> str:
        """Return the word shown for a number, "" if the number itself is shown."""
        return self.at_minimum if value == self.minimum else ""

    def trouble(self, value: Any) -> str:
        """Return why a value is invalid, as in "must be true or false, not 3", or "" if it is valid."""
        if isinstance(self.default, bool):
            return "" if isinstance(value, bool) else f"must be true or false, not {shown(value)}"
        if self.choices:
            is_known = isinstance(value, str) and value in self.choices
            return "" if is_known else self._trouble_with_choice(value)
        if self.is_text:
            return "" if isinstance(value, str) else f"must be a text, not {shown(value)}"
        if isinstance(self.default, tuple):
            return self._trouble_with_list(value)
        whole = isinstance(self.default, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            return f"must be a {'whole ' if whole else ''}number, not {shown(value)}"
        return self._trouble_with_size([value], "be")

    def _trouble_with_choice(self, value: Any) -> str:
        near = nearest(value, self.choices) if isinstance(value, str) else []
        meant = f"; did you mean {near[0]}?" if near else ""
        return f"must be one of {', '.join(self.choices)}, not {shown(value)}{meant}"

    def _trouble_with_list(self, value: Any) -> str:
        many = len(self.default)
        numbers = isinstance(value, list | tuple) and all(
            isinstance(number, int | float) and not isinstance(number, bool) for number in value
        )
        if not numbers or len(value) != many:
            return f"must be a list of {many} numbers, not {shown(value)}"
        return self._trouble_with_size(value, "hold numbers of")

    def _trouble_with_size(self, numbers: Sequence[float], verb: str) -> str:
        for number in numbers:
            if not self.minimum <= number < float("inf"):
                return f"must {verb} {self.minimum:g} or more, not {shown(number)}"
            if number > MOST:
                return f"must {verb} {MOST:,} or less, not {shown(number)}"
        return ""


def param(default: Any, minimum: float = 0, maximum: float = 0, **declared: Any) -> Any:
    """Declare a field of a policy as a parameter; the keywords are those of `Parameter`."""
    return dataclasses.field(
        default=default, metadata={"minimum": minimum, "maximum": maximum, "default": default, **declared}
    )


def parameters_of(policy: Any) -> tuple[Parameter, ...]:
    """Return the declared parameters of a policy (a class or a value), in order."""
    return _declared(policy if isinstance(policy, type) else type(policy))


@cache
def _declared(policy: Any) -> tuple[Parameter, ...]:
    declared = []
    for field in dataclasses.fields(policy):
        label = field.metadata.get("label") or field.name.replace("_", " ").capitalize()
        declared.append(Parameter(field.name, **{**field.metadata, "label": label}))
    return tuple(declared)


def parameters_by_name(policy: Any) -> dict[str, Parameter]:
    """Return the declared parameters of a policy (a class or a value) by their names; none for None."""
    return {} if policy is None else {parameter.name: parameter for parameter in parameters_of(policy)}


def parameter_values(policy: Any) -> dict[str, Any]:
    """Return every parameter of a policy with its value."""
    return {field.name: getattr(policy, field.name) for field in dataclasses.fields(policy)}


class PolicyError(Exception):
    """No prompt can be made: `code` is defined by the contract, the message says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def null_is(unset: float | str) -> Callable[[str, Any], Mapping[str, Any]]:
    """Return how a parameter is read for which files may have null, which is this value here."""
    return lambda name, value: {name: unset if value is None else value}


def _spread(
    declared: Mapping[str, Parameter], parameters: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], str, Any]]:
    """Yield the steps to each value, the name of its parameter, and the value.

    A mapping such as per_source: {chat: 5} is split by its words. A parameter that reads null, objects or lists itself
    gives values by the names of parameters.
    """
    readers = {each.object_name or each.name: each.reads for each in declared.values() if each.reads}
    for name, value in parameters.items():
        reads = readers.get(name)
        if reads is not None and (name not in declared or not isinstance(value, str | int | float)):
            yield from (((name,), own, part) for own, part in reads(name, value).items())
        else:
            yield from _by_words(name, value)


def _by_words(name: str, value: Any) -> Iterator[tuple[tuple[str, ...], str, Any]]:
    """Yield the values inside of a mapping, however deep, by its words; any other value as it is, an empty one too."""
    waiting: list[tuple[tuple[str, ...], str, Any]] = [((name,), name, value)]
    while waiting:
        steps, own, held = waiting.pop()
        if isinstance(held, Mapping) and held:
            parts = [((*steps, str(word)), f"{own}{_WORDS}{word}", part) for word, part in held.items()]
            waiting += reversed(parts)
        else:
            yield steps, own, held


def by_own_names(kind: type | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a file by their own names: objects are read. All stay as they are without a kind."""
    if kind is None:
        return dict(parameters)
    return {name: value for _, name, value in _spread(parameters_by_name(kind), parameters)}


def as_in_files(kind: type | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters by their own names as a file has them: an object takes the place of the values read from it.

    Values that the object would not give back stay under their own names.
    """
    written = dict(parameters)
    for parameter in parameters_by_name(kind).values():
        if parameter.writes is None or parameter.reads is None or parameter.name not in parameters:
            continue
        if parameter.trouble(parameters[parameter.name]):
            continue
        name = parameter.object_name or parameter.name
        held = parameter.writes(parameters)
        read = parameter.reads(name, held)
        if all(own in parameters and parameters[own] == value for own, value in read.items()):
            written = {own: value for own, value in written.items() if own not in read}
            written[name] = held
    return written


def parameters_in_use(policy: Any) -> dict[str, Any]:
    """Return every parameter of a policy with its value, without the usual amounts of kinds that are not chosen."""
    values, declared = parameter_values(policy), parameters_by_name(policy)
    for parameter in declared.values():
        for word, amount in parameter.amounts.items():
            is_usual = amount in declared and values[amount] == declared[amount].default
            if is_usual and word != values[parameter.name]:
                del values[amount]
    return values


def parameter_troubles(
    kind: type, parameters: Mapping[str, Any], *, takes_unknown: bool = False
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the steps to each unknown or individually invalid parameter, with the reason.

    With `takes_unknown` unknown names are no trouble; unknown words of a known name are.
    """
    declared = parameters_by_name(kind)
    for steps, name, trouble in _troubles(kind, parameters):
        if name in declared or steps[0] in declared or not takes_unknown:
            yield steps, trouble


def _troubles(kind: type, parameters: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    declared = parameters_by_name(kind)
    for steps, name, value in _spread(declared, parameters):
        if name not in declared:
            yield steps, name, _not_declared(name, declared)
        elif trouble := declared[name].trouble(value):
            yield steps, name, trouble


def parameter_trouble(kind: type, parameters: Mapping[str, Any]) -> str:
    """Return the name of the first unknown or invalid parameter, with the reason; "" if all are valid."""
    return next((f"{name} {trouble}" for _, name, trouble in _troubles(kind, parameters)), "")


def unknown_parameters(kind: type, parameters: Mapping[str, Any]) -> dict[str, str]:
    """Return the error for each of these parameters unknown to this kind of policy, by its own name."""
    declared, found = parameters_by_name(kind), dict[str, str]()
    for steps, name, _ in _spread(declared, parameters):
        if name not in declared:
            found.setdefault(steps[0], f"{name} {_not_declared(name, declared)}")
    return found


def _not_declared(name: str, declared: Mapping[str, Parameter]) -> str:
    return f"is not a parameter of this policy; {instead(name, list(declared), len(declared), 'its parameters are')}"


def make_policy(kind: type, parameters: Mapping[str, Any]) -> Policy:
    """Return a policy with these parameters over its defaults.

    Related parameters may be given as a mapping: `per_source: {chat: 5}` is `per_source_chat: 5`. Raise PolicyError
    `invalid_parameter` for an unknown name, and for values refused by the declaration or by the policy itself
    (ValueError), and `policy_broken` if it fails otherwise.
    """
    if trouble := parameter_trouble(kind, parameters):
        raise PolicyError("invalid_parameter", trouble)
    given = by_own_names(kind, parameters).items()
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in given}
    return _made(kind.__name__, lambda: kind(**values))


def changed_policy(policy: Policy, values: Mapping[str, Any]) -> Policy:
    """Return a policy with other values of some parameters. Raise PolicyError as `make_policy` does.

    Only these values are checked, which takes a third of the time.
    """
    if trouble := parameter_trouble(type(policy), values):
        raise PolicyError("invalid_parameter", trouble)
    return _made(type(policy).__name__, lambda: dataclasses.replace(cast("Any", policy), **values))


def _made(name: str, make: Callable[[], Policy]) -> Policy:
    """Return the policy made by code that may be third-party. Raise PolicyError."""
    try:
        with contained():
            return make()
    except ValueError as problem:
        raise PolicyError("invalid_parameter", str(problem)) from problem
    except Exception as problem:
        # A policy may be third-party code and raise anything; the caller has to survive it and to learn its name.
        said = f"The policy {name} is broken: {type(problem).__name__}: {problem}"
        raise PolicyError("policy_broken", said) from problem
