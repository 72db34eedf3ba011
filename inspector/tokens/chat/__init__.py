"""Chat formats: templates, the sandbox they run in, and whose each piece of a rendered prompt is."""
