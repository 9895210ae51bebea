// A hash of everything that tools/list returns to a caller, over all its pages. Cached like the first page.

import type { TokenCaller } from '../access/caller.ts';
import { layersKey } from '../access/layers.ts';
import type { App } from '../app.ts';
import { hashToolsForModel } from '../features/tools/calls/list-for-model.ts';
import { searches } from './search-exposure.ts';

export async function findListHash(app: App, caller: TokenCaller): Promise<string> {
  const project_id = caller.project.id;
  const load = async () => {
    const only_listed = await searches(app, caller);
    const hash = `${only_listed} ${await hashToolsForModel(app, caller, only_listed)}`;
    return { project_id, value: { hash } };
  };
  const id = `${project_id} ${caller.kind}${layersKey(caller.layers)}`;
  return ((await app.cache.getOrLoad('mcp_list_hash', id, load)) as { hash: string }).hash;
}
