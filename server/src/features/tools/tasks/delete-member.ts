// When a member is deleted, so are the tasks of their calls, with the results. What is left of their calls in the log names nobody.

import type { App } from '../../../app.ts';
import type { MemberRef } from '../../members/members/delete.ts';
import { deleteTasksOf } from './store.ts';

export async function deleteTasksOfMember(app: App, { id, project_id }: MemberRef) {
  return { ended: { tasks: await deleteTasksOf(app.database, project_id, id) } };
}
