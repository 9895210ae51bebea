// The audit log: who, what, on what, from where; and what happens when somebody rewrites it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { bindEntries } from '../../src/features/activity/audit/bind.ts';
import { verifyAudit } from '../../src/features/activity/audit/verify.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, makeProject, makeTenant } from '../support/make/make.ts';
import { MASTER_KEY, ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;

const server = await startServer();
const { api, app } = server;

const log = async (project_id: string, query = '') =>
  expectResponse(await api('GET', `/projects/${project_id}/audit-log${query}`, { key: ROOT_KEY }), 200).data;

/** As somebody would who owns the database. */
async function tamper(change: ReturnType<typeof sql>): Promise<void> {
  await sql`alter table audit_entries disable trigger all`.execute(app.database);
  await change.execute(app.database);
  await sql`alter table audit_entries enable trigger all`.execute(app.database);
}

test('a change is written down with who, what, on what, from where, before and after', async () => {
  const tenant = await makeTenant(server);
  const changed = await api('PATCH', `/projects/${tenant.id}`, { key: tenant.keys.write, body: { name: 'renamed' } });
  expectResponse(changed, 200);
  const [entry] = await log(tenant.id);
  const keys = await log(tenant.id, '?action=api_key.created');
  const writer = keys.find(({ after }: any) => after.permissions[0] === 'write');
  assert.deepEqual(entry.actor, { kind: 'api_key', id: writer.target_id });
  assert.deepEqual([entry.action, entry.target_id, entry.ip], ['project.updated', tenant.id, '127.0.0.1']);
  assert.equal(entry.request_id, changed.headers.get('x-request-id'));
  assert.deepEqual(Object.keys(entry.before).sort(), ['name', 'updated_at']);
  assert.deepEqual([entry.before.name, entry.after.name], [tenant.name, 'renamed']);
  assert.deepEqual(writer.actor, { kind: 'root', id: null });
});

test('the log is found by actor, action, target and time, in pages', async () => {
  const { id } = await makeProject(server);
  const key = await makeKey(server, id);
  const began = new Date(app.now()).toISOString();
  expectResponse(await api('PATCH', `/projects/${id}/api-keys/${key.id}`, { key: key.key, body: { name: 'a' } }), 200);
  const actions = async (query: string) => (await log(id, query)).map(({ action }: any) => action);
  assert.deepEqual(await actions(`?actor=${key.id}`), ['api_key.updated']);
  assert.deepEqual(await actions('?actor=root'), ['api_key.created', 'project.created']);
  assert.deepEqual(await actions(`?target=${key.id}`), ['api_key.updated', 'api_key.created']);
  assert.deepEqual(await actions('?action=project.created'), ['project.created']);
  assert.deepEqual(await actions(`?from=${began}`), ['api_key.updated']);
  assert.deepEqual(await actions(`?to=${began}&limit=1`), ['api_key.created']);
  expectResponse(await api('GET', `/projects/${id}/audit-log?from=yesterday`, { key: ROOT_KEY }), 422);
});

test('no secret is in the log', async () => {
  const { id } = await makeProject(server);
  const key = await makeKey(server, id);
  const body = { url: 'https://example.com/', events: ['*'] };
  const webhook = expectResponse(await api('POST', `/projects/${id}/webhooks`, { key: ROOT_KEY, body }), 201);
  const rotate = await api('POST', `/projects/${id}/webhooks/${webhook.id}/rotate-secret`, { key: ROOT_KEY });
  const fresh = expectResponse(rotate, 201).secret;
  const { rows } = await sql<{ dump: string }>`
    select (select json_agg(a) from audit_entries a)::text || (select json_agg(e) from events e)::text
      || (select json_agg(w) from webhooks w)::text as dump`.execute(app.database);
  for (const secret of [key.key, webhook.secret, fresh]) {
    assert.ok(!rows[0]?.dump.includes(secret));
    assert.ok(!rows[0]?.dump.includes(secret.slice(6)));
  }
});

test('changes at the same moment make one chain without a gap', async () => {
  const { id } = await makeProject(server);
  await Promise.all(Array.from({ length: 20 }, () => makeKey(server, id)));
  await Promise.all([bindEntries(app), bindEntries(app), makeKey(server, id)]);
  await bindEntries(app);
  const [report] = await verifyAudit(app.database, app);
  assert.deepEqual([report?.broken, report?.unbound], [null, 0]);
  assert.ok((report?.verified ?? 0) >= 22);
});

test('a batch is bounded in bytes, and what is left is bound by the next ones', async () => {
  await bindEntries(app);
  const { id } = await makeProject(server);
  await Promise.all(Array.from({ length: 4 }, () => makeKey(server, id)));
  const bound = async () => (await log(id)).filter(({ seq }: any) => seq !== null).length;
  const counts = [];
  let hasMore = true;
  while (hasMore) {
    hasMore = await bindEntries(app, { count: 1000, bytes: 1 });
    counts.push(await bound());
  }
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 5]);
  assert.equal((await verifyAudit(app.database, app))[0]?.broken, null);
});

