"""The documentation site: hand-written pages in `pages`, reference pages from declarations, one build."""
