// The id of the toolset that an address names.

import type { Project } from '../../../access/caller.ts';
import type { App } from '../../../app.ts';
import { selectSlugs } from './store.ts';

type Slugs = { ids: ReadonlyMap<string, string> };

/** Returns undefined for a slug that the project does not have. The slugs of a project are cached until it changes. */
export async function findToolsetBySlug(
  app: App,
  { id: project_id, ...project }: Pick<Project, 'id' | 'fairness_key'>,
  slug: string,
): Promise<string | undefined> {
  const cached = app.cache.get<Slugs>('toolset_slugs', project_id);
  const { ids } = cached ?? (await app.permits.run({ id: project_id, ...project }, () => loadSlugs(app, project_id)));
  return ids.get(slug);
}

async function loadSlugs(app: App, project_id: string): Promise<Slugs> {
  const loaded = await app.cache.getOrLoad<Slugs>('toolset_slugs', project_id, async () => {
    const rows = await selectSlugs(app.database, project_id);
    return { project_id, value: { ids: new Map(rows.map(({ id, slug }) => [slug, id])) }, bytes: rows.length * 200 };
  });
  return loaded as Slugs;
}
