"""The fill of each section on a light ground, shared by window and pages: distinguishable without red or green."""

from collections.abc import Mapping

from inspector.assembly.columns import Section

SECTION_FILLS: Mapping[Section, str] = {
    Section.SYSTEM: "#4477AA",
    Section.PROFILE: "#7798C6",
    Section.MEMORY: "#228833",
    Section.LORE: "#CCBB44",
    Section.RETRIEVED: "#CCBB44",
    Section.SUMMARIES: "#A39636",
    Section.DOCUMENTS: "#AA3377",
    Section.ATTACHMENTS: "#AA3377",
    Section.HISTORY: "#66CCEE",
    Section.CURRENT: "#117788",
}
OVERHEAD_FILL, RESERVE_FILL, FREE_FILL, OVER_FILL = "#999999", "#7A828C", "#FFFFFF", "#EE6677"
