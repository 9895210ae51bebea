// A row that somebody else holds: whoever needs it is told to come again, and nobody else is kept waiting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { errorToRefusal } from '../../src/api/error-to-refusal.ts';
import { expectResponse } from '../support/make/make.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const key = ROOT_KEY;
const makeProject = async () =>
  expectResponse(await server.api('POST', '/projects', { key, body: { name: 'Shop' } }), 201);

test('changes to a project whose row is locked from outside get 503, and other projects are served meanwhile', async () => {
  const [held, other] = [await makeProject(), await makeProject()];
  const outside = new pg.Client(server.app.config.database_url as string);
  await outside.connect();
  try {
    await outside.query('begin');
    await outside.query('select 1 from projects where id = $1 for update', [held.id]);
    const changes = Array.from({ length: 20 }, () =>
      server.api('PATCH', `/projects/${held.id}`, { key, body: { name: 'New' } }),
    );
    for (const response of await Promise.all(changes)) {
      expectResponse(response, 503, 'Service unavailable');
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    expectResponse(await server.api('PATCH', `/projects/${other.id}`, { key, body: { name: 'New' } }), 200);
    await outside.query('rollback');
    expectResponse(await server.api('PATCH', `/projects/${held.id}`, { key, body: { name: 'New' } }), 200);
  } finally {
    await outside.end();
  }
});

for (const pool of ['requests', 'background'] as const) {
  test(`locks of a transaction (${pool}) whose process is gone without closing the connection are free within 5 s`, async () => {
    const gone = await (pool === 'requests' ? server.app.pool : server.app.background.pool).connect();
    const lock = 'select pg_advisory_xact_lock(7, 7)';
    await gone.query('begin');
    await gone.query(lock);
    // Nothing more is sent, as on a half-open connection.
    const other = new pg.Client({ connectionString: server.app.config.database_url as string, lock_timeout: 5_000 });
    await other.connect();
    try {
      await other.query(lock);
    } finally {
      await other.end();
      gone.release(true);
    }
  });
}

test('statements of requests are bounded in PostgreSQL itself, those of background work only by their own rules', async () => {
  const names = ['lock_timeout', 'statement_timeout'];
  const settings = async (pool: pg.Pool) => {
    const { rows } = await pool.query('select setting::int as ms from pg_settings where name = any($1)', [names]);
    return rows.map(({ ms }) => ms as number);
  };
  assert.ok((await settings(server.app.pool)).every((ms) => ms > 0));
  assert.deepEqual(await settings(server.app.background.pool), [0, 0]);
});

for (const code of ['55P03', '57014', '25P03', '40P01', '40001', '53100', '53300', '57P01', '08006', 'ECONNREFUSED']) {
  test(`the database's ${code} is 503 with Retry-After`, () => {
    const { status, headers } = errorToRefusal(Object.assign(new Error('x'), { code }));
    assert.deepEqual([status, headers], [503, { 'retry-after': '1' }]);
  });
}
