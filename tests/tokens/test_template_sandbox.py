"""The sandbox of chat templates: what they may not do, and that every failure is one clear error."""

import pytest

from inspector.tokens.chat.messages import ChatCall, ChatMessage, ChatTemplate
from inspector.tokens.chat.rendering import render_chat
from inspector.tokens.chat.sandbox import ChatTemplateError, render_template


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{{ raise_exception('Roles must alternate.') }}", "Roles must alternate."),
        ("{% for x in %}", "Expected"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ cycler.__init__.__globals__ }}", "unsafe"),
        ("{{ messages.append(1) }}", "unsafe"),
        ("{{ 'a' * 999999999 }}", "more than it may"),
        ("{{ 9 ** 9 ** 9 }}", "more than it may"),
        ("{{ 1 // 0 }}", "ZeroDivisionError"),
        ("{{ messages[0] + 'x' }}", "TypeError"),
        ("{{ nothing.at.all }}", "undefined"),
    ],
)
def test_what_a_template_may_not_do(source: str, words: str) -> None:
    with pytest.raises(ChatTemplateError, match=words):
        render_template(source, {"messages": [{"role": "user"}]})


@pytest.mark.parametrize(
    "source",
    [
        "{{ [1].index(2) }}",
        "{{ '%d' % 'x' }}",
        "{{ '{'.format(1) }}",
        "{{ 'x'.split('') }}",
        "{{ range(1, 2, 0) }}",
        "{{ range(999999) }}",
        "{{ 'x'.encode('no such code') }}",
        "{{ 'é'.encode('ascii') }}",
        "{{ 'x'.center(99999999999999999999) }}",
        "{{ '%99999999999999999999d' % 1 }}",
        "{{ [1] | slice(0) | list }}",
        "{{ [1, 'x'] | sort }}",
        "{{ messages | map('no such filter') | list }}",
        "{% include 'x' %}",
        "{{ {} | tojson(indent=[]) }}{{ messages | tojson(no=1) }}",
        "{% for x in [1] %}" * 30 + "{% endfor %}" * 30,
        "{{ " + "(" * 9999 + "1" + ")" * 9999 + " }}",
        "{% set x = namespace(y=[]) %}{% for _ in range(9999) %}{% set x.y = [x.y] %}{% endfor %}{{ x.y }}",
    ],
)
def test_whatever_a_template_raises_is_one_clear_error(source: str) -> None:
    with pytest.raises(ChatTemplateError) as raised:
        render_template(source, {"messages": [{"role": "user"}]})
    assert 0 < len(str(raised.value)) < 500


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% for a in range(99999) %}{% for b in range(9999) %}{{ messages[0].role }}{% endfor %}{% endfor %}",
        "{% macro again(x) %}{{ again(x) }}{% endmacro %}{{ again(1) }}",
    ],
)
def test_a_template_without_an_end_is_stopped(source: str) -> None:
    with pytest.raises(ChatTemplateError, match=r"too long|RecursionError"):
        render_template(source, {"messages": [{"role": "user"}]}, seconds=0.05)


def test_the_day_is_always_the_same_and_json_has_no_html_escapes() -> None:
    assert render_template("{{ strftime_now('%d %b %Y') }}", {}) == "26 Jul 2024"
    assert render_template("{{ x | tojson }}", {"x": {"a": "<é>"}}) == '{"a": "<é>"}'
    assert render_template("{{ x | tojson(indent=2) }}", {"x": [1]}) == "[\n  1\n]"
    assert render_template("{% generation %}a{{ 1 }}{% endgeneration %}b", {}) == "a1b"
    assert render_template("{% for x in [1,2,3] %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}", {}) == "1"


def test_arguments_that_are_nested_too_deep_are_a_text() -> None:
    call = ChatCall("look", '{"a":' * 100_000)
    source = "{{ messages[0].tool_calls[0].function.arguments | length }}"
    assert render_chat(ChatTemplate("t", source), [ChatMessage("assistant", "", calls=(call,))]).text == "500000"
