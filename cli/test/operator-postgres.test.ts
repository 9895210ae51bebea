// toolgate backup and restore with DATABASE_URL. PostgreSQL's own programs are used where they are installed and as new as the
// server; elsewhere the same tests hold for the logical dump.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { expectResponse, makeTenant } from '../../server/test/support/make/make.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../../server/test/support/peers/write-authority-file.ts';
import { makeDataDir, startProcess } from '../../server/test/support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, startServer } from '../../server/test/support/servers/start-server.ts';
import { runToolgate } from './run-toolgate.ts';

const customer = await startCustomer();
after(() => customer.close());
const egress = { TOOLGATE_EGRESS_ALLOW: customer.address, NODE_EXTRA_CA_CERTS: writeAuthorityFile() };
const keys = { TOOLGATE_MASTER_KEYS: MASTER_KEY, TOOLGATE_ROOT_KEY: ROOT_KEY };
const folder = makeDataDir();

/** Debian has the programs of each version in a folder of its own. */
const [programs] = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
const PATH = [programs, process.env.PATH].filter(Boolean).join(':');
const settings = (database_url: string) => ({ ...keys, PATH, DATABASE_URL: database_url });

const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const source = server.app.config.database_url ?? '';
const tenant = await makeTenant(server);
const tool = await makeTool(server, tenant.keys.write, customer, {
  auth_strategy: 'bearer_token',
  encrypted_auth_secret: 'sealed-in-your-own-database',
  description: 'quo"te \\ back\nline \u2028 東京',
});
expectResponse(await execute(server, tenant.keys.write, tool.id), 200);

const file = join(folder, 'toolgate.backup');
const made = await runToolgate(['backup', file, '--json'], settings(source));

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** An empty database beside the others of the tests. */
async function makeEmpty(): Promise<string> {
  const name = `toolgate_restore_${randomBytes(8).toString('hex')}`;
  const administration = process.env.TEST_DATABASE_URL ?? '';
  await query(administration, `create database ${name} template template0`);
  after(() => query(administration, `drop database ${name} with (force)`));
  return source.replace(/(@[^/]*\/)[^?]*/, `$1${name}`);
}

/** What the backup must be made with. */
async function expectedProgram(): Promise<'pg_dump' | 'logical'> {
  const [row] = await query(source, `select current_setting('server_version_num')::int / 10000 as major`);
  try {
    const text = execFileSync('pg_dump', ['--version'], { encoding: 'utf8', env: { PATH } });
    return Number(/\) (\d+)/.exec(text)?.[1]) >= Number(row?.major) ? 'pg_dump' : 'logical';
  } catch {
    return 'logical';
  }
}

async function assertServes(environment: Record<string, string>, data_dir = makeDataDir()): Promise<void> {
  const restored = await startProcess({ ...keys, ...egress, ...environment }, data_dir);
  const { read, write } = tenant.keys;
  const same = expectResponse(await restored.api('GET', `/custom-tools/${tool.id}`, { key: read }), 200);
  assert.equal(same.description, tool.description);
  const path = `/custom-tools/${tool.id}/execute`;
  expectResponse(await restored.api('POST', path, { key: write, body: { arguments: {} } }), 200);
  assert.equal(customer.at(tool.endpoint_path).at(-1)?.headers.authorization, 'Bearer sealed-in-your-own-database');
  await restored.stop();
}

test('a backup of your own PostgreSQL is made by pg_dump where one is new enough, and prints no password', async () => {
  assert.equal(made.code, 0, made.stderr);
  assert.equal(JSON.parse(made.stdout).data, await expectedProgram());
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const password = /^\w+:\/\/[^:]+:([^@]+)@/.exec(source)?.[1] ?? '';
  assert.ok(password !== '' && !(made.stdout + made.stderr).includes(password));
});

