// The errors of assertion keys.

import type { ErrorRow, ReasonRow } from '../error-row.ts';

export const assertionKeysErrors = {
  invalidPublicKey: {
    status: 400,
    code: 'INVALID_PUBLIC_KEY',
    message: 'Invalid public key format',
    cause: 'The text is not a single PEM public key (SubjectPublicKeyInfo) that matches the algorithm.',
    remedy: 'Send one PEM block that begins with -----BEGIN PUBLIC KEY-----.',
    step: 'body',
  },
  unsupportedAlgorithm: {
    status: 400,
    code: 'UNSUPPORTED_ALGORITHM',
    message: 'Unsupported algorithm',
    cause: 'The algorithm is not one of ES256, ES384, Ed25519 and RS256.',
    remedy: 'Set algorithm to ES256, ES384, Ed25519 or RS256.',
    step: 'body',
  },
  kidTaken: {
    status: 409,
    code: 'KID_ALREADY_EXISTS',
    message: 'kid already exists for this project',
    cause: 'An active assertion key in this project has the same kid.',
    remedy: 'Choose another kid, or deactivate the key that uses this one.',
    step: 'answer',
  },
} as const satisfies Record<string, ErrorRow>;

export const assertionKeysReasons = {
  private_key: {
    cause: 'The text is a private key. It was not stored.',
    remedy:
      'Send the public key only (openssl pkey -in private.pem -pubout), and replace this private key if others saw it.',
  },
  certificate: {
    cause: 'The text is a certificate, not a public key.',
    remedy: "Send the certificate's public key: openssl x509 -in certificate.pem -pubkey -noout.",
  },
  ssh_public_key: {
    cause: 'The text is a public key in OpenSSH format.',
    remedy: 'Convert the SSH key to PEM: ssh-keygen -e -m PKCS8 -f key.pub.',
  },
  pkcs1_public_key: {
    cause: 'The text is an RSA key in PKCS#1, which begins with BEGIN RSA PUBLIC KEY.',
    remedy: 'Convert the PKCS#1 key: openssl rsa -RSAPublicKey_in -in key.pem -pubout.',
  },
  json_web_key: {
    cause: 'The text is a JSON Web Key.',
    remedy: 'Send the key as PEM (SubjectPublicKeyInfo), not as a JWK.',
  },
  escaped_line_breaks: {
    cause: 'The text contains the two characters \\n instead of line breaks.',
    remedy: 'Replace each backslash followed by n with a line break: the text was escaped twice.',
  },
  one_line: {
    cause: 'The PEM has no line breaks.',
    remedy: 'Put a line break after -----BEGIN PUBLIC KEY----- and before -----END PUBLIC KEY-----.',
  },
  not_pem: {
    cause: 'The text contains no PEM block.',
    remedy: 'Send a PEM that begins with -----BEGIN PUBLIC KEY-----.',
  },
  several_keys: {
    cause: 'The text contains more than one PEM block.',
    remedy: 'Send one key per request.',
  },
  damaged_pem: {
    cause: 'The PEM cannot be decoded: it was cut off or contains other text.',
    remedy: 'Send the whole PEM file unchanged, with nothing before or after it.',
  },
  pem_too_long: {
    cause: 'The text is longer than any supported key.',
    remedy: 'Send one public key as PEM of at most 4,096 characters.',
  },
  algorithm_mismatch: {
    cause: 'The key belongs to another algorithm than the one that was sent.',
    remedy: 'Register the key with the algorithm it was generated for.',
  },
  unsupported_curve: {
    cause: 'The key is on another curve, or is not encoded with a named curve and an uncompressed point.',
    remedy: 'Send a key on the named curve P-256 (ES256) or P-384 (ES384), with an uncompressed point.',
  },
  unsupported_key: {
    cause: 'No supported algorithm uses this kind of key.',
    remedy: 'Send a key that matches the algorithm.',
  },
  rsa_too_short: {
    cause: 'The RSA key has fewer than 2,048 bits.',
    remedy: 'Generate an RSA key of 2,048 to 8,192 bits.',
  },
  rsa_too_long: {
    cause: 'The RSA key has more than 8,192 bits.',
    remedy: 'Generate an RSA key of 2,048 to 8,192 bits.',
  },
  unsafe_key: {
    cause: 'The key has a known weakness that lets others compute its private key.',
    remedy: 'Generate a new key pair: this key is not safe.',
  },
} as const satisfies Record<string, ReasonRow>;
