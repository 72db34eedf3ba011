"""Keeping settings as snapshots, with the time."""

from datetime import datetime

from inspector.assembly.scenario import Scenario
from inspector.assembly.scenario_records import record
from inspector.assembly.snapshots import keep_snapshot
from inspector.gui.session.session import Session


def keep(session: Session, name: str, scenario: Scenario, note: str = "") -> str:
    """Keep a scenario with its present values, as one step. Returns the name, with a number if it was taken."""
    kept_at = datetime.now().isoformat(timespec="minutes")
    session.change_snapshots(keep_snapshot, name, record(session.pipeline, scenario), note, kept_at)
    return session.snapshots[-1].name
