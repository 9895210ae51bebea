// Finds the tools that match a query among those that the caller may call.

import type { Project, TokenCaller } from '../../../access/caller.ts';
import { layersKey } from '../../../access/layers.ts';
import type { App } from '../../../app.ts';
import type { FoundTool } from '../calls/tool-call.ts';
import { listedInputSchema } from '../catalogue/file-arguments.ts';
import { type SeenTools, selectSeenIds, selectSeenTools } from '../catalogue/listing-store.ts';
import { rank, type Visible } from './bm25.ts';
import { findProjectIndex, keptIndex, type ProjectIndex } from './project-index.ts';

/** What callers with the same layers search in. */
type Searched = Omit<ProjectIndex, 'fingerprint'> & { visible: Visible };

/** Best first. */
export async function searchTools(
  app: App,
  caller: TokenCaller,
  { query, limit }: { query: string; limit: number },
): Promise<FoundTool[]> {
  const { project, layers } = caller;
  const seen: SeenTools = { with_member: caller.kind === 'member', layers };
  const { index, tool_ids, visible } = await findSearched(app, caller, seen);
  const ids = rank(index, query, limit, visible).map((place) => tool_ids[place] as string);
  if (ids.length === 0) return [];
  // Read again with the same conditions: what was hidden or deleted since the index was cached is not found.
  const tools = await app.permits.run(project, () => selectSeenTools(app.database, project.id, seen, ids));
  const places = new Map(ids.map((id, place) => [id, place]));
  return tools
    .toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
    .map(({ fixed_arguments, source, ...tool }) => ({
      ...tool,
      input_schema: listedInputSchema({ ...tool, fixed_arguments, source }),
    }));
}

/** Only the fingerprint of the index is cached here: the index is large, and counted where it is kept. */
async function findSearched(app: App, { project, layers }: TokenCaller, seen: SeenTools): Promise<Searched> {
  const id = `${project.id} ${seen.with_member}${layersKey(layers)}`;
  const load = async () => {
    const { fingerprint, tool_ids, visible } = await loadSearched(app, project, seen);
    return { project_id: project.id, value: { fingerprint, visible }, bytes: 200 + tool_ids.length };
  };
  const cached = await app.cache.getOrLoad<Cached>('searched_tools', id, load);
  const kept = cached && keptIndex(app, project.id, cached.fingerprint);
  return kept ? { ...kept, visible: cached.visible } : loadSearched(app, project, seen);
}

type Cached = { fingerprint: string; visible: Visible };

async function loadSearched(app: App, project: Project, seen: SeenTools): Promise<ProjectIndex & Searched> {
  const found = await findProjectIndex(app, project);
  const ids = await app.permits.run(project, () => selectSeenIds(app.database, project.id, seen));
  return { ...found, visible: visibleOf(found.tool_ids, new Set(ids)) };
}

/** One byte for each tool, since there is one of these for each choice of toolsets. */
function visibleOf(tool_ids: string[], ids: ReadonlySet<string>): Visible {
  const bytes = Uint8Array.from(tool_ids, (id) => (ids.has(id) ? 1 : 0));
  return { size: ids.size, has: (place) => bytes[place] === 1 };
}