test('it is restored into an empty database, which then serves and whose audit log is verified', async () => {
  const target = await makeEmpty();
  const restored = await runToolgate(['restore', file, '--json'], settings(target));
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(JSON.parse(restored.stdout).audit.is_intact, true);
  await assertServes({ DATABASE_URL: target });
  assert.equal((await runToolgate(['audit', 'verify'], settings(target))).code, 0);
  const again = await runToolgate(['restore', file], settings(target));
  assert.equal(again.code, 1);
  assert.match(again.stderr, /the target is not empty/);
  await query(target, `update projects set name = 'changed since'`);
  assert.equal((await runToolgate(['restore', file, '--replace'], settings(target))).code, 0);
  const changed = await query(target, `select id from projects where name = 'changed since'`);
  assert.deepEqual(changed, []);
  await assertServes({ DATABASE_URL: target });
  const made = await runToolgate(['backup', join(folder, 'again'), '--json'], settings(target));
  assert.equal(made.code, 0, made.stderr);
  const other = await makeEmpty();
  assert.equal(
    (await runToolgate(['restore', join(folder, 'again')], settings(other))).code,
    0,
    'a backup of a restored one',
  );
});

test('a database that a server uses is refused', async () => {
  const { code, stderr } = await runToolgate(['restore', file, '--replace'], settings(source));
  assert.equal(code, 1);
  assert.match(stderr, /a toolgate server is connected to this database/);
});

test('an archive that cannot be loaded leaves the database as it was', async () => {
  const target = await makeEmpty();
  assert.equal((await runToolgate(['restore', file], settings(target))).code, 0);
  const before = await query(target, 'select id, name from projects order by id');
  const bytes = readFileSync(file);
  const header = bytes.subarray(0, bytes.indexOf('\n') + 1);
  const broken = join(folder, 'broken');
  writeFileSync(broken, Buffer.concat([header, gzipSync('neither an archive nor rows\n')]));
  const failed = await runToolgate(['restore', broken, '--replace'], settings(target));
  assert.equal(failed.code, 1);
  assert.doesNotMatch(failed.stderr, /undoing failed/);
  assert.deepEqual(await query(target, 'select id, name from projects order by id'), before);
  assert.deepEqual(await query(target, `select nspname from pg_namespace where nspname like 'toolgate%'`), []);
  const into = await makeEmpty();
  assert.equal((await runToolgate(['restore', broken], settings(into))).code, 1);
  assert.deepEqual(await query(into, `select relname from pg_class where relnamespace = 'public'::regnamespace`), []);
});

test('a logical backup of your own PostgreSQL is restored with the embedded one', async () => {
  const logical = join(folder, 'logical');
  const { stdout } = await runToolgate(['backup', logical, '--logical', '--json'], settings(source));
  assert.equal(JSON.parse(stdout).data, 'logical');
  const data_dir = makeDataDir();
  const restored = await runToolgate(['restore', logical], { ...keys, TOOLGATE_DATA_DIR: data_dir });
  assert.equal(restored.code, 0, restored.stderr);
  await assertServes({}, data_dir);
});

test('the keys of the database are needed: without TOOLGATE_MASTER_KEYS nothing is written', async () => {
  const { TOOLGATE_MASTER_KEYS: _, ...without } = settings(source);
  const { code, stderr } = await runToolgate(['backup', join(folder, 'none')], without);
  assert.equal(code, 1);
  assert.match(stderr, /TOOLGATE_MASTER_KEYS/);
  assert.throws(() => statSync(join(folder, 'none')));
});

test('a backup whose audit log was changed is restored, and exit code 1 says what is wrong', async () => {
  const target = await makeEmpty();
  assert.equal((await runToolgate(['restore', file], settings(target))).code, 0);
  await query(
    target,
    `alter table audit_entries disable trigger user;
     delete from audit_entries where id = (select min(id) from audit_entries);
     alter table audit_entries enable trigger user`,
  );
  const changed = join(folder, 'changed-audit');
  assert.equal((await runToolgate(['backup', changed, '--logical'], settings(target))).code, 0);
  const { code, stdout, stderr } = await runToolgate(['restore', changed], settings(await makeEmpty()));
  assert.equal(code, 1);
  assert.match(stdout, /BROKEN/);
  assert.match(stderr, /the audit log of the backup is broken/);
});

test('the schema has no sequence, whose position a logical dump would lose', async () => {
  assert.deepEqual(await query(source, 'select sequencename from pg_sequences'), []);
});
