// Creates a hook. Its secret is only in this response.

import type { HookRequest, NewHook } from '@toolgate/contract/hooks/hook.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseNarrowed } from '../../../access/narrowed-caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { checkCertificateUse } from '../../activity/certificates/check-use.ts';
import { refuseUrl } from '../../activity/webhooks/url.ts';
import { checkMatch } from '../limits/match.ts';
import { certificateUser, type HookRow, recordChange, showHook } from './hook.ts';
import { makeSecret, secretContext } from './secret.ts';
import { insertHook, selectHook } from './store.ts';

export async function createHook(app: App, caller: Caller, { match, ...input }: HookRequest): Promise<NewHook> {
  // It would see calls that the caller does not, and decide about them.
  refuseNarrowed(caller);
  refuseUrl(input.url, app.egress.allowed());
  const project_id = projectOf(caller).id;
  const id = newId('hook');
  const secret = makeSecret();
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project_id);
    await refuseBeyondLimit(app, 'hooks', project_id);
    await checkCertificateUse(app, caller, null, certificateUser(input));
    await insertHook(app.database, {
      id,
      project_id,
      ...input,
      ...(await checkMatch(app, project_id, match)),
      secret: await app.secrets.seal(app.database, project_id, secretContext(id, 'secret'), secret),
      created_by: creatorOf(caller),
    });
    app.changes.add(project_id);
    const data = showHook((await selectHook(app.database, project_id, id)) as HookRow, app.now());
    await recordChange(app, caller, { type: 'hook.created', target_id: id, data });
    return { ...data, secret };
  });
}
