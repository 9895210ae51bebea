// Whose an Idempotency-Key is, and what the customer's API gets in its place: two members who both write `order-1` mean two
// orders, and an API that knows one key from the other by its text alone must not answer the second with the first.

import { createHmac } from 'node:crypto';
import type { ToolCaller } from '../../access/caller.ts';
import type { App } from '../../app.ts';

/** A member, through whichever session, or an API key. The same text of somebody else is another key. */
export function idempotencyScope(caller: ToolCaller): string {
  const { project, integration_id } = caller;
  const who = caller.kind === 'member' ? caller.member_id : caller.api_key_id;
  return `${project.id} ${integration_id ?? '-'} ${who}`;
}

/** The same for every retry by the same caller, and nobody can choose it: an HMAC, written as a UUID (RFC 9562, version 8). */
export async function upstreamIdempotencyKey(app: App, caller: ToolCaller, key: string): Promise<string> {
  const secret = await app.secrets.deriveKey(app.database, caller.project.id, 'upstream idempotency key v1');
  const mac = createHmac('sha256', secret)
    .update(`${idempotencyScope(caller)} ${key}`)
    .digest();
  mac[6] = 0x80 | ((mac[6] as number) & 0x0f);
  mac[8] = 0x80 | ((mac[8] as number) & 0x3f);
  return mac.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
