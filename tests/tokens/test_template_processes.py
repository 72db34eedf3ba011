"""Templates of strangers in processes of their own: what they may take, how they are ended, and what they write."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from template_attacks import ATTACKS, ENDLESS
from test_chat_format import MESSAGES, TOOL

from inspector.steps import AbandonedError, while_wanted
from inspector.tokens.chat import process
from inspector.tokens.chat.format import ChatFormat, shipped_format, shipped_formats
from inspector.tokens.chat.messages import ChatMessage, ChatTemplate, RenderedChat, Segment
from inspector.tokens.chat.process import ChildProcess, Limits, child_command
from inspector.tokens.chat.processes import TemplateProcesses
from inspector.tokens.chat.rendering import render_chat
from inspector.tokens.chat.sandbox import ChatTemplateError, RunawayTemplateError
from inspector.tokens.chat.wire import encode_chat, encode_template, write_frame
from tests.examples import examples

resource = pytest.importorskip("resource")  # what is limited at all, is limited by the system

CHAT = [ChatMessage("user", "Hi")]
LONG_CHAT = [ChatMessage("user", "Hi " * 10_000)]
PLAIN = ChatTemplate("t", "{% for m in messages %}<{{ m.content }}>{% endfor %}")
NEVER_ENDS = ChatTemplate("t", ENDLESS)
SMALL = Limits(seconds=0.3, memory=1 << 28, answer=1 << 22)
PATIENT = replace(SMALL, seconds=600)
MEGABYTES_OF_THIS_PROCESS = 100

Started = list["subprocess.Popen[Any]"]
Make = Callable[..., TemplateProcesses]


@pytest.fixture(scope="module")
def small() -> Iterator[TemplateProcesses]:
    """Processes with small limits, which all attacks share."""
    made = TemplateProcesses(SMALL)
    yield made
    made.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The processes that were started, in order."""
    found: Started = []

    def start(*terms: Any, **options: Any) -> "subprocess.Popen[Any]":
        found.append(start_process(*terms, **options))
        return found[-1]

    start_process = subprocess.Popen
    monkeypatch.setattr(process.subprocess, "Popen", start)
    return found


@pytest.fixture
def processes(started: Started) -> Iterator[Make]:
    """Makes processes; afterwards all of them must have ended, and all that they were told by must be closed."""
    made: list[TemplateProcesses] = []

    def make(limits: Limits = PATIENT) -> TemplateProcesses:
        made.append(TemplateProcesses(limits))
        return made[-1]

    yield make
    for one in made:
        one.close()
    assert all(one.returncode is not None for one in started)
    assert all(pipe.closed for one in started for pipe in (one.stdin, one.stdout) if pipe)


def outcome(render: Callable[[], RenderedChat]) -> RenderedChat | str:
    """A rendered chat, or why there is none."""
    try:
        return render()
    except ChatTemplateError as refusal:
        return str(refusal)


