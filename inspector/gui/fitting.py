"""Windows of little height: values without Qt."""


def is_low(height: int, line: int) -> bool:
    """Return whether a window of this height, with lines of this height, has no room for tables above each other."""
    return height < 400 + 16 * line


def is_flat(height: int, line: int) -> bool:
    """Return whether a window is too low for rows below captions in large type and a bar with its legend."""
    return height < 180 + 18 * line
