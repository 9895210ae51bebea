// The ids of toolsets by their slugs, which URLs, settings and assertions name them by, and which of them are searched. Cached
// until the project changes.

import { toolsetScope } from '@toolgate/contract/toolsets/rules.ts';
import type { Project } from '../../../access/caller.ts';
import type { ScopeToolset } from '../../../access/grant-layer.ts';
import type { App } from '../../../app.ts';

/** A request that holds a database permit must not wait for another one. */
export type HoldsPermit = { holds_permit?: boolean };

type Slugs = {
  ids: ReadonlyMap<string, string>;
  scopes: readonly ScopeToolset[];
  /** Ids of the toolsets with the exposure `search`. */
  searched: ReadonlySet<string>;
};
type ProjectKey = Pick<Project, 'id' | 'fairness_key'>;

/** Undefined for a slug that the project does not have. */
export async function findToolsetIds(
  app: App,
  project: ProjectKey,
  slugs: readonly string[],
  permit: HoldsPermit = {},
): Promise<(string | undefined)[]> {
  const { ids } = await findSlugs(app, project, permit);
  return slugs.map((slug) => ids.get(slug));
}

/** The toolsets that are scopes of OAuth. */
export async function findScopeToolsets(
  app: App,
  project: ProjectKey,
  permit: HoldsPermit = {},
): Promise<readonly ScopeToolset[]> {
  return (await findSlugs(app, project, permit)).scopes;
}

/** Whether one of these toolsets has the exposure `search`. */
export async function areSearched(app: App, project: ProjectKey, toolset_ids: readonly string[]): Promise<boolean> {
  const { searched } = await findSlugs(app, project, {});
  return toolset_ids.some((toolset_id) => searched.has(toolset_id));
}

async function findSlugs(app: App, project: ProjectKey, { holds_permit = false }: HoldsPermit): Promise<Slugs> {
  const load = () => loadSlugs(app, project.id);
  const cached = app.cache.get<Slugs>('toolset_slugs', project.id);
  return cached ?? (await (holds_permit ? load() : app.permits.run(project, load)));
}

/** The same for a request that no caller of the project sent. `network`: where it came from; its lookups take turns. */
export async function findScopeToolsetsOf(
  app: App,
  project_id: string,
  network: string,
): Promise<readonly ScopeToolset[]> {
  const cached = app.cache.get<Slugs>('toolset_slugs', project_id);
  return (cached ?? (await app.lookups.run(network, () => loadSlugs(app, project_id)))).scopes;
}

/** The scopes of the baseline toolsets of a project that anyone may name; none if it does not exist. */
export async function findBaselineScopes(app: App, project_id: string, network: string): Promise<string[]> {
  return (await findScopeToolsetsOf(app, project_id, network))
    .filter(({ grant }) => grant === 'baseline')
    .map(({ slug }) => toolsetScope(slug))
    .sort();
}

async function loadSlugs(app: App, project_id: string): Promise<Slugs> {
  const loaded = await app.cache.getOrLoad<Slugs>('toolset_slugs', project_id, async () => {
    const found = await app.database
      .selectFrom('projects as p')
      .leftJoin('toolsets as t', 't.project_id', 'p.id')
      .select(['t.id', 't.slug', 't.grant', 't.exposure'])
      .where('p.id', '=', project_id)
      .where('p.deleted_at', 'is', null)
      .execute();
    // Projects that do not exist are not cached: anyone can name them.
    if (found.length === 0) return null;
    const rows = found.flatMap(({ id, slug, grant }) => (id && slug && grant ? [{ id, slug, grant }] : []));
    const searched = new Set(found.flatMap(({ id, exposure }) => (id && exposure === 'search' ? [id] : [])));
    const ids = new Map(rows.map(({ id, slug }) => [slug, id]));
    const scopes = rows.flatMap(({ grant, ...row }) => (grant === 'never' ? [] : [{ ...row, grant }]));
    return { project_id, value: { ids, scopes, searched }, bytes: rows.length * 400 };
  });
  return loaded ?? { ids: new Map(), scopes: [], searched: new Set() };
}
