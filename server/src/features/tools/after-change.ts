// What follows a change of a project before its response: calls that wait for a person, and tasks, may have ended with it.

import type { App } from '../../app.ts';
import { settleAfterChange } from './approvals/settle.ts';
import { settleTasksAfterChange } from './tasks/settle.ts';

export async function endAfterChange(app: App, project_id: string): Promise<void> {
  await settleAfterChange(app, project_id);
  await settleTasksAfterChange(app, project_id);
}
