// Makes an audit entry and the SQL that inserts it, for the statement that records the change. bind.ts adds it to the chain
// later.

import type { KeyObject } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { AccountCaller, Caller, MemberCaller } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { type EntryContent, entryMac, entryText } from './chain.ts';

/** `system`: a change without a caller, such as the expiry of a key. A person who signs in, or a member on a page, has none either. */
export type Actor =
  | Caller
  | Pick<AccountCaller, 'kind' | 'account_id'>
  | Pick<MemberCaller, 'kind' | 'member_id'>
  | 'system';

export function newEntry(
  app: App,
  actor: Actor,
  project: { id: string | null; organization_id: string },
  change: { action: string; target_id: string; before: object | null; after: object | null },
): EntryContent {
  const { before, after } = difference(change.before, change.after);
  return {
    id: newId('aud'),
    organization_id: project.organization_id,
    project_id: project.id,
    created_at: new Date(app.now()).toISOString(),
    ...describeActor(actor),
    action: change.action,
    target_id: change.target_id,
    ip: app.request_origin?.ip ?? null,
    request_id: app.request_origin?.request_id ?? null,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  };
}

/** Entries of one organization. Also adds their MACs to the tally, so that a removal before they are bound is detected. */
export function appendEntries(key: KeyObject, entries: EntryContent[]): RawBuilder<unknown> {
  const rows = entries.map(
    (
      entry,
    ) => sql`(${entry.id}, ${entry.organization_id}, ${entry.project_id}, ${entry.created_at}, ${entry.actor_kind},
      ${entry.actor_id}, ${entry.action}, ${entry.target_id}, ${entry.ip}, ${entry.request_id}, ${entry.before},
      ${entry.after})`,
  );
  const mac_sum = entries.reduce((sum, entry) => sum + entryMac(key, entryText(entry)), 0n);
  return sql`entry as (
    insert into audit_entries (id, organization_id, project_id, created_at, actor_kind, actor_id, action, target_id, ip,
      request_id, before, after)
    values ${sql.join(rows)}
  ), tally as (
    insert into audit_tallies as known (organization_id, backend, entries, mac_sum)
    values (${entries[0]?.organization_id}, pg_backend_pid(), ${entries.length}, ${mac_sum.toString()}::numeric)
    on conflict (organization_id, backend) do update
      set entries = known.entries + excluded.entries, mac_sum = known.mac_sum + excluded.mac_sum
  )`;
}

function describeActor(actor: Actor): { actor_kind: string; actor_id: string | null } {
  if (actor === 'system') return { actor_kind: 'system', actor_id: null };
  switch (actor.kind) {
    case 'api_key':
      return { actor_kind: 'api_key', actor_id: actor.api_key_id };
    case 'member':
      return { actor_kind: 'member', actor_id: actor.member_id };
    case 'oauth_client':
      return { actor_kind: 'oauth_client', actor_id: actor.oauth_client_id };
    case 'account':
      return { actor_kind: 'account', actor_id: actor.account_id };
    case 'root':
      return { actor_kind: actor.is_system ? 'system' : 'root', actor_id: null };
  }
}

/** In a change with both a before and an after, only the fields that differ are kept. */
function difference(before: object | null, after: object | null): { before: object | null; after: object | null } {
  if (!before || !after) return { before, after };
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
  );
  const pick = (from: object) => Object.fromEntries(names.map((name) => [name, Reflect.get(from, name)]));
  return { before: pick(before), after: pick(after) };
}
