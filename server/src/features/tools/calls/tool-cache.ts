// The tool of a call, by id or name, prepared when it is first called. It holds an opened secret, so it is cached only in
// `app.cache`: until its project changes, and for 30 s at most. Its row holds none, its secrets being sealed, and is kept for longer.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { refuse } from '../../../errors/errors.ts';
import { findTool, mayBeTool } from '../catalogue/find.ts';
import { selectToolsToCall, type ToolToCall } from '../catalogue/store.ts';
import { type PreparedTool, prepareTool } from './prepared-tool.ts';

/** Returns the tool if it is cached; no I/O. */
export function cachedTool(app: App, project_id: string, name: string): PreparedTool | undefined {
  return app.cache.get<PreparedTool>('tool', cacheId(project_id, name));
}

/** Finds tools of this project only: a tool of another project is refused like an unknown one. */
export async function loadTool(
  app: App,
  { id: project_id, fairness_key }: Pick<Project, 'id' | 'fairness_key'>,
  name: string,
): Promise<PreparedTool> {
  if (!mayBeTool(name)) throw refuse.notFound();
  const id = cacheId(project_id, name);
  const tool = await app.cache.getOrLoad<PreparedTool>('tool', id, async () => {
    // As text, which takes a fraction of the memory: there may be many, and each is read once in 30 s at most.
    const row = await app.cache.getOrLoad<{ json: string }>('tool_row', id, async () => {
      const found = await readTool(app, project_id, name);
      return found ? { project_id, value: { json: JSON.stringify(found) }, has_secret: false } : null;
    });
    if (!row) return null;
    const value = await prepareTool(app, JSON.parse(row.json) as ToolToCall, fairness_key);
    return { project_id, value, bytes: value.bytes };
  });
  if (!tool) throw refuse.notFound();
  return tool;
}

/** Tools of a project that are read at the same time share a query. */
const readTool = (app: App, project_id: string, name: string) =>
  findTool(name, (by) =>
    app.grouped_calls.run(`tools_by_${by}`, project_id, name, (names) =>
      selectToolsToCall(app.pool, project_id, by, names),
    ),
  );

const cacheId = (project_id: string, name: string) => `${project_id} ${name}`;
