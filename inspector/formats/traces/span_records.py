"""The spans, and the records of logs, in the files that collectors, exporters and viewers write.

OTLP (open-telemetry/opentelemetry-proto, `trace.proto` and `logs.proto`: `resourceSpans`, `resourceLogs`; `batches` in
Grafana Tempo), spans as exporters of the SDKs print them, rows of Phoenix, Jaeger's traces (jaegertracing/jaeger,
`model/json/model.go`), and lines of VS Code's agents (microsoft/vscode-copilot-chat,
`src/platform/otel/node/fileExporters.ts`: spans, records of logs, and metrics in one file).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from inspector.formats.traces.attributes import pairs, plain_value
from inspector.reading.values import as_number, as_text, items_of, mapping, objects, parse_time

_PREFIX = "attributes."
_BEGINNINGS = ("llm", "gen_ai", "openinference")
_OTHERS = ("ai.prompt", "ai.response", "gcp.vertex.agent.llm_request", "mlflow.spanInputs", "pydantic_ai.all_messages")
_LISTS = ("data", "spans")
_TIMES = ("startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano", "timeUnixNano", "hrTime")
_RESOURCES = {
    "resourceSpans": (("scopeSpans", "instrumentationLibrarySpans"), ("spans",)),
    "batches": (("scopeSpans", "instrumentationLibrarySpans"), ("spans",)),
    "resourceLogs": (("scopeLogs", "instrumentationLibraryLogs"), ("logRecords", "logs")),
}
_SILENT = ("resourceMetrics", "scopeMetrics")
_EVENT = "gen_ai."


@dataclass(frozen=True, slots=True)
class Span:
    """A span, or a record of a log, with its place."""

    place: str
    fields: Mapping[str, Any]

    @property
    def attributes(self) -> Any:
        """The attributes: an object, or OTLP's list of pairs."""
        if "attributes" in self.fields:
            return self.fields["attributes"]
        return {name[len(_PREFIX) :]: value for name, value in self.fields.items() if name.startswith(_PREFIX)}

    @property
    def calls_a_model(self) -> bool:
        """Whether any of its attributes or events describes a model call."""
        names = [name for name, _ in pairs(self.attributes)]
        if any(name.partition(".")[0] in _BEGINNINGS or name.startswith(_OTHERS) for name in names):
            return True
        return any(self.name_of(event).startswith(_EVENT) for event in (self.fields, *self.events))

    @property
    def events(self) -> tuple[Mapping[str, Any], ...]:
        """The events of the span, in order."""
        return objects(self.fields.get("events"))

    @staticmethod
    def name_of(event: Mapping[str, Any]) -> str:
        """Return the name of an event or a record of a log: its own, or an attribute."""
        named = event.get("eventName") or event.get("event_name")
        name = named or (event.get("name") if "body" not in event else None)
        if not isinstance(name, str):
            name = next((value for key, value in pairs(event.get("attributes")) if key == "event.name"), "")
        return name if isinstance(name, str) else ""

    @property
    def began(self) -> float:
        """The time at which it began, for comparing."""
        found = next((self.fields[key] for key in _TIMES if key in self.fields), None)
        if isinstance(found, list) and len(found) == 2:  # as the SDK for JavaScript has it: seconds, nanoseconds
            seconds, nanoseconds = (as_number(one) or 0.0 for one in found)
            return seconds + nanoseconds / 1e9
        if (number := as_number(found)) is not None:
            return number
        time = parse_time(found)
        return time.timestamp() if time else 0.0

    @property
    def id(self) -> str:
        """The id of the span; of a record of a log, that of the span it belongs to."""
        held = (mapping(self.fields.get(key)) for key in ("context", "spanContext"))
        names = [self.fields.get(key) for key in ("spanId", "span_id", "spanID", "context.span_id")]
        names += (one.get(key) for one in held for key in ("span_id", "spanId"))
        return next((as_text(name) for name in names if isinstance(name, str) and name), "")

    @property
    def is_log(self) -> bool:
        """Whether it is a record of a log."""
        return "body" in self.fields or "logRecords" in self.place

    @property
    def body(self) -> Any:
        """The body of a record of a log, as a plain value."""
        body = self.fields.get("body")
        plain = plain_value(body)
        return body if plain is None else plain


def spans_of(value: Any, place: str) -> Iterator[Span]:
    """Yield the spans of a value: it is a span, holds a list of them, or is OTLP with its resources and scopes."""
    fields = mapping(value)
    key = next((key for key in _RESOURCES if isinstance(fields.get(key), list)), "")
    if key:
        yield from _of_resources(fields, key, place)
    elif isinstance(fields.get("trace"), Mapping) and fields["trace"].keys() & _RESOURCES.keys():
        yield from spans_of(fields["trace"], f"{place}.trace")
    elif "attributes" in fields or any(isinstance(name, str) and name.startswith(_PREFIX) for name in fields):
        yield Span(place, fields)
    elif "operationName" in fields and "spanID" in fields:
        yield Span(place, _of_jaeger(fields))
    else:
        key = next((key for key in _LISTS if isinstance(fields.get(key), list)), "")
        for number, item in enumerate(items_of(fields.get(key))):
            if mapping(item).keys() & {"attributes", "operationName"}:
                yield from spans_of(item, f"{place}.{key}[{number}]")
            elif isinstance(mapping(item).get("spans"), list):
                yield from spans_of({"spans": item["spans"]}, f"{place}.{key}[{number}]")


def is_silent(value: Any) -> bool:
    """Return whether a value holds metrics only, which say nothing of messages."""
    return bool(mapping(value).keys() & set(_SILENT))


def _of_resources(fields: Mapping[str, Any], key: str, place: str) -> Iterator[Span]:
    scope_keys, record_keys = _RESOURCES[key]
    for number, resource in enumerate(items_of(fields[key])):
        scopes = mapping(resource)
        scope_key = next((one for one in scope_keys if one in scopes), scope_keys[0])
        for index, scope in enumerate(items_of(scopes.get(scope_key))):
            held = mapping(scope)
            record_key = next((one for one in record_keys if one in held), record_keys[0])
            at = f"{place}.{key}[{number}].{scope_key}[{index}].{record_key}"
            records = enumerate(items_of(held.get(record_key)))
            yield from (Span(f"{at}[{place_}]", span) for place_, span in records if isinstance(span, Mapping))


def _of_jaeger(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a span of Jaeger under the names of OTLP."""
    logs = (_tags(log.get("fields")) for log in objects(fields.get("logs")))
    return {
        "name": fields["operationName"],
        "spanId": fields["spanID"],
        "startTime": fields.get("startTime"),
        "attributes": _tags(fields.get("tags")),
        "events": [{"name": held.get("event", held.get("name")), "attributes": held} for held in logs],
    }


def _tags(value: Any) -> dict[str, Any]:
    return {as_text(tag.get("key")): tag.get("value") for tag in objects(value)}
