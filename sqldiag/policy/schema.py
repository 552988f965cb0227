"""The JSON Schema of the policy file, for editors; docs/policy.schema.json holds it."""

from __future__ import annotations

from collections.abc import Sequence

from sqldiag.policy import keys as k
from sqldiag.policy.keys import KEYS, Key

Json = dict[str, object]

_KINDS: dict[str, Json] = {
    k.TEXT: {"type": "string"},
    k.LIST: {"type": "array", "items": {"type": "string"}},
    k.WHOLE: {"type": "integer", "minimum": 1},
    k.NUMBER: {"type": "number", "exclusiveMinimum": 0},
    k.FLAG: {"type": "boolean"},
    k.SHARE: {"oneOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "string"}]},
    k.NAMES: {"type": "object", "additionalProperties": {"type": "string"}},
}


def policy_schema() -> Json:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sqldiag policy (sqldiag.toml)",
        **_object(KEYS),
    }


def _object(keys: Sequence[Key]) -> Json:
    return {
        "type": "object",
        "properties": {key.name: _key(key) for key in keys},
        "required": [key.name for key in keys if key.required],
        "additionalProperties": False,
    }


def _key(key: Key) -> Json:
    if key.kind == k.TABLE:
        body = _object(key.keys)
    elif key.kind == k.TABLES:
        body = {"type": "array", "items": _object(key.keys)}
    else:
        body = dict(_KINDS[key.kind])
    if key.required and body["type"] == "array":
        body["minItems"] = 1
    if key.choices:
        body["enum"] = list(key.choices)
    return {"description": key.says, **body}
