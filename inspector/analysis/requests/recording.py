"""A recording: the recorded requests of the open files by agent, as they were sent and under other settings."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from inspector.analysis.basis import Basis, Share
from inspector.analysis.requests.agents import NOTHING, Place, places_of
from inspector.analysis.requests.measured import AS_SENT, Measured, Prompt, PromptKey, called_by_agent, prompts_of
from inspector.analysis.requests.sent import Request, requests_of
from inspector.assembly.columns import Bool
from inspector.assembly.policy import policy_title
from inspector.assembly.scenario import DEFAULT_POLICY, DEFAULT_PRESET, Scenario
from inspector.assembly.servers import NO_SERVER
from inspector.derived import cached_property


@dataclass(eq=False)
class Known:
    """What earlier recordings of the same files found: the requests, and their prompts under the last two settings."""

    requests: tuple[Request, ...] = ()
    sent: dict[PromptKey, Prompt] = field(default_factory=dict)
    setting: Scenario | None = None
    other: dict[PromptKey, Prompt] = field(default_factory=dict)

    def forget_others(self) -> None:
        """Forget the prompts of requests that are gone: others may come to have the identity of their messages."""
        alive = {id(request.messages) for request in self.requests}
        for prompts in (self.sent, self.other):
            for key in [key for key in list(prompts) if key[0] not in alive]:
                prompts.pop(key, None)


@dataclass(frozen=True, eq=False)
class Recording:
    """Recorded requests with their places among those of their agents, and their prompts.

    `sent` are those as they were sent, `other` those under the `setting` in question; None while they are being made,
    and without such a setting. `setting_words` name it.
    """

    requests: tuple[Request, ...]
    places: tuple[Place, ...]
    sent: Measured | None = None
    other: Measured | None = None
    setting_words: str = ""

    def __len__(self) -> int:
        return len(self.requests)

    @cached_property
    def is_answered(self) -> Bool:
        """Whether each request got an answer; one that failed is not paid for."""
        return np.array([not request.has_failed for request in self.requests], np.bool_)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The numbers of the agents that no other called."""
        return tuple(dict.fromkeys(place.agent for place in self.places if not place.is_subagent))

    @cached_property
    def subagents(self) -> tuple[str, ...]:
        """The numbers of the subagents."""
        return tuple(dict.fromkeys(place.agent for place in self.places if place.is_subagent))

    @cached_property
    def unused_tools(self) -> tuple[tuple[str, ...], ...]:
        """The tools of each request that its agent calls nowhere in the recording."""
        called = called_by_agent(self.requests, self.places)
        pairs = zip(self.requests, self.places, strict=True)
        return tuple(tuple(name for name in one.tools if name not in called[place.agent]) for one, place in pairs)

    def before(self, at: int) -> Request | None:
        """Return the request before of the same agent, None for the first."""
        place = self.places[at].before
        return None if place == NOTHING else self.requests[place]


def recordings(
    basis: Basis, setting: Scenario | None = None, known: Known | None = None
) -> Iterator[Share | Recording]:
    """Yield the recording of the open files: its requests at once, then their prompts, then those under a setting.

    Raise ScenarioError and UnknownTokenizerError.
    """
    known = known or Known()
    known.requests = requests = requests_of(basis.pipeline.workspace, known.requests)
    known.forget_others()
    places = places_of(requests)
    found = Recording(requests, places)
    yield found
    found = replace(found, sent=(yield from _made(basis, requests, places, None, known.sent)))
    yield found
    if setting is None or not requests:
        return
    if known.setting != setting:
        known.setting, known.other = setting, {}
    other = yield from _made(basis, requests, places, setting, known.other)
    yield replace(found, other=other, setting_words=setting_words(basis, setting))


def _made(
    basis: Basis,
    requests: Sequence[Request],
    places: Sequence[Place],
    setting: Scenario | None,
    known: dict[PromptKey, Prompt],
) -> Generator[Share, None, Measured]:
    for step in prompts_of(basis, requests, places, setting, known):
        if isinstance(step, Measured):
            return step
        yield step
    raise AssertionError("the last step has the prompts")


def setting_in_question(scenario: Scenario) -> Scenario | None:
    """Return what a scenario asks of each request: its settings without the chat, the turn and the marks of items.

    None if they are those with which the requests were sent.
    """
    plain = Scenario()
    of_chat = {name: getattr(plain, name) for name in _OF_A_CHAT}
    asked = replace(scenario, **of_chat)
    as_sent = replace(plain, policy=AS_SENT)
    return None if asked in (as_sent, replace(as_sent, memory_sets=())) else asked


_OF_A_CHAT = (
    *("conversation", "leaf", "at", "as_of", "draft", "query", "pinned", "excluded", "overrides", "now", "character"),
    *("given", "base"),
)


def setting_words(basis: Basis, setting: Scenario) -> str:
    """Return a setting in words: `Ratio, preset lean, window 32,768, model gpt-4o-mini`."""
    policy = setting.policy or DEFAULT_POLICY
    kind = basis.pipeline.choices.policies.get(policy)
    words = [policy_title(policy, kind)]
    if setting.preset not in (None, DEFAULT_PRESET):
        words.append(f"preset {setting.preset}")
    words += [f"{name.replace('_', ' ')} {value}" for name, value in setting.parameters.items()][:2]
    if setting.context_window is not None:
        words.append(f"window {setting.context_window:,}")
    if setting.model is not None:
        words.append(f"model {setting.model}")
    if setting.server != NO_SERVER:
        words.append(f"server {setting.server}")
    return ", ".join(words)
