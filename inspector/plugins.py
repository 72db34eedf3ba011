"""Plug-ins and built-ins: policies, file formats and tokenizers by name, loaded on first use.

A plug-in is an entry point of another package, in a group named here. A plug-in that fails to load is reported as a
problem with its name; the others work regardless. Only the user interfaces load plug-ins; they pass them to the core.
"""

import logging
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from functools import cache, partial, wraps
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from inspector.contained import contained, made_within
from inspector.model import Problem

if TYPE_CHECKING:
    from inspector.assembly.scenario_values import KindFor
    from inspector.formats import Format
    from inspector.formats.tables.layout import TableLayout
    from inspector.tokens.tokenizer import MakeTokenizer, Tokenizer

POLICY_GROUP = "inspector.policies"
FORMAT_GROUP = "inspector.formats"
TOKENIZER_GROUP = "inspector.tokenizers"
IMPORT_SECONDS = 10.0
"""The most seconds for importing a plug-in; afterwards the program goes on without it."""
BUILT_IN = "built in"
"""The origin of things that are not from a plug-in."""

_log = logging.getLogger(__name__)
_hanging = set[str]()
"""Modules whose import still hangs on a thread: they are not tried again."""
_POLICIES = {
    "naive": "inspector.assembly.policies.naive:Naive",
    "ratio": "inspector.assembly.policies.ratio:Ratio",
    "adaptive": "inspector.assembly.policies.adaptive:Adaptive",
    "reserve": "inspector.assembly.policies.reserve:Reserve",
    "window_rag": "inspector.assembly.policies.window_rag:WindowRag",
    "slots": "inspector.assembly.policies.slots:Slots",
    "langchain_trim": "inspector.assembly.policies.langchain_trim:LangchainTrim",
    "llamaindex_buffer": "inspector.assembly.policies.llamaindex_buffer:LlamaindexBuffer",
    "semantic_kernel_truncation": "inspector.assembly.policies.semantic_kernel_truncation:SemanticKernelTruncation",
    "priority": "inspector.assembly.policies.priority:Priority",
    "sillytavern": "inspector.assembly.policies.programs_chat.sillytavern.chat:SillyTavern",
    "sillytavern_text": "inspector.assembly.policies.programs_chat.sillytavern.text:SillyTavernText",
    "ollama": "inspector.assembly.policies.programs_chat.ollama:Ollama",
    "llamacpp": "inspector.assembly.policies.programs_chat.llama_cpp:LlamaCpp",
    "text_generation_webui": "inspector.assembly.policies.programs_chat.text_generation_webui:TextGenerationWebui",
    "koboldcpp": "inspector.assembly.policies.programs_chat.koboldcpp:KoboldCpp",
    "open_webui": "inspector.assembly.policies.programs_chat.open_webui:OpenWebui",
    "librechat": "inspector.assembly.policies.programs_chat.librechat:LibreChat",
    "jan": "inspector.assembly.policies.programs_chat.jan:Jan",
    "vllm": "inspector.assembly.policies.programs_chat.vllm:Vllm",
    "codex_compact": "inspector.assembly.policies.agents.codex:CodexCompact",
    "gemini_compress": "inspector.assembly.policies.agents.gemini:GeminiCompress",
    "cline_truncate": "inspector.assembly.policies.agents.cline_truncate:ClineTruncate",
    "cline_compact": "inspector.assembly.policies.agents.cline_compact:ClineCompact",
    "opencode_compact": "inspector.assembly.policies.agents.opencode:OpencodeCompact",
    "anthropic_context_editing": "inspector.assembly.policies.agents.anthropic:AnthropicContextEditing",
    "anthropic_compaction": "inspector.assembly.policies.agents.anthropic:AnthropicCompaction",
    "langchain_summarize": "inspector.assembly.policies.agents.langchain:LangchainSummarize",
    "langchain_clear_tools": "inspector.assembly.policies.agents.langchain:LangchainClearTools",
    "roo_context": "inspector.assembly.policies.agents.roo:RooContext",
    "openhands_condenser": "inspector.assembly.policies.agents.openhands:OpenhandsCondenser",
    "llamaindex_summary_buffer": "inspector.assembly.policies.agents.llamaindex:LlamaindexSummaryBuffer",
    "semantic_kernel_summarization": "inspector.assembly.policies.agents.semantic_kernel:SemanticKernelSummarization",
    "letta_buffer": "inspector.assembly.policies.agents.letta:LettaBuffer",
    "aider_summary": "inspector.assembly.policies.agents.aider:AiderSummary",
    "continue_prune": "inspector.assembly.policies.agents.continue_prune:ContinuePrune",
}


