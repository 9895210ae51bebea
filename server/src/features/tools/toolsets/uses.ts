// Where a toolset is assigned: the columns toolset_ids of API keys, integrations, OAuth clients and OAuth providers, limits and hooks
// that match it, and the rules for members in the settings of the project.

import type { MemberAccess } from '@toolgate/contract/projects/toolsets-of-member.ts';
import { sql } from 'kysely';
import { completeSettings } from '../../../access/project.ts';
import type { Database } from '../../../database/tables.ts';

const tables = {
  api_key_ids: 'api_keys',
  integration_ids: 'integrations',
  oauth_client_ids: 'oauth_clients',
  oauth_provider_ids: 'oauth_providers',
} as const;

/** Those that match the tools of a toolset. */
const matching = { limit_ids: 'tool_limits', hook_ids: 'hooks' } as const;
type Matching = (typeof matching)[keyof typeof matching];

/** How many of each kind a refusal names. */
const MOST_NAMED = 20;

type Toolset = { id: string; project_id: string; slug: string };
/** `project_ids`: the project, if its rules for members name the toolset. */
type Uses = Partial<Record<keyof typeof tables | keyof typeof matching | 'project_ids', string[]>>;

/** Ids of what is narrowed to the toolset, by kind; null if nothing is. */
export async function selectUses(database: Database, toolset: Toolset): Promise<Uses | null> {
  const { id: toolset_id, project_id, slug } = toolset;
  const uses: Uses = {};
  for (const [kind, table] of Object.entries(tables) as [keyof typeof tables, (typeof tables)[keyof typeof tables]][]) {
    const rows = await database
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', project_id)
      .where(sql<boolean>`toolset_ids @> array[${toolset_id}]::text[]`)
      .orderBy('id')
      .limit(MOST_NAMED)
      .execute();
    if (rows.length > 0) uses[kind] = rows.map(({ id }) => id);
  }
  for (const [kind, table] of Object.entries(matching) as [keyof typeof matching, Matching][]) {
    const rows = await database
      .selectFrom(table)
      .select('id')
      .where('project_id', '=', project_id)
      .where('toolset_id', '=', toolset_id)
      .orderBy('id')
      .execute();
    if (rows.length > 0) uses[kind] = rows.map(({ id }) => id);
  }
  if (listsOf((await lockMemberAccess(database, project_id)).access).some((list) => list.includes(slug)))
    uses.project_ids = [project_id];
  return Object.keys(uses).length > 0 ? uses : null;
}

/** A list that becomes empty stays empty, so that nobody sees more than before. */
export async function removeUses(database: Database, toolset: Toolset): Promise<void> {
  const { id: toolset_id, project_id, slug } = toolset;
  for (const table of Object.values(tables))
    await database
      .updateTable(table)
      .set({ toolset_ids: sql<string[]>`array_remove(toolset_ids, ${toolset_id})` })
      .where('project_id', '=', project_id)
      .where(sql<boolean>`toolset_ids @> array[${toolset_id}]::text[]`)
      .execute();
  // It then applies to no tool, instead of to every one.
  for (const table of Object.values(matching))
    await database
      .updateTable(table)
      .set({ toolset_id: null, tool_ids: [] })
      .where('project_id', '=', project_id)
      .where('toolset_id', '=', toolset_id)
      .execute();
  await removeFromMemberAccess(database, project_id, slug);
}

async function lockMemberAccess(database: Database, project_id: string) {
  const { settings } = await database
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', project_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return { settings, access: completeSettings(settings).member_access };
}

const listsOf = ({ default: everybody, rules }: MemberAccess) => [
  everybody ?? [],
  ...rules.map(({ toolsets }) => toolsets),
];

async function removeFromMemberAccess(database: Database, project_id: string, slug: string): Promise<void> {
  const { settings, access } = await lockMemberAccess(database, project_id);
  if (!listsOf(access).some((list) => list.includes(slug))) return;
  const without = (list: string[]) => list.filter((each) => each !== slug);
  const member_access: MemberAccess = {
    default: access.default && without(access.default),
    rules: access.rules.map((rule) => ({ ...rule, toolsets: without(rule.toolsets) })),
  };
  await database
    .updateTable('projects')
    .set({ settings: JSON.stringify({ ...settings, member_access }) })
    .where('id', '=', project_id)
    .execute();
}
