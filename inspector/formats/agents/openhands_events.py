"""An event of OpenHands: the messages of an action or an observation, or facts about the conversation.

Layouts: see `openhands`. Events become messages as their `to_llm_message` makes them: the `dynamic_context` follows the
system prompt, `extended_content` the content of a message or result. The calls of an agent behind the Agent Client
Protocol (`ACPToolCallEvent`) hold their results.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from inspector.formats.agents.session import LeftOut, thoughts_in, turn, usage_metadata
from inspector.formats.content.at import At
from inspector.formats.content.reader import read_content, read_result
from inspector.formats.content.thoughts import reasoning_text
from inspector.formats.content.turns import result_message
from inspector.formats.notes import Notes
from inspector.formats.openai.message import ROLES, read_call
from inspector.model import Call, Message, Part, Result, Role, changed
from inspector.reading.values import as_text, as_whole, items_of, mapping, objects, parse_time

_SILENT = frozenset(
    (
        *("ConversationStateUpdateEvent", "PauseEvent", "CondensationRequest", "TokenEvent", "LLMCompletionLogEvent"),
        *("HookExecutionEvent", "InterruptEvent", "StreamingDeltaEvent", "ConversationErrorEvent", "ServerErrorEvent"),
        *(
            "agent_state_changed",
            "change_agent_state",
            "null",
            "recall",
            "loop_recovery",
            "start",
            "condensation_request",
        ),
        *("user_rejected", "success", "ConversationStats"),
    )
)
_FAILED = "[An error occurred during execution.]\n"
_OF_TERMINAL = {"working_dir": "Current working directory", "py_interpreter_path": "Python interpreter"}
_MAPPED_ARGS = frozenset(("thought", "hidden", "confirmation_state", "security_risk", "blocking", "is_input"))


@dataclass(slots=True)
class Event:
    """The messages of an event, or the ids forgotten by a condensation and its summary; and the system prompt, model
    and tools it names.
    """

    messages: list[Message] = field(default_factory=list)
    forgotten: list[str] | None = None
    summary: str = ""
    system: str = ""
    model: str = ""
    tools: list[Mapping[str, Any]] = field(default_factory=list)


def read_event(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Event:
    """Return an event of either generation."""
    if "kind" in held:
        return _newer(held, notes, place, left_out)
    return _older(held, notes, place, left_out)


def _newer(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Event:
    kind, time = as_text(held["kind"]), held.get("timestamp")
    if kind == "SystemPromptEvent":
        prompt, context = held.get("system_prompt"), reasoning_text(held.get("dynamic_context"))
        tools = [_tool(one) for one in objects(held.get("tools"))]
        if not reasoning_text(prompt):
            notes.add(f"{place}.system_prompt", "expected the text of the system prompt, found none")
        return Event(system="\n".join(filter(None, (reasoning_text(prompt), context))), tools=tools)
    if kind == "MessageEvent":
        message = mapping(held.get("llm_message"))
        role = ROLES.get(as_text(message.get("role")).lower()) or _role_of(held)
        at = f"{place}.llm_message.content"
        before = _thoughts(message, notes, f"{place}.llm_message")
        found = turn(
            role, message.get("content"), notes, at, time=time, before=before, after=_extended(held, notes, place)
        )
        sender = as_text(held.get("sender") or "")
        return Event([changed(one, name=one.name or sender) for one in found])
    if kind == "ActionEvent":
        return Event(_action(held, notes, place))
    if kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
        return Event([_observation(held, notes, place)])
    if kind == "ACPToolCallEvent":
        return Event(list(_acp_call(held, notes, place)))
    if kind == "Condensation":
        forgotten = [as_text(one) for one in items_of(held.get("forgotten_event_ids"))]
        return Event(forgotten=forgotten, summary=as_text(held.get("summary") or ""))
    left_out.add(kind, f"{place}.kind", kind in _SILENT or kind == "CondensationSummaryEvent")
    return Event()


def _role_of(held: Mapping[str, Any]) -> Role:
    return "assistant" if held.get("source") == "agent" else "user"


def _extended(held: Mapping[str, Any], notes: Notes, place: str) -> list[Part]:
    """Return the parts added to a content by the program."""
    texts = [{"type": "text", **one} for one in objects(held.get("extended_content"))]
    return read_content(texts, notes, f"{place}.extended_content")


def _acp_call(held: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Message]:
    """Yield the call of an agent behind the protocol, and its result if any."""
    id_, name, time = as_text(held.get("tool_call_id")), as_text(held.get("title") or ""), held.get("timestamp")
    arguments = "" if held.get("raw_input") is None else as_text(held["raw_input"])
    yield Message("", "assistant", parts=(Call(id_, name, arguments),), time=parse_time(time))
    told = [mapping(one.get("content", one)) for one in objects(held.get("content"))]
    text = "\n".join(as_text(one["text"]) for one in told if isinstance(one.get("text"), str))
    output = held.get("raw_output")
    if text or output is not None or held.get("content"):
        failed = {"is_error": True} if held.get("is_error") is True else {}
        shown = text or as_text(held.get("content") if output is None else output)
        yield result_message(Result(id_, name, shown), time=parse_time(time), metadata=failed)
    elif held.get("status") == "completed":
        notes.add(place, "expected the output of a call, found none; it is empty")


def _thoughts(held: Mapping[str, Any], notes: Notes, place: str) -> list[Part]:
    return thoughts_in(held, ("reasoning_content", "thinking_blocks"), notes, place)


def _tool(told: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definition of a tool as the chat API has it."""
    if "function" in told:
        return told
    return {"type": "function", "function": {key: told[key] for key in ("name", "description") if key in told}}


