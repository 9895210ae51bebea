// SQL that finds what narrows a caller, and the tools of a project with the toolsets they are in.

import { sql } from 'kysely';
import type { ApprovedToolsets } from '../../../access/grant-layer.ts';
import { type PageQuery, readPage } from '../../../database/page.ts';
import type { Database } from '../../../database/tables.ts';

/** The toolsets of each layer; null: it does not narrow. */
export type ToolsetsOfCaller = {
  key: string[] | null;
  integration: string[] | null;
  client: string[] | null;
  provider: string[] | null;
  member: string[] | null;
  /** What `mcp` means for a machine. */
  grant?: string[] | null;
  /** The toolset of the URL that a session is for. */
  url?: string[] | null;
};

/** `only`: the toolsets that a session was narrowed to. */
type FoundGrant = { toolsets: ApprovedToolsets; created_at: string; only: string[] | null };

/** `claims` and `resource`: of a grant, whose next session is narrowed by them. */
export type FoundCaller = {
  toolsets: ToolsetsOfCaller;
  claims: Record<string, unknown> | null;
  resource: string | null;
  grant: FoundGrant | null;
  /** False: it was granted no scope for tools. */
  may_call_tools: boolean;
  /** True for the session of a client for itself, and for a client that can have no other. */
  is_machine: boolean;
};

/** By what the caller is named. A member is a caller with the credentials of its last session. */
export type CallerRef = { by: 'api_key' | 'session' | 'member' | 'oauth_grant' | 'oauth_client'; id: string };

const KEY = sql`k.toolset_ids as key`;
const INTEGRATION = sql`i.toolset_ids as integration`;
const CLIENT = sql`c.toolset_ids as client`;
const PROVIDER = sql`v.toolset_ids as provider`;
const MEMBER = sql`s.toolset_ids as member`;
const NO_CLAIMS = sql`null::jsonb as claims`;
const none = (name: string) => sql`null::text[] as ${sql.ref(name)}`;

const GRANT = sql`g.toolsets as approved, g.created_at as granted_at`;
const NO_GRANT = sql`null::jsonb as approved, null::timestamptz as granted_at`;
const ONLY = sql`s.granted_toolset_ids as only`;
const URL_TOOLSET = sql`case when s.url_toolset_id is not null then array[s.url_toolset_id] end as url`;

const EVERY_SCOPE = sql`true as may_call_tools`;
const mayCall = (scopes: string) => sql`coalesce('mcp' = any (${sql.ref(scopes)}), true) as may_call_tools`;
/** A member whose last session is gone sees what the rules give to everybody. */
const CLAIMS = sql`case when s.id is null then '{}'::jsonb end as claims`;

const session_columns = sql.join([
  KEY,
  INTEGRATION,
  CLIENT,
  PROVIDER,
  MEMBER,
  CLAIMS,
  GRANT,
  ONLY,
  URL_TOOLSET,
  mayCall('s.scopes'),
]);
const session_tables = sql`
  member_sessions s
  left join api_keys k on k.id = s.api_key_id
  left join integrations i on i.id = s.integration_id
  left join oauth_grants g on g.id = s.grant_id
  left join oauth_clients c on c.id = g.client_id
  left join oauth_providers v on v.id = g.provider_id`;

/** As client-sessions/store.ts: a machine without toolsets of its own has those that `mcp` is. */
const SCOPE_TOOLSETS = sql`case when c.toolset_ids is null then (
  select coalesce(array_agg(t.id) filter (where t."grant" = 'baseline'), '{}') from toolsets t
  where t.project_id = c.project_id and t."grant" <> 'never' having count(*) > 0
) end as "grant"`;
/** Nobody signs in through such a client. */
const IS_MACHINE = sql`not 'authorization_code' = any (c.grant_types) and 'client_credentials' = any (c.grant_types)`;
const MACHINE = sql`(${IS_MACHINE}) as is_machine`;
const MACHINE_GRANT = sql`case when ${IS_MACHINE} then (select g."grant" from (select ${SCOPE_TOOLSETS}) g) end as "grant"`;
const CLIENT_CLAIMS = sql`case when not (${IS_MACHINE}) then '{}'::jsonb end as claims`;

