"""Shares that sum to 1: the effect of moving a share on the others. Pure arithmetic."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import floor

SHARES = "shares"
"""The group of the parameters of a policy that are such shares."""
_DIGITS = 9
_PLAIN = 10_000
_FINEST = 12


@dataclass(frozen=True, slots=True)
class MovedShares:
    """All shares after a move, and whether the wanted value had to be held back at `stop`."""

    values: dict[str, float]
    stop: float | None = None


def moved_shares(shares: Mapping[str, float], name: str, wanted: float, locked: Collection[str]) -> MovedShares:
    """Set a share to the wanted value; the unlocked others keep their proportions and divide the rest of 1.

    The value is limited to the rest left by locked shares, and equals this rest if no other share can move.
    """
    fixed = {other: share for other, share in shares.items() if other in locked and other != name}
    free = {other: share for other, share in shares.items() if other != name and other not in fixed}
    most = max(0.0, round(1 - sum(fixed.values()), _DIGITS))
    value = min(max(wanted, 0.0), most) if free else most
    values = {name: value, **fixed, **_divided(free, max(0.0, 1 - value - sum(fixed.values())))}
    return MovedShares({other: values[other] for other in shares}, None if abs(value - wanted) < 1e-9 else value)


def _divided(shares: Mapping[str, float], room: float) -> dict[str, float]:
    """Divide the room in proportion, evenly if all are 0; in round numbers, of which the last takes the remainder."""
    total, left, divided = sum(shares.values()), room, {}
    for number, (name, share) in enumerate(shares.items(), start=1):
        part = room * share / total if total else room / len(shares)
        divided[name] = round(left, _DIGITS) if number == len(shares) else floor(part * _PLAIN + 1e-6) / _PLAIN
        left = max(0.0, left - divided[name])
    return divided


def sum_text(shares: Collection[float], then: str = "") -> str:
    """Report a sum of shares other than 1, and `then`: `95 % given out, 100 % here`; else ""."""
    total = round(sum(shares), 6)
    given = f"{round(100 * total, 1):g} % given out"
    return ", ".join(filter(None, (given, then))) if shares and total != 1 else ""


def share_for_tokens(tokens: int, available: int) -> float:
    """Return the shortest share of the available tokens whose floor is exactly this many; available is above 0."""
    if tokens >= available:
        return 1.0
    middle = (tokens + 0.5) / available
    for digits in range(3, _FINEST):
        share = round(middle, digits)
        if floor(available * share) == tokens:
            return share
    return middle
