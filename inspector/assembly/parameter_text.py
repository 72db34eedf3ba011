"""Values of parameters as text, and the figures needed by their fields. Independent of widgets."""

from math import floor, log10
from typing import Any

from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.figures import percentage

NOT_SET = "–"
PERCENT = 100
FINEST = 3
"""Decimals that distinguish values between two steps."""
_SUFFIX = {"share": " %", "days": " days", "tokens": " tokens"}
_SUFFIX_OF_ONE = {"share": " %", "days": " day", "tokens": " token"}


def value_text(parameter: Parameter, value: Any, finest: int = 0) -> str:
    """Return text such as `35.0 %`, `30 days`, `0.40`, `on`, `history`, and `off` for a cap that cuts nothing.

    A value between two steps has up to `finest` decimals, so it differs from its neighbours.
    """
    if isinstance(value, list | tuple):
        return ", ".join(f"{number:g}" if isinstance(number, int | float) else str(number) for number in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _plain_text(value)
    if word := parameter.word_for(value):
        return word
    if parameter.unit == "share":
        return percentage(value)
    places = decimals(parameter)
    while places < finest and round(value, places) != value:
        places += 1
    return f"{value:,.{places}f}{suffix(parameter, value)}"


def setting_text(name: str, value: Any, policy: Any = None) -> str:
    """Return a setting of a scenario as text: with its unit if `policy` declares it, otherwise by its type."""
    parameter = parameters_by_name(policy).get(name)
    return _plain_text(value) if parameter is None or value is None else value_text(parameter, value, FINEST)


def _plain_text(value: Any) -> str:
    """Return an undeclared value as text, such as `on`, `8,192`, `0.35`, `a, b`; a dash for None."""
    if value is None:
        return NOT_SET
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain_text, value)) or "none"
    return str(value)


def numbers_in(text: str) -> list[float | str]:
    """Return the numbers between the commas of a text; other parts stay text, so the policy can report the error."""
    parts = [part.strip() for part in text.split(",")]
    return [float(part) if part.replace(".", "", 1).isdigit() else part for part in parts]


def edit_label(parameter: Parameter, value: Any) -> str:
    """Return the undo label for an edit of a parameter, such as `Memory share 35.0 %`."""
    return f"{parameter.label} {value_text(parameter, value, FINEST)}"


def suffix(parameter: Parameter, value: Any = None) -> str:
    """Return the text after the figure in a field; singular after 1: 1 token or 1 day."""
    return (_SUFFIX_OF_ONE if value == 1 else _SUFFIX).get(parameter.unit, "")


def is_whole(parameter: Parameter) -> bool:
    """Return whether a parameter takes whole numbers only."""
    return isinstance(parameter.default, int)


def factor(parameter: Parameter) -> int:
    """Return the factor from a value to its field: shares are shown in percent."""
    return PERCENT if parameter.unit == "share" else 1


def decimals(parameter: Parameter) -> int:
    """Return the decimals that show every step of a parameter, in the units of its field."""
    if is_whole(parameter):
        return 0
    if parameter.unit == "share":
        return 1
    return max(1, -floor(log10(parameter.step)))


def description(parameter: Parameter) -> str:
    """Return the help of a parameter with the effect of its choices, its name in files and its default."""
    unit = f", in {parameter.unit}" if parameter.unit not in ("", "share") else ""
    choices = (f"{word}: {meaning}" for word, meaning in parameter.choices.items())
    default = f"{parameter.name}{unit}; default {value_text(parameter, parameter.default)}"
    return "\n".join([*filter(None, [parameter.help]), *choices, default])
