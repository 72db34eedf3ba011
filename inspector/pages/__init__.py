"""The parts of pages that load nothing and open from a file. Independent of their contents."""
