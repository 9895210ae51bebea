// The service switches off a log stream that failed for five days. Where it is in the log stays, so that it can go on.

import type { App } from '../../../app.ts';
import { lagOf } from './lag.ts';
import { recordChange, showLogStream } from './log-stream.ts';
import { lockLogStream, type SendingStream, updateLogStreamRow } from './store.ts';

export async function disableLogStream(
  app: App,
  { id, project_id, organization_id }: Pick<SendingStream, 'id' | 'project_id' | 'organization_id'>,
): Promise<void> {
  const row = await lockLogStream(app.database, project_id, id);
  if (!row?.is_enabled) return;
  const [lag, now] = [await lagOf(app, row), app.now()];
  const change = { is_enabled: false, disabled_reason: 'failing' as const };
  const data = showLogStream(await updateLogStreamRow(app.database, project_id, id, change), lag, now);
  await recordChange(
    app,
    'system',
    { type: 'log_stream.disabled', target_id: id, data, before: showLogStream(row, lag, now), after: data },
    { id: project_id, organization_id },
  );
}
