"""Runs toolgate_verify.py against vectors/: python3 check_vectors.py"""

import base64
import json
import pathlib
import sys

from toolgate_verify import SignatureError, verify_tool_request, verify_webhook

vectors = pathlib.Path(__file__).resolve().parents[2] / "vectors"
REASONS = {"missing": ("missing_header", "malformed"), "window": ("expired",), "different": ("mismatch",)}
wrong = []
checked = 0

document = json.loads((vectors / "tool-signature.json").read_text("utf-8"))
for vector in document["accepted"] + document["refused"]:
    checked += 1
    request = vector["request"]
    target = request["path"] + ("?" + request["query"] if request["query"] else "")
    body = base64.b64decode(request["body_base64"]) if "body_base64" in request else request.get("body", "").encode()
    headers = {"Host": request["host"], **request["headers"]}
    reason = None
    try:
        context = verify_tool_request(vector["secret"], request["method"], target, headers, body, now=document["now"])
        if context.request_id != headers["x-toolgate-request-id"]:
            wrong.append(f"{vector['name']}: request id {context.request_id}")
    except SignatureError as error:
        reason = error.reason
    allowed = REASONS[vector["reason"]] if "reason" in vector else (None,)
    if reason not in allowed:
        wrong.append(f"tool request, {vector['name']}: {reason}")

for vector in json.loads((vectors / "webhook-signature.json").read_text("utf-8"))["cases"]:
    body = vector["body"].encode()
    for secret in filter(None, [vector["secret"], vector["previous_secret"]]):
        checked += 1
        try:
            event = verify_webhook(secret, vector["headers"], body, now=vector["timestamp"] + 5)
            if event != json.loads(body):
                wrong.append(f"webhook, {vector['name']}: another event")
        except SignatureError as error:
            wrong.append(f"webhook, {vector['name']}: {error.reason}")
        for reason, now, changed in (("expired", vector["timestamp"] + 301, body), ("mismatch", vector["timestamp"], body + b" ")):
            checked += 1
            try:
                verify_webhook(secret, vector["headers"], changed, now=now)
                wrong.append(f"webhook, {vector['name']}: accepted, not {reason}")
            except SignatureError as error:
                if error.reason != reason:
                    wrong.append(f"webhook, {vector['name']}: {error.reason}, not {reason}")

print(f"{checked} checked", *wrong, sep="\n")
sys.exit(1 if wrong or checked < 30 else 0)
