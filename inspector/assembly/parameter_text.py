"""Values of parameters as people read them, and the figures that a field needs to show one. Knows no widget."""

from math import floor, log10
from typing import Any

from inspector.assembly.policy import Parameter, parameters_by_name
from inspector.figures import percentage

NOT_SET = "–"
PERCENT = 100
FINEST = 3
"""Decimals in which values that lie between two steps are told apart."""
_SUFFIX = {"share": " %", "days": " days", "tokens": " tokens"}
_SUFFIX_OF_ONE = {"share": " %", "days": " day", "tokens": " token"}


def value_text(parameter: Parameter, value: Any, finest: int = 0) -> str:
    """Such as `35.0 %`, `30 days`, `0.40`, `on`, `history`, and `off` for a cap that cuts nothing.

    A value between two steps has up to `finest` decimals, so that it is not written as its neighbour.
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
    """A setting of a scenario as people read it: what `policy` declares with its unit, all else by its kind."""
    parameter = parameters_by_name(policy).get(name)
    return _plain_text(value) if parameter is None or value is None else value_text(parameter, value, FINEST)


def _plain_text(value: Any) -> str:
    """A value of which no declaration is known, such as `on`, `8,192`, `0.35`, `a, b`; a dash where there is none."""
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
    """The numbers between the commas of a text; what is none stays a text, so that the policy can say what is wrong."""
    parts = [part.strip() for part in text.split(",")]
    return [float(part) if part.replace(".", "", 1).isdigit() else part for part in parts]


def edit_label(parameter: Parameter, value: Any) -> str:
    """What undoing the edit of a parameter is called, such as `Memory share 35.0 %`."""
    return f"{parameter.label} {value_text(parameter, value, FINEST)}"


def suffix(parameter: Parameter, value: Any = None) -> str:
    """What stands behind the figure in a field; behind a lone one it is 1 token or 1 day."""
    return (_SUFFIX_OF_ONE if value == 1 else _SUFFIX).get(parameter.unit, "")


def is_whole(parameter: Parameter) -> bool:
    """Whether only whole numbers are values of a parameter."""
    return isinstance(parameter.default, int)


def factor(parameter: Parameter) -> int:
    """What a value is multiplied with for its field: shares are shown in percent."""
    return PERCENT if parameter.unit == "share" else 1


def decimals(parameter: Parameter) -> int:
    """Decimals that show every step of a parameter, in the units of its field."""
    if is_whole(parameter):
        return 0
    if parameter.unit == "share":
        return 1
    return max(1, -floor(log10(parameter.step)))


def description(parameter: Parameter) -> str:
    """The help of a parameter with what its choices do, its name in files and its default."""
    unit = f", in {parameter.unit}" if parameter.unit and parameter.unit not in _SUFFIX else ""
    choices = (f"{word}: {meaning}" for word, meaning in parameter.choices.items())
    default = f"{parameter.name}{unit}; default {value_text(parameter, parameter.default)}"
    return "\n".join([*filter(None, [parameter.help]), *choices, default])
