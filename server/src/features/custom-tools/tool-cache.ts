// The tool of a call, by id or name, prepared when it is first called and cached with its compiled validators and opened
// secret. A prepared tool stays valid while no tool of its project changes, also when other data of the project is reloaded.

import { LRUCache } from 'lru-cache';
import type { Project } from '../../access/caller.ts';
import type { App } from '../../app.ts';
import type { Cache } from '../../cache/cache.ts';
import { refuse } from '../../errors.ts';
import { type PreparedTool, prepareTool } from './prepared-tool.ts';
import { selectStamp, selectTool, selectToolByName } from './store.ts';

/** What is known of a project's tools: a stamp of all of them as they were when it was read, and what is being prepared. */
type Tools = { stamp: string; preparing: Map<string, Promise<PreparedTool>> };
type ToolProject = Pick<Project, 'id' | 'quota_group_id'>;
type Entry = { stamp: string; tool: PreparedTool };

/** Of all projects together, as `PreparedTool.bytes` estimates them. A usual tool takes 30 KB. */
const MAX_BYTES = 128 * 2 ** 20;
/** One for each running server. The key is the project and the id or name that the tool was called by. */
const caches = new WeakMap<Cache, LRUCache<string, Entry>>();

/** The tool if it is prepared; no I/O. */
export function cachedTool(app: App, project_id: string, name: string): PreparedTool | undefined {
  const tools = app.cache.get<Tools>('tools', project_id);
  return tools && validTool(app, project_id, name, tools.stamp);
}

/** In this project only: another's tool is as unknown as none. */
export async function loadTool(app: App, project: ToolProject, name: string): Promise<PreparedTool> {
  const { id: project_id } = project;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) throw refuse.notFound();
  const tools = app.cache.get<Tools>('tools', project_id) ?? (await loadTools(app, project_id));
  const ready = validTool(app, project_id, name, tools.stamp) ?? tools.preparing.get(name);
  if (ready) return ready;
  const preparing = prepare(app, project, name, tools.stamp).finally(() => tools.preparing.delete(name));
  tools.preparing.set(name, preparing);
  return preparing;
}

function cacheOf(app: App): LRUCache<string, Entry> {
  let cache = caches.get(app.cache);
  if (!cache) {
    cache = new LRUCache({ maxSize: MAX_BYTES, sizeCalculation: ({ tool }) => tool.bytes });
    caches.set(app.cache, cache);
  }
  return cache;
}

function validTool(app: App, project_id: string, name: string, stamp: string): PreparedTool | undefined {
  const entry = cacheOf(app).get(`${project_id} ${name}`);
  return entry?.stamp === stamp ? entry.tool : undefined;
}

async function loadTools(app: App, project_id: string): Promise<Tools> {
  const found = await app.cache.getOrLoad<Tools>('tools', project_id, async () => {
    const stamp = await selectStamp(app.database, project_id);
    return { project_id, value: { stamp, preparing: new Map() } };
  });
  return found as Tools;
}

/** A tool that was read before a change is cached with the stamp of before, which nobody asks for any more. */
async function prepare(app: App, project: ToolProject, name: string, stamp: string): Promise<PreparedTool> {
  const { id: project_id, quota_group_id } = project;
  const byId = name.startsWith('tool_') ? await selectTool(app.database, project_id, name) : undefined;
  const row = byId ?? (await selectToolByName(app.database, project_id, name));
  if (!row) throw refuse.notFound();
  const cache = cacheOf(app);
  const key = `${project_id} ${name}`;
  const tool = await prepareTool(app, row, quota_group_id, cache.peek(key)?.tool);
  cache.set(key, { stamp, tool });
  return tool;
}
