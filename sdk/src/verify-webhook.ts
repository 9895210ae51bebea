// Verifies a webhook: Standard Webhooks, or the older X-Webhook-Signature if the caller allows it. docs/signatures.md describes
// both, and vectors/webhook-signature.json has examples.

import { bodyBytes, concat, fromBase64, fromHex, type RawBody, utf8 } from './encoding.ts';
import { headerReader, type ReceivedHeaders } from './headers.ts';
import { type Bytes, isSigned, parseTime, readSecrets, refuseExpired, required } from './hmac.ts';
import { SignatureError } from './signature-error.ts';
import type { EventData } from './types.ts';

export type ReceivedWebhook = {
  /** The webhook's secret, `whsec_…`. During a rotation, pass both: one match is enough. */
  secret: string | readonly string[];
  headers: ReceivedHeaders;
  /** The raw body, before any parsing. */
  body: RawBody;
  /** How far the clocks may differ, in seconds; default: 300. */
  toleranceSeconds?: number | undefined;
  /**
   * Also accept requests that have `X-Webhook-Signature` but not the headers of Standard Webhooks. That signature does not
   * cover the time, so anyone who recorded a request can send it again: refuse event ids that you have already seen.
   */
  allowLegacy?: boolean | undefined;
};

/** An event; `type` determines the fields of `data`. */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    /** Id of the event, the same at every attempt */
    id: string;
    /** What happened */
    type: Type;
    /** When it happened */
    timestamp: string;
    /** Id of the project that it belongs to */
    project_id: string;
    data: EventData[Type];
  };
}[keyof EventData];

type Header = (name: string) => string | null;

/** Resolves with the event, or rejects with a {@link SignatureError}. */
export async function verifyWebhook(webhook: ReceivedWebhook): Promise<WebhookEvent> {
  const secrets = readSecrets(webhook.secret);
  const header = headerReader(webhook.headers);
  const body = bodyBytes(webhook.body);
  const isLegacy = webhook.allowLegacy === true && header('webhook-signature') === null;
  if (isLegacy) await verifyLegacy(secrets, header, body);
  else await verifyStandard(secrets, header, body, webhook.toleranceSeconds);
  return parseEvent(body);
}

async function verifyStandard(secrets: readonly string[], header: Header, body: Bytes, toleranceSeconds?: number) {
  const signatures = parseSignatures(required(header, 'webhook-signature'));
  const id = required(header, 'webhook-id');
  const time = required(header, 'webhook-timestamp');
  const seconds = parseTime(time);
  if (!(await isSigned(secrets.map(secretBytes), signatures, concat(utf8(`${id}.${time}.`), body)))) throw mismatch();
  refuseExpired(seconds, toleranceSeconds);
}

/** The previous secret signs in a header of its own. */
async function verifyLegacy(secrets: readonly string[], header: Header, body: Bytes) {
  const values = [required(header, 'x-webhook-signature'), header('x-webhook-signature-previous')];
  const signatures = values
    .filter((value) => value !== null && /^[0-9a-f]{64}$/.test(value))
    .map((value) => fromHex(value as string));
  if (signatures.length === 0) throw malformed('x-webhook-signature is not 64 hex digits');
  if (!(await isSigned(secrets.map(utf8), signatures, body))) throw mismatch();
}

/** Standard Webhooks signs with the bytes that the text behind whsec_ encodes. */
function secretBytes(secret: string): Bytes {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes === null || bytes.length === 0) throw new TypeError('secret must be the text whsec_… of the webhook');
  return bytes;
}

/** Entries of other schemes are left out. */
function parseSignatures(value: string): Bytes[] {
  const entries = value.split(' ').map((entry) => /^v1,([A-Za-z0-9+/=]+)$/.exec(entry)?.[1]);
  const signatures = entries
    .map((entry) => (entry === undefined ? null : fromBase64(entry)))
    .filter((bytes) => bytes !== null);
  if (signatures.length > 0) return signatures;
  throw malformed('webhook-signature has no entry v1,<base64>');
}

function parseEvent(body: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw malformed('The body is not JSON');
  }
}

const malformed = (message: string) => new SignatureError({ reason: 'malformed', message });
const mismatch = () =>
  new SignatureError({
    reason: 'mismatch',
    message: 'The signature does not match: another secret, or the body was changed on its way',
  });
