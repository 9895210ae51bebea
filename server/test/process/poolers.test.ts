// Behind a real PgBouncer with no setting but its pool_mode: in transaction mode each transaction gets another connection, no statement
// keeps its name, and startup parameters are refused. PostgreSQL's own settings differ from what the statements expect.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { diagnose } from '../../src/commands/doctor.ts';
import { openDatabase, openPool } from '../../src/database/connection.ts';
import { isTransactionPooler } from '../../src/database/transaction-pooler.ts';
import { startDatabaseProxy } from '../support/database/database-proxy.ts';
import { startPgBouncer, withoutPgBouncer } from '../support/database/pgbouncer.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { runProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const skip = withoutPgBouncer;
const WITHIN_MS = 30_000;

/** Every session of it has settings that change results, unless they are set again. */
const oddSettings = [
  `timezone = 'Asia/Kolkata'`,
  `datestyle = 'German'`,
  `intervalstyle = 'sql_standard'`,
  `bytea_output = 'escape'`,
  `extra_float_digits = 0`,
  `default_transaction_isolation = 'serializable'`,
  `statement_timeout = '20s'`,
];

async function open() {
  const database = await copyTemplate();
  after(database.drop);
  const { url: direct_url } = await startDatabaseProxy(database.url);
  const name = new URL(direct_url).pathname.slice(1);
  await administer(direct_url, ...oddSettings.map((setting) => `alter database ${name} set ${setting}`));
  const [pooler, sessions] = [
    await startPgBouncer(direct_url, 'transaction'),
    await startPgBouncer(direct_url, 'session'),
  ];
  const customer = await startCustomer();
  after(() => customer.close());
  const environment = {
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: direct_url,
    TOOLGATE_EGRESS_ALLOW: customer.address,
  };
  const server = await startServer(environment, { has_local_limits: false });
  return { direct_url, pooler, sessions, customer, environment, server };
}

