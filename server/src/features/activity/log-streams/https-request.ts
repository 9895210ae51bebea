// A batch for an HTTPS receiver: JSON, signed like a webhook. A repetition of the same entries has the same webhook-id.

import { signatureHeaders } from '../webhooks/signature.ts';
import { targetOf } from '../webhooks/url.ts';
import type { Entry } from './read-batch.ts';
import type { BuildOptions, StreamRequest } from './stream-request.ts';

export function buildHttpsRequest(
  entries: Entry[],
  { stream, credentials, now, is_test }: BuildOptions,
): StreamRequest {
  const [first_id, last_id] = [entries[0]?.id, entries.at(-1)?.id];
  const ids = JSON.stringify({ stream_id: stream.id, first_id, last_id }).slice(0, -1);
  const body = `${ids},"entries":[${entries.map(({ text }) => text).join(',')}]}`;
  return {
    method: 'POST',
    ...targetOf(stream.endpoint),
    headers: {
      ...credentials.headers,
      'content-type': 'application/json',
      'user-agent': 'toolgate-log-streams',
      ...(is_test ? { 'x-webhook-test': 'true' } : {}),
      ...signatureHeaders({
        id: `${stream.id}-${first_id}-${last_id}`,
        timestamp: Math.floor(now / 1000),
        body,
        secret: credentials.secret,
        previous_secret: credentials.previous_secret,
      }),
    },
    body,
  };
}