def peak() -> int:
    """The most megabytes that this process had at once."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most >> 20 if sys.platform == "darwin" else most >> 10


@pytest.mark.parametrize("source", ATTACKS.values(), ids=ATTACKS)
def test_no_template_takes_more_than_it_may(source: str, small: TemplateProcesses) -> None:
    before = peak()
    with pytest.raises(ChatTemplateError) as raised:
        small.render(ChatTemplate("t", source), CHAT)
    assert 0 < len(str(raised.value)) < 500
    assert peak() - before < MEGABYTES_OF_THIS_PROCESS


@pytest.mark.parametrize("name", shipped_formats())
@given(messages=MESSAGES, tools=st.sampled_from([(), (TOOL,)]))
@examples(12)
def test_a_template_writes_the_same_in_another_process(
    name: str, messages: list[ChatMessage], tools: tuple[dict, ...]
) -> None:
    shipped = shipped_format(name).template
    tools = () if "_definitions(" in shipped.source else tools  # which only shipped templates may call
    foreign = ChatFormat(replace(shipped, shipped=False))
    assert outcome(lambda: foreign.render(messages, tools)) == outcome(lambda: render_chat(shipped, messages, tools))


@pytest.mark.parametrize(
    "source",
    [
        "{% for m in messages %}<{{ m.content | trim }}>{% endfor %}",
        "{% for m in messages %}[{{ m.content.split('</think>')[-1].lstrip('\\n') }}]{% endfor %}",
        "{% for m in messages %}{{ m | tojson }}{% endfor %}{{ tools | tojson(indent=2) }}",
        "{% for m in messages %}{{ m.content | length }} {{ m.content }}{% endfor %}",
        "{{ messages | map(attribute='content') | join(bos_token) | wordwrap(5) | upper }}{{ messages | pprint }}",
        "{{ raise_exception(messages[0].content) }}",
        "{{ messages[0].content + 1 }}",
        "{% for m in messages %}",
    ],
)
@given(messages=MESSAGES)
@settings(max_examples=12)
def test_so_does_any_other(source: str, messages: list[ChatMessage]) -> None:
    template = ChatTemplate("t", source, ("<|im_end|>",), "<s>", "</s>")
    apart = outcome(lambda: ChatFormat(template).render(messages, [TOOL]))
    assert apart == outcome(lambda: render_chat(template, messages, [TOOL]))


def test_a_template_of_ours_starts_no_process(started: Started) -> None:
    assert shipped_format("chatml").render(CHAT).faithful
    assert not started


def test_a_process_stays_for_the_next_chat(processes: Make, started: Started) -> None:
    made = processes()
    texts = [made.render(ChatTemplate("t", f"{word}{{{{ messages[0].content }}}}"), CHAT).text for word in "abbcb"]
    assert texts == ["aHi", "bHi", "bHi", "cHi", "bHi"]
    with pytest.raises(ChatTemplateError, match="no"):
        made.render(ChatTemplate("t", "{{ raise_exception('no') }}"), CHAT)
    assert len(started) == 1


def test_a_process_that_somebody_killed_is_replaced(processes: Make, started: Started) -> None:
    made = processes()
    made.render(PLAIN, CHAT)
    started[0].kill()
    started[0].wait()
    assert made.render(PLAIN, CHAT).text == "<Hi>"
    assert len(started) == 2


def test_whoever_no_longer_wants_a_chat_ends_its_process(processes: Make, started: Started) -> None:
    asked = iter([True, True])
    with pytest.raises(AbandonedError), while_wanted(lambda: next(asked, False)):
        processes().render(NEVER_ENDS, CHAT)
    assert [one.returncode for one in started] == [-signal.SIGKILL]


def test_what_was_abandoned_may_be_tried_again(processes: Make, started: Started) -> None:
    made = processes()
    for _ in range(2):
        with pytest.raises(AbandonedError), while_wanted(lambda: False):
            made.render(NEVER_ENDS, CHAT)
    assert len(started) == 2


def test_two_run_at_once_and_others_wait(processes: Make, started: Started) -> None:
    made, wanted, ends = processes(), threading.Event(), []
    wanted.set()

    def render() -> None:
        try:
            with while_wanted(wanted.is_set):
                made.render(NEVER_ENDS, CHAT)
        except AbandonedError:
            ends.append("abandoned")

    threads = [threading.Thread(target=render) for _ in range(4)]
    for thread in threads:
        thread.start()
    wanted.clear()
    for thread in threads:
        thread.join()
    assert ends == ["abandoned"] * 4
    assert len(started) <= 2


def test_closing_ends_what_runs(processes: Make, started: Started) -> None:
    made = processes()
    refusals: list[RenderedChat | str] = []
    thread = threading.Thread(target=lambda: refusals.append(outcome(lambda: made.render(NEVER_ENDS, CHAT))))
    thread.start()
    while thread.is_alive():
        made.close()
    assert len(refusals) == 1
    assert {one.returncode for one in started} <= {-signal.SIGKILL}


def test_what_was_ended_before_it_started_does_not_start(started: Started) -> None:
    process = ChildProcess(Limits())
    process.end()
    with pytest.raises(RunawayTemplateError, match="was ended"):
        process.ask(NEVER_ENDS, b"", 1)
    assert not started


def test_a_template_that_was_ended_is_not_tried_again_with_a_chat_as_long(processes: Make, started: Started) -> None:
    made = processes(replace(SMALL, seconds=2))
    source = "{% if messages[0].content | length > 9 %}" + ENDLESS + "{% endif %}done"
    for _ in range(3):
        with pytest.raises(RunawayTemplateError, match="it took too long"):
            made.render(ChatTemplate("t", source), LONG_CHAT)
    assert len(started) == 1
    assert made.render(ChatTemplate("t", source), CHAT).text == "done"
    with pytest.raises(RunawayTemplateError, match="it took too long"):
        made.render(ChatTemplate("under another name", source), LONG_CHAT)
    assert len(started) == 2


def test_a_template_of_absurd_length_is_not_even_sent(processes: Make, started: Started) -> None:
    many_specials = ChatTemplate("t", "x", tuple("a" * length for length in range(2_000)))
    for template in (ChatTemplate("t", "x" * 1_000_001), many_specials):
        with pytest.raises(ChatTemplateError, match="more than 1,000,000 characters"):
            processes().render(template, CHAT)
    assert not started


def test_what_a_template_writes_is_limited(processes: Make) -> None:
    """By what it was given, and in the end by a number."""
    made = processes()
    source = "{% for _ in range(99999) %}{{ 'x' * COUNT }}{% endfor %}"
    assert len(made.render(ChatTemplate("t", source.replace("COUNT", "5")), CHAT).text) == 499_995
    with pytest.raises(RunawayTemplateError, match="it wrote more than it may"):
        made.render(ChatTemplate("t", source.replace("COUNT", "50")), CHAT)


def test_tools_that_are_no_json_are_a_refusal(processes: Make) -> None:
    deep: dict = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ChatTemplateError, match="cannot be written as JSON"):
        processes().render(PLAIN, CHAT, [deep])


HOSTILE = {
    "a length beyond all limits": ("sink.write(b'\\xff' * 8); sink.flush(); wait()", "wrote more than it may"),
    "a stream without an end": ("\nwhile True: sink.write(b'\\x00' * 65536)", "no valid prompt"),
    "half an answer": ("sink.write(b'\\x00' * 7 + b'\\x09abc'); sink.flush()", "crashed"),
    "nothing": ("write_frame(sink, b'')", "no valid prompt"),
    "garbage": ("write_frame(sink, bytes(range(256)))", "no valid prompt"),
    "a text that is no UTF-8": ("answer(b'[]', b'\"\\xff\"')", "no valid prompt"),
    "half of a surrogate pair": ("answer(b'[]', b'\"\\\\ud800\"')", "no valid prompt"),
    "lists in lists": ("answer(b'[' * 1_000_000)", "no valid prompt"),
    "another message's text": ('answer(b\'[["x", false, "content", 7]]\')', "no valid prompt"),
    "nobody's content": ('answer(b\'[["x", false, "content", -1]]\')', "no valid prompt"),
    "a frame of somebody": ('answer(b\'[["x", false, "frame", 0]]\')', "no valid prompt"),
    "a special that somebody said": ('answer(b\'[["x", true, "content", 0]]\')', "no valid prompt"),
    "a part that is none": ('answer(b\'[["x", false, "secret", -1]]\')', "no valid prompt"),
    "a number for a text": ("answer(b'[[1, false, \"frame\", -1]]')", "no valid prompt"),
    "no memory left": ("sys.exit(3)", "more memory than it may"),
    "an abort": ("os.abort()", "more memory than it may"),
    "a crash": ("os.kill(os.getpid(), signal.SIGSEGV)", "crashed the process"),
    "the limit of the processor": ("os.kill(os.getpid(), signal.SIGXCPU)", "took too long"),
}
PROGRAM = """
import os, signal, sys
from inspector.tokens.chat.wire import read_frame, write_frame
source, sink = sys.stdin.buffer, sys.stdout.buffer
wait = lambda: source.read()
def answer(segments, refusal=b"null"):
    write_frame(sink, b'{"faithful": true, "segments": ' + segments + b', "refusal": ' + refusal + b"}")
