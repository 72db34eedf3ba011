"""What policies declare of their parameters, and declarations that are none."""

from typing import Any

import pytest
from holding import EACH_PRESET

from inspector.assembly.parameter_text import edit_label
from inspector.assembly.policy import Parameter, parameters_of
from inspector.assembly.presets import load_presets
from inspector.plugins import policies


@EACH_PRESET
def test_every_declaration_is_whole(policy: str, preset: str) -> None:
    for parameter in parameters_of(load_presets()[policy, preset].kind(policies()[0][policy])):
        assert parameter.help.endswith("."), parameter.name
        assert parameter.trouble(parameter.default) == ""
        assert len(parameter.choices) != 1, parameter.name
        assert all(parameter.choices.values()), parameter.name
        if not parameter.choices and not parameter.is_text and not isinstance(parameter.default, bool):
            assert parameter.minimum < parameter.maximum, parameter.name
        if parameter.unit == "tokens" and parameter.maximum > 100:
            assert parameter.scale == "log", parameter.name


def test_a_change_between_two_steps_is_not_called_by_the_value_beside_it() -> None:
    threshold = Parameter("threshold", 0.8, 0.0, 1.0, step=0.05, label="Threshold")
    assert edit_label(threshold, 0.8) == "Threshold 0.80"
    assert edit_label(threshold, 0.801) == "Threshold 0.801"


def test_a_minimum_may_read_as_a_word() -> None:
    cap = Parameter("cap", 0, 0, 2000, at_minimum="off")
    assert [cap.word_for(value) for value in (0, 10)] == ["off", ""]
    assert Parameter("count", 0, 0, 2000).word_for(0) == ""


@pytest.mark.parametrize(
    ("keywords", "complaint"),
    [
        ({"choices": ("a", "b")}, r"value: choices maps each word to what it does, and is \('a', 'b'\)"),
        ({"scale": "cubic"}, "value: scale is one of linear, log, not 'cubic'"),
    ],
)
def test_what_is_no_declaration_is_refused(keywords: dict[str, Any], complaint: str) -> None:
    with pytest.raises(TypeError, match=complaint):
        Parameter("value", "a", **keywords)
