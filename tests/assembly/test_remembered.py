from inspector.assembly.remembered import NOTHING, last_preset, remember
from inspector.assembly.scenario import Scenario


def test_each_preset_of_each_policy_has_its_own_values() -> None:
    found = NOTHING
    for scenario in (
        Scenario(parameters={"min_exchanges": 5}),
        Scenario(preset="long-chat", parameters={"min_exchanges": 7}),
        Scenario(policy="reserve", parameters={"share": 0.4}),
    ):
        found = remember(found, scenario)
    assert found == {
        "ratio": {"document": {"min_exchanges": 5}, "long-chat": {"min_exchanges": 7}},
        "reserve": {"document": {"share": 0.4}},
    }
    assert NOTHING == {}


def test_the_last_preset_is_the_one_that_was_used_last() -> None:
    found = NOTHING
    for preset in ("long-chat", "document", "long-chat"):
        found = remember(found, Scenario(preset=preset))
    assert last_preset(found, "ratio") == "long-chat"
    assert last_preset(remember(found, Scenario()), "ratio") == "document"
    assert last_preset(found, "naive") is None


def test_no_parameters_are_remembered_as_none() -> None:
    tuned = remember(NOTHING, Scenario(parameters={"min_exchanges": 5}))
    assert remember(tuned, Scenario()) == {"ratio": {"document": {}}}
