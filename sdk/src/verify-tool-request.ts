// Verifies that a request to the customer's API comes from toolgate (auth_strategy hmac_signature). docs/signatures.md
// describes the signed text, and vectors/tool-signature.json has examples.

import { bodyBytes, fromHex, type RawBody, toHex, utf8 } from './encoding.ts';
import { headerReader, type ReceivedHeaders } from './headers.ts';
import { isSigned, parseTime, readSecrets, refuseExpired, required } from './hmac.ts';
import { type FirstDifference, SignatureError } from './signature-error.ts';

export type ToolRequest = {
  /** The tool's secret. During a rotation, pass both: one match is enough. */
  secret: string | readonly string[];
  method: string;
  /** Path and query as received (`request.url` in Node), or the whole URL. */
  url: string;
  headers: ReceivedHeaders;
  /** The raw body, before any parsing. */
  body?: RawBody;
  /** How far the clocks may differ, in seconds; default: 300. */
  toleranceSeconds?: number | undefined;
  /** A canonical string from `verify-signature`. The error then has the first line that differs. */
  expected?: string | undefined;
};

/** Who toolgate calls your API for. */
export type ToolRequestContext = {
  projectId: string;
  integrationId: string | null;
  /** Your own id for the user; null if the call is not for a member. */
  memberId: string | null;
  /** Id of the call. If repeating the call would do harm, refuse ids that you have already seen. */
  requestId: string;
};

/** Resolves with the verified context of the call, or rejects with a {@link SignatureError}. */
export async function verifyToolRequest(request: ToolRequest): Promise<ToolRequestContext> {
  const keys = readSecrets(request.secret).map(utf8);
  const header = headerReader(request.headers);
  const time = required(header, 'x-toolgate-timestamp');
  const requestId = required(header, 'x-toolgate-request-id');
  const projectId = required(header, 'x-toolgate-project-id');
  const signatures = parseSignatures(required(header, 'x-toolgate-signature'));
  const seconds = parseTime(time);
  const integrationId = header('x-toolgate-integration-id');
  const member = header('x-toolgate-member-id');
  const { host, path, query } = splitUrl(request.url);
  const body = await crypto.subtle.digest('SHA-256', bodyBytes(request.body));
  const lines = [
    'v1',
    time,
    requestId,
    request.method.toUpperCase(),
    // HTTP/2 has :authority instead of Host.
    header('host') ?? header(':authority') ?? host ?? required(header, 'host'),
    path,
    query,
    toHex(new Uint8Array(body)),
    projectId,
    integrationId ?? '',
    member ?? '',
  ];
  // A line break in a value would move the lines behind it.
  if (lines.some((line) => line.includes('\n')))
    throw new SignatureError({ reason: 'malformed', message: 'A signed value contains a line break' });
  const canonicalString = lines.join('\n');
  if (!(await isSigned(keys, signatures, utf8(canonicalString)))) throw mismatch(canonicalString, request.expected);
  refuseExpired(seconds, request.toleranceSeconds);
  return { projectId, integrationId, memberId: member === null ? null : decodeMember(member), requestId };
}

const lineNames = [
  'version',
  'timestamp',
  'request id',
  'method',
  'host',
  'path',
  'query',
  'SHA-256 of the body',
  'project id',
  'integration id',
  'member id',
];

/** Not `new URL`: it would change characters of the path and the query. */
function splitUrl(url: string): { host: string | null; path: string; query: string } {
  const [, authority, target = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*))?([^#]*)/i.exec(url) ?? [];
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { host: authority || null, path: path || '/', query: at < 0 ? '' : target.slice(at + 1) };
}

/** Entries of other schemes are left out: a later version may add one. */
function parseSignatures(value: string) {
  const entries = value.split(',').map((entry) => /^v1=([0-9a-f]{64})$/.exec(entry.trim())?.[1]);
  const signatures = entries.filter((entry) => entry !== undefined).map(fromHex);
  if (signatures.length > 0) return signatures;
  throw new SignatureError({ reason: 'malformed', message: 'x-toolgate-signature has no entry v1=<64 hex digits>' });
}

function mismatch(canonicalString: string, expected: string | undefined): SignatureError {
  const firstDifference = expected === undefined ? null : findDifference(expected, canonicalString);
  return new SignatureError({
    reason: 'mismatch',
    message: `The signature does not match${explain(expected, firstDifference)}`,
    canonicalString,
    firstDifference,
  });
}

function explain(expected: string | undefined, difference: FirstDifference | null): string {
  if (expected === undefined) return ': another secret, or the request was changed on its way';
  if (difference === null) return ': the request is as expected, so the secret is different';
  return `: line ${difference.line} (${lineNames[difference.line - 1] ?? 'too many lines'}) differs from the expected one`;
}

function findDifference(expected: string, actual: string): FirstDifference | null {
  const [theirs, ours] = [expected.split('\n'), actual.split('\n')];
  for (let i = 0; i < Math.max(theirs.length, ours.length); i += 1)
    if (theirs[i] !== ours[i]) return { line: i + 1, expected: theirs[i] ?? null, actual: ours[i] ?? null };
  return null;
}

/** A header is ASCII only, so the id is sent percent-encoded. */
function decodeMember(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SignatureError({ reason: 'malformed', message: 'x-toolgate-member-id is not percent-encoded' });
  }
}
