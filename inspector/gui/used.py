"""Recent choices, such as commands of the palette and models: by key, newest first."""

from inspector.gui.window_state import WindowState


class LatelyUsed:
    """Keys such as `action:open` or `model:gpt-4o`. Without a state they are known until the window closes."""

    def __init__(self, state: WindowState | None) -> None:
        self._state = state
        self._keys: list[str] = list(state.used) if state else []

    @property
    def keys(self) -> list[str]:
        """The keys, newest first."""
        return self._keys

    def add(self, key: str) -> None:
        """Record a choice."""
        if self._keys[:1] != [key]:
            self._keys = [key, *(other for other in self._keys if other != key)]
            if self._state is not None:
                self._state.add_used(key)
