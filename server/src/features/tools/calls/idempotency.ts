// The scope of an Idempotency-Key, and the key that is sent to the customer's API instead: two members who both send `order-1`
// mean two orders, and an API that compares only the key must not return the first order for the second.

import { createHmac } from 'node:crypto';
import { memberOf, type ToolCaller } from '../../../access/caller.ts';
import { scopeOf } from '../../../api/idempotency-scope.ts';
import type { App } from '../../../app.ts';

/** A member, in any of their sessions, an API key, or a machine; a person who tries a tool has keys of its own. The same text from another caller is another key. */
export function idempotencyScope(caller: ToolCaller): string {
  const { project, integration_id } = caller;
  const who = memberOf(caller)?.member_id ?? machineOf(caller) ?? caller.api_key_id ?? '-';
  return scopeOf(project.id, integration_id, who, caller.kind === 'test' ? caller.account_id : undefined);
}

const machineOf = (caller: ToolCaller) => (caller.kind === 'oauth_client' ? caller.oauth_client_id : null);

/** The same for every retry by the same caller, and not predictable: an HMAC, formatted as a UUID (RFC 9562, version 8). */
export async function upstreamIdempotencyKey(app: App, caller: ToolCaller, key: string): Promise<string> {
  const secret = await app.secrets.deriveKey(app.database, caller.project.id, 'upstream idempotency key v1');
  const mac = createHmac('sha256', secret)
    .update(`${idempotencyScope(caller)} ${key}`)
    .digest();
  mac[6] = 0x80 | ((mac[6] as number) & 0x0f);
  mac[8] = 0x80 | ((mac[8] as number) & 0x3f);
  return mac.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