def _action(held: Mapping[str, Any], notes: Notes, place: str) -> list[Message]:
    called = mapping(held.get("tool_call"))
    name = as_text(held.get("tool_name") or called.get("name"))
    id_ = as_text(held.get("tool_call_id") or called.get("id"))
    action = {key: value for key, value in mapping(held.get("action")).items() if key != "kind"}
    if called:
        call = changed(read_call(called, notes, f"{place}.tool_call"), id=id_)
        call = changed(call, name=call.name or name, arguments=call.arguments or as_text(action))
    else:
        call = Call(id_, name, as_text(action))
    at = f"{place}.thought"
    thought = held.get("thought")
    content = [] if thought is None else thought
    if isinstance(content, list):
        content = [{"type": "text", **one} if isinstance(one, Mapping) else one for one in content]
    time = held.get("timestamp")
    return turn("assistant", content, notes, at, time=time, before=_thoughts(held, notes, place), after=[call])


def _observation(held: Mapping[str, Any], notes: Notes, place: str) -> Message:
    inner = mapping(held.get("observation"))
    told = next(
        (
            one
            for one in (inner.get("content"), inner.get("output"), held.get("error"), held.get("rejection_reason"))
            if one
        ),
        None,
    )
    if told is None:
        told = {key: value for key, value in inner.items() if key != "kind"} or ""
    if told == "":
        notes.add(f"{place}.observation", "expected the content of a result, found nothing; it is empty")
    if isinstance(told, str) and held.get("kind") == "UserRejectObservation":
        told = f"Action rejected: {told}"
    told = _as_sent(inner, told)
    extended, given = items_of(held.get("extended_content")), items_of(told)
    if extended:
        given = (*(given or ({"text": as_text(told)},) * bool(told)), *extended)
    content = [{"type": "text", **one} if isinstance(one, Mapping) and "text" in one else one for one in given]
    answer = {
        "content": content or told,
        "id": as_text(held.get("tool_call_id")),
        "name": as_text(held.get("tool_name")),
    }
    result = read_result(answer, At(notes, f"{place}.observation"))
    failed = {"is_error": True} if inner.get("is_error") is True or held.get("kind") == "AgentErrorEvent" else {}
    return result_message(result, time=parse_time(held.get("timestamp")), metadata=failed)


def _as_sent(observation: Mapping[str, Any], told: Any) -> Any:
    """Return the content of an observation as the model gets it: a failure after a line saying so, the output of a
    terminal with the state of the terminal (`openhands-tools/openhands/tools/terminal/definition.py`).
    """
    parts = [{"text": told}] if isinstance(told, str) and told else list(items_of(told))
    state = mapping(observation.get("metadata"))
    if parts and "suffix" in state:
        parts = [_with_state(parts, state), *(part for part in parts if "text" not in mapping(part))]
    if parts and observation.get("is_error") is True:
        return [{"text": _FAILED}, *parts]
    return parts if parts and "suffix" in state else told


