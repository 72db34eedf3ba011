"""A recommendation as a JSON value."""

from collections.abc import Sequence
from typing import Any

from inspector.analysis.recommend.advice import Recommendation, WindowAdvice
from inspector.analysis.recommend.by_policy import PolicyAdvice
from inspector.analysis.recommend.learning import enough
from inspector.analysis.recommend.measured import BlockGain, Setting
from inspector.analysis.recommend.rendered import Rendered
from inspector.assembly.scenario import scenario_value
from inspector.assembly.scenario_values import KindFor

RECOMMENDATION_FORMAT = "prompt-inspector/recommendation@1"
_SHARE_DIGITS, _POINT_DIGITS, _TOKEN_DIGITS, _DOLLAR_DIGITS = 6, 3, 1, 9


def recommendation_value(found: Recommendation, kind_for: KindFor) -> dict[str, Any]:
    """Return a recommendation as `prompt-inspector recommend --format json` prints it. Shares are 0-1, gains are
    points. `kind_for` returns the class whose parameters a scenario names.
    """
    return {
        "format": RECOMMENDATION_FORMAT,
        "reply": found.terms.reply,
        "margin": _share(found.margin),
        "probes": {
            "used": found.probes,
            "enough": enough(found.learning),
            "skipped": [{"id": one.id, "reason": one.reason} for one in found.skipped],
        },
        "notes": list(found.notes),
        "learning": [{"probes": each.probes, "recall": _share(each.recall)} for each in found.learning],
        "windows": [_window_value(advice, kind_for) for advice in found.windows],
    }


def _window_value(advice: WindowAdvice, kind_for: KindFor) -> dict[str, Any]:
    return {
        "context_window": advice.context_window,
        "verdict": "change" if advice.changes else "keep",
        "current": _setting_value(advice.current, kind_for),
        "best": _setting_value(advice.best, kind_for),
        "gain": _points_value(advice.gain),
        "interval": _interval_value(advice.interval),
        "needed_to_decide": advice.needed,
        "baseline": None if advice.baseline is None else _setting_value(advice.baseline, kind_for),
        "gain_over_baseline": _points_value(advice.gain_over_baseline),
        "gain_over_baseline_interval": _interval_value(advice.over_interval),
        "policies": [_policy_value(each, kind_for) for each in advice.policies],
        "front": [_setting_value(point, kind_for) for point in advice.front],
        "per_conversation": _gain_values(advice.gains, kind_for),
        "held_out_fits": None if advice.held_out_fits is None else _share(advice.held_out_fits),
        "margin": _share(advice.margin),
        "margin_cost": round(advice.margin_cost, _POINT_DIGITS),
        "binds": list(advice.binds),
        "ceiling": None if advice.ceiling is None else _share(advice.ceiling.found),
        "ceiling_way": None if advice.ceiling is None else advice.ceiling.way,
        "newest_alone": None if advice.ceiling is None else _share(advice.ceiling.newest),
        "rendered": None if advice.rendered is None else _rendered_value(advice.rendered),
        "rendered_now": None if advice.rendered_now is None else _rendered_value(advice.rendered_now),
    }


def _rendered_value(prompts: Rendered) -> dict[str, Any]:
    return {
        "prompts": prompts.prompts,
        "tokens": round(prompts.tokens, _TOKEN_DIGITS),
        "planned": round(prompts.planned, _TOKEN_DIGITS),
        "largest": prompts.largest,
        "retrieved": round(prompts.retrieved, _TOKEN_DIGITS),
        "over": prompts.over,
    }


def _policy_value(advice: PolicyAdvice, kind_for: KindFor) -> dict[str, Any]:
    return {
        "policy": advice.policy,
        "is_current": advice.is_current,
        **_setting_value(advice.setting, kind_for),
        "recall_interval": None if advice.recall is None else [_share(end) for end in advice.recall],
        "gain": _points_value(advice.gain),
        "interval": _interval_value(advice.interval),
        "held_on": advice.better,
        "left_out": len(advice.gains),
    }


def _points_value(points: float | None) -> float | None:
    return None if points is None else round(points, _POINT_DIGITS)


def _interval_value(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else [round(end, _POINT_DIGITS) for end in interval]


def _gain_values(gains: Sequence[BlockGain], kind_for: KindFor) -> list[dict[str, Any]]:
    return [
        {
            "conversation": each.name,
            "gain": round(each.gain, _POINT_DIGITS),
            "probes": each.probes,
            "fits": _share(each.fits),
            "chosen": scenario_value(each.chosen, kind_for(each.chosen)),
        }
        for each in gains
    ]


def _setting_value(setting: Setting, kind_for: KindFor) -> dict[str, Any]:
    return {
        "scenario": scenario_value(setting.scenario, kind_for(setting.scenario)),
        "recall": _share(setting.recall),
        "recall_with_memories": _share(setting.recall_with_memories),
        "fits": _share(setting.fits),
        "tokens": None if setting.tokens is None else round(setting.tokens, _TOKEN_DIGITS),
        "cost": None if setting.cost is None else round(setting.cost, _DOLLAR_DIGITS),
        "cost_cached": None if setting.cost_cached is None else round(setting.cost_cached, _DOLLAR_DIGITS),
    }


def _share(share: float) -> float:
    return round(share, _SHARE_DIGITS)
