// The life of a key after it was made: renamed, switched off and on, rotated, revoked, deleted.

import { z } from 'zod';
import { type Caller, projectOf } from '../../access/caller.ts';
import { name } from '../../api/fields.ts';
import type { App } from '../../app.ts';
import { transact } from '../../database/transact.ts';
import { refuse } from '../../errors.ts';
import { recordChange } from '../events/record.ts';
import { type ApiKey, type KeyRow, keyStatus, showKey } from './api-key.ts';
import { type IssuedKey, issueKey, refuseEscalation } from './create.ts';
import { lockKey, nextSessionEpoch, removeKey, removeKeysOfIntegration, updateKey } from './store.ts';

const LONGEST_OVERLAP_S = 30 * 86_400;

export const keyChange = z
  .strictObject({
    name,
    is_active: z
      .boolean()
      .meta({ description: 'false switches the key off and ends its sessions for good, true on again' }),
  })
  .partial()
  .meta({ id: 'ApiKeyChange' });

export const rotation = z
  .strictObject({
    overlap_seconds: z
      .int()
      .min(0)
      .max(LONGEST_OVERLAP_S)
      .default(0)
      .meta({ description: 'How long the old key goes on working' }),
  })
  .meta({ id: 'ApiKeyRotation' });

export async function changeKey(
  app: App,
  caller: Caller,
  id: string,
  change: z.infer<typeof keyChange>,
): Promise<ApiKey> {
  return withKey(app, caller, id, async (app, row) => {
    // Revoked and expired are final: switching on would seem to work and change nothing.
    if (change.is_active !== undefined) refuseEnded(row, app.now());
    if (change.name === undefined && change.is_active === undefined) return showKey(row, app.now());
    return update(app, caller, 'api_key.updated', row, {
      ...change,
      // Also of a key that is off already: a session is made with what was true a moment ago.
      ...(change.is_active === false ? { session_epoch: nextSessionEpoch } : {}),
    });
  });
}

export async function revokeKey(app: App, caller: Caller, id: string): Promise<ApiKey> {
  return withKey(app, caller, id, async (app, row) => {
    if (row.revoked_at !== null) return showKey(row, app.now());
    return update(app, caller, 'api_key.revoked', row, { revoked_at: new Date(app.now()).toISOString() });
  });
}

/**
 * The successor has the same name, permissions and integration; the old key ends when the overlap has passed.
 * Once only: a second successor would inherit the end of the first overlap. Whoever lost the first one rotates that.
 */
export async function rotateKey(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: z.infer<typeof rotation>,
): Promise<IssuedKey> {
  return withKey(app, caller, id, async (app, row) => {
    refuseEnded(row, app.now());
    if (row.rotated_to !== null) throw refuse.keyRotated({ details: { field: 'rotated_to', value: row.rotated_to } });
    refuseEscalation(caller, row.permissions);
    const { name, permissions, expires_at, integration_id } = row;
    const successor = await issueKey(app, caller, projectOf(caller), { name, permissions, expires_at, integration_id });
    const ends = app.now() + overlap_seconds * 1000;
    await update(app, caller, 'api_key.rotated', row, {
      rotated_to: successor.id,
      expires_at: new Date(Math.min(ends, expires_at === null ? ends : Date.parse(expires_at))).toISOString(),
    });
    return successor;
  });
}

export async function deleteKey(app: App, caller: Caller, id: string): Promise<void> {
  await withKey(app, caller, id, async (app, row) => {
    await removeKey(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'api_key.deleted', target_id: id, data: showKey(row, app.now()) });
  });
}

/** Part of the integration's own end. */
export async function deleteKeysOfIntegration(app: App, caller: Caller, integration_id: string): Promise<void> {
  for (const row of await removeKeysOfIntegration(app.database, projectOf(caller).id, integration_id)) {
    await recordChange(app, caller, { type: 'api_key.deleted', target_id: row.id, data: showKey(row, app.now()) });
  }
}

async function update(
  app: App,
  caller: Caller,
  type: 'api_key.updated' | 'api_key.revoked' | 'api_key.rotated',
  row: KeyRow,
  change: Parameters<typeof updateKey>[3],
): Promise<ApiKey> {
  const before = showKey(row, app.now());
  const data = showKey(await updateKey(app.database, row.project_id, row.id, change), app.now());
  await recordChange(app, caller, { type, target_id: row.id, data, before, after: data });
  return data;
}

/** Every change locks the key first and is heard by every replica. */
async function withKey<T>(
  app: App,
  caller: Caller,
  id: string,
  change: (app: App, row: KeyRow) => Promise<T>,
): Promise<T> {
  const project = projectOf(caller);
  return transact(app, async (app) => {
    const row = await lockKey(app.database, project.id, id);
    if (!row) throw refuse.notFound();
    app.changes.add(project.id);
    return change(app, row);
  });
}

function refuseEnded(row: KeyRow, now: number): void {
  const status = keyStatus(row, now);
  if (status === 'revoked' || status === 'expired')
    throw refuse.keyNotActive({ details: { field: 'status', value: status } });
}
