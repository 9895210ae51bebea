// Two versions on one database: this one, and a copy of it with one more migration, which stands for the next version.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeKey, makeProject } from '../support/make/make.ts';
import { launchProcess, makeDataDir, type ServerProcess, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';

type Server = ServerProcess & TestServer;
const root = join(import.meta.dirname, '../../..');

/** The command that starts the next version, whose newest migration is this text. */
function makeNextVersion(migration: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-next-version-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  for (const path of ['server/src', 'server/migrations', 'server/package.json', 'package.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'server/node_modules'), join(folder, 'server/node_modules'));
  writeFileSync(join(folder, 'server/migrations/9001_next.sql'), migration);
  return [process.execPath, '--require', './require-node-24.cjs', join(folder, 'server/src/main.ts')];
}

async function openDatabase() {
  const database = await copyTemplate();
  after(database.drop);
  return { DATABASE_URL: database.url, TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_MASTER_KEYS: MASTER_KEY };
}

async function expectBothServe(one: Server, two: Server): Promise<void> {
  for (const [making, using] of [
    [one, two],
    [two, one],
  ] as const) {
    const { id } = await makeProject(making);
    const { key } = await makeKey(making, id, ['read']);
    for (const server of [using, making]) expectResponse(await server.api('GET', `/projects/${id}`, { key }), 200);
  }
}

test('the previous version serves beside the next one, and also starts after its migration', async () => {
  const environment = await openDatabase();
  const next = makeNextVersion(
    'create table next_things (id text primary key);\nalter table projects add column next text;',
  );
  const old = (await startProcess(environment)) as Server;
  const upgraded = (await startProcess(environment, makeDataDir(), next)) as Server;
  await expectBothServe(old, upgraded);
  assert.deepEqual(await old.stop(), { code: 0, signal: null });
  const restarted = (await startProcess(environment)) as Server;
  await expectBothServe(restarted, upgraded);
  for (const server of [restarted, upgraded]) assert.deepEqual(await server.stop(), { code: 0, signal: null });
});

test('a breaking migration is refused while the previous version runs, and the previous version does not start after it', async () => {
  const environment = await openDatabase();
  const next = makeNextVersion('-- breaking\nalter table projects drop column next_to_nothing;');
  const old = (await startProcess(environment)) as Server;
  const { id } = await makeProject(old);
  await assert.rejects(
    startProcess(environment, makeDataDir(), next),
    /9001_next\.sql cannot run while servers of an older version are connected: stop those on/,
  );
  expectResponse(await old.api('GET', `/projects/${id}`, { key: ROOT_KEY }), 200);
  await old.stop();
  const valid = makeNextVersion('-- breaking\nalter table projects add column next text not null default 0;');
  const upgraded = (await startProcess(environment, makeDataDir(), valid)) as Server;
  expectResponse(await upgraded.api('GET', `/projects/${id}`, { key: ROOT_KEY }), 200);
  const late = await launchProcess(environment);
  assert.deepEqual(await late.ended, { code: 1, signal: null });
  assert.match(late.output(), /has run 9001_next\.sql, which this version does not know: start a newer toolgate/);
  await upgraded.stop();
});
