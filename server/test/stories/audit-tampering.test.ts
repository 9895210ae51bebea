// What somebody who can write to the database, and has no master key, cannot do unnoticed to the audit log.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { bindEntries } from '../../src/features/activity/audit/bind.ts';
import { entryText } from '../../src/features/activity/audit/chain.ts';
import { foldTallies, selectLinks } from '../../src/features/activity/audit/store.ts';
import { type ExpectedHead, verifyAudit } from '../../src/features/activity/audit/verify.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { ROOT_KEY, startServer, type TestServer } from '../support/servers/start-server.ts';

/** A log of `count` bound entries, in a database of its own. */
async function startLog(count: number): Promise<TestServer & { project_id: string }> {
  const server = await startServer();
  const { id } = await makeProject(server);
  for (let i = 1; i < count; i += 1) await makeKey(server, id);
  await bindEntries(server.app);
  assert.equal(await reasonOf(server), undefined);
  return { ...server, project_id: id };
}

async function tamper({ app }: TestServer, ...changes: RawBuilder<unknown>[]): Promise<void> {
  await app.database.transaction().execute(async (database) => {
    await sql`set local session_replication_role = replica`.execute(database);
    for (const change of changes) await change.execute(database);
  });
}

async function report({ app }: TestServer, expected: ExpectedHead[] = []) {
  const [first] = await verifyAudit(app.database, app, expected);
  assert.ok(first);
  return first;
}

const reasonOf = async (server: TestServer, expected: ExpectedHead[] = []) =>
  (await report(server, expected)).broken?.reason;

const HEAD_CHANGED = 'the head of the chain, or where it begins, was changed';

function hashWithoutKey(previous: Buffer, seq: number, text: string): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigInt64BE(BigInt(seq));
  return createHash('sha256').update('link').update(previous).update(number).update(text).digest();
}

test('a chain that was rewritten from its beginning, with every hash computed again without the key, does not hold', async () => {
  const server = await startLog(3);
  const { database } = server.app;
  const [organization_id = ''] = (await verifyAudit(database, server.app)).map((each) => each.organization_id);
  let before: Buffer = Buffer.alloc(32);
  for (const link of await selectLinks(database, organization_id, 0, 10)) {
    before = hashWithoutKey(before, link.seq, entryText({ ...link, actor_id: 'key_somebodyelse' }));
    await tamper(
      server,
      sql`update audit_entries set actor_id = 'key_somebodyelse', hash = ${before} where id = ${link.id}`,
    );
  }
  await tamper(server, sql`update audit_chains set hash = ${before}`);
  assert.equal((await report(server)).broken?.seq, 1);
});

test('a tail that was cut off, with the head set back to the entry before it, is found', async () => {
  const server = await startLog(3);
  await tamper(
    server,
    sql`delete from audit_entries where seq = 3`,
    sql`update audit_chains set seq = 2, hash = (select hash from audit_entries where seq = 2)`,
  );
  assert.equal(await reasonOf(server), HEAD_CHANGED);
});

test('a beginning that was taken away, with the anchor moved as retention would, is found', async () => {
  const server = await startLog(3);
  await tamper(
    server,
    sql`update audit_chains set anchor_seq = 2, anchor_hash = (select hash from audit_entries where seq = 2)`,
    sql`delete from audit_entries where seq <= 2`,
  );
  assert.equal(await reasonOf(server), HEAD_CHANGED);
});

test('a head that somebody else changed is signed neither by the next entry nor by retention', async () => {
  const server = await startLog(3);
  await tamper(
    server,
    sql`delete from audit_entries where seq = 3`,
    sql`update audit_chains set seq = 2, hash = (select hash from audit_entries where seq = 2)`,
  );
  await makeKey(server, server.project_id);
  await bindEntries(server.app);
  server.advance(401 * 86_400_000);
  await server.runJobs();
  assert.equal(await reasonOf(server), HEAD_CHANGED);
  assert.equal((await report(server)).unbound, 1);
});

test('entries whose chain and counts were removed are not reported as an empty log', async () => {
  const bound = await startLog(2);
  await tamper(bound, sql`delete from audit_chains`, sql`delete from audit_tallies`);
  assert.equal(await reasonOf(bound), 'the chain ends elsewhere');
  const unbound = await startServer();
  await makeProject(unbound);
  await tamper(unbound, sql`delete from audit_tallies`);
  assert.equal(await reasonOf(unbound), 'entries were added or changed before they were linked');
});

test('a chain that was taken away as a whole is found', async () => {
  const server = await startLog(3);
  await tamper(server, sql`delete from audit_entries`, sql`delete from audit_chains`);
  assert.equal(await reasonOf(server), 'entries were removed before they were linked: 3');
});

for (const [what, change, reason] of [
  ['removed', sql`delete from audit_entries where seq is null`, 'entries were removed before they were linked: 1'],
  [
    'changed',
    sql`update audit_entries set actor_id = 'key_x' where seq is null`,
    'entries were added or changed before they were linked',
  ],
  [
    'put in',
    sql`insert into audit_entries (id, organization_id, project_id, created_at, actor_kind, action, target_id)
      select 'aud_forged', organization_id, project_id, created_at, actor_kind, action, target_id
      from audit_entries where seq is null`,
    'entries were added or changed before they were linked',
  ],
] as const) {
  test(`an entry that is ${what} before it is bound is found, also after the rest was bound`, async () => {
    const server = await startLog(2);
    await makeKey(server, server.project_id);
    assert.equal(await reasonOf(server), undefined);
    await tamper(server, change);
    assert.equal(await reasonOf(server), reason);
    await makeKey(server, server.project_id);
    await bindEntries(server.app);
    assert.equal(await reasonOf(server), reason);
  });
}

