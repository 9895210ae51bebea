// The texts of the assertion report: for each rule what it requires, what was found and how to fix it.
// They never contain the token, its signature or the value of an unknown header member.

import { fingerprintOf } from './public-key.ts';
import {
  type Assertion,
  HEADER_MEMBERS,
  MAX_ACCESS_BYTES,
  MAX_CLOCK_SKEW_SECONDS,
  MAX_TOKEN_BYTES,
  MAX_TTL_SECONDS,
  PRIMITIVES,
  type StepName,
} from './verify-assertion.ts';

/** Bounds the work for a token with a million dots. */
const MAX_PARTS_COUNTED = 100;

type Advice = {
  requires: string;
  found: (assertion: Assertion) => string;
  how_to_fix: (assertion: Assertion) => string;
};

export const advice: Record<StepName, Advice> = {
  shape: {
    requires: `A compact JWT: three base64url parts without padding, at most ${MAX_TOKEN_BYTES} bytes.`,
    found: ({ token }) =>
      typeof token === 'string'
        ? `${count(token.split('.', MAX_PARTS_COUNTED).length, 'part')}, ${count(Buffer.byteLength(token), 'byte')}`
        : 'not a string',
    how_to_fix: () =>
      'Send the string that your JWT library returns, unchanged: header.payload.signature, without "Bearer", quotes, padding, spaces or line breaks.',
  },
  header: {
    requires: 'A JSON object with alg, kid and optionally typ "JWT"; each once, and nothing else.',
    found: ({ header }) =>
      header
        ? `fields ${Object.keys(header).map(show).join(', ')}; typ ${show(header.typ)}`
        : 'not a strict JSON object',
    how_to_fix: ({ header }) =>
      header
        ? `Remove ${list(Object.keys(header).filter((name) => !HEADER_MEMBERS.includes(name))) || 'typ, or set it to "JWT"'}.`
        : 'Write the header as strict JSON in UTF-8, without a byte order mark and without repeated fields.',
  },
  kid: {
    requires: 'The header has a kid that identifies the assertion key: a string that is not empty.',
    found: ({ header }) => `kid ${show(header?.kid)}`,
    how_to_fix: () => 'Set the header kid to the kid of the registered public key. Most JWT libraries call it keyid.',
  },
  key: {
    requires: 'An active assertion key of this project has exactly this kid.',
    found: ({ kid, key }) => (key ? `kid ${show(kid)} is ${key.id}` : `no active key has the kid ${show(kid)}`),
    how_to_fix: ({ project_id }) =>
      `Register the public key with POST /api/v1/assertion-keys in project ${project_id}, or sign with a kid that GET /api/v1/assertion-keys lists as active. Case and spaces matter.`,
  },
  algorithm: {
    requires: 'The header alg is the algorithm the key was registered with.',
    found: ({ header, key }) => `alg ${show(header?.alg)}; the key is registered for ${key?.algorithm}`,
    how_to_fix: ({ key }) =>
      `Sign with alg ${key ? PRIMITIVES[key.algorithm].names.map(show).join(' or ') : ''}, or register a key for the other algorithm.`,
  },
  signature: {
    requires:
      'The signature is over header.payload, made with the private key that belongs to the registered public key.',
    found: ({ parts, key }) =>
      `${count(parts?.signature.length ?? 0, 'byte')}, verified with the public key ${key ? fingerprintOf(key.key) : ''}`,
    how_to_fix: (assertion) =>
      looksLikeDer(assertion)
        ? 'The signature is DER. Write ECDSA signatures as r and s, one after the other at full length (in Node: dsaEncoding "ieee-p1363").'
        : 'Compare the fingerprint with the key you sign with, and do not change the token after signing.',
  },
  claims: {
    requires: 'The payload is a JSON object: strict UTF-8, no repeated claim, at most five levels deep.',
    found: ({ claims }) => (claims ? `claims ${list(Object.keys(claims))}` : 'not a strict JSON object'),
    how_to_fix: () =>
      'Write the payload as one strict JSON object in UTF-8, without a byte order mark and without repeated claims.',
  },
  aud: {
    requires: 'The claim aud is service:project:<project id>, and nothing else.',
    found: ({ claims }) => `aud ${show(claims?.aud)}`,
    how_to_fix: ({ project_id }) =>
      `Set aud to "service:project:${project_id}", the project of the API key that sends the assertion.`,
  },
  times: {
    requires: 'The claim exp, and iat and nbf if present, are numbers: seconds since 1970.',
    found: ({ claims }) => `exp ${show(claims?.exp)}, iat ${show(claims?.iat)}, nbf ${show(claims?.nbf)}`,
    how_to_fix: () =>
      'Send exp (and iat, nbf) as JSON numbers in whole seconds since 1970, not as strings and not in milliseconds.',
  },
  exp: {
    requires: "The claim exp is in the future, according to the server's clock.",
    found: (assertion) => `exp ${fromNow(assertion.times?.exp, assertion)}`,
    how_to_fix: (assertion) => `Sign a new assertion for each exchange, immediately before it.${clockHint(assertion)}`,
  },
  ttl: {
    requires: `exp is at most ${MAX_TTL_SECONDS} seconds from now and from iat; iat and nbf are not in the future.`,
    found: ({ times, ...assertion }) =>
      (['exp', 'iat', 'nbf'] as const)
        .flatMap((name) => (typeof times?.[name] === 'number' ? [`${name} ${fromNow(times[name], assertion)}`] : []))
        .join(', '),
    how_to_fix: (assertion) =>
      `Set iat to the current time and exp to at most ${MAX_TTL_SECONDS} seconds later.${clockHint(assertion)}`,
  },
  sub: {
    requires:
      'The claim sub identifies the member: a string of 1 to 255 characters, not blank, without control characters.',
    found: ({ claims }) => `sub ${show(claims?.sub)}`,
    how_to_fix: () => 'Set sub to your own id for the user, as a string.',
  },
  jti: {
    requires: 'The claim jti, if present, is a string of 1 to 255 characters.',
    found: ({ claims }) => `jti ${show(claims?.jti)}`,
    how_to_fix: () => 'Leave jti out, or set it to a new random string in each assertion, for example a UUID.',
  },
  access: {
    requires: `claims, if present, is an object of at most ${MAX_ACCESS_BYTES} bytes with strings, numbers, booleans or lists of strings; toolsets, if present, is a list of slugs of the project's toolsets.`,
    found: ({ claims }) => `claims ${show(claims?.claims)}, toolsets ${show(claims?.toolsets)}`,
    how_to_fix: () =>
      'Put the values that your rules compare into the object claims, or list slugs from GET /api/v1/projects/{project_id}/toolsets in toolsets.',
  },
};

