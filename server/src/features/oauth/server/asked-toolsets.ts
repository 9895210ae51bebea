// The toolsets that a person is asked for: those of a request that were not approved yet, and those that got tools since which can
// change something. With the tools that the page shows.

import { type ListedAnnotations, listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { SignInRequest } from './request-store.ts';

export type ShownTool = {
  /** What a model is told of it. */
  listed: ListedAnnotations;
  /** It joined, or began to change things, after the person had approved the toolset. */
  is_new: boolean;
};

export type AskedToolset = {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  /** The person approved the toolset before: only its new tools are asked for. */
  is_approved: boolean;
  tool_count: number;
  /** How many of them can change something. */
  writing_count: number;
  /** New ones first, then those that can change something; not all of a large toolset. */
  tools: ShownTool[];
};

/** `shown_at`: what joins later is not approved with this. */
export type Asked = { toolsets: AskedToolset[]; shown_at: number };

type FoundTool = Pick<ShownTool, 'is_new'> & Parameters<typeof listedAnnotations>[0];
type FoundToolset = Omit<AskedToolset, 'tools'> & { new_count: number; tools: FoundTool[] };

/** A page must stay readable, and its size bounded. */
const MAX_SHOWN_TOOLS = 100;

/** In a transaction: nothing joins a toolset between the time that is returned and the reading. */
export async function findAsked(
  app: App,
  { project_id, toolset_ids }: Pick<SignInRequest, 'project_id' | 'toolset_ids'>,
  approved: Readonly<Record<string, string>>,
): Promise<Asked> {
  if (toolset_ids === null || toolset_ids.length === 0) return { toolsets: [], shown_at: app.now() };
  await app.database.selectFrom('projects').select('id').where('id', '=', project_id).forShare().execute();
  const shown_at = app.now();
  const { rows } = await sql<FoundToolset>`
    select s.id, s.slug, s.name, s.description, approved.at is not null as is_approved, counted.*,
      array(
        select json_build_object('name', t.name, 'title', t.title, 'method', t.method, 'annotations', t.annotations,
          'is_new', coalesce(m.writable_since > approved.at, false))
        from toolset_tools m join custom_tools t on t.id = m.tool_id
        where m.project_id = s.project_id and m.toolset_id = s.id
        order by coalesce(m.writable_since > approved.at, false) desc, t.is_read_only, t.name
        limit ${MAX_SHOWN_TOOLS}
      ) as tools
    from toolsets s
      cross join lateral (select (${JSON.stringify(approved)}::jsonb ->> s.id)::timestamptz as at) as approved
      cross join lateral (
        select count(*)::integer as tool_count, (count(*) filter (where not t.is_read_only))::integer as writing_count,
          (count(*) filter (where m.writable_since > approved.at))::integer as new_count
        from toolset_tools m join custom_tools t on t.id = m.tool_id
        where m.project_id = s.project_id and m.toolset_id = s.id
      ) as counted
    where s.project_id = ${project_id} and s.id = any (${toolset_ids}) and s."grant" <> 'never'
    order by s."grant", s.slug`.execute(app.database);
  const toolsets = rows.filter(({ is_approved, new_count }) => !is_approved || new_count > 0);
  return {
    toolsets: toolsets.map(({ new_count: _, tools, ...toolset }) => ({ ...toolset, tools: tools.map(showTool) })),
    shown_at,
  };
}

const showTool = ({ is_new, ...tool }: FoundTool): ShownTool => ({ is_new, listed: listedAnnotations(tool) });
