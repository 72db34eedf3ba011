"""Memories of smolagents: the steps of a run, as `agent.memory.get_full_steps()` and `RunResult.dict()` give them.

huggingface/smolagents, `src/smolagents/memory.py` (`TaskStep.task`, `ActionStep.dict`, `PlanningStep.dict`,
`SystemPromptStep.system_prompt`, `FinalAnswerStep.output`; how they are sent: `to_messages`) and `agents.py`
(`RunResult`: `steps`, before 1.21 `messages`); planning steps before 1.15 have `facts` beside the `plan`. Each step
has the whole input of its model call: of that only the system prompt is read, the rest is in the steps before.
"""

from collections.abc import Mapping
from typing import Any

from inspector.formats.agents.session import Session
from inspector.formats.content.at import At
from inspector.formats.content.media import picture_of
from inspector.formats.content.usage import read_usage
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.openai.message import read_message
from inspector.formats.saved_chats import SavedChat, is_itself, surest, values_of, workspace_of
from inspector.model import Message, Result, Role, Workspace, changed
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, items_of, mapping, objects, parse_time

_LISTS = ("steps", "messages", "memory", "agent_memory", "memory_steps", "full_steps", "logs")
_ACTION = frozenset(("model_output", "model_output_message", "observations", "action_output", "code_action"))
_OF_STEPS = frozenset(("step_number", "step", "timing", "start_time", "error", "token_usage", "is_final_answer"))
_TASK = frozenset(("task", "task_images", "additional_args"))
_INPUT = "model_input_messages"
_REPEATED = (_INPUT, "model_output_message", "code_action", "raw")
"""Keys of what other keys have too."""


def sniff(source: FileSource) -> float:
    """Return how likely the file holds the steps of a run."""
    return surest(source, lambda value: 0.95 if any(map(_is_sure, _inside(value)[1][:8])) else 0.0)


def _inside(value: Any) -> tuple[str, tuple[Any, ...]]:
    """Return the path to the steps of a value and these: those of a list in it, or the value itself."""
    if isinstance(value, list):
        return "", items_of(value)
    fields = mapping(value)
    for key in _LISTS:
        held = fields.get(key)
        inner, path = (held.get("steps"), ".steps") if isinstance(held, Mapping) else (held, "")
        if any(map(_is_sure, items_of(inner)[:8])):
            return f".{key}{path}", items_of(inner)
    return "", (value,)


def _is_sure(value: Any) -> bool:
    return _is_action(value) or _is_plan(value)


def _is_action(value: Any) -> bool:
    keys = mapping(value).keys()
    return len(keys & _ACTION) > 1 and bool(keys & _OF_STEPS)


def _is_plan(value: Any) -> bool:
    keys = mapping(value).keys()
    return "plan" in keys and bool(keys & {_INPUT, "model_output_message", "model_output_message_plan"})


def load(source: FileSource) -> Workspace:
    """Return a chat for each list of steps, and one of steps on their own. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    chats: list[SavedChat] = []
    loose: list[tuple[str, Any]] = []
    for place, value in values_of(source, notes):
        key, inside = _inside(value)
        if is_itself(inside, value):
            loose.append((place, value))
        else:
            steps = [(f"{place}{key}[{number}]", step) for number, step in enumerate(inside)]
            chats.append(_run(steps, mapping(value), notes, place))
    if any(_is_sure(step) for _, step in loose):
        chats.insert(0, _run(loose, {}, notes, "$"))
    else:
        for place, _ in loose:
            notes.add(place, "expected a step of smolagents; it was left out", "error")
    chats = [chat for chat in chats if chat.nodes]
    if not chats:
        raise notes.unreadable("$", "expected steps with a task or the output of a model, found none")
    return workspace_of(chats, source, notes)


def _run(steps: list[tuple[str, Any]], outer: Mapping[str, Any], notes: Notes, place: str) -> SavedChat:
    """Return the chat of the steps of a run."""
    session = Session(notes)
    session.system = _system_of(outer, [step for _, step in steps])
    for at, step in steps:
        _add(session, step, At(notes, at))
    if isinstance(outer.get("output"), str):
        _finish(session, outer["output"], At(notes, f"{place}.output"))
    return session.chat(place)


def _system_of(outer: Mapping[str, Any], steps: list[Any]) -> str:
    """Return the system prompt of a run: beside its steps, as a step, or from the input of its first call."""
    for held in (mapping(outer.get("memory")), outer, *map(mapping, steps)):
        given = held.get("system_prompt")
        text = mapping(given).get("system_prompt", given)
        if isinstance(text, str):
            return as_text(text)
    first = next((one for step in steps if (one := objects(mapping(step).get(_INPUT)))), ())
    for message in first:
        if message.get("role") == "system":
            found = read_message({"role": "system", "content": message.get("content")}, Notes(""), "")
            return "\n".join(one.content for one in found)
    return ""


def _add(session: Session, step: Any, at: At) -> None:
    """Add the messages of a step."""
    fields = mapping(step)
    if _is_action(step):
        _add_action(session, fields, at)
    elif "plan" in fields:
        if fields["plan"] is None:
            at.below(".plan").note("expected the text of a plan, found nothing")
        for key in ("facts", "plan"):
            if fields.get(key) is not None:
                _add_said(session, "assistant", fields[key], fields, at.below(f".{key}"))
    elif "task" in fields:
        _add_said(session, "user", fields["task"], {}, at.below(".task"))
        _add_pictures(session, fields.get("task_images"), at.below(".task_images"))
    elif "output" in fields:
        _finish(session, as_text(fields["output"]), at.below(".output"))
    elif "system_prompt" not in fields:
        at.note("expected a step of smolagents with a task, a plan or an output; it was left out", "error")


def _add_said(session: Session, role: Role, content: Any, step: Mapping[str, Any], at: At) -> None:
    found = read_message({"role": role, "content": content}, at.notes, at.place)
    session.add("", [changed(one, **_about(step)) for one in found], at.place)


def _about(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return the time and the usage of a step."""
    began = mapping(step.get("timing")).get("start_time", step.get("start_time"))
    return {"time": parse_time(began), "metadata": read_usage(mapping(step.get("token_usage"))).metadata}


