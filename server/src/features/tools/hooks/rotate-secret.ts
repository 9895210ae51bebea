// Gives a hook a new secret. During the overlap both secrets sign, so that its receiver need not switch at one moment.

import type { HookSecretRotation, NewHook } from '@toolgate/contract/hooks/hook.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { type HookRow, recordChange, showHook } from './hook.ts';
import { makeSecret, secretContext } from './secret.ts';
import { lockHook, selectHook, selectSecret, updateHookRow } from './store.ts';

export async function rotateHookSecret(
  app: App,
  caller: Caller,
  id: string,
  { overlap_seconds }: HookSecretRotation,
): Promise<NewHook> {
  refuseNarrowed(caller);
  return withLockedRow(app, caller, id, lockHook, async (app, { project_id }) => {
    const seal = (column: 'secret' | 'previous_secret', text: string | Uint8Array) =>
      app.secrets.seal(app.database, project_id, secretContext(id, column), text);
    const sealed = await selectSecret(app.database, project_id, id);
    const old = await app.secrets.open(app.database, project_id, secretContext(id, 'secret'), sealed);
    const secret = makeSecret();
    const has_overlap = overlap_seconds > 0;
    await updateHookRow(app.database, project_id, id, {
      secret: await seal('secret', secret),
      previous_secret: has_overlap ? await seal('previous_secret', old) : null,
      previous_secret_ends_at: has_overlap ? new Date(app.now() + overlap_seconds * 1000).toISOString() : null,
    });
    const hook = showHook((await selectHook(app.database, project_id, id)) as HookRow, app.now());
    const data = { previous_secret_ends_at: hook.previous_secret_ends_at };
    await recordChange(app, caller, { type: 'hook.secret_rotated', target_id: id, data });
    return { ...hook, secret };
  });
}
