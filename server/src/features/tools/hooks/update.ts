// Changes a hook, or switches it off or on. Its place in the order stays.

import type { Hook, HookChange } from '@toolgate/contract/hooks/hook.ts';
import type { Caller } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { isEmptyChange } from '../../../api/empty-change.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import { refuseUrl } from '../../activity/webhooks/url.ts';
import { checkMatch } from '../limits/match.ts';
import { certificateUser, type HookRow, recordChange, showHook } from './hook.ts';
import { lockHook, selectHook, updateHookRow } from './store.ts';

export async function updateHook(app: App, caller: Caller, id: string, change: HookChange): Promise<Hook> {
  refuseNarrowed(caller);
  if (change.url !== undefined) refuseUrl(change.url, app.egress.allowed());
  return withLockedRow(app, caller, id, lockHook, async (app, row) => {
    const before = showHook(row, app.now());
    if (isEmptyChange(change)) return before;
    const { match, ...fields } = change;
    const { project_id } = row;
    const { url = row.url, certificate_id = row.certificate_id } = fields;
    await checkCertificateUse(app, caller, certificateUser(row), certificateUser({ url, certificate_id }));
    const matched = match === undefined ? {} : await checkMatch(app, project_id, match);
    await updateHookRow(app.database, project_id, id, { ...fields, ...matched });
    const data = showHook((await selectHook(app.database, project_id, id)) as HookRow, app.now());
    await recordChange(app, caller, { type: 'hook.updated', target_id: id, data, before, after: data });
    return data;
  });
}
