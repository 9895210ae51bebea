// A deleted project is out of reach at once; its rows go some weeks later, when nothing is left to be delivered.

import type { App } from '../../app.ts';
import { removeDeletedBefore } from './store.ts';

const DAY_MS = 86_400_000;

export async function purgeDeletedProjects(app: App): Promise<boolean> {
  const before = new Date(app.now() - app.config.retention.deleted_project_days * DAY_MS).toISOString();
  return removeDeletedBefore(app.database, before);
}