def _with_state(parts: list[Any], state: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the output of a terminal as one text with the parts of its state sent to the model."""
    output = "".join(as_text(mapping(part).get("text") or "") for part in parts)
    around = [as_text(state.get(key) or "") for key in ("prefix", "suffix")]
    lines = [f"\n[{words}: {as_text(state[key])}]" for key, words in _OF_TERMINAL.items() if state.get(key)]
    code = as_whole(state.get("exit_code"))
    if code not in (None, -1):
        lines.append(f"\n[Command finished with exit code {code}]")
    return {"text": f"{around[0]}{output}{around[1]}{''.join(lines)}"}


def _older(held: Mapping[str, Any], notes: Notes, place: str, left_out: LeftOut) -> Event:
    args, time = mapping(held.get("args")), held.get("timestamp")
    action, observation = (held.get(key, "") for key in ("action", "observation"))
    if not isinstance(action, str) or not isinstance(observation, str):
        notes.add(place, "expected an action or observation by its name, found none; the event was left out")
        return Event()
    action, observation = as_text(action), as_text(observation)
    if action and not args:
        notes.add(f"{place}.args", "expected the arguments of an action, found none")
    if action == "system":
        if not isinstance(args.get("content"), str):
            notes.add(f"{place}.args.content", "expected the text of the system prompt, found none")
        return Event(system=as_text(args.get("content", "")), tools=list(objects(args.get("tools"))))
    if action == "condensation":
        return Event(forgotten=list(_forgotten(args)), summary=as_text(args.get("summary") or ""))
    if action in _SILENT or observation in _SILENT or not (action or observation):
        left_out.add(action or observation, place, bool(action or observation))
        return Event()
    if observation:
        if "content" not in held:
            notes.add(f"{place}.content", "expected the content of a result, found nothing; it is empty")
        result = Result(_call_id(held), _function(held), as_text(held.get("content", "")))
        if not _is_called(held) and held.get("cause") is None:
            return Event(turn("user", held.get("content"), notes, f"{place}.content", time=time))
        return Event([result_message(result, time=parse_time(time))])
    response = mapping(mapping(held.get("tool_call_metadata")).get("model_response"))
    metadata, thoughts = usage_metadata(response.get("usage"), response.get("model"))
    if action == "message":
        at = f"{place}.args.content"
        role = _role_of(held)
        found = turn(role, args.get("content"), notes, at, time=time, metadata=metadata, thoughts=thoughts)
        return Event(found, model=as_text(response.get("model") or ""))
    thought = args.get("thought") or args.get("final_thought") or ""
    calls = [] if action in ("think", "finish") and not _is_called(held) else [_older_call(held, action, args)]
    found = turn(
        "assistant",
        thought,
        notes,
        f"{place}.args.thought",
        time=time,
        after=calls,
        metadata=metadata,
        thoughts=thoughts,
    )
    return Event(found, model=as_text(response.get("model") or ""))


def _forgotten(args: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of the events forgotten by a condensation: a list, or a range with both ends."""
    yield from (as_text(one) for one in items_of(args.get("forgotten_event_ids")))
    first, last = (as_whole(args.get(f"forgotten_events_{end}_id")) for end in ("start", "end"))
    if first is not None and last is not None:
        yield from (str(number) for number in range(first, min(last, first + 1_000_000) + 1))


def _is_called(held: Mapping[str, Any]) -> bool:
    return bool(mapping(held.get("tool_call_metadata")).get("tool_call_id"))


def _call_id(held: Mapping[str, Any]) -> str:
    """Return the id of a call: the model's, else made from the number of the calling event."""
    told = mapping(held.get("tool_call_metadata")).get("tool_call_id")
    number = held.get("cause") if "observation" in held else held.get("id")
    return as_text(told or f"event{as_text(number)}")


def _function(held: Mapping[str, Any]) -> str:
    told = mapping(held.get("tool_call_metadata")).get("function_name")
    return as_text(told or held.get("action") or held.get("observation") or "")


def _older_call(held: Mapping[str, Any], action: str, args: Mapping[str, Any]) -> Call:
    """Return the call of an action: as the model wrote it, else made of its arguments."""
    id_ = _call_id(held)
    choices = objects(mapping(mapping(held.get("tool_call_metadata")).get("model_response")).get("choices"))
    calls = [call for one in choices for call in objects(mapping(one.get("message")).get("tool_calls"))]
    written = next((mapping(call.get("function")) for call in calls if call.get("id") == id_), {})
    own = {key: value for key, value in args.items() if key not in _MAPPED_ARGS}
    return Call(id_, _function(held) or action, as_text(written.get("arguments", own)))