test('a chain that grows while it is verified holds', async () => {
  const fresh = await startServer();
  const { id } = await makeProject(fresh);
  await bindEntries(fresh.app);
  await makeKey(fresh, id);
  // The verifier has read where the chain ends, and waits for the entries; meanwhile one more is bound.
  const verifying = await fresh.app.database.transaction().execute(async (database) => {
    await sql`lock table audit_entries in access exclusive mode`.execute(database);
    const reports = verifyAudit(fresh.app.database, fresh.app);
    await untilLockWait(fresh.app);
    await bindEntries({ ...fresh.app, database });
    return { reports };
  });
  const [report] = await verifying.reports;
  assert.deepEqual([report?.broken, report?.verified], [null, 1]);
  assert.equal((await verifyAudit(fresh.app.database, fresh.app))[0]?.verified, 2);
});

test('an entry is bound within seconds, by the jobs', async () => {
  const { id } = await makeProject(server);
  assert.deepEqual(
    (await log(id)).map(({ seq, hash }: any) => [seq, hash]),
    [[null, null]],
  );
  server.advance(2000);
  await server.runJobs();
  const [{ seq, hash }] = await log(id);
  assert.ok(Number.isInteger(seq));
  assert.match(hash, /^[0-9a-f]{64}$/);
});

test('the table refuses updates, deletes and truncation', async () => {
  await makeProject(server);
  await bindEntries(app);
  for (const statement of [
    sql`update audit_entries set action = 'x'`,
    sql`delete from audit_entries`,
    sql`truncate audit_entries`,
  ]) {
    await assert.rejects(statement.execute(app.database), /append only/);
  }
  await makeProject(server);
  await assert.rejects(sql`update audit_entries set ip = 'x' where seq is null`.execute(app.database), /append only/);
});

test('an entry that was changed, taken out or put in is named by the verifier', async () => {
  const { id } = await makeProject(server);
  for (let i = 0; i < 5; i += 1) await makeKey(server, id);
  await bindEntries(app);
  const entries = (await log(id)) as { id: string; seq: number }[];
  const [newest, , target] = entries;
  assert.ok(newest && target);
  const broken = async () => (await verifyAudit(app.database, app))[0]?.broken;
  assert.equal(await broken(), null);

  const row = sql`select * from audit_entries where id = ${target.id}`;
  await sql`create table kept as ${row}`.execute(app.database);
  const restore = async () => {
    await tamper(sql`delete from audit_entries where id = ${target.id}`);
    await tamper(sql`insert into audit_entries select * from kept`);
  };

  for (const change of [
    sql`actor_id = 'key_somebodyelse'`,
    sql`created_at = created_at + interval '1 second'`,
    sql`after = '{"name":"other"}'`,
    sql`ip = '10.0.0.1'`,
    sql`project_id = 'prj_other'`,
    sql`hash = sha256('x')`,
  ]) {
    await tamper(sql`update audit_entries set ${change} where id = ${target.id}`);
    const found = await broken();
    assert.deepEqual([found?.seq, found?.id], [target.seq, target.id]);
    await restore();
    assert.equal(await broken(), null);
  }
  await tamper(sql`delete from audit_entries where id = ${target.id}`);
  assert.deepEqual(await broken(), { seq: target.seq, id: null, reason: 'the entry is missing' });
  await restore();

  await tamper(sql`delete from audit_entries where id = ${newest.id}`);
  assert.equal((await broken())?.seq, newest.seq);
});

test('retention takes the oldest entries away and the rest still holds', async () => {
  const fresh = await startServer({ TOOLGATE_AUDIT_DAYS: '400' });
  const old = await makeProject(fresh);
  await makeKey(fresh, old.id);
  fresh.advance(399 * DAY_MS);
  const young = await makeProject(fresh);
  await fresh.runJobs();
  const entriesOf = async (id: string) =>
    expectResponse(await fresh.api('GET', `/projects/${id}/audit-log`, { key: ROOT_KEY }), 200).data.length;
  assert.equal(await entriesOf(old.id), 2);
  fresh.advance(2 * DAY_MS);
  await fresh.runJobs();
  assert.equal(await entriesOf(old.id), 0);
  assert.equal(await entriesOf(young.id), 1);
  const [report] = await verifyAudit(fresh.app.database, fresh.app);
  assert.deepEqual([report?.broken, report?.verified], [null, 1]);
  await makeKey(fresh, young.id);
  await bindEntries(fresh.app);
  assert.equal((await verifyAudit(fresh.app.database, fresh.app))[0]?.broken, null);
});

