"""Verifies the JWT with which toolgate says for whom it calls (auth_strategy member_jwt). Needs the package cryptography.

    claims = verify_member_jwt(request.headers["Authorization"], ISSUER, AUDIENCE, keys)

`keys` is the list `keys` of {issuer}/jwks.json. Keep it, and fetch it again when a kid is not in it.
"""

import base64
import json
import time

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicNumbers
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

SKEW_SECONDS = 5


class InvalidToken(Exception):
    """Answer 401."""


def verify_member_jwt(authorization, issuer, audience, keys, now=None):
    now = time.time() if now is None else now
    token = authorization[7:] if authorization[:7].lower() == "bearer " else authorization
    parts = token.split(".")
    if len(parts) != 3:
        raise InvalidToken("not a JWT")
    header, claims, signature = _json(parts[0]), _json(parts[1]), _bytes(parts[2])
    # The algorithm is ours, whatever the token says.
    if header.get("alg") != "ES256" or len(signature) != 64:
        raise InvalidToken("not signed with ES256")
    key = next((each for each in keys if each.get("kid") == header.get("kid")), None)
    if key is None or key.get("crv") != "P-256":
        raise InvalidToken("unknown key")
    numbers = EllipticCurvePublicNumbers(_number(key["x"]), _number(key["y"]), SECP256R1())
    der = encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    try:
        numbers.public_key().verify(der, f"{parts[0]}.{parts[1]}".encode(), ECDSA(SHA256()))
    except InvalidSignature:
        raise InvalidToken("the signature is not valid") from None
    if claims.get("iss") != issuer or claims.get("aud") != audience:
        raise InvalidToken("for another issuer or audience")
    if not claims.get("iat", now + 60) - SKEW_SECONDS <= now < claims.get("exp", 0) + SKEW_SECONDS:
        raise InvalidToken("not valid now")
    return claims


def _bytes(part):
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except ValueError:
        raise InvalidToken("not a JWT") from None


def _json(part):
    try:
        value = json.loads(_bytes(part))
    except ValueError:
        raise InvalidToken("not a JWT") from None
    if not isinstance(value, dict):
        raise InvalidToken("not a JWT")
    return value


def _number(part):
    return int.from_bytes(_bytes(part), "big")