export const replayAdvice: Advice = {
  requires: 'The jti, if present, was not used before in this project.',
  found: ({ jti }) => `jti ${show(jti ?? undefined)}`,
  how_to_fix: () => 'Sign a new assertion with a new jti for each exchange; a retry needs a new one too.',
};

const MAX_SHOWN_LENGTH = 100;

function show(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}

function list(names: string[]): string {
  return names.map(show).join(', ').slice(0, 500);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function fromNow(time: number | undefined, { now }: Pick<Assertion, 'now'>): string {
  const seconds = Math.round((time ?? 0) - now / 1000);
  return seconds >= 0 ? `in ${count(seconds, 'second')}` : `${count(-seconds, 'second')} ago`;
}

function looksLikeDer({ parts, key }: Assertion): boolean {
  return (
    key?.algorithm.startsWith('ES') === true &&
    parts?.signature[0] === 0x30 &&
    parts.signature.length !== PRIMITIVES[key.algorithm].signature_bytes
  );
}

function clockHint({ times, now }: Assertion): string {
  const ahead = Math.round((times?.iat ?? now / 1000) - now / 1000);
  if (ahead > MAX_CLOCK_SKEW_SECONDS)
    return ` The signer's clock seems to be ${count(ahead, 'second')} ahead of the server's: synchronize it (NTP).`;
  if (ahead < -MAX_CLOCK_SKEW_SECONDS)
    return ` According to its iat, the assertion is ${count(-ahead, 'second')} old; if you signed it just now, the signer's clock may be slow: synchronize it (NTP).`;
  return '';
}
