"""Pages that load nothing and open from a file: what they are made of. What they say is not known here."""
