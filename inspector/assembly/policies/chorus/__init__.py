"""The behaviour of Chorus Engine's published code beyond its design document: the variants of ratio for its presets.

The policies are in `engine`; a module each has the system message, the summaries, the memories, the preparation of
messages, the selective strategy, the history, and the reasons. The parts described by the design are in `ratio` and
used from there.
"""
