"""Messages and runs recorded by frameworks and tracers."""
