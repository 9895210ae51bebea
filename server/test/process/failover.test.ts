// A standby becomes the primary: with two real clusters of PostgreSQL, two replicas, and requests all the time. These tests measure
// time, because the promises are of time: 503 within 2 s while no server takes writes, the first success within 5 s of the new
// primary's, and a change is known to every replica within a second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { diagnose } from '../../src/commands/doctor.ts';
import { startHaproxy, withoutHaproxy } from '../support/database/haproxy.ts';
import { type Cluster, startClusters, withoutPostgreSQL } from '../support/database/postgres-cluster.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { MASTER_KEY, ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { NORMAL_WITHIN_MS, RESPONSE_WITHIN_MS } from './response-times.ts';

const skip = withoutPostgreSQL;
const WITHIN_MS = 30_000;

type Clusters = { primary: Cluster; standby: Cluster };

const listOf = ({ primary, standby }: Clusters) =>
  `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/toolgate?target_session_attrs=read-write`;

const startReplicas = async (settings: Record<string, string>) => {
  const start = () => startServer(settings, { has_local_limits: false });
  return [await start(), await start()] as const;
};

/** Writes with several writers at each replica, until stopped. A write is repeated until it is acknowledged. */
function startLoad(replicas: readonly TestServer[], project_id: string) {
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let slowest_ms = 0;
  let is_over = false;
  const write = async (server: TestServer, writer: string) => {
    for (let i = 0; !is_over; ) {
      const sent_at = performance.now();
      const name = `${writer}-${i}`;
      const { status, headers } = await server.api('POST', `/projects/${project_id}/api-keys`, {
        key: ROOT_KEY,
        body: { name, permissions: ['read'] },
        headers: { 'idempotency-key': name },
      });
      statuses.add(status);
      slowest_ms = Math.max(slowest_ms, performance.now() - sent_at);
      if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      if (status === 201) {
        acknowledged.push(name);
        i += 1;
      }
      await sleep(10);
    }
  };
  const writers = replicas.flatMap((server, i) => [1, 2, 3, 4].map((writer) => write(server, `${i}.${writer}`)));
  return {
    acknowledged,
    async untilMore(what: string, within_ms = WITHIN_MS) {
      const enough = acknowledged.length + 20;
      await waitUntil(async () => acknowledged.length > enough, within_ms, what);
    },
    /** Every write that was acknowledged is in the database, once, and no request failed otherwise or took longer than promised. */
    async stop(cluster: Cluster) {
      is_over = true;
      await Promise.all(writers);
      const client = new pg.Client(cluster.url);
      await client.connect();
      const { rows } = await client.query('select name from api_keys where project_id = $1', [project_id]);
      await client.end();
      const names = rows.map(({ name }) => name as string);
      assert.deepEqual(
        acknowledged.filter((name) => !names.includes(name)),
        [],
      );
      assert.equal(new Set(names).size, names.length);
      assert.deepEqual(
        [...statuses].filter((status) => ![201, 409, 503].includes(status)),
        [],
      );
      assert.ok(slowest_ms <= RESPONSE_WITHIN_MS, `a request took ${Math.round(slowest_ms)} ms`);
    },
  };
}

const isReady = async (server: TestServer) => (await server.api('GET', '/readyz')).status === 200;

/** Not ready, but alive: whoever restarts what is not would restart every replica in a failover. */
async function untilNotReady(replicas: readonly TestServer[]): Promise<void> {
  for (const replica of replicas) {
    await waitUntil(async () => !(await isReady(replica)), RESPONSE_WITHIN_MS, 'no replica is ready');
    assert.equal((await replica.api('GET', '/healthz')).status, 200);
  }
}

/** Promotes it, and waits until every replica is ready and writes. */
async function promote(standby: Cluster, replicas: readonly TestServer[], load: ReturnType<typeof startLoad>) {
  await standby.promote();
  const isPrimary = async () =>
    (await standby.query('select pg_is_in_recovery() as is_standby')).rows[0].is_standby === false;
  await waitUntil(isPrimary, WITHIN_MS, 'the standby is the primary');
  const began = performance.now();
  for (const replica of replicas) await waitUntil(() => isReady(replica), NORMAL_WITHIN_MS, 'every replica is ready');
  await load.untilMore('writes succeed again', NORMAL_WITHIN_MS - (performance.now() - began));
}