@dataclass(frozen=True, slots=True)
class PlugIns:
    """The entry points of a group: loaded objects by name, the package of each, and the problems."""

    found: Mapping[str, Any]
    origins: Mapping[str, str]
    problems: tuple[Problem, ...]

    def origin(self, name: str) -> str:
        """Return the origin of this name: the package and its version, or `BUILT_IN`."""
        return self.origins.get(name, BUILT_IN)


class LoadedWhenUsed(Mapping[str, type]):
    """Classes by name, each imported when it is first looked up: a window shows the names of all and uses few."""

    def __init__(self, places: Mapping[str, str], others: Mapping[str, type]) -> None:
        self._places, self._others = places, others

    def __getitem__(self, name: str) -> type:
        place = self._places.get(name)
        return self._others[name] if place is None else _load(place)

    def __iter__(self) -> Iterator[str]:
        yield from (*self._places, *self._others)

    def __len__(self) -> int:
        return len(self._places) + len(self._others)

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in self._others


def policies() -> tuple[Mapping[str, type], tuple[Problem, ...]]:
    """Return every policy by name, built-in ones first, and a problem for each third-party policy that failed to load.

    A plug-in is a frozen dataclass with `__call__(candidates, window)`, named in the entry-point group
    `inspector.policies`. A built-in name cannot be taken over.
    """
    others = plug_ins(POLICY_GROUP)
    return LoadedWhenUsed(_POLICIES, others.found), others.problems


def kinds_known() -> "KindFor":
    """Return a function from a scenario to its class, among all policies and presets, including the user's own."""
    from inspector.assembly.presets import load_presets
    from inspector.assembly.scenario_values import decider
    from inspector.settings import own_presets_file

    known, _ = policies()
    return partial(decider, policies=known, presets=load_presets(own_presets_file(), known))


def formats(explained: "Sequence[TableLayout] | None" = None) -> tuple[Sequence["Format"], tuple[Problem, ...]]:
    """Return every file format, built-in ones first, and a problem for each third-party format that failed to load.

    A plug-in is a `Format` named in the entry-point group `inspector.formats`, under its own name. A built-in name
    cannot be taken over. Tables of messages are read by the layouts `explained`, too: by default as the user explained
    them.
    """
    from inspector.formats.registry import built_in_formats

    others = plug_ins(FORMAT_GROUP)
    known = built_in_formats(explained_tables()[0] if explained is None else explained)
    return (*known, *others.found.values()) if others.found else known, others.problems


def explained_tables() -> tuple[Sequence["TableLayout"], tuple[Problem, ...]]:
    """Return the user's layouts for the columns of tables of messages, and the problems in them."""
    from inspector.settings import own_tables_file

    if not own_tables_file().exists():
        return (), ()
    from inspector.formats.tables.own import own_layouts

    return own_layouts(own_tables_file())


def tokenizers() -> tuple[dict[str, "MakeTokenizer"], tuple[Problem, ...]]:
    """Return the makers of third-party tokenizers, by the name before the colon, and the problems.

    A plug-in is a function `make(rest)` named in the entry-point group `inspector.tokenizers`: under the name NAME it
    makes the tokenizers `NAME:rest`. The names of built-in kinds, such as `embedded`, cannot be taken over.
    """
    others = plug_ins(TOKENIZER_GROUP)
    return dict(others.found), others.problems


def plugin_problems() -> tuple[Problem, ...]:
    """Return a problem for every plug-in that failed to load, of all groups."""
    return tuple(problem for group in _KINDS for problem in plug_ins(group).problems)


@cache
def plug_ins(group: str) -> PlugIns:
    """Return the plug-ins of a group, loaded once: those in use, and a problem for each of the others."""
    kind = _KINDS[group]
    found: dict[str, Any] = {}
    origins: dict[str, str] = {}
    problems: list[Problem] = []
    for point in installed().select(group=group):
        name = point.name
        if name in found or name in kind.taken():
            problems.append(Problem(point.value, "", f"the {kind.noun} name {name} is already taken"))
            continue
        try:
            found[name] = _imported(point, kind)
            origins[name] = _origin(point)
        except Exception as problem:  # noqa: BLE001 - said below, logged with its traceback
            # Importing a plug-in runs third-party code, which may raise anything; the others have to load regardless.
            _log.exception("the %s %s of %s cannot be loaded", kind.noun, name, point.value)
            trouble = f"{type(problem).__name__}: {problem}"
            problems.append(Problem(point.value, "", f"the {kind.noun} {name} cannot be loaded: {trouble}"))
    return PlugIns(found, origins, tuple(problems))


