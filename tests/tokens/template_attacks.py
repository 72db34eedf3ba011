"""Templates that want all the time or all the memory, by what they do. None of them may come to an end."""

MANY = "{% set many = range(99999) | list %}"
_DOUBLING = (
    "{{% set it = namespace(x={start}) %}}{{% for _ in range(60) %}}{{% set it.x = {more} %}}{{% endfor %}}"
    "{{{{ it.x | {end} }}}}"
)


def _doubled(start: str, more: str, end: str = "length") -> str:
    return _DOUBLING.format(start=start, more=more, end=end)


def _again(expression: str) -> str:
    return f"{MANY}{{% for _ in many %}}{{{{ {expression} }}}}{{% endfor %}}"


ENDLESS = f"{MANY}{{% for a in many %}}{{% for b in many %}}{{% endfor %}}{{% endfor %}}"

ATTACKS = {
    "nested loops over a variable": ENDLESS,
    "nested loops that write": ENDLESS.replace("{% endfor %}{% endfor %}", "x{% endfor %}{% endfor %}"),
    "a text doubled by ~": _doubled("'ab'", "it.x ~ it.x"),
    "a text doubled by +": _doubled("'ab'", "it.x + it.x"),
    "a list doubled by +": _doubled("[1]", "it.x + it.x"),
    "a text doubled by join": _doubled("'ab'", "[it.x, it.x] | join"),
    "a text doubled by replace": _doubled("'a'", "it.x | replace('a', 'aa')"),
    "a text doubled by format": _doubled("'ab'", "'%s%s' | format(it.x, it.x)"),
    "lists within lists as JSON": _doubled("[1]", "[it.x, it.x]", "tojson"),
    "lists within lists as text": _doubled("[1]", "[it.x, it.x]", "string"),
    "a number doubled by +": f"{MANY}{{% set it = namespace(x=1) %}}{{% for a in many %}}{{% for b in many %}}"
    "{% set it.x = it.x + it.x %}{% endfor %}{% endfor %}",
    "center": "{{ 'x'.center(4000000000) }}",
    "the filter center": "{{ 'x' | center(4000000000) }}",
    "ljust": "{{ 'x'.ljust(4000000000) }}",
    "zfill": "{{ 'x'.zfill(4000000000) }}",
    "expandtabs": "{{ '\\t'.expandtabs(2000000000) }}",
    "a format with a width": "{{ '{:4000000000}'.format(1) }}",
    "a format with the width of a value": "{{ '{0:>{1}}'.format('x', 4000000000) }}",
    "a percent with a width": "{{ '%4000000000d' % 1 }}",
    "a percent with the width of a value": "{{ '%*d' % (2000000000, 1) }}",
    "the filter format": "{{ '%2000000000s' | format('x') }}",
    "indent": "{{ ('x\\n' * 99999) | indent(99999) }}",
    "wordwrap": "{{ ('x' * 999999) | wordwrap(1, wrapstring='y' * 99999) }}",
    "tojson": f"{MANY}{{{{ many | tojson(indent=99999) }}}}",
    "slice": "{{ range(9) | slice(4000000000) | list }}",
    "batch": "{{ range(9) | batch(4000000000, 'x') | list }}",
    "sort": _again("((many * 10) | sort(reverse=true))[0]"),
    "unique": _again("many | unique | list | length"),
    "groupby": _again("many | groupby('real') | length"),
    "sum": _again("([[1] * 999] * 999) | sum(start=[]) | length"),
    "urlize": _again("('http://' * 9999) | urlize | length"),
    "striptags": _again("('<' * 99999) | striptags | length"),
    "a date": _again("strftime_now('%A' * 499999) | length"),
    "join": "{{ range(99999) | join('x' * 99999) }}",
    "the method join": "{{ ('x' * 99999).join('y' * 99999) }}",
    "replace": "{% set x = 'a' * 99999 %}{{ x | replace('a', x) }}",
    "map": "{{ range(99999) | map('string') | map('center', 99999) | list }}",
    "lipsum": "{{ lipsum(n=99999) }}",
    "a macro without an end": "{% macro again(x) %}{{ again(x) }}{% endmacro %}{{ again(1) }}",
    "a loop within itself": "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}",
    "parentheses": "{{ " + "(" * 100_000 + "1" + ")" * 100_000 + " }}",
    "conditions": "{% if 1 %}" * 40_000 + "{% endif %}" * 40_000,
    "a long sum": "{{ " + "1+" * 200_000 + "1 }}",
    "much text": "x" * 10_000_000,
}