type Found = ToolsetsOfCaller &
  Pick<FoundCaller, 'claims' | 'may_call_tools'> & {
    is_machine?: boolean;
    resource?: string | null;
    approved: ApprovedToolsets;
    granted_at: string | null;
    only: string[] | null;
  };

/** Undefined if the project has no such caller. */
export async function selectCaller(
  database: Database,
  project_id: string,
  caller: CallerRef,
): Promise<FoundCaller | undefined> {
  const { rows } = await selectStatement(project_id, caller).execute(database);
  const [row] =
    rows.length === 0 && caller.by === 'session' ? await selectMachine(database, project_id, caller.id) : rows;
  if (!row) return undefined;
  const { claims, resource = null, approved, granted_at, only, may_call_tools, is_machine = false, ...toolsets } = row;
  return {
    toolsets,
    claims,
    resource,
    may_call_tools,
    is_machine,
    grant: granted_at === null ? null : { toolsets: approved, created_at: granted_at, only },
  };
}

function selectStatement(project_id: string, { by, id }: CallerRef) {
  switch (by) {
    case 'api_key':
      return sql<Found>`
        select ${sql.join([KEY, INTEGRATION, none('client'), none('provider'), none('member'), NO_CLAIMS, NO_GRANT, none('only'), EVERY_SCOPE])}
        from api_keys k left join integrations i on i.id = k.integration_id
        where k.project_id = ${project_id} and k.id = ${id}`;
    case 'session':
      return sql<Found>`
        select ${session_columns} from ${session_tables} where s.project_id = ${project_id} and s.id = ${id}`;
    case 'member':
      return sql<Found>`
        select ${session_columns}
        from members m left join (${session_tables}) on s.id = (
          select latest.id from member_sessions latest where latest.member_id = m.id
          order by latest.created_at desc limit 1
        )
        where m.project_id = ${project_id} and m.id = ${id}`;
    case 'oauth_grant':
      return sql<Found>`
        select ${sql.join([none('key'), INTEGRATION, CLIENT, PROVIDER, none('member'), sql`g.claims, g.resource`, GRANT, none('only'), mayCall('g.scopes')])}
        from oauth_grants g
        left join integrations i on i.id = g.integration_id
        left join oauth_clients c on c.id = g.client_id
        left join oauth_providers v on v.id = g.provider_id
        where g.project_id = ${project_id} and g.id = ${id}`;
    case 'oauth_client':
      return sql<Found>`
        select ${sql.join([none('key'), INTEGRATION, CLIENT, none('provider'), none('member'), CLIENT_CLAIMS, NO_GRANT, none('only'), EVERY_SCOPE, MACHINE, MACHINE_GRANT])}
        from oauth_clients c left join integrations i on i.id = c.integration_id
        where c.project_id = ${project_id} and c.id = ${id}`;
  }
}

/** The session of a client for itself. */
async function selectMachine(database: Database, project_id: string, id: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select ${sql.join([none('key'), INTEGRATION, CLIENT, none('provider'), none('member'), NO_CLAIMS, NO_GRANT, none('only'), EVERY_SCOPE, sql`true as is_machine`, SCOPE_TOOLSETS])},
      case when s.toolset_id is not null then array[s.toolset_id] end as url
    from client_sessions s
    join oauth_clients c on c.id = s.client_id and c.project_id = s.project_id
    left join integrations i on i.id = s.integration_id
    where s.project_id = ${project_id} and s.id = ${id}`.execute(database);
  return rows;
}

export async function pageOfToolsWithToolsets(database: Database, project_id: string, query: PageQuery) {
  const tools = database
    .selectFrom('custom_tools')
    .select(['id', 'name', 'is_enabled', 'require_member', 'created_at'])
    .select(
      sql<Record<string, number | null> | null>`(
        select json_object_agg(m.toolset_id, extract(epoch from m.writable_since) * 1000) from toolset_tools m
        where m.project_id = ${project_id} and m.tool_id = custom_tools.id
      )`.as('toolsets'),
    )
    .where('project_id', '=', project_id);
  return readPage(tools, 'custom_tools', query);
}
