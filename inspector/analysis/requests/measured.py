"""The prompts of recorded requests, under the settings with which they were sent or under others: tokens and money.

What the cache of a provider could use is the common beginning with the request before of the same agent, in the order
of providers: tools, system prompt, messages. Money is that of the input, by the rule of the maker's cache where one is
known; an answer costs the same under any settings.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.caching.money import cost_with_cache
from inspector.analysis.caching.schemes import scheme_of
from inspector.analysis.caching.use import PromptCache, Use
from inspector.analysis.caching.use import Request as CachedRequest
from inspector.analysis.replay.prefix import UnitReader
from inspector.analysis.requests.agents import NOTHING, Place
from inspector.analysis.requests.sent import Request, message_key, tool_name
from inspector.assembly.answer import complete_answer
from inspector.assembly.columns import F64, I64, Bool, frozen
from inspector.assembly.cost import prices_of_model, prompt_cost
from inspector.assembly.decisions import Assembly
from inspector.assembly.overhead import CHOICE, OF_SERVER, tool_texts
from inspector.assembly.scenario import Scenario
from inspector.derived import cached_property
from inspector.model import Message
from inspector.steps import check_wanted
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.models.table import ModelRow
from inspector.tokens.tokenizer import Tokenizer

AS_SENT = "naive"
"""The policy that sends what the application sent: everything."""
PromptKey = tuple[int, str, tuple[str, ...], tuple[str, ...]]
"""The identity of the messages of a request, its conversation, its tools, and those of them never called."""
_ROW_BITS = 34
_NO_MARKS = {"pinned": (), "excluded": (), "overrides": {}, "leaf": None, "draft": None, "query": None}


@dataclass(frozen=True, eq=False)
class Prompt:
    """The prompt of a request: its tokens, and its parts in order with the key, the tokens and the text of each.

    `kept` is the part with which a later prompt may begin: all but the beginning of the reply. The tokens of the parts
    are planned ones, of which a template may make fewer or more; only `tokens` and `kept` are measured.
    `terms` are those under which parts can be compared at all: the model and the definitions of the tools.
    `dropped` is how many of its messages are not, or not whole, in it; `unused` the tokens of the tools never called.
    `trouble` is the reason why there is no prompt, "" for none.
    """

    tokens: int = 0
    kept: int = 0
    estimated: bool = False
    is_over: bool = False
    dropped: int = 0
    unused: int = 0
    blocks: int = 0
    terms: Hashable = None
    keys: tuple[Hashable, ...] = ()
    costs: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    tokenizer: Tokenizer | None = None
    row: ModelRow | None = None
    model: str = ""
    trouble: str = ""


@dataclass(frozen=True, eq=False)
class Measured:
    """The prompts of requests under one setting: arrays of their number.

    tokens: of each prompt; NOTHING where there is none. shared: of its beginning, those of the request before of the
    same agent. read, written: what it reads from the maker's cache and writes to it. costs, cached_costs: US dollars of
    the input without and with that cache; NaN where no price or no rule is known.
    """

    prompts: tuple[Prompt, ...]
    tokens: I64
    shared: I64
    read: I64
    written: I64
    costs: F64
    cached_costs: F64

    def __len__(self) -> int:
        return len(self.prompts)

    @cached_property
    def estimated(self) -> Bool:
        """Whether the tokens of each prompt are an estimate."""
        return np.array([prompt.estimated for prompt in self.prompts], np.bool_)

    @cached_property
    def is_over(self) -> Bool:
        """Whether each prompt is larger than the window."""
        return np.array([prompt.is_over for prompt in self.prompts], np.bool_)

    @cached_property
    def dropped(self) -> I64:
        """How many messages of each request are not whole in its prompt."""
        return np.array([prompt.dropped for prompt in self.prompts], np.int64)

    @cached_property
    def paid(self) -> F64:
        """US dollars of each prompt, with the cache where its rule is known; NaN without a price."""
        return np.where(np.isnan(self.cached_costs), self.costs, self.cached_costs)


def sent_scenario(request: Request, setting: Scenario | None) -> Scenario:
    """Return the scenario of a request: as it was sent, or under the policy, window, model and server of a setting."""
    base = Scenario(policy=AS_SENT, memory_sets=()) if setting is None else replace(setting, **_NO_MARKS)
    at = request.turn if request.turn < len(request.messages) else None
    return replace(base, conversation=request.conversation, at=at, as_of=at is not None)


def prompts_of(
    basis: Basis,
    requests: Sequence[Request],
    places: Sequence[Place],
    setting: Scenario | None,
    known: dict[PromptKey, Prompt],
) -> Iterator[Share | Measured]:
    """Yield the share of the work, and at the end the prompts of the requests as they were sent or under a setting.

    `known` holds the prompts made before under this setting, which are not made again, and gets the new ones. Raise
    ScenarioError and UnknownTokenizerError.
    """
    used = called_by_agent(requests, places)
    prompts: list[Prompt] = []
    readers: dict[Hashable, UnitReader] = {}
    for number, (request, place) in enumerate(zip(requests, places, strict=True)):
        check_wanted()
        never = tuple(name for name in request.tools if name not in used[place.agent])
        key = (id(request.messages), request.conversation, request.tools, never)
        if key not in known:
            known[key] = _prompt(basis, request, setting, never, readers)
            yield Share(number + 1, len(requests), "Counting recorded requests")
        prompts.append(known[key])
    yield _measured(requests, places, tuple(prompts))


def called_by_agent(requests: Sequence[Request], places: Sequence[Place]) -> dict[str, set[str]]:
    """Return the names of the tools that each agent called anywhere in the recording, also before its beginning."""
    found: dict[str, set[str]] = {}
    for request, place in zip(requests, places, strict=True):
        calls = found.setdefault(place.agent, set())
        calls.update(request.called)
        if place.before == NOTHING or place.is_compacted:
            calls.update(call.name for message in request.asked for call in message.tool_calls)
    return found


def _prompt(
    basis: Basis,
    request: Request,
    setting: Scenario | None,
    never: tuple[str, ...],
    readers: dict[Hashable, UnitReader],
) -> Prompt:
    answer = complete_answer(basis.pipeline, sent_scenario(request, setting), basis.cache)
    assembly, model, tools = answer.assembly, answer.model, answer.case.chosen.parts.tools
    if assembly.error is not None:
        return Prompt(trouble=assembly.error.message, model=model.name, row=model.row)
    definitions = tool_texts(tools)
    tokenizer = model.tokenizer.tokenizer
    terms = (model.name, tokenizer.name, definitions)
    reader = readers.setdefault(terms, UnitReader(model.chat_format, tools))
    units = reader.units(assembly)
    costs = units.costs.tolist()
    if costs:  # what a server adds for tools comes first, as they do
        costs[0] += sum(line.tokens for line in answer.ledger.lines if line.name in (OF_SERVER, CHOICE))
    keys, texts = _content(assembly, units.keys.tolist())
    kept = [text for text, tool in zip(definitions, tools, strict=True) if tool_name(tool) not in never]
    frames = frames_of(model.chat_format, tokenizer)
    unused = frames.tools(definitions) - frames.tools(tuple(kept)) if never else 0
    first = assembly.candidates.items.first_message
    there = assembly.in_prompt[first:] & (assembly.form[first:] == 0)
    blocks = sum(max(1, len(message.parts)) for message in request.asked)
    return Prompt(
        answer.ledger.total,
        max(0, answer.ledger.total - frames.reply()),
        answer.ledger.estimated,
        answer.status == "over_window",
        int(np.count_nonzero(~there & assembly.candidates.open[first:])),
        unused,
        blocks,
        terms,
        keys,
        tuple(costs),
        texts,
        tokenizer,
        model.row,
        model.name,
    )


def _content(assembly: Assembly, keys: Sequence[int]) -> tuple[tuple[Hashable, ...], tuple[str, ...]]:
    """Return keys of the parts of a prompt that are the same for the same content in any conversation, and the texts.

    Literal texts have the keys of their reader, which is the same for prompts that are compared.
    """
    found: list[Hashable] = []
    texts: list[str] = []
    things, action = assembly.candidates.things, assembly.action
    for key in keys:
        if key < 0:
            found.append(key)
            texts.append("")
            continue
        row = key >> _ROW_BITS
        text, thing = assembly.text(row), things[row]
        said = message_key(thing) if isinstance(thing, Message) else type(thing).__name__
        found.append((said, hash(text), int(action[row])))
        texts.append(text)
    return tuple(found), tuple(texts)


def shared_tokens(before: Prompt, after: Prompt) -> int:
    """Return the tokens of the common beginning of two prompts, to the token within the first part that differs.

    That of a prompt which goes on from the whole one before has as many as that one was measured to have.
    """
    if before.terms != after.terms or not before.keys or not after.keys:
        return 0
    pairs = zip(zip(before.keys, before.costs, strict=True), zip(after.keys, after.costs, strict=True), strict=False)
    place = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(before.keys), len(after.keys)))
    if place == len(before.keys):
        return min(before.kept, after.kept)
    tokens = sum(before.costs[:place])
    if place < len(after.keys) and before.tokenizer is not None:
        begun = common_beginning(before.texts[place], after.texts[place])
        tokens += int(before.tokenizer.count([begun])[0]) if begun else 0
    return min(round(tokens * before.kept / max(1, sum(before.costs))), before.kept, after.kept)


def common_beginning(one: str, other: str) -> str:
    """Return the code points that two texts have in common from their beginnings on."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # halving compares in C
        middle = (low + high + 1) // 2
        if one.startswith(other[:middle]):
            low = middle
        else:
            high = middle - 1
    return one[:low]


