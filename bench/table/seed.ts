// The data of the measured servers: over HTTP what a customer would create, and by SQL what would take too long that way.

import pg from 'pg';
import { findRunning } from '../../server/src/database/embedded.ts';
import { hashToken, makeToken } from '../../server/src/secrets/tokens.ts';
import { makeSigner, type Signer } from '../../server/test/support/make/sign-assertion.ts';
import { post, ROOT_KEY } from '../api.ts';
import { sampleTool } from '../sample-tool.ts';

export const FEW = 10;
export const LISTED = 100;
export const MANY_TOOLS = 10_000;
export const MANY_KEYS = 100_000;
export const MANY_PROJECTS = 1_000;

export type Project = { id: string; keys: string[]; tools: { id: string; name: string }[] };

/** Tools are signed with hmac_signature unless `is_signed` is false: a copy of such a tool could not open its secret. */
export async function makeProject(
  url: string,
  { keys = 1, tools = 0, origin = '', is_signed = true },
): Promise<Project> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000, environment: 'production' };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const made: Project = { id, keys: [], tools: [] };
  for (let i = 0; i < keys; i += 1) {
    const key = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, {
      name: `bench ${i}`,
      permissions: ['admin', 'write'],
    });
    made.keys.push(key.key);
  }
  const secret = { auth_strategy: 'hmac_signature', encrypted_auth_secret: 'a secret of the bench, 32 bytes or so' };
  for (let i = 0; i < tools; i += 1) {
    const tool = { ...sampleTool(i, origin), ...(is_signed ? secret : {}) };
    const { id: tool_id } = await post(url, '/custom-tools', made.keys[0] as string, tool);
    made.tools.push({ id: tool_id, name: tool.name });
  }
  return made;
}

/** Returns its id. */
export async function makeToolset(url: string, project: Project, tools: Project['tools']): Promise<string> {
  toolsets += 1;
  const body = { slug: `bench-${toolsets}`, name: 'bench', tool_ids: tools.map(({ id }) => id) };
  return (await post(url, `/projects/${project.id}/toolsets`, ROOT_KEY, body)).id;
}

let toolsets = 0;

/** Adds and syncs it, and approves so many of its tools, the last ones. Returns their names in the project. */
export async function addMcpServer(
  url: string,
  { id, keys: [key = ''] }: Project,
  { url: server_url, tools }: { url: string; tools: number },
): Promise<string[]> {
  mcp_servers += 1;
  const slug = `s${mcp_servers}`;
  const path = `/projects/${id}/mcp-servers`;
  const { id: server_id } = await post(url, path, ROOT_KEY, { slug, name: slug, url: server_url });
  await post(url, `${path}/${server_id}/sync`, key, {}, 200);
  const names = Array.from({ length: tools }, (_, i) => sampleTool(FEW - 1 - i, '').name);
  await post(url, `${path}/${server_id}/approve`, key, { tool_names: names }, 200);
  return names.map((name) => `${slug}_${name}`);
}

let mcp_servers = 0;

/** One key for each choice of toolsets; null: it sees every tool. */
export async function makeKeys(url: string, { id }: Project, choices: (string[] | null)[]): Promise<string[]> {
  const keys: string[] = [];
  for (const toolset_ids of choices) {
    const body = { name: 'bench', permissions: ['read'], toolset_ids };
    keys.push((await post(url, `/projects/${id}/api-keys`, ROOT_KEY, body)).key);
  }
  return keys;
}

export type Exchanger = { project_id: string; key: string; signer: Signer };

/** An integration whose key exchanges assertions of one signer. */
export async function makeExchanger(url: string): Promise<Exchanger> {
  const { id, keys } = await makeProject(url, {});
  const integration = await post(url, `/projects/${id}/integrations`, ROOT_KEY, { name: 'bench' });
  const path = `/projects/${id}/integrations/${integration.id}/api-keys`;
  const { key } = await post(url, path, ROOT_KEY, { name: 'bench', permissions: ['read'] });
  const signer = makeSigner();
  const { kid, algorithm, pem: public_key } = signer;
  await post(url, '/assertion-keys', keys[0] as string, { kid, algorithm, public_key });
  return { project_id: id, key, signer };
}

export async function makeWebhooks(url: string, project_id: string, origin: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1)
    await post(url, `/projects/${project_id}/webhooks`, ROOT_KEY, {
      url: `${origin}/hook/${i}`,
      events: ['project.updated'],
    });
}

export type Many = { tools: string[]; keys: string[]; projects: { keys: string[]; tools: string[] } };

/** Copies rows of a project with unsigned tools, in the running embedded PostgreSQL of a data folder. */
export async function multiply(data_dir: string, project: Project): Promise<Many> {
  const client = new pg.Client(await findRunning(data_dir));
  await client.connect();
  try {
    const made = await copyTools(client, project);
    const keys = await addKeys(client, Array<string>(MANY_KEYS - FEW).fill(project.id));
    const project_ids = await copyProject(client, project);
    const projects = {
      keys: await addKeys(client, project_ids),
      tools: project_ids.map(() => project.tools[0]?.name as string),
    };
    await client.query('vacuum analyze');
    return { tools: [...project.tools.map(({ name }) => name), ...made], keys: [...project.keys, ...keys], projects };
  } finally {
    await client.end();
  }
}

/** The columns of a table that can be inserted, without the given ones. */
async function columnsOf(client: pg.Client, table: string, without: string[]): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' and column_name <> all ($2)`,
    [table, without],
  );
  return rows[0]?.columns as string;
}

async function copyTools(client: pg.Client, { tools }: Project): Promise<string[]> {
  const columns = await columnsOf(client, 'custom_tools', ['id', 'name']);
  const { rows } = await client.query<{ name: string }>(
    `insert into custom_tools (id, name, ${columns})
     select 'tool_bench' || i, 'bench_' || i, ${columns}
     from custom_tools, generate_series(1, $2::int) as i where id = $1 returning name`,
    [tools[0]?.id, MANY_TOOLS - tools.length],
  );
  return rows.map(({ name }) => name);
}

/** One key for each of the projects. */
async function addKeys(client: pg.Client, project_ids: string[]): Promise<string[]> {
  const keys = project_ids.map(() => makeToken('svc_live_'));
  await client.query(
    `insert into api_keys (id, project_id, name, permissions, hash, prefix, last4, created_by)
     select 'key_' || md5(hash), project_id, 'bench', '{admin,write}', hash, 'svc_live_', '0000', 'root'
     from unnest($1::text[], $2::bytea[]) as made (project_id, hash)`,
    [project_ids, keys.map(hashToken)],
  );
  return keys;
}

/** Each copy is a quota group of its own, with one tool. */
async function copyProject(client: pg.Client, { id, tools }: Project): Promise<string[]> {
  const columns = await columnsOf(client, 'projects', ['id', 'quota_group_id']);
  const { rows } = await client.query<{ id: string }>(
    `insert into projects (id, quota_group_id, ${columns})
     select 'prj_bench' || i, 'prj_bench' || i, ${columns} from projects, generate_series(1, $2::int) as i
     where id = $1 returning id`,
    [id, MANY_PROJECTS],
  );
  const toolColumns = await columnsOf(client, 'custom_tools', ['id', 'project_id']);
  await client.query(
    `insert into custom_tools (id, project_id, ${toolColumns})
     select 'tool_of_' || copied.id, copied.id, ${toolColumns}
     from (select ${toolColumns} from custom_tools where id = $1) as tool, unnest($2::text[]) as copied (id)`,
    [tools[0]?.id, rows.map((row) => row.id)],
  );
  return rows.map((row) => row.id);
}
