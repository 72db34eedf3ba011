"""A file's own policy: the rules of the program that wrote a chat, and the server behind it.

The rules are those of the policies of programs; a program whose rules are not public has the nearest published ones, as
an approximation. Formats are named by the keys of the registry.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from inspector.assembly import edits
from inspector.assembly.choices import ScenarioError
from inspector.assembly.decisions import Finding
from inspector.assembly.edits import Edit, use_policy
from inspector.assembly.finding_kinds import RULES_APPROXIMATED
from inspector.assembly.recorded import recorded_note
from inspector.assembly.remembered import NO_CHATS, NOTHING, Remembered, RememberedChats
from inspector.assembly.scenario import DEFAULT_POLICY, Scenario
from inspector.assembly.servers import NO_SERVER
from inspector.model import Conversation, Message, Workspace

OWN = "own"
"""The word for the file's own policy, in place of the name of a policy."""
_READ_MESSAGES = 20
"""The number of messages at the beginning of a task that are searched for the marks of its program."""
_ROO_MARKS = frozenset(("isSummary", "isTruncationMarker"))
_ROO_MODE = "# Current Mode\n<slug>"


@dataclass(frozen=True, slots=True)
class OwnPolicy:
    """The policy of a program, the server that it sends prompts to, and whether the rules are an approximation."""

    program: str
    policy: str
    server: str = NO_SERVER
    is_approximate: bool = False

    @property
    def words(self) -> str:
        """The rules in words, as in "SillyTavern's own rules"."""
        name = f"{self.program}'" if self.program.endswith("s") else f"{self.program}'s"
        return f"{name} rules, approximated" if self.is_approximate else f"{name} own rules"


_Choose = Callable[[Conversation], OwnPolicy]
_ROO = OwnPolicy("Roo Code", "roo_context")
_CLINE = OwnPolicy("Cline", "cline_truncate")
_OPEN_WEBUI = OwnPolicy("Open WebUI", "open_webui")
_VARIANTS_OF_OPENROUTER = frozenset(("free", "beta", "extended", "thinking", "online", "nitro", "floor", "exacto"))
_SILLYTAVERN = OwnPolicy("SillyTavern", "sillytavern")
_SILLYTAVERN_TEXT = OwnPolicy("SillyTavern", "sillytavern_text")


def _task_policy(conversation: Conversation) -> OwnPolicy:
    """Return the policy of a task folder: of Roo if it has Roo's marks, else of Cline 3.

    Both write the same files. Only Roo marks messages as replaced by others (its `task-persistence/apiMessages.ts`) and
    names its mode by a slug (RooCodeInc/Roo-Code, `src/core/environment/getEnvironmentDetails.ts`). Sessions of Cline 4
    are files of another format.
    """
    if any(_has_roo_mark(message) for message in conversation.messages):
        return _ROO
    first = islice(conversation.messages, _READ_MESSAGES)
    return _ROO if any(_ROO_MODE in message.content for message in first) else _CLINE


def _has_roo_mark(message: Message) -> bool:
    return not _ROO_MARKS.isdisjoint(message.metadata) or "by" in recorded_note(message)


def _sillytavern_policy(conversation: Conversation) -> OwnPolicy:
    """Return the policy by the kind of its API in the settings beside the chat; chat completion without settings."""
    api = conversation.parameters.get("main_api", "openai")
    return _SILLYTAVERN if api == "openai" else _SILLYTAVERN_TEXT


def _open_webui_policy(conversation: Conversation) -> OwnPolicy:
    """Return the policy with the server step Ollama, unless the model of the chat is one of another server.

    Open WebUI names models of Ollama with their tag (`llama3.1:8b`), all others as their API does
    (open-webui/open-webui, `backend/open_webui/routers/ollama.py` and `openai.py`). After a colon OpenRouter has a
    variant of the model, Bedrock a version and OpenAI the parts of a fine-tuned model.
    """
    name, _, tag = conversation.model.partition(":")
    is_other = not tag or name == "ft" or tag.isdecimal() or ("/" in name and tag in _VARIANTS_OF_OPENROUTER)
    return _OPEN_WEBUI if conversation.model and is_other else replace(_OPEN_WEBUI, server="ollama")


OWN_POLICIES: Mapping[str, OwnPolicy | _Choose] = {
    "sillytavern": _sillytavern_policy,
    "open_webui": _open_webui_policy,
    "librechat": OwnPolicy("LibreChat", "librechat"),
    "jan": OwnPolicy("Jan", "jan"),
    "text_generation_webui": OwnPolicy("text-generation-webui", "text_generation_webui"),
    "kobold": OwnPolicy("KoboldCpp", "koboldcpp"),
    "codex": OwnPolicy("Codex", "codex_compact"),
    "gemini_cli": OwnPolicy("Gemini CLI", "gemini_compress"),
    "cline": _task_policy,
    "cline_session": OwnPolicy("Cline", "cline_compact"),
    "opencode": OwnPolicy("opencode", "opencode_compact"),
    "openhands": OwnPolicy("OpenHands", "openhands_condenser"),
    "aider": OwnPolicy("Aider", "aider_summary"),
    "letta": OwnPolicy("Letta", "letta_buffer"),
    "llamacpp": OwnPolicy("llama.cpp", "llamacpp"),
    "claude_code": OwnPolicy("Claude Code", "anthropic_compaction", is_approximate=True),
    **dict.fromkeys(("recorded", "lhar"), OwnPolicy("Application", "naive")),
}
"""The policy for the chats of each format, or its choice by the chat."""


_APPROXIMATE = frozenset(
    own.policy for own in OWN_POLICIES.values() if isinstance(own, OwnPolicy) and own.is_approximate
)


