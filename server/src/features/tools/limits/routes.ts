// Serves /projects/{id}/limits.

import type { LimitUsage, ToolLimit } from '@toolgate/contract/limits/limit.ts';
import { limitRoutes } from '@toolgate/contract/limits/routes.ts';
import { MAX_USAGE_SUBJECTS } from '@toolgate/contract/limits/rules.ts';
import { type Caller, projectOf } from '../../../access/caller.ts';
import { getRow } from '../../../api/get-row.ts';
import { implement } from '../../../api/implement.ts';
import type { Server } from '../../../api/route.ts';
import { withLockedRow } from '../../../api/with-locked-row.ts';
import type { App } from '../../../app.ts';
import { makePage, type Page, type PageQuery } from '../../../database/page.ts';
import { createLimit } from './create.ts';
import { recordChange, showLimit } from './limit.ts';
import { selectUsage } from './log.ts';
import { deleteLimitRow, lockLimit, pageOfLimits, selectLimit } from './store.ts';
import { updateLimit } from './update.ts';

export function serveLimits(server: Server, app: App): void {
  implement(server, app, limitRoutes, {
    createLimit: (app, { caller, body }) => createLimit(app, caller, body),
    listLimits: (app, { caller, query }) => listLimits(app, caller, query),
    getLimit: async (app, { caller, params }) => showLimit(await getRow(app, caller, params.limit_id, selectLimit)),
    updateLimit: (app, { caller, params, body }) => updateLimit(app, caller, params.limit_id, body),
    deleteLimit: (app, { caller, params }) => deleteLimit(app, caller, params.limit_id),
    readLimitUsage: (app, { caller, params }) => readLimitUsage(app, caller, params.limit_id),
  });
}

async function listLimits(app: App, caller: Caller, query: PageQuery): Promise<Page<ToolLimit>> {
  const page = await pageOfLimits(app.database, projectOf(caller).id, query);
  return makePage(page, page.rows.map(showLimit));
}

async function deleteLimit(app: App, caller: Caller, id: string): Promise<void> {
  return withLockedRow(app, caller, id, lockLimit, async (app, row) => {
    await deleteLimitRow(app.database, row.project_id, id);
    await recordChange(app, caller, { type: 'limit.deleted', target_id: id, data: showLimit(row) });
  });
}

async function readLimitUsage(app: App, caller: Caller, id: string): Promise<Page<LimitUsage>> {
  const { project_id, limit, overrides, window_seconds } = await getRow(app, caller, id, selectLimit);
  const rows = await selectUsage(app.database, { project_id, limit_id: id, window_seconds }, MAX_USAGE_SUBJECTS);
  const own = new Map(overrides.map((override) => [override.subject_id, override.limit]));
  const data = rows.map(({ subject_id, used }) => ({ subject_id, used, limit: own.get(subject_id) ?? limit }));
  return { object: 'list', data, has_more: false, next_cursor: null };
}
