// The caller of a URL that names a toolset: the credential, narrowed by one layer more.

import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { refuse } from '../errors/errors.ts';
import { findToolsetIds } from '../features/policies/toolsets/slugs.ts';

/** By credential, which is the same object while it is cached. */
const narrowed = new WeakMap<TokenCaller, Map<string, TokenCaller>>();

/** A toolset that the project does not have is not found, as a URL that does not exist. */
export async function narrowToToolset(app: App, caller: TokenCaller, slug: string): Promise<TokenCaller> {
  const [toolset_id] = await findToolsetIds(app, caller.project, [slug]);
  if (toolset_id === undefined) throw refuse.notFound();
  const known = narrowed.get(caller) ?? new Map<string, TokenCaller>();
  narrowed.set(caller, known);
  let found = known.get(toolset_id);
  if (found === undefined) {
    found = {
      ...caller,
      layers: [...caller.layers, { name: 'url', toolset_ids: [toolset_id] }],
      reauthenticate: async () => narrowToToolset(app, await caller.reauthenticate(), slug),
    };
    known.set(toolset_id, found);
  }
  return found;
}
