// Whether a caller searches: one of the toolsets in its layers has the exposure `search`. A caller without layers never does, and
// costs nothing here.

import type { TokenCaller } from '../access/caller.ts';
import type { App } from '../app.ts';
import { areSearched } from '../features/policies/toolsets/slugs.ts';

export async function searches(app: App, { project, layers }: TokenCaller): Promise<boolean> {
  if (layers.length === 0) return false;
  return areSearched(
    app,
    project,
    layers.flatMap(({ toolset_ids }) => toolset_ids),
  );
}
