// Before tools are deleted: tasks whose jobs have to be cancelled at the API keep the row of their tool. Its secrets stay sealed.

import type { App } from '../../../app.ts';
import type { Row } from '../../../database/tables.ts';
import { keepToolOf, selectOpenTools } from './open-store.ts';

export async function keepToolsOfTasks(
  app: App,
  project_id: string,
  rows: readonly Row<'custom_tools'>[],
): Promise<void> {
  const cancellable = rows.filter(({ polling }) => polling?.cancel);
  if (cancellable.length === 0) return;
  const open = new Set(
    await selectOpenTools(
      app.database,
      project_id,
      cancellable.map(({ id }) => id),
    ),
  );
  // Toolsets, limits and hooks do not matter to a request that cancels a job.
  const alone = { toolsets: null, limits: null, hooks: null, mcp: null };
  for (const row of cancellable)
    if (open.has(row.id)) await keepToolOf(app.database, project_id, row.id, JSON.stringify({ ...row, ...alone }));
}
