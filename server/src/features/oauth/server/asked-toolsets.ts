// The toolsets that a person is asked for: those of a request that were not approved yet, and those that got tools since which can
// change something. With the tools that the page shows.

import { type ListedAnnotations, listedAnnotations } from '@toolgate/contract/custom-tools/hints.ts';
import { sql } from 'kysely';
import type { App } from '../../../app.ts';
import type { Database } from '../../../database/tables.ts';
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

export type Asked = {
  toolsets: AskedToolset[];
  /** How many more were requested. They are asked for when the client requests them again. */
  more_count: number;
  /** What joins later is not approved with this. */
  shown_at: number;
};

type FoundTool = Pick<ShownTool, 'is_new'> & Parameters<typeof listedAnnotations>[0];
type FoundToolset = Omit<AskedToolset, 'tools'> & { requested_count: number; changed_at: number; tools: FoundTool[] };

/** A page must stay readable, and anyone can open it: neither its size nor its cost grows with the number of tools. */
const MAX_TOOLSETS = 20;
const MAX_TOOLS = { of_toolset: 100, of_page: 500 };

/**
 * Not in a transaction: a page that anyone can open holds no lock of a project. Only so many toolsets are asked for at a time; a
 * client gets less than it requested, and is told so with the token (RFC 6749 3.3).
 */
export async function findAsked(
  app: App,
  { project_id, toolset_ids }: Pick<SignInRequest, 'project_id' | 'toolset_ids'>,
  approved: Readonly<Record<string, string>>,
): Promise<Asked> {
  const now = app.now();
  if (toolset_ids === null || toolset_ids.length === 0) return { toolsets: [], more_count: 0, shown_at: now };
  const is_changing = await isChanging(app, project_id);
  const rows = await selectAsked(app.database, project_id, toolset_ids, approved);
  return {
    toolsets: rows.map(showToolset),
    more_count: Math.max(0, (rows[0]?.requested_count ?? 0) - rows.length),
    // A change that is not committed cannot be seen, and may be older than now. It is newer than every change that can.
    shown_at: is_changing ? Math.max(0, ...rows.map(({ changed_at }) => changed_at)) : now,
  };
}

/** Whether a transaction that changes the tools or toolsets of the project is open: it has the project's row locked. */
async function isChanging({ database }: App, project_id: string): Promise<boolean> {
  const projects = database.selectFrom('projects').select('id').where('id', '=', project_id);
  return (await projects.forShare().skipLocked().execute()).length === 0;
}

/** Each statement reads the first rows of an index, however many tools a toolset has. Counts are stored (features/tools/toolsets). */
async function selectAsked(
  database: Database,
  project_id: string,
  toolset_ids: readonly string[],
  approved: Readonly<Record<string, string>>,
): Promise<FoundToolset[]> {
  const { rows } = await sql<FoundToolset>`
    with asked as (
      select s.id, s.project_id, s.slug, s.name, s.description, s."grant", s.updated_at, approved.at,
        (count(*) over ())::integer as requested_count
      from toolsets s
        cross join lateral (select (${JSON.stringify(approved)}::jsonb ->> s.id)::timestamptz as at) as approved
      where s.project_id = ${project_id} and s.id = any (${toolset_ids}) and s."grant" <> 'never'
        and (approved.at is null or exists (
          select from toolset_tools m join custom_tools t on t.id = m.tool_id
          where m.project_id = s.project_id and m.toolset_id = s.id and m.writable_since > approved.at))
      order by array_position(${toolset_ids}::text[], s.id)
      limit ${MAX_TOOLSETS}
    )
    select s.id, s.slug, s.name, s.description, s.at is not null as is_approved, s.requested_count,
      coalesce(c.tool_count, 0) as tool_count, coalesce(c.writing_count, 0) as writing_count,
      floor(extract(epoch from greatest(s.updated_at, newest.writable_since)) * 1000)::double precision as changed_at,
      array(
        select json_build_object('name', t.name, 'title', t.title, 'method', t.method, 'annotations', t.annotations,
          'is_new', coalesce(m.writable_since > s.at, false))
        from toolset_tools m join custom_tools t on t.id = m.tool_id
        where m.project_id = s.project_id and m.toolset_id = s.id
        order by m.writable_since desc nulls last
        limit least(${MAX_TOOLS.of_toolset}, ${MAX_TOOLS.of_page} / (select count(*) from asked))
      ) as tools
    from asked s
      left join toolset_counts c on c.toolset_id = s.id
      left join lateral (
        select m.writable_since from toolset_tools m
        where m.project_id = s.project_id and m.toolset_id = s.id
        order by m.writable_since desc nulls last
        limit 1
      ) as newest on true
    order by s."grant", s.slug`.execute(database);
  return rows;
}

function showToolset({ requested_count: _, changed_at: __, tools: found, ...toolset }: FoundToolset): AskedToolset {
  const tools = found.map(showTool).sort(inOrder);
  return {
    ...toolset,
    tools,
    // Never less than what is shown.
    tool_count: Math.max(toolset.tool_count, tools.length),
    writing_count: Math.max(toolset.writing_count, tools.filter(isWriting).length),
  };
}

const showTool = ({ is_new, ...tool }: FoundTool): ShownTool => ({ is_new, listed: listedAnnotations(tool) });

const isWriting = ({ listed }: ShownTool) => !listed.readOnlyHint;

const inOrder = (one: ShownTool, other: ShownTool) =>
  Number(other.is_new) - Number(one.is_new) ||
  Number(isWriting(other)) - Number(isWriting(one)) ||
  one.listed.title.localeCompare(other.listed.title, 'en');
