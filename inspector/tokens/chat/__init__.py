"""Chat formats: templates, their sandbox, and the origin of each piece of a rendered prompt."""
