// The signature headers: that of the spec, hex HMAC of the raw body with the whole secret as the key, and the three headers
// of Standard Webhooks, which also cover the id and the time.

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const makeSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export type Signing = {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
  secret: string;
  /** While a rotation overlaps. */
  previous_secret: string | null;
};

export function signatureHeaders({ id, timestamp, body, secret, previous_secret }: Signing): Record<string, string> {
  const secrets = previous_secret === null ? [secret] : [secret, previous_secret];
  return {
    'x-webhook-signature': hexSignature(secret, body),
    ...(previous_secret === null ? {} : { 'x-webhook-signature-previous': hexSignature(previous_secret, body) }),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((each) => `v1,${standardSignature(each, `${id}.${timestamp}.${body}`)}`).join(' '),
  };
}

function hexSignature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** standardwebhooks.com: the key is the base64-decoded part after `whsec_`. */
function standardSignature(secret: string, content: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64');
}
