// When a member is deleted, so is what was counted for them, and the limits that were theirs alone.

import type { App } from '../../../app.ts';
import type { MemberRef } from '../../members/members/delete.ts';
import { forgetSubject } from './store.ts';

export async function forgetMemberInLimits({ database }: App, { id, project_id }: MemberRef) {
  await forgetSubject(database, project_id, id);
  return { ended: {} };
}
