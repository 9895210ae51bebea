// Deletes the sessions of a member who is deleted, with what was claimed of them. Returns how many were active.

import type { App } from '../../../app.ts';
import { deleteSessionRowsOf } from './store.ts';

export const deleteSessionsOf = (app: App, member: { project_id: string; member_id: string }): Promise<number> =>
  deleteSessionRowsOf(app.database, member, new Date(app.now()).toISOString());