def _imported(point: EntryPoint, kind: "_Kind") -> Any:
    """Return the checked object of an entry point. Raise TimeoutError if it takes too long, on later calls too."""
    if point.module not in _hanging:
        try:
            return made_within(IMPORT_SECONDS, lambda: kind.checked(point.name, point.load()))
        except TimeoutError:
            _hanging.add(point.module)
    raise TimeoutError(f"importing it takes more than {IMPORT_SECONDS:g} seconds")


@cache
def installed() -> Any:
    """Return the entry points of all packages, for selection: their files are read once for all groups."""
    return entry_points()


def _origin(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else point.value


def _checked_policy(_name: str, loaded: object) -> type:
    """Return the object of an entry point if it can be listed and made. Raise TypeError if it is no policy."""
    from inspector.assembly.policy import make_policy, parameters_of

    if not isinstance(loaded, type) or not is_dataclass(loaded) or "__call__" not in dir(loaded):
        raise TypeError("a policy is a frozen dataclass with a method __call__")
    parameters_of(loaded)
    make_policy(loaded, {})
    return loaded


def _checked_format(name: str, loaded: object) -> "Format":
    """Return the object of an entry point if it can examine a file. Raise TypeError if it is no format."""
    from inspector.formats import FileSource, Format
    from inspector.formats.registry import sureness

    if not isinstance(loaded, Format):
        raise TypeError("a format is a Format(name, title, sniff, load)")
    if loaded.name != name:
        raise ValueError(f"it calls itself {loaded.name}, expected the name of its entry point")
    sureness(loaded, FileSource("", b""))
    return loaded


def _checked_tokenizer(name: str, loaded: object) -> "MakeTokenizer":
    """Return the function of an entry point, guarded. Raise TypeError if it is not callable."""
    if not name or ":" in name:
        raise ValueError("the name of a tokenizer stands before a colon, and has none in it")
    if not callable(loaded):
        raise TypeError("the entry point of a tokenizer is a function that makes it: make(rest)")
    return _guarded(name, loaded)


def _guarded(name: str, make: Callable[[str], Any]) -> "MakeTokenizer":
    """Wrap the function for the core: it makes each tokenizer once, and raises only the documented errors."""
    made: dict[str, Tokenizer] = {}

    @wraps(make)
    def make_once(rest: str) -> "Tokenizer":
        if rest not in made:
            made[rest] = _made(name, make, rest)
        return made[rest]

    return make_once


def _made(name: str, make: Callable[[str], Any], rest: str) -> "Tokenizer":
    """Return the tokenizer of a plug-in. Raise TokenizerUnavailableError if it fails, or makes a different one."""
    from inspector.tokens.choice import UnknownTokenizerError
    from inspector.tokens.guarded import GuardedTokenizer
    from inspector.tokens.tokenizer import TokenizerUnavailableError, naming_fault

    try:
        with contained():
            tokenizer = make(rest)
            fault = naming_fault(tokenizer)
    except (TokenizerUnavailableError, UnknownTokenizerError):
        raise
    except Exception as problem:
        _log.exception("the tokenizer %s:%s cannot be made", name, rest)
        raise TokenizerUnavailableError(f"the plug-in {name} failed: {type(problem).__name__}: {problem}") from problem
    if tokenizer.name != f"{name}:{rest}":
        fault = f"its name is {tokenizer.name!r}, expected {name}:{rest}"
    if fault:
        raise TokenizerUnavailableError(f"the plug-in {name} is broken: {fault}")
    return GuardedTokenizer(name, tokenizer)


def _load(place: str) -> type:
    module, name = place.split(":")
    return getattr(import_module(module), name)


def _format_names() -> Container[str]:
    from inspector.formats.registry import built_in_formats

    return {known.name for known in built_in_formats()}


def _tokenizer_names() -> Container[str]:
    from inspector.tokens.choice import built_in_kinds

    return built_in_kinds()


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of plug-in: its noun, the names of built-in ones, and the check of loaded objects."""

    noun: str
    taken: Callable[[], Container[str]]
    checked: Callable[[str, object], Any]


_KINDS = {
    POLICY_GROUP: _Kind("policy", lambda: _POLICIES, _checked_policy),
    FORMAT_GROUP: _Kind("format", _format_names, _checked_format),
    TOKENIZER_GROUP: _Kind("tokenizer", _tokenizer_names, _checked_tokenizer),
}