write_frame(sink, b"")
read_frame(source), read_frame(source)
"""


def test_an_answer_is_a_chat(processes: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the answers below are not is not because of how they are written."""
    program = PROGRAM + 'answer(b\'[["x", false, "content", 0]]\')'
    monkeypatch.setattr(process, "child_command", lambda limits: [sys.executable, "-P", "-c", program])
    assert processes().render(PLAIN, CHAT) == RenderedChat((Segment("x", False, "content", 0),), faithful=True)


@pytest.mark.parametrize(("does", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_process_that_a_template_took_over_cannot_harm(
    does: str, words: str, processes: Make, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "child_command", lambda limits: [sys.executable, "-P", "-c", PROGRAM + does])
    before, made = peak(), processes()
    for _ in range(2):
        with pytest.raises(RunawayTemplateError, match=words):
            made.render(PLAIN, CHAT)
    assert len(started) == 1
    assert peak() - before < MEGABYTES_OF_THIS_PROCESS


def test_a_process_that_says_nothing_is_ended(processes: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "child_command", lambda limits: [sys.executable, "-P", "-c", PROGRAM + "wait()"])
    with pytest.raises(RunawayTemplateError, match="took too long"):
        processes(SMALL).render(PLAIN, CHAT)


def test_a_refusal_may_be_long_but_not_endless(processes: Make) -> None:
    with pytest.raises(ChatTemplateError) as raised:
        processes().render(ChatTemplate("t", "{{ raise_exception('no' * 99999) }}"), CHAT)
    assert str(raised.value) == "no" * 500


@pytest.mark.parametrize("command", [["-c", "pass"], ["-c", "raise SystemExit(1)"]])
def test_a_process_that_does_not_start_is_told(
    command: list[str], processes: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "child_command", lambda limits: [sys.executable, *command])
    with pytest.raises(RunawayTemplateError, match="did not start"):
        processes().render(PLAIN, CHAT)


def test_a_program_that_is_not_there_is_told(processes: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "child_command", lambda limits: ["/no/such/program"])
    with pytest.raises(RunawayTemplateError, match="no process can be started"):
        processes().render(PLAIN, CHAT)


def test_a_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command(SMALL) == [sys.executable, process.CHILD, str(SMALL.memory), "1"]


def test_a_process_is_told_nothing_of_its_surroundings(
    processes: Make, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "word")
    monkeypatch.setattr(
        process,
        "child_command",
        lambda limits: [sys.executable, "-c", "import os, sys; sys.exit('SECRET' in os.environ or os.getcwd() != '/')"],
    )
    with pytest.raises(RunawayTemplateError, match="did not start"):
        processes().render(PLAIN, CHAT)
    assert started[0].returncode == 0


ASKS = """
import os, socket
from inspector.tokens.chat.child import _limit
def is_refused(act):
    try:
        act()
    except (OSError, MemoryError):
        return True
_limit(1 << 28)
print(*map(is_refused, [lambda: open("/etc/hosts"), socket.socket, os.pipe, lambda: os.dup(1), lambda: bytes(1 << 29)]))
"""


def test_a_process_gives_up_what_it_does_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", ASKS], capture_output=True, text=True, check=True, encoding="utf-8")
    assert done.stdout.split() == ["True"] * 5


@pytest.fixture
def child() -> Iterator["subprocess.Popen[Any]"]:
    """Such a process, started as by a program that may go away."""
    command = child_command(PATIENT)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stdout.read(8) == bytes(8)
        yield started
        started.kill()


def test_a_process_ends_with_the_program_that_started_it(child: "subprocess.Popen[Any]") -> None:
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="the signal ends a process of Linux only")
def test_so_does_one_that_is_busy(child: "subprocess.Popen[Any]") -> None:
    assert child.stdin is not None
    write_frame(child.stdin, encode_template(NEVER_ENDS))
    write_frame(child.stdin, encode_chat(CHAT, ()))
    while not _flags(child.pid) & os.O_ASYNC:  # from here on it knows when it is alone
        pass
    child.stdin.close()
    assert child.wait() == -signal.SIGIO


def _flags(pid: int) -> int:
    """The flags of the standard input of a process."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/fdinfo/0").read_text().splitlines())
    return int(lines["flags"], 8)
