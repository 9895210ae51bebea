// Creates a limit.

import type { NewToolLimit, ToolLimit } from '@toolgate/contract/limits/limit.ts';
import { type Caller, creatorOf, projectOf } from '../../../access/caller.ts';
import { refuseBeyondLimit } from '../../../api/resource-limit.ts';
import type { App } from '../../../app.ts';
import { newId } from '../../../database/ids.ts';
import { lockProjectRow } from '../../../database/lock-project-row.ts';
import { transact } from '../../../database/transact.ts';
import { invalidField } from '../../../errors/errors.ts';
import { refuseLimitConflicts } from './applied.ts';
import { type LimitRow, leastLimit, recordChange, showLimit } from './limit.ts';
import { checkMatch } from './match.ts';
import { insertLimit, selectLimit, selectSubjects } from './store.ts';

export async function createLimit(app: App, caller: Caller, input: NewToolLimit): Promise<ToolLimit> {
  const project_id = projectOf(caller).id;
  const id = newId('lim');
  return transact(app, async (app) => {
    await lockProjectRow(app.database, project_id);
    await refuseBeyondLimit(app, 'tool_limits', project_id);
    const checked = await checkLimit(app, project_id, input);
    await insertLimit(app.database, { id, project_id, created_by: creatorOf(caller), ...checked });
    await refuseLimitConflicts(app, project_id, { field: 'limit' });
    app.changes.add(project_id);
    const data = showLimit((await selectLimit(app.database, project_id, id)) as LimitRow);
    await recordChange(app, caller, { type: 'limit.created', target_id: id, data });
    return data;
  });
}

/** The columns of what was given, if everything that it names exists. */
export async function checkLimit(app: App, project_id: string, { match, ...given }: NewToolLimit) {
  const matched = await checkMatch(app, project_id, match);
  await refuseUnknownSubjects(app, project_id, given);
  return { ...given, ...matched, least_limit: leastLimit(given) };
}

/** Clients of OAuth are not looked up: one that identifies itself by the address of its metadata has no row. */
async function refuseUnknownSubjects(
  app: App,
  project_id: string,
  { per, overrides }: Pick<NewToolLimit, 'per' | 'overrides'>,
): Promise<void> {
  if (overrides.length === 0 || per === 'oauth_client') return;
  const ids = overrides.map(({ subject_id }) => subject_id);
  const known = per === 'project' ? new Set([project_id]) : await selectSubjects(app.database, project_id, per, ids);
  const at = ids.findIndex((id) => !known.has(id));
  if (at !== -1) throw invalidField(`overrides.${at}.subject_id`, `must be the id of ${subjectWords[per]}`);
}

const subjectWords = {
  project: 'this project',
  api_key: 'an API key of this project',
  integration: 'an integration of this project',
  member: 'a member of this project',
};
