// The tool of a call, by id or name, made ready when it is first called. Everything that is ready stands on a shelf of its
// project and stays there while no tool changes, also when what is remembered of the project is asked for again.

import { LRUCache } from 'lru-cache';
import type { Project } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Cache } from '../../cache/cache.ts';
import { refuse } from '../../errors.ts';
import { type PreparedTool, prepareTool } from './prepared-tool.ts';
import { selectStamp, selectTool, selectToolByName } from './store.ts';

type Shelf = {
  /** Of all tools of the project, as they were when the shelf was looked at. */
  stamp: string;
  /** By id and by name, whichever they were called by. */
  tools: Map<string, PreparedTool>;
  underway: Map<string, Promise<PreparedTool>>;
};

type ToolProject = Pick<Project, 'id' | 'quota_group_id'>;

const MOST_PROJECTS = 1_000;
const shelves = new WeakMap<Cache, LRUCache<string, Shelf>>();

/** The tool if it is ready; no I/O. */
export function cachedTool(app: App, project_id: string, name: string): PreparedTool | undefined {
  return app.cache.get<Shelf>('tools', project_id)?.tools.get(name);
}

/** In this project only: another's tool is as unknown as none. */
export async function loadTool(app: App, project: ToolProject, name: string): Promise<PreparedTool> {
  const { id: project_id } = project;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw refuse.notFound();
  const shelf = app.cache.get<Shelf>('tools', project_id) ?? (await lookAtShelf(app, project_id));
  const ready = shelf.tools.get(name) ?? shelf.underway.get(name);
  if (ready) return ready;
  const making = makeReady(app, project, name);
  shelf.underway.set(name, making);
  try {
    const tool = await making;
    shelf.tools.set(name, tool);
    return tool;
  } finally {
    shelf.underway.delete(name);
  }
}

/** A tool that was read before a change ends up on a shelf that nobody looks at any more: its stamp is of before, too. */
async function lookAtShelf(app: App, project_id: string): Promise<Shelf> {
  let kept = shelves.get(app.cache);
  if (!kept) {
    kept = new LRUCache({ max: MOST_PROJECTS });
    shelves.set(app.cache, kept);
  }
  const ours = kept;
  const found = await app.cache.getOrLoad<Shelf>('tools', project_id, async () => {
    const stamp = await selectStamp(app.database, project_id);
    const before = ours.get(project_id);
    const value = before?.stamp === stamp ? before : { stamp, tools: new Map(), underway: new Map() };
    ours.set(project_id, value);
    return { project_id, value };
  });
  return found as Shelf;
}

async function makeReady(app: App, project: ToolProject, name: string): Promise<PreparedTool> {
  const { id: project_id, quota_group_id } = project;
  const byId = name.startsWith('tool_') ? await selectTool(app.database, project_id, name) : undefined;
  const row = byId ?? (await selectToolByName(app.database, project_id, name));
  if (!row) throw refuse.notFound();
  return prepareTool(app, row, quota_group_id);
}
