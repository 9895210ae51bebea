// Whether all members whom an event names still exist. For a payload that was read a while ago: whoever was deleted since must not be
// in what is sent now.

import type { App } from '../../../app.ts';

/** As members_named() of the database. */
const NAMED = /"(?:member_id|subject_id|created_by|decided_by)":"(mem_[0-9A-Za-z]+)"/g;

/** Cached: many events name the same few members. */
export async function namesOnlyMembers(app: App, payload: string): Promise<boolean> {
  for (const [, id] of payload.matchAll(NAMED)) if (!(await isMember(app, id as string))) return false;
  return true;
}

async function isMember(app: App, id: string): Promise<boolean> {
  const found = await app.cache.getOrLoad('member', id, async () => {
    const row = await app.database.selectFrom('members').select('project_id').where('id', '=', id).executeTakeFirst();
    return row ? { project_id: row.project_id, value: row, has_secret: false } : null;
  });
  return found !== null;
}
