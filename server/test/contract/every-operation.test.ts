// What is true of every operation. The recordings of the examples call each of them; those that change something are called
// three times: while PostgreSQL refuses every commit, while it refuses those with an event or an audit entry, and for real.

import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routes } from '@toolgate/contract/resources.ts';
import pg from 'pg';
import { CHANGES_CHANNEL } from '../../src/database/watch.ts';
import { examplesFile } from '../../src/http/openapi-examples.ts';
import { recordAll } from '../api-examples/record-all.ts';
import { startRecorder } from '../api-examples/recorder.ts';
import { findInDatabase } from '../support/database/find-in-database.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';

/** What a refused request may leave behind: counts of requests and of failures, logs, and keys that are created when first used. */
const UNRELATED = new Set([
  'request_counts',
  'request_log',
  'request_traces',
  'rate_limited_counts',
  'failure_counts',
  'failed_sign_ins',
  'data_keys',
  'encryption_keys',
]);
/** Written at most once a minute, for whatever request comes next. */
const TIMES_OF_USE = ['last_used_at', 'last_seen_at'];

const recorder = await startRecorder(tryAll);
const { app } = recorder.server;
const client = new pg.Client(app.config.database_url as string);
await client.connect();

const { rows: all } = await client.query<{ name: string }>(`
  select relname as name from pg_class
  where relkind = 'r' and not relispartition and relnamespace = 'public'::regnamespace order by 1`);
const tables = all.map(({ name }) => name).filter((name) => !UNRELATED.has(name));
const RECORDS = ['events', 'audit_entries'];

/** The error is at the commit itself: each statement of the transaction has succeeded. A sequence is not rolled back. */
await client.query(`
  listen ${CHANGES_CHANNEL};
  create schema test;
  create table test.refused_tables (name text not null);
  create sequence test.refused;
  create function test.refuse() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and to_jsonb(old) - '{${TIMES_OF_USE}}'::text[] = to_jsonb(new) - '{${TIMES_OF_USE}}'::text[] then
      return null;
    end if;
    if tg_table_name in (select name from test.refused_tables) then
      perform nextval('test.refused');
      raise exception 'this commit is refused';
    end if;
    return null;
  end $$;
  create table test.entries (id text not null);
  create function test.list_entry() returns trigger language plpgsql as $$
  begin
    insert into test.entries values (new.id);
    return null;
  end $$;
  create trigger list_entry after insert on audit_entries for each row execute function test.list_entry()`);
for (const name of tables)
  await client.query(`
    create constraint trigger refuse after insert or update or delete on ${name} deferrable initially deferred
    for each row execute function test.refuse()`);

/** Refuses commits of changes in these tables while `work` runs. Returns whether there were any. */
async function whileRefused<T>(names: string[], work: () => Promise<T>): Promise<{ result: T; is_refused: boolean }> {
  await client.query('insert into test.refused_tables select unnest($1::text[])', [names]);
  await client.query(`select setval('test.refused', 1)`);
  const result = await work();
  await client.query('delete from test.refused_tables');
  const { rows } = await client.query('select last_value > 1 as is_refused from test.refused');
  return { result, is_refused: rows[0].is_refused };
}

const { rows: used } = await client.query<{ name: string }>(
  'select table_name as name from information_schema.columns where column_name = any($1)',
  [TIMES_OF_USE],
);
/** A row that is written has another transaction, or another place. */
const versionOf = (name: string) =>
  used.some((table) => table.name === name) ? `to_jsonb(t) - '{${TIMES_OF_USE}}'::text[]` : 't.xmin, t.ctid';
const contents = tables
  .map((name) => `select '${name}' as name, sum(hashtext(row(${versionOf(name)})::text)) as content from ${name} as t`)
  .join(' union all ');

/** What is in each table. With a name it is planned once: planning takes longer than reading. */
async function readContents(): Promise<Map<string, string>> {
  await app.batch_writer.flush();
  const { rows } = await client.query<{ name: string; content: string }>({ name: 'contents', text: contents });
  return new Map(rows.map(({ name, content }) => [name, content]));
}

const notified = new Set<string>();
client.on('notification', ({ payload = '' }) => notified.add(payload));

type Entry = { action: string; project_id: string | null };

/** The entries of the audit log since the last call. PostgreSQL sends the notifications of all earlier commits before them. */
async function readNewEntries(): Promise<Entry[]> {
  const { rows } = await client.query<Entry>(`
    with new as (delete from test.entries returning id)
    select action, project_id from audit_entries join new using (id)`);
  return rows;
}

type Refused = { operation: string; status: number; changed: string[] };
const uncommitted: Refused[] = [];
const unrecorded: Refused[] = [];
/** Operations that record nothing. */
const silent = new Set<string>();
const unnotified = new Set<string>();

/** Sends a request whose commits in these tables fail; `refused` is null if it made none. */
async function tryWhileRefused(operation: string, send: () => Promise<ApiResponse>, names: string[]) {
  const before = await readContents();
  const { result, is_refused } = await whileRefused(names, send);
  if (!is_refused) return { result, refused: null };
  const now = await readContents();
  const changed = tables.filter((name) => now.get(name) !== before.get(name));
  return { result, refused: { operation, status: result.status, changed } };
}

const SECRETS = new Set([
  'key',
  'secret',
  'client_secret',
  'encrypted_auth_secret',
  'session_token',
  'access_token',
  'refresh_token',
  'password',
  'recovery_codes',
  'Authorization',
]);
const secrets = new Set<string>();

