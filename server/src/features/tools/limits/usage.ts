// Who has used how much of a limit in its current window.

import type { LimitUsage } from '@toolgate/contract/limits/limit.ts';
import { MAX_USAGE_SUBJECTS } from '@toolgate/contract/limits/rules.ts';
import type { Caller } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import type { App } from '../../../app.ts';
import type { Page } from '../../../database/page.ts';
import { selectUsage } from './log.ts';
import { selectLimit } from './store.ts';

export async function readLimitUsage(app: App, caller: Caller, id: string): Promise<Page<LimitUsage>> {
  const { project_id, limit, overrides, window_seconds } = await getRow(app, caller, id, selectLimit);
  const rows = await selectUsage(app.database, { project_id, limit_id: id, window_seconds }, MAX_USAGE_SUBJECTS);
  const own = new Map(overrides.map((override) => [override.subject_id, override.limit]));
  const data = rows.map(({ subject_id, used }) => ({ subject_id, used, limit: own.get(subject_id) ?? limit }));
  return { object: 'list', data, has_more: false, next_cursor: null };
}
