"""What a template of strangers adds: that of the stand-in until it is measured, and for good where it was ended."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from template_attacks import ENDLESS

from inspector.steps import AbandonedError
from inspector.tokens.chat import frames as frames_module
from inspector.tokens.chat import process, processes
from inspector.tokens.chat.format import ChatFormat, shipped_format
from inspector.tokens.chat.frames import Figure, FrameTokens, frames_of
from inspector.tokens.chat.messages import ChatMessage, ChatTemplate, RenderedChat
from inspector.tokens.chat.process import Limits
from inspector.tokens.chat.processes import TemplateProcesses
from inspector.tokens.chat.sandbox import ChatTemplateError, RunawayTemplateError
from inspector.tokens.estimate import ESTIMATORS

WORDS = ESTIMATORS["estimate:words"]
TOOL = '{"name":"look"}'
ADA = ("user", "Ada")
SOURCE = (
    "{% if tools %}you have tools {% endif %}"
    "{% for m in messages %}{{ m.role }} {{ m.name or 'nobody' }} says {{ m.content }} . {% endfor %}"
    "{% if add_generation_prompt %}and now you{% endif %}"
)


def foreign(source: str = SOURCE) -> FrameTokens:
    return FrameTokens(ChatFormat(ChatTemplate("own", source)), WORDS)


def measured(frames: FrameTokens, speakers: Sequence[tuple[str, str]] = (), tools: tuple[str, ...] = ()) -> FrameTokens:
    for found in frames.measure(frames.lacking(speakers, tools)):
        frames.take(found)
    return frames


def figures(frames: FrameTokens) -> list[int]:
    roles = [frames.frame(role) for role in ("system", "user", "assistant", "tool")]
    return [*roles, frames.frame(*ADA), frames.constant(), frames.constant("system"), frames.reply()]


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Sequence[ChatMessage]]]:
    """Has every chat rendered by a function; gives the chats that it was asked for."""
    asked: list[Sequence[ChatMessage]] = []

    def render_by(make: Callable[[], RenderedChat]) -> list[Sequence[ChatMessage]]:
        def render(template: ChatTemplate, messages: Sequence[ChatMessage], *_: object) -> RenderedChat:
            asked.append(messages)
            return make()

        monkeypatch.setattr(processes, "render_apart", render)
        return asked

    return render_by


def runs_away() -> RenderedChat:
    raise RunawayTemplateError("it took too long")


def is_abandoned() -> RenderedChat:
    raise AbandonedError


def refuses() -> RenderedChat:
    raise ChatTemplateError("no")


def test_until_it_is_measured_nothing_is_rendered_and_another_format_stands_in(rendering: Callable[..., list]) -> None:
    asked = rendering(runs_away)
    frames = foreign()
    assert figures(frames) == figures(frames_of(shipped_format("chatml"), WORDS))
    assert frames.tools((TOOL,)) == frames_of(shipped_format("chatml"), WORDS).tools((TOOL,))
    assert frames.stands_in
    assert not asked


def test_what_is_measured_is_what_the_template_writes() -> None:
    frames = measured(foreign(), [ADA], (TOOL,))
    assert not frames.stands_in
    assert figures(frames) == [4, 4, 4, 4, 4, 0, 0, 3]
    assert frames.tools((TOOL,)) == 3
    assert frames.lacking([ADA], (TOOL,)) == []
    assert frames.version == 9


def test_a_template_of_ours_lacks_nothing() -> None:
    frames = frames_of(shipped_format("qwen3"), WORDS)
    assert frames.lacking([ADA], (TOOL,)) == []
    assert not frames.stands_in


def test_only_what_is_new_is_lacking() -> None:
    frames = measured(foreign())
    assert frames.lacking([ADA, ("user", "")], (TOOL,)) == [Figure("tools", (TOOL,)), Figure("frame", ADA)]


def test_half_of_the_figures_are_not_mixed_with_those_of_the_stand_in() -> None:
    frames, before = foreign(), figures(foreign())
    for found in list(frames.measure(frames.lacking([], ())))[:3]:
        frames.take(found)
    assert figures(frames) == before
    assert frames.version == 3


def test_a_name_that_was_not_measured_costs_nothing() -> None:
    assert measured(foreign()).frame("user", "Somebody Else") == 4


def test_a_template_that_was_ended_is_given_up(rendering: Callable[..., list]) -> None:
    asked = rendering(runs_away)
    frames = measured(foreign(), [ADA])
    assert len(asked) == 1
    assert frames.lacking([ADA, ("user", "Bob")], (TOOL,)) == []
    assert frames.stands_in
    assert figures(frames) == figures(frames_of(shipped_format("chatml"), WORDS))


def test_all_chats_together_may_take_only_so_long(
    rendering: Callable[..., list], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames_module, "SECONDS", -1)
    asked = rendering(lambda: RenderedChat((), faithful=True))
    frames = measured(foreign(), [("user", f"name {number}") for number in range(100)])
    assert len(asked) == 2  # those of the first figure
    assert frames.lacking([ADA], ()) == []


def test_what_was_abandoned_is_still_lacking(rendering: Callable[..., list]) -> None:
    rendering(is_abandoned)
    frames = foreign()
    with pytest.raises(AbandonedError):
        measured(frames)
    assert frames.lacking([], ()) == foreign().lacking([], ())
    rendering(lambda: RenderedChat((), faithful=True))
    assert not measured(frames).stands_in


def test_a_template_that_refuses_every_short_chat_adds_nothing(rendering: Callable[..., list]) -> None:
    rendering(refuses)
    frames = measured(foreign(), [ADA], (TOOL,))
    assert figures(frames) == [0] * 8
    assert not frames.stands_in


def test_a_hostile_template_is_killed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = TemplateProcesses(replace(Limits(), seconds=0.2))
    monkeypatch.setattr(processes, "_processes", lambda: hostile)
    frames = measured(foreign(ENDLESS), [ADA])
    monkeypatch.setattr(process, "child_command", lambda limits: ["/no/such/program"])
    with pytest.raises(RunawayTemplateError, match="it took too long"):
        ChatFormat(ChatTemplate("own", ENDLESS)).render([ChatMessage("user", "x")])
    assert frames.stands_in
    hostile.close()