def _add_action(session: Session, step: Mapping[str, Any], at: At) -> None:
    """Add the answer of the model with its calls, and the observations or the error as their result."""
    for key in ("tool_calls", "observations"):
        if key not in step:
            at.below(f".{key}").note(f"expected the {key.replace('_', ' ')} of a step, found nothing", "info")
    told = mapping(step.get("model_output_message"))
    said = step.get("model_output")
    said = told.get("content") if said is None else said
    calls = step.get("tool_calls") or told.get("tool_calls")
    if said is not None or calls:
        record = {"role": "assistant", "content": "" if said is None else said}
        asked = {"tool_calls": _as_text_is_usual(calls)} if calls else {}
        found = read_message({**record, **asked}, at.notes, at.place)
        session.add("", [changed(one, **_about(step)) for one in found], at.place)
    elif not step.get("error"):
        at.below(".model_output").note("expected the output of the model, found nothing")
    ids = [as_text(call.get("id")) for call in objects(calls)]
    _add_pictures(session, step.get("observations_images"), at.below(".observations_images"))
    for key in ("observations", "error"):
        held = step.get(key)
        text = mapping(held).get("message", held) if key == "error" else held
        if text:
            session.add("", [_observed(as_text(text), ids)], at.below(f".{key}").place)
    if step.get("is_final_answer") is True:
        _finish(session, as_text(step.get("action_output")), at.below(".action_output"))


def _as_text_is_usual(calls: Any) -> Any:
    """Return calls whose arguments may be any text, such as the code of an agent that writes code."""
    if not isinstance(calls, list):
        return calls
    found: list[Any] = []
    for call in calls:
        inner = mapping(mapping(call).get("function", call))
        named = {"name": inner.get("name"), "input": inner.get("arguments", "")}
        found.append({"id": call.get("id"), "custom": named} if inner else call)
    return found


def _observed(text: str, ids: list[str]) -> Message:
    """Return an observation: the result of the first call, or text of the user where nothing was called."""
    return Message("", "tool", parts=(Result(ids[0], "", text),)) if ids else Message("", "user", text)


def _add_pictures(session: Session, held: Any, at: At) -> None:
    pictures = [picture_of(one, at.below(f"[{number}]")) for number, one in enumerate(items_of(held))]
    if pictures:
        session.add("", [Message("", "user", parts=tuple(pictures))], at.place)


def _finish(session: Session, answer: str, at: At) -> None:
    """Add the final answer, unless an earlier message has it."""
    parts = (part for message in session.messages for part in message.whole)
    if answer and not any(answer in _words(part) for part in parts):
        session.add("", [Message("", "assistant", answer)], at.place)


def _words(part: Any) -> str:
    return as_text(getattr(part, "arguments", "") or getattr(part, "content", "") or getattr(part, "text", ""))


FORMAT = Format(
    "smolagents",
    "smolagents steps",
    sniff,
    load,
    "steps with a `model_output`, `observations` and an `action_output`",
    beside=_REPEATED,
)
