// Explains why a signature does not match: compares the request that a customer received with the canonical string, line by
// line. Its result never contains a signature, so that it cannot be used to forge one.

import {
  type ReceivedRequest,
  type SignatureCheck,
  signedLines,
} from '@toolgate/contract/custom-tools/signature-check.ts';
import { type Caller, projectOf } from '../../../../access/caller.ts';
import type { App } from '../../../../app.ts';
import { invalidField, refuse } from '../../../../errors/errors.ts';
import { sameBytes } from '../../../../secrets/tokens.ts';
import { activeKeys, type Credential } from '../credentials/credential.ts';
import type { PreparedTool } from '../prepared-tool.ts';
import { loadTool } from '../tool-cache.ts';
import { canonicalString, sign } from './signature.ts';
import { adviceOn } from './signature-advice.ts';

const WINDOW_S = 300;
const SIGNATURE = 'X-Toolgate-Signature';
/** The headers of every signed call. A call without an integration or member lacks their headers. */
const requiredHeaders = ['X-Toolgate-Timestamp', 'X-Toolgate-Request-Id', 'X-Toolgate-Project-Id', SIGNATURE];

export async function explainSignature(
  app: App,
  caller: Caller,
  tool_id: string,
  received: ReceivedRequest,
): Promise<SignatureCheck> {
  const project_id = projectOf(caller).id;
  const tool = await loadTool(app, projectOf(caller), tool_id);
  const { credential } = tool;
  if (credential.kind === 'unreadable') throw refuse.authSecretUnreadable({ cause: credential.cause.message });
  if (credential.kind !== 'signature') throw invalidField('auth_strategy', 'calls to this tool are not signed');
  const header = (name: string) => {
    const found = Object.entries(received.headers).find(([given]) => given.toLowerCase() === name.toLowerCase());
    return found?.[1].trim() ?? (name === SIGNATURE ? (received.signature ?? null) : null);
  };
  const ours = ourString(tool, project_id, received, header);
  const timestamp = readTime(header('x-toolgate-timestamp'), app.now());
  const signature = matchingSecret(header(SIGNATURE), ours, credential, app.now());
  const signature_matches = signature === 'current' || signature === 'previous';
  const missing_headers = requiredHeaders.filter((name) => header(name) === null);
  const lines = compare(ours, yourLines(received, header));
  const first_difference = firstDifference(ours, received, lines);
  const found = { missing_headers, signature, timestamp, first_difference };
  return {
    object: 'signature_check',
    is_valid: signature_matches && timestamp.is_within_window && first_difference === null,
    headers_present: missing_headers.length === 0,
    signature_matches,
    timestamp_is_fresh: timestamp.is_within_window,
    ...found,
    lines,
    advice: adviceOn(found, received.canonical_string !== undefined),
  };
}

type Header = (name: string) => string | null;

/** Method, host and project come from the tool; the rest is what the customer received. */
function ourString(
  { shape, host }: PreparedTool,
  project_id: string,
  received: ReceivedRequest,
  header: Header,
): string {
  const [path, query] = targetOf(shape.template, received);
  return canonicalString({
    timestamp: header('x-toolgate-timestamp') ?? '',
    request_id: header('x-toolgate-request-id') ?? '',
    method: shape.method,
    host,
    path,
    query,
    body: Buffer.from(received.body, received.body_encoding),
    project_id,
    integration_id: header('x-toolgate-integration-id'),
    member_id: header('x-toolgate-member-id'),
  });
}

function targetOf({ texts, names }: PreparedTool['shape']['template'], received: ReceivedRequest): [string, string] {
  const known = names.length === 0 ? texts[0] : undefined;
  const given = received.path ?? known;
  if (given === undefined) throw invalidField('path', "is required: this tool's endpoint_path has placeholders");
  const [path = '', query = ''] = given.split(/\?(.*)/s);
  return [path, received.query ?? query];
}

/** Without a canonical_string: the received values of the lines that the tool determines. A missing host is not compared. */
function yourLines({ canonical_string, ...received }: ReceivedRequest, header: Header): (string | null)[] {
  if (canonical_string !== undefined) return canonical_string.split('\n');
  const received_lines: Partial<Record<(typeof signedLines)[number], string | null>> = {
    method: received.method ?? null,
    host: received.host ?? header('host'),
    project_id: header('x-toolgate-project-id') ?? '',
  };
  return signedLines.map((name) => received_lines[name] ?? null);
}

function compare(ours: string, yours: (string | null)[]): SignatureCheck['lines'] {
  return ours.split('\n').map((text, index) => ({
    name: signedLines[index] as (typeof signedLines)[number],
    ours: text,
    yours: yours[index] ?? null,
  }));
}

function firstDifference(
  ours: string,
  { canonical_string }: ReceivedRequest,
  lines: SignatureCheck['lines'],
): SignatureCheck['first_difference'] {
  const isWhole = canonical_string !== undefined;
  const index = lines.findIndex(({ ours, yours }) => (yours === null ? isWhole : yours !== ours));
  if (index !== -1) return { line: index + 1, ...(lines[index] as SignatureCheck['lines'][number]) };
  if (!isWhole || canonical_string === ours) return null;
  const extra = canonical_string.split('\n')[lines.length] ?? '';
  return { line: lines.length + 1, name: 'nothing', ours: null, yours: extra };
}

function readTime(value: string | null, now: number): SignatureCheck['timestamp'] {
  if (value === null || !/^\d{1,12}$/.test(value)) return { value, age_seconds: null, is_within_window: false };
  const age_seconds = Math.floor(now / 1000) - Number(value);
  return { value, age_seconds, is_within_window: Math.abs(age_seconds) <= WINDOW_S };
}

function matchingSecret(
  header: string | null,
  canonical: string,
  credential: Credential & { kind: 'signature' },
  now: number,
): SignatureCheck['signature'] {
  const given = (header ?? '').split(',').flatMap((entry) => /^(?:v1=)?([0-9a-f]{64})$/i.exec(entry.trim())?.[1] ?? []);
  if (given.length === 0) return 'missing';
  const index = activeKeys(credential, now).findIndex((key) => {
    const expected = Buffer.from(sign(key, canonical));
    return given.some((hex) => sameBytes(Buffer.from(hex.toLowerCase()), expected));
  });
  return (['current', 'previous'] as const)[index] ?? 'different';
}