/** Runs `npm run verify-audit` on the database of a server. */
function runVerifyAudit({ app }: typeof server, ...more: string[]) {
  return spawnSync(process.execPath, ['server/src/commands/verify-audit.ts', app.config.database_url ?? '', ...more], {
    cwd: join(import.meta.dirname, '../../..'),
    encoding: 'utf8',
    env: { ...process.env, TOOLGATE_MASTER_KEYS: MASTER_KEY },
  });
}

test('the command counts entries that are not linked yet, and calls only a log without entries empty', async () => {
  const fresh = await startServer();
  assert.equal(runVerifyAudit(fresh).stdout, 'the audit log is empty\n');
  const { id } = await makeProject(fresh);
  await makeKey(fresh, id);
  const unbound = runVerifyAudit(fresh);
  assert.match(unbound.stdout, /^org_\w+: 2 entries not linked yet\n$/);
  assert.equal(unbound.status, 0, unbound.stderr);
  await bindEntries(fresh.app);
  await makeKey(fresh, id);
  assert.match(
    runVerifyAudit(fresh).stdout,
    /^org_\w+: 2 entries are valid; the chain ends at 2 [0-9a-f]{64}; 1 entry not linked yet\n$/,
  );
});

test('the command says where the chain ends, or where it is broken, and its exit code tells', async () => {
  const fresh = await startServer();
  const { id } = await makeProject(fresh);
  await makeKey(fresh, id);
  await fresh.runJobs();
  const run = (...more: string[]) => runVerifyAudit(fresh, ...more);
  const whole = run();
  assert.equal(whole.status, 0, whole.stderr);
  assert.match(whole.stdout, /^org_\w+: 2 entries are valid; the chain ends at 2 [0-9a-f]{64}\n$/);
  const [, seq, hash] = /ends at (\d+) (\w+)/.exec(whole.stdout) ?? [];
  assert.equal(run('--expect-head', `${seq}:${hash}`).status, 0);
  const other = run('--expect-head', '0'.repeat(63).concat('1'));
  assert.deepEqual([other.status, /expected head is not in the chain/.test(other.stdout)], [1, true]);
  assert.equal(run('--expect-head', 'nonsense').status, 2);
  await sql`alter table audit_entries disable trigger all`.execute(fresh.app.database);
  await sql`update audit_entries set ip = '10.0.0.1' where seq = 1`.execute(fresh.app.database);
  const broken = run();
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /BROKEN at entry 1 \(aud_\w+\)/);
});

test('with collapse, the entries of one request and action are one with their count, and request_id lists them', async () => {
  const { id, keys } = await makeTenant(server);
  const operation = { responses: { 200: { description: 'ok' } } };
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'shop', version: '1' }, servers: [{ url: 'https://api.example.com' }] },
    paths: { '/a': { get: operation }, '/b': { get: operation }, '/c': { get: operation } },
  };
  const imported = await api('POST', '/custom-tools/import', { key: keys.write, body: { document } });
  expectResponse(imported, 201);
  expectResponse(await api('PATCH', `/projects/${id}`, { key: keys.write, body: { name: 'renamed' } }), 200);
  const request_id = imported.headers.get('x-request-id');
  const rows = async (query: string) =>
    (await log(id, query)).map(({ action, count }: { action: string; count: number }) => `${action} ${count}`);
  assert.deepEqual((await rows('?collapse=request')).slice(0, 2), ['project.updated 1', 'custom_tool.created 3']);
  assert.deepEqual((await rows('')).slice(0, 4), ['project.updated 1'].concat(Array(3).fill('custom_tool.created 1')));
  assert.deepEqual(await rows(`?request_id=${request_id}`), Array(3).fill('custom_tool.created 1'));
  const first = await api('GET', `/projects/${id}/audit-log?collapse=request&limit=1`, { key: ROOT_KEY });
  const { next_cursor } = expectResponse(first, 200);
  assert.deepEqual(await rows(`?collapse=request&limit=1&cursor=${next_cursor}`), ['custom_tool.created 3']);
  assert.equal((await api('GET', `/projects/${id}/audit-log?collapse=all`, { key: ROOT_KEY })).status, 422);
});