def own_policy(workspace: Workspace, conversation: Conversation | None) -> OwnPolicy | None:
    """Return the policy of the program that wrote a conversation; None if its rules are not known."""
    if conversation is None:
        return None
    written = next((source.format for source in workspace.sources if source.path == conversation.origin), "")
    found = OWN_POLICIES.get(written)
    return found(conversation) if callable(found) else found


def shown_conversation(workspace: Workspace, scenario: Scenario) -> Conversation | None:
    """Return the conversation of a scenario, the first one by default; None if there is none of this id."""
    chats = workspace.conversations
    if scenario.conversation is None:
        return chats[0] if chats else None
    return next((chat for chat in chats if chat.id == scenario.conversation), None)


def own_of(workspace: Workspace, scenario: Scenario) -> OwnPolicy | None:
    """Return the own policy of the conversation of a scenario; None if its rules are not known."""
    return own_policy(workspace, shown_conversation(workspace, scenario))


def named_own(workspace: Workspace, conversations: Iterable[Conversation]) -> OwnPolicy:
    """Return the own policy that these conversations share. Raise ScenarioError if they have none, or several."""
    found = list(dict.fromkeys(own_policy(workspace, chat) for chat in conversations))
    if len(found) == 1 and found[0] is not None:
        return found[0]
    known = ", ".join(dict.fromkeys(own.program for own in _every_policy()))
    if len(found) > 1:
        names = ", ".join("unknown" if own is None else own.policy for own in found)
        raise ScenarioError(f"{OWN}: the conversations are of several programs ({names}); name one of them", "policy")
    raise ScenarioError(f"{OWN}: the rules of the program of this file are not known; known are: {known}", "policy")


def _every_policy() -> Iterable[OwnPolicy]:
    """Yield every policy of the table, with those that are chosen by the chat."""
    yield from (_SILLYTAVERN, _OPEN_WEBUI, _CLINE, _ROO)
    yield from (own for own in OWN_POLICIES.values() if isinstance(own, OwnPolicy))


def approximation_findings(workspace: Workspace, conversation: Conversation | None, policy: str) -> Iterator[Finding]:
    """Report a policy that stands for the rules of the program of a conversation and only approximates them."""
    if policy not in _APPROXIMATE:
        return
    own = own_policy(workspace, conversation)
    if own is not None and own.is_approximate and own.policy == policy:
        message = f"{own.program} does not publish its rules; {own.policy} is the nearest published policy."
        yield Finding(RULES_APPROXIMATED, message)


def use_own(scenario: Scenario, own: OwnPolicy, conversation: Conversation | None) -> Edit:
    """Decide by the own policy of a conversation, with the server behind its program and the context it names."""
    decided = use_policy(scenario, own.policy).scenario
    context = conversation.context_window if conversation and own.server != NO_SERVER else None
    return Edit(f"Use {own.words}", replace(decided, server=own.server, server_context=context))


def use_own_rules(scenario: Scenario, workspace: Workspace, conversation: Conversation) -> Scenario:
    """Return a scenario decided by the own policy of a conversation, with the server that it names itself, if any.

    Raise ScenarioError if the rules of the program are not known.
    """
    used = use_own(scenario, named_own(workspace, (conversation,)), conversation).scenario
    if scenario.server == NO_SERVER:
        return used
    return replace(used, server=scenario.server, server_context=scenario.server_context)


def leave_own(scenario: Scenario, before: Scenario, remembered: Remembered = NOTHING) -> Edit:
    """Decide again by the policy of an earlier scenario, with the server of that scenario."""
    decided = use_policy(scenario, before.policy or DEFAULT_POLICY, None, remembered)
    server = {"server": before.server, "server_context": before.server_context}
    return Edit(decided.label, replace(decided.scenario, **server))


def with_own(scenario: Scenario, workspace: Workspace) -> Scenario:
    """Return a scenario that has chosen no policy with the own policy of its conversation, if it has any."""
    own = own_of(workspace, scenario)
    if own is None or scenario.policy is not None:
        return scenario
    return use_own(scenario, own, shown_conversation(workspace, scenario)).scenario


def choose_followed(
    scenario: Scenario, workspace: Workspace, name: str, remembered: RememberedChats = NO_CHATS
) -> Edit:
    """Show another conversation, decided by the rules of its program because the user has chosen no policy.

    The usual policy decides if these rules are not known. Changed parameters keep the policy that they belong to.
    """
    edit = edits.choose_conversation(scenario, workspace, name, remembered)
    is_known = own_of(workspace, scenario) or own_of(workspace, edit.scenario)
    if edit.scenario == scenario or scenario.parameters or not is_known:
        return edit
    left = leave_own(edit.scenario, Scenario()).scenario
    return Edit(edit.label, with_own(replace(left, policy=None), workspace))


def use_presets(scenario: Scenario, before: Workspace, after: Workspace, label: str, *, follows: bool) -> Edit:
    """Use the presets that were added to the chats of a workspace, whose parameters then have their values.

    If the file `follows` the rules of its program, it follows those of the kind of API that the presets are for.
    """
    there = {character.id for character in after.characters}
    kept = scenario if scenario.character in (None, *there) else replace(scenario, character=None)
    was, own = own_of(before, scenario), own_of(after, kept)
    if follows and was is not None and own is not None and own != was and not scenario.parameters:
        kept = use_own(kept, own, shown_conversation(after, kept)).scenario
    return Edit(label, kept)


def is_in_use(scenario: Scenario, own: OwnPolicy) -> bool:
    """Return whether a scenario decides by an own policy, with the server that belongs to it."""
    return scenario.policy == own.policy and scenario.server == own.server
