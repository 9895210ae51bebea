// Files that are named by something that waits, such as an approval, live as long as that.

import type { App } from '../../../app.ts';
import { extendFiles } from './store.ts';

/** `until` in epoch milliseconds. Files that live longer, and those that have expired, stay as they are. */
export async function keepFilesUntil(
  app: App,
  project_id: string,
  ids: readonly string[],
  until: number,
): Promise<void> {
  if (ids.length > 0) await extendFiles(app.database, project_id, ids, new Date(until).toISOString(), app.now());
}