test('an entry that is removed together with the counts of its connection is found', async () => {
  const server = await startLog(2);
  await makeKey(server, server.project_id);
  await tamper(server, sql`delete from audit_entries where seq is null`, sql`delete from audit_tallies`);
  assert.match((await reasonOf(server)) ?? '', /before they were linked/);
});

test('what is rolled back is not counted, and the counts of closed connections are kept', async () => {
  const server = await startLog(2);
  const taken = { name: 'x', permissions: ['read'], expires_at: '2001-01-01T00:00:00Z' };
  expectResponse(
    await server.api('POST', `/projects/${server.project_id}/api-keys`, { key: ROOT_KEY, body: taken }),
    422,
  );
  const { database } = server.app;
  const rows = () => database.selectFrom('audit_tallies').select(['backend', 'entries']).execute();
  await sql`update audit_tallies set backend = -backend`.execute(database);
  await foldTallies(database);
  assert.deepEqual(await rows(), [{ backend: 0, entries: 2 }]);
  await makeKey(server, server.project_id);
  assert.deepEqual((await rows()).map(({ entries }) => entries).sort(), [1, 2]);
  await foldTallies(database);
  assert.equal((await rows()).length, 2, 'a connection that is open keeps its own');
  assert.equal(await reasonOf(server), undefined);
});

test('a head that was noted elsewhere is found again, and is missed when the log was put back to before it', async () => {
  const server = await startLog(2);
  const { organization_id, head } = await report(server);
  const { app } = server;
  const rows = await sql<{ chain: string; tallies: string }>`
    select (select json_agg(c) from audit_chains c)::text as chain, (select json_agg(t) from audit_tallies t)::text as tallies`.execute(
    app.database,
  );
  const [kept] = rows.rows;
  await makeKey(server, server.project_id);
  await bindEntries(app);
  const younger = (await report(server)).head;
  for (const { seq, hash } of [head, younger]) {
    assert.equal(await reasonOf(server, [{ organization_id, seq, hash }]), undefined);
    assert.equal(await reasonOf(server, [{ organization_id: null, seq: null, hash }]), undefined);
  }
  const missing = 'the expected head is not in the chain';
  assert.equal(await reasonOf(server, [{ organization_id, seq: head.seq, hash: younger.hash }]), missing);
  // Everything as it was before the last entry, signatures included: only what is kept elsewhere tells.
  await tamper(
    server,
    sql`delete from audit_entries where seq = 3`,
    sql`delete from audit_chains`,
    sql`insert into audit_chains select * from json_populate_recordset(null::audit_chains, ${kept?.chain}::json)`,
    sql`delete from audit_tallies`,
    sql`insert into audit_tallies select * from json_populate_recordset(null::audit_tallies, ${kept?.tallies}::json)`,
  );
  assert.equal(await reasonOf(server), undefined);
  assert.equal(await reasonOf(server, [{ organization_id, ...younger }]), missing);
});

test('the head is in /readyz for the root key alone, and in the log once a day', async () => {
  const server = await startLog(2);
  const { organization_id, head } = await report(server);
  const ready = async (key?: string) => expectResponse(await server.api('GET', '/readyz', { key }), 200);
  const forAll = { status: 'ok', problems: [], dropped_rows: 0 };
  assert.deepEqual(await ready(ROOT_KEY), { ...forAll, egress_allow: [], audit_heads: [{ organization_id, ...head }] });
  const { key } = await makeKey(server, server.project_id);
  for (const other of [undefined, key, `${ROOT_KEY}x`]) assert.deepEqual(await ready(other), forAll);

  const lines: object[] = [];
  server.app.log.level = 'info';
  server.app.log.info = (line: object) => lines.push(line);
  const heads = () => lines.filter((line) => 'seq' in line);
  await server.runJobs();
  assert.equal(heads().length, 1);
  server.advance(23 * 3_600_000);
  await server.runJobs();
  assert.equal(heads().length, 1);
  server.advance(3_600_000);
  await server.runJobs();
  const { head: now } = await report(server);
  assert.deepEqual(heads()[1], { organization_id, ...now });
});

test('a head without a signature is not signed with the next entry', async () => {
  const server = await startLog(2);
  await tamper(server, sql`update audit_chains set mac = null, bound = null`);
  await makeKey(server, server.project_id);
  await bindEntries(server.app);
  assert.ok(await reasonOf(server));
});

test('the log holds under a new master key, and a key that was changed in the database stops the start', async () => {
  const masterKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
  const [old, fresh] = [masterKey('old'), masterKey('fresh')];
  const server = await startServer({ TOOLGATE_MASTER_KEYS: old });
  await makeProject(server);
  await bindEntries(server.app);
  const DATABASE_URL = server.app.config.database_url ?? '';
  const both = await startServer({ DATABASE_URL, TOOLGATE_MASTER_KEYS: `${fresh},${old}` });
  await both.app.secrets.rewrapDataKeys(both.app.database);
  const alone = await startServer({ DATABASE_URL, TOOLGATE_MASTER_KEYS: fresh });
  await makeProject(alone);
  await bindEntries(alone.app);
  assert.deepEqual([await reasonOf(alone), (await report(alone)).verified], [undefined, 2]);
  await sql`update audit_keys set sealed = overlay(sealed placing 'AAAA' from 50)`.execute(alone.app.database);
  await assert.rejects(startServer({ DATABASE_URL, TOOLGATE_MASTER_KEYS: fresh }), /the audit log's key/);
});