def _measured(requests: Sequence[Request], places: Sequence[Place], prompts: tuple[Prompt, ...]) -> Measured:
    size = len(prompts)
    shared, read, written = (np.zeros(size, np.int64) for _ in range(3))
    costs, cached = np.full(size, np.nan), np.full(size, np.nan)
    caches: dict[tuple[str, str], PromptCache | None] = {}
    for at in _in_order(places):
        prompt, place, request = prompts[at], places[at], requests[at]
        if prompt.trouble:
            continue
        if place.before != NOTHING and not prompts[place.before].trouble:
            shared[at] = shared_tokens(prompts[place.before], prompt)
        costs[at] = np.nan if (cost := prompt_cost(prompt.row, prompt.tokens)) is None else cost
        prices = prices_of_model(prompt.row)
        scheme = scheme_of(prompt.row, prices)
        if prices is None or scheme is None:
            continue
        began = np.nan if request.began is None else request.began.timestamp()
        asked = CachedRequest(prompt.tokens, prompt.kept, int(shared[at]), began, prompt.blocks)
        cache = caches.get((place.agent, prompt.model)) or PromptCache(scheme)
        use: Use = cache.use(asked)
        caches[place.agent, prompt.model] = cache.after(asked)
        read[at], written[at] = use.read, use.written
        paid = cost_with_cache(prices, scheme, use)
        cached[at] = np.nan if paid is None else paid
    tokens = np.array([NOTHING if prompt.trouble else prompt.tokens for prompt in prompts], np.int64)
    for array in (tokens, shared, read, written, costs, cached):
        frozen(array)
    return Measured(prompts, tokens, shared, read, written, costs, cached)


def _in_order(places: Sequence[Place]) -> Iterator[int]:
    """Yield the places of requests so that each comes after the request before of its agent."""
    done: set[int] = {NOTHING}
    waiting = list(range(len(places)))
    while waiting:
        later: list[int] = []
        for at in waiting:
            if places[at].before in done:
                done.add(at)
                yield at
            else:
                later.append(at)
        waiting = later
