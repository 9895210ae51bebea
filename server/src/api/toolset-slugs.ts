// The ids of toolsets by their slugs, which addresses, settings and assertions name them by. Cached until the project changes.

import type { Project } from '../access/caller.ts';
import type { App } from '../app.ts';

/** A request that holds a database permit must not wait for another one. */
export type HoldsPermit = { holds_permit?: boolean };

type Slugs = { ids: ReadonlyMap<string, string> };

/** Undefined for a slug that the project does not have. */
export async function findToolsetIds(
  app: App,
  { id: project_id, fairness_key }: Pick<Project, 'id' | 'fairness_key'>,
  slugs: readonly string[],
  { holds_permit = false }: HoldsPermit = {},
): Promise<(string | undefined)[]> {
  const load = () => loadSlugs(app, project_id);
  const { ids } =
    app.cache.get<Slugs>('toolset_slugs', project_id) ??
    (await (holds_permit ? load() : app.permits.run({ id: project_id, fairness_key }, load)));
  return slugs.map((slug) => ids.get(slug));
}

async function loadSlugs(app: App, project_id: string): Promise<Slugs> {
  const loaded = await app.cache.getOrLoad<Slugs>('toolset_slugs', project_id, async () => {
    const rows = await app.database
      .selectFrom('toolsets')
      .select(['id', 'slug'])
      .where('project_id', '=', project_id)
      .execute();
    return { project_id, value: { ids: new Map(rows.map(({ id, slug }) => [slug, id])) }, bytes: rows.length * 200 };
  });
  return loaded as Slugs;
}
