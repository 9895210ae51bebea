"""Verifies requests and webhooks of toolgate. Standard library only; Python 3.8 or later.

Flask, behind gunicorn:

    @app.post("/v1/orders")
    def orders():
        try:
            context = verify_tool_request(SECRET, request.method, request.environ["RAW_URI"], request.headers, request.get_data())
        except SignatureError:
            return "", 401
        return orders_of(context.member_id)
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, List, Mapping, NamedTuple, Optional, Sequence, Union
from urllib.parse import unquote

Secrets = Union[str, Sequence[str]]


class SignatureError(Exception):
    """Answer 401. `reason` is missing_header, malformed, expired or mismatch."""

    def __init__(self, reason: str, message: str, canonical_string: Optional[str] = None):
        super().__init__(message)
        self.reason = reason
        self.canonical_string = canonical_string


class ToolRequestContext(NamedTuple):
    project_id: str
    integration_id: Optional[str]
    member_id: Optional[str]
    request_id: str


def verify_tool_request(
    secret: Secrets,
    method: str,
    target: str,
    headers: Mapping[str, str],
    body: bytes,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> ToolRequestContext:
    """Returns on whose behalf toolgate calls, or raises SignatureError.

    `target` is path and query exactly as received (RAW_URI of gunicorn, REQUEST_URI of uWSGI), `body` the raw bytes.
    """
    given = _lower_case(headers)
    timestamp = _required(given, "x-toolgate-timestamp")
    request_id = _required(given, "x-toolgate-request-id")
    project_id = _required(given, "x-toolgate-project-id")
    entries = [entry.strip() for entry in _required(given, "x-toolgate-signature").split(",")]
    signatures = [entry for entry in entries if re.fullmatch(r"v1=[0-9a-f]{64}", entry)]
    if not signatures:
        raise SignatureError("malformed", "x-toolgate-signature has no entry v1=<64 hex digits>")
    seconds = _time(timestamp)
    integration_id = given.get("x-toolgate-integration-id") or None
    member_id = given.get("x-toolgate-member-id") or None
    path, _, query = target.partition("?")
    lines = [
        "v1",
        timestamp,
        request_id,
        method.upper(),
        _required(given, "host"),
        path,
        query,
        hashlib.sha256(body).hexdigest(),
        project_id,
        integration_id or "",
        member_id or "",
    ]
    if any("\n" in line for line in lines):
        raise SignatureError("malformed", "a signed value contains a line break")
    canonical = "\n".join(lines)
    expected = ["v1=" + hmac.new(key.encode(), canonical.encode(), hashlib.sha256).hexdigest() for key in _secrets(secret)]
    if not _any_equal(signatures, expected):
        raise SignatureError("mismatch", "another secret, or the request was changed on its way", canonical)
    _refuse_expired(seconds, tolerance_seconds, now)
    return ToolRequestContext(project_id, integration_id, unquote(member_id) if member_id else None, request_id)


def verify_webhook(
    secret: Secrets,
    headers: Mapping[str, str],
    body: bytes,
    tolerance_seconds: int = 300,
    now: Optional[float] = None,
) -> Any:
    """Returns the event, or raises SignatureError. Verifies the headers of Standard Webhooks."""
    given = _lower_case(headers)
    entries = _required(given, "webhook-signature").split(" ")
    event_id = _required(given, "webhook-id")
    timestamp = _required(given, "webhook-timestamp")
    signatures = [entry for entry in entries if re.fullmatch(r"v1,[A-Za-z0-9+/=]+", entry)]
    if not signatures:
        raise SignatureError("malformed", "webhook-signature has no entry v1,<base64>")
    seconds = _time(timestamp)
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = []
    for key in _secrets(secret):
        digest = hmac.new(_webhook_key(key), signed, hashlib.sha256).digest()
        expected.append("v1," + base64.b64encode(digest).decode())
    if not _any_equal(signatures, expected):
        raise SignatureError("mismatch", "another secret, or the body was changed on its way")
    _refuse_expired(seconds, tolerance_seconds, now)
    return json.loads(body)


def _lower_case(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _required(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise SignatureError("missing_header", f"the header {name} is missing")
    return value


def _secrets(secret: Secrets) -> List[str]:
    secrets = [secret] if isinstance(secret, str) else list(secret)
    # An empty secret would accept what anybody can sign.
    if not secrets or not all(secrets):
        raise ValueError("secret must not be empty")
    return secrets


def _webhook_key(secret: str) -> bytes:
    text = secret[len("whsec_"):] if secret.startswith("whsec_") else secret
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("secret must be the text whsec_... of the webhook") from None


def _time(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise SignatureError("malformed", "the timestamp is not a Unix time")
    return int(text)


def _refuse_expired(seconds: int, tolerance_seconds: int, now: Optional[float]) -> None:
    current = int(time.time() if now is None else now)
    if abs(current - seconds) > tolerance_seconds:
        raise SignatureError("expired", f"signed {current - seconds} s ago")


def _any_equal(given: Sequence[str], expected: Sequence[str]) -> bool:
    return any(hmac.compare_digest(a.encode(), b.encode()) for a in given for b in expected)