test('when the primary of several hosts is killed, nothing acknowledged to a synchronous standby is lost or done twice', {
  skip,
}, async () => {
  const clusters = await startClusters({ is_synchronous: true });
  const { primary, standby } = clusters;
  const replicas = await startReplicas({ DATABASE_URL: listOf(clusters) });
  for (const [DATABASE_URL, status, message] of [
    [listOf(clusters), 'ok', /takes writes; followed by toolgate_standby \(sync,/],
    [standby.url, 'fail', /takes no writes/],
  ] as const) {
    const checks = await diagnose({ DATABASE_URL, TOOLGATE_MASTER_KEYS: MASTER_KEY });
    const found = checks.find(({ name }) => name === 'replication');
    assert.equal(found?.status, status);
    assert.match(found?.message ?? '', message);
  }
  const project = await makeProject(replicas[0]);
  const load = startLoad(replicas, project.id);
  await load.untilMore('some are written');
  await primary.kill();
  await untilNotReady(replicas);
  const now = replicas[0].app.now();
  await promote(standby, replicas, load);
  assert.ok(replicas[0].app.now() >= now);
  await load.stop(standby);
});

/** Behind one port, which leads to whichever cluster `leader` has. */
async function openBehindHaproxy() {
  const clusters = await startClusters();
  const leader: { now: Cluster | null } = { now: clusters.primary };
  const port = await startHaproxy([clusters.primary, clusters.standby], () => leader.now);
  return { ...clusters, leader, url: `postgres://postgres@127.0.0.1:${port}/toolgate` };
}

async function demote({ query }: Cluster): Promise<void> {
  await query('alter system set default_transaction_read_only = on');
  await query('select pg_reload_conf()');
}

for (const [what, open] of [
  ['behind one port', openBehindHaproxy],
  [
    'with several hosts',
    async () => {
      const clusters = await startClusters();
      return { ...clusters, leader: { now: clusters.primary as Cluster | null }, url: listOf(clusters) };
    },
  ],
] as const) {
  const skipped = skip || (open === openBehindHaproxy && withoutHaproxy);
  test(`a primary that becomes read-only and keeps its sessions is left, ${what}, and a revoked key is refused everywhere`, {
    skip: skipped,
  }, async () => {
    const { primary, standby, leader, url } = await open();
    const replicas = await startReplicas({ DATABASE_URL: url });
    const project = await makeProject(replicas[0]);
    const path = `/projects/${project.id}`;
    const { id, key } = await makeKey(replicas[0], project.id, ['read']);
    for (const replica of replicas) expectResponse(await replica.api('GET', path, { key }), 200);
    const load = startLoad(replicas, project.id);
    await load.untilMore('some are written');

    await demote(primary);
    await untilNotReady(replicas);
    leader.now = standby;
    await promote(standby, replicas, load);
    expectResponse(await replicas[0].api('GET', path, { key }), 200);
    expectResponse(await replicas[1].api('GET', path, { key }), 200);
    expectResponse(await replicas[0].api('POST', `${path}/api-keys/${id}/revoke`, { key: ROOT_KEY }), 200);
    await waitUntil(
      async () => (await replicas[1].api('GET', path, { key })).status === 401,
      1_000,
      'the other replica refuses the key',
    );
    await load.stop(standby);
  });
}

test('when the primary is frozen behind one port, requests get 503 in time, and succeed soon after the promotion', {
  skip: skip || withoutHaproxy,
}, async () => {
  const { primary, standby, leader, url } = await openBehindHaproxy();
  const replicas = await startReplicas({ DATABASE_URL: url });
  const project = await makeProject(replicas[0]);
  const load = startLoad(replicas, project.id);
  await load.untilMore('some are written');
  primary.signal('SIGSTOP');
  await untilNotReady(replicas);
  await sleep(3_000);
  leader.now = standby;
  await promote(standby, replicas, load);
  await load.stop(standby);
});

test('when the primary of several hosts is frozen, requests get 503 in time, and succeed soon after the promotion', {
  skip,
}, async () => {
  const clusters = await startClusters();
  const { primary, standby } = clusters;
  const replicas = await startReplicas({ DATABASE_URL: listOf(clusters) });
  const project = await makeProject(replicas[0]);
  const load = startLoad(replicas, project.id);
  await load.untilMore('some are written');
  primary.signal('SIGSTOP');
  await untilNotReady(replicas);
  await promote(standby, replicas, load);
  await load.stop(standby);
});

test('a replica that is notified by another server than the one that it writes to is not ready', {
  skip: skip || withoutHaproxy,
}, async () => {
  const { primary, standby, leader, url } = await openBehindHaproxy();
  const settings = { DATABASE_URL: url, DATABASE_DIRECT_URL: primary.url };
  const server = await startServer(settings);
  assert.ok(await isReady(server));
  await standby.promote();
  leader.now = standby;
  // Both take writes. The open connections lead to the old one, and the next one to the new one.
  const body = { name: 'x', plan: 'pro' };
  const isRefused = async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => server.api('POST', '/projects', { key: ROOT_KEY, body })),
    );
    return responses.some(({ status }) => status === 503) && !(await isReady(server));
  };
  await waitUntil(isRefused, WITHIN_MS, 'it is not ready');
  await sleep(1_000);
  assert.equal(await isReady(server), false);
  await assert.rejects(startServer(settings), /lead to different servers/);
});
