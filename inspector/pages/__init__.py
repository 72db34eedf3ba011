"""Everything written for users or other systems: pages of HTML, reports, exports, requests, snippets and commands."""