/** Adds what is in a request or a response under one of these names. */
function collectSecrets(value: unknown, isSecret = false): void {
  if (typeof value === 'string' && isSecret) secrets.add(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  for (const [name, inner] of Object.entries(value))
    collectSecrets(inner, SECRETS.has(name) || (isSecret && Array.isArray(value)));
}

async function tryAll(operation: string, send: () => Promise<ApiResponse>, body: unknown): Promise<ApiResponse> {
  const response = await tryInOrder(operation, send);
  collectSecrets([body, response.body]);
  return response;
}

async function tryInOrder(operation: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  current = operation;
  const route = Object.entries(routes).find(([name]) => name === operation)?.[1];
  if (!route || route.method === 'GET') return send();
  const { result: first, refused: first_refused } = await tryWhileRefused(operation, send, tables);
  if (!first_refused) return first;
  uncommitted.push(first_refused);
  const { result: second, refused } = await tryWhileRefused(operation, send, RECORDS);
  if (!refused) {
    silent.add(operation);
    return second;
  }
  unrecorded.push(refused);
  await readNewEntries();
  notified.clear();
  const response = await send();
  for (const { action, project_id } of await readNewEntries())
    if (project_id !== null && !notified.has(project_id)) unnotified.add(`${operation}: ${action}`);
  return response;
}

/** The work of one permit. */
type Holder = { is_held: boolean; connections: number };
const holders = new AsyncLocalStorage<Holder>();
const misuses = new Set<string>();
let current = '';

const { permits, pool } = app;
const runWithPermit = permits.run;
permits.run = (user, work, options) => {
  if (holders.getStore()?.is_held) misuses.add(`${current} waits for a permit while it holds one`);
  const holder = { is_held: true, connections: 0 };
  const release = () => {
    holder.is_held = false;
  };
  return runWithPermit(user, () => holders.run(holder, () => work().finally(release)), options);
};

const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
async function connectForHolder(): Promise<pg.PoolClient> {
  const holder = holders.getStore();
  const connection = await connect();
  if (!holder?.is_held) return connection;
  holder.connections += 1;
  if (holder.connections > 1) misuses.add(`${current} uses two connections with one permit`);
  const release = connection.release.bind(connection);
  connection.release = (destroy) => {
    holder.connections -= 1;
    release(destroy);
  };
  return connection;
}

type Connected = (error: Error | undefined, connection?: pg.PoolClient, release?: pg.PoolClient['release']) => void;
pool.connect = ((connected?: Connected) => {
  if (!connected) return connectForHolder();
  return void connectForHolder().then((connection) => connected(undefined, connection, connection.release), connected);
}) as typeof pool.connect;

const recorded = JSON.parse(await recordAll(recorder));
await client.end();

test('the examples are what a real server takes and answers; npm run docs:examples records them', () => {
  const stored = JSON.parse(readFileSync(examplesFile, 'utf8'));
  for (const part of ['operations', 'errors']) {
    const names = new Set([...Object.keys(recorded[part]), ...Object.keys(stored[part])]);
    for (const name of names) {
      const hint = 'remove a type that nothing records from the contract';
      assert.deepEqual(stored[part][name], recorded[part][name], hint);
    }
  }
});

test('a change is committed before the response: if that fails, the response is an error and nothing has changed', () => {
  assert.ok(uncommitted.length > 80, 'hardly any commit was refused');
  assert.deepEqual(
    uncommitted.filter(({ status, changed }) => status < 500 || changed.length > 0),
    [],
  );
});

test('a change is stored only if its event and its audit entry are', () => {
  assert.ok(unrecorded.length > 80, 'hardly any event or audit entry was refused');
  assert.deepEqual(
    unrecorded.filter(({ status, changed }) => status < 500 || changed.length > 0),
    // What a server lists is stored piece by piece; the last transaction has the event.
    [{ operation: 'syncMcpServer', status: 500, changed: ['mcp_server_tools', 'mcp_server_views'] }],
  );
});

test('an operation that changes something has an event or an audit entry, with these exceptions', () => {
  assert.deepEqual([...silent].sort(), [
    'beginTotp', // nothing has changed until it is confirmed
    'deleteFile',
    'executeCustomTool', // a task is begun; its end has an event
    'redeliver',
    'testOrganizationSso',
    'uploadFile',
  ]);
});

test('a change of a project removes its cached entries, except where nothing of it is cached', () => {
  assert.deepEqual([...unnotified].sort(), [
    'approveCall: approval.approved',
    'cancelTask: task.cancelled',
    // Something new: nobody has looked it up.
    'createApiKey: api_key.created',
    'createDirectorySubmission: directory_submission.created',
    'createIntegration: integration.created',
    'createIntegrationApiKey: api_key.created',
    'createLogStream: log_stream.created',
    'createMcpServer: mcp_server.created',
    'createOAuthClient: oauth_client.created',
    'createProject: api_key.created',
    'createProject: project.created',
    'declineCall: approval.declined',
    'deleteLogStream: log_stream.deleted',
    'recoverDeliveries: webhook.recovered',
    'rotateLogStreamSecret: log_stream.secret_rotated',
    'setUp: project.created',
    'updateLogStream: log_stream.updated',
  ]);
});

test('no secret is stored as it is', async () => {
  assert.ok(secrets.size > 30, 'hardly any secret was found');
  assert.deepEqual(await findInDatabase(app, [...secrets]), new Map());
});

test('an operation uses one connection for each permit that it holds, and never waits for a second permit', () => {
  assert.deepEqual([...misuses].sort(), []);
});
