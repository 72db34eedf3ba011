"""What the published code of Chorus Engine does beyond its design document: the variants of ratio for its presets.

The policies are in `engine`; a module each has the system message, the summaries, the memories, the messages as they
are prepared, the selective strategy, the history, and the reasons. What the design says is in `ratio` and used from
there.
"""