async function administer(url: string, ...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

const opened = skip ? null : await open();
const given = () => opened as NonNullable<typeof opened>;

test('the kinds of poolers are told apart', { skip }, async () => {
  const { direct_url, pooler, sessions } = given();
  const kinds = [direct_url, sessions.url, pooler.url].map((connectionString) =>
    isTransactionPooler({ connectionString }),
  );
  assert.deepEqual(await Promise.all(kinds), [false, false, true]);
});

for (const [what, settings, expected] of [
  ['DATABASE_URL', () => ({ DATABASE_URL: given().pooler.url }), /DATABASE_URL leads to .* set DATABASE_DIRECT_URL/],
  [
    'DATABASE_DIRECT_URL',
    () => ({
      DATABASE_URL: given().pooler.url,
      DATABASE_DIRECT_URL: given().pooler.url.replace('127.0.0.1', 'localhost'),
    }),
    /DATABASE_DIRECT_URL leads to .* set it to/,
  ],
] as const) {
  test(`a pooler in transaction mode in ${what} is refused at start, with what to set`, { skip }, async () => {
    const { code, output } = await runProcess({ ...settings(), TOOLGATE_MASTER_KEYS: MASTER_KEY });
    assert.equal(code, 1);
    assert.match(output, expected);
    assert.equal(output.trim().split('\n').length, 1, output);
  });
}

test('doctor says which kind of pooler it sees, that the server takes writes, and what to set', { skip }, async () => {
  const { environment, pooler, direct_url } = given();
  const find = async (settings: Record<string, string>, name: string) =>
    (await diagnose({ TOOLGATE_MASTER_KEYS: MASTER_KEY, ...settings })).find((check) => check.name === name);
  assert.match((await find(environment, 'pooler'))?.message ?? '', /one in transaction mode/);
  assert.match((await find(environment, 'replication'))?.message ?? '', /^the server takes writes/);
  assert.match((await find({ DATABASE_URL: direct_url }, 'pooler'))?.message ?? '', /^none/);
  const without = await find({ DATABASE_URL: pooler.url }, 'database');
  assert.deepEqual([without?.status, without?.fix?.includes('DATABASE_DIRECT_URL')], ['fail', true]);
});

test('a pooler in session mode needs no direct URL', { skip }, async () => {
  const server = await startServer({ DATABASE_URL: given().sessions.url });
  await makeTenant(server);
});

test('projects, keys, calls, deliveries and the log work, with the right times', { skip }, async () => {
  const { server, customer } = given();
  const before = server.app.now();
  const { id, keys } = await makeTenant(server);
  const webhook = await makeWebhook(server, customer, id, { events: ['api_key.created'] });
  const tool = await makeTool(server, keys.admin, customer);
  for (let i = 0; i < 5; i += 1) expectResponse(await execute(server, keys.read, tool.id), 200);
  const made = await makeKey(server, id, ['read']);
  const created_at = Date.parse(made.created_at);
  assert.ok(created_at >= before - 1_000 && created_at <= server.app.now() + 1_000, made.created_at);

  await waitUntil(
    async () => {
      await server.runJobs();
      return customer.at(webhook.path).length > 0;
    },
    WITHIN_MS,
    'the event is delivered',
  );
  const isLogged = async () =>
    (await server.api('GET', `/projects/${id}/tool-calls`, { key: keys.admin })).body.data.length === 5;
  await waitUntil(isLogged, WITHIN_MS, 'the calls are in the log');
  const { data } = expectResponse(await server.api('GET', `/projects/${id}/tool-calls`, { key: keys.admin }), 200);
  for (const call of data) {
    const age_ms = server.app.now() - Date.parse(call.created_at);
    assert.ok(age_ms >= -1_000 && age_ms < WITHIN_MS * 2, call.created_at);
  }
});

test('a change is known to another replica, behind another kind of connection', { skip }, async () => {
  const { server, direct_url } = given();
  const replica = await startServer({ DATABASE_URL: direct_url });
  const project = await makeProject(server);
  const { id, key } = await makeKey(server, project.id);
  const path = `/projects/${project.id}`;
  expectResponse(await replica.api('GET', path, { key }), 200);
  expectResponse(await server.api('POST', `${path}/api-keys/${id}/revoke`, { key: ROOT_KEY }), 200);
  await waitUntil(async () => (await replica.api('GET', path, { key })).status === 401, 1_000, 'it is refused');
});

test('every statement runs with the settings it expects, in a transaction and outside of one', { skip }, async () => {
  const { pooler, direct_url } = given();
  const text = `select now() as now, current_setting('TimeZone') as zone, current_setting('DateStyle') as style,
    current_setting('transaction_isolation') as isolation, current_setting('lock_timeout') as lock_timeout,
    current_setting('statement_timeout') as statement_timeout`;
  const timeouts = { lock_timeout: 4_000, statement_timeout: 10_000 };
  for (const connection of [{ connectionString: direct_url }, { connectionString: pooler.url, is_pooled: true }]) {
    const pool = openPool(connection, { size: 3, timeouts });
    const database = openDatabase(pool);
    const { sql } = await import('kysely');
    const query = sql<Record<string, string>>`${sql.raw(text)}`;
    const found = [
      (await pool.query(text)).rows,
      (await query.execute(database)).rows,
      (await database.transaction().execute((transaction) => query.execute(transaction))).rows,
      (
        await database
          .transaction()
          .setAccessMode('read only')
          .execute((transaction) => query.execute(transaction))
      ).rows,
    ];
    for (const [row] of found) {
      const { now, ...rest } = row as Record<string, string>;
      assert.match(now as string, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      assert.deepEqual(rest, {
        zone: 'UTC',
        style: 'ISO, MDY',
        isolation: 'read committed',
        lock_timeout: '4s',
        statement_timeout: '10s',
      });
    }
    // The statements of hot paths, all at the same time: under their names some connections would not know them.
    const named = {
      name: 'named',
      text: `select $1::integer as number, current_setting('TimeZone') as zone`,
      values: [1],
    };
    const rows = await Promise.all(Array.from({ length: 30 }, () => pool.query(named)));
    for (const {
      rows: [row],
    } of rows)
      assert.deepEqual(row, { number: 1, zone: 'UTC' });
    // A statement that fails leaves no transaction behind.
    await assert.rejects(pool.query('select 1 / 0'), /division by zero/);
    const states = await Promise.all(
      Array.from({ length: 6 }, () => pool.query('select pg_current_xact_id_if_assigned() is null as is_clean')),
    );
    for (const {
      rows: [row],
    } of states)
      assert.equal(row.is_clean, true);
    await database.destroy();
  }
  // Nothing was set for other clients of the pooler, but what it sets for each of them.
  const [
    {
      rows: [other],
    } = { rows: [] },
  ] = await administer(
    pooler.url,
    `select current_setting('TimeZone') as zone, current_setting('statement_timeout') as statement_timeout,
       current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  assert.deepEqual(other, { zone: 'Asia/Kolkata', statement_timeout: '20s', idle: '0' });
});

test('with most connections of the pooler held by others, requests are served', { skip }, async () => {
  const { pooler, server } = given();
  const holders = Array.from({ length: 15 }, () => new pg.Client(pooler.url));
  try {
    for (const holder of holders) {
      await holder.connect();
      await holder.query('begin; select 1');
    }
    const project = await makeProject(server);
    const made = await Promise.all(Array.from({ length: 40 }, () => makeKey(server, project.id)));
    assert.equal(new Set(made.map(({ id }) => id)).size, 40);
  } finally {
    for (const holder of holders) await holder.end();
  }
});

test('with 1,000 connections of clients at a pooler of 20, most of them held by others, requests are served', {
  skip,
}, async () => {
  const { direct_url, customer } = given();
  const pooler = await startPgBouncer(direct_url, 'transaction', ['max_client_conn = 1100', 'default_pool_size = 20']);
  const idle = Array.from({ length: 985 }, () => new pg.Client(pooler.url));
  // These have a connection of PostgreSQL each, for as long as their transaction lasts.
  const busy = Array.from({ length: 15 }, () => new pg.Client(pooler.url));
  try {
    const all = [...idle, ...busy];
    for (let i = 0; i < all.length; i += 50) await Promise.all(all.slice(i, i + 50).map((client) => client.connect()));
    for (const client of busy) await client.query('begin; select 1');
    const server = await startServer({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct_url,
      TOOLGATE_EGRESS_ALLOW: customer.address,
    });
    const { id, keys } = await makeTenant(server);
    const tool = await makeTool(server, keys.admin, customer);
    const made = await Promise.all(Array.from({ length: 10 }, () => makeKey(server, id)));
    assert.equal(new Set(made.map((key) => key.id)).size, 10);
    for (let i = 0; i < 20; i += 1) expectResponse(await execute(server, keys.read, tool.id), 200);
  } finally {
    await Promise.all([...idle, ...busy].map((client) => client.end()));
  }
});

test('a pooler that is killed and started again under load loses and doubles nothing that was acknowledged', {
  skip,
}, async () => {
  const { pooler, server } = given();
  const project = await makeProject(server);
  const path = `/projects/${project.id}/api-keys`;
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let is_over = false;
  const write = async (writer: number) => {
    for (let i = 0; !is_over; ) {
      const body = { name: `${writer}-${i}`, permissions: ['read'] };
      const headers = { 'idempotency-key': `${writer}-${i}` };
      const { status } = await server.api('POST', path, { key: ROOT_KEY, body, headers });
      statuses.add(status);
      if (status !== 201) continue; // with the same key again
      acknowledged.push(body.name);
      i += 1;
    }
  };
  const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
  for (const _ of [1, 2]) {
    const enough = acknowledged.length + 30;
    await waitUntil(async () => acknowledged.length > enough, WITHIN_MS, 'some are written');
    await pooler.kill();
    await pooler.start();
  }
  const enough = acknowledged.length + 30;
  await waitUntil(async () => acknowledged.length > enough, WITHIN_MS, 'it goes on');
  is_over = true;
  await Promise.all(writers);
  assert.deepEqual(
    [...statuses].filter((status) => ![201, 409, 503].includes(status)),
    [],
  );
  const [{ rows } = { rows: [] }] = await administer(
    given().direct_url,
    `select name from api_keys where project_id = '${project.id}'`,
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), acknowledged.sort());
});
