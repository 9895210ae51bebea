// Uncaught errors: the process exits with 1, so that its supervisor restarts it, and logs the error without secrets.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeToken } from '../../src/secrets/tokens.ts';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeDataDir, serverCommand, startProcess } from '../support/servers/start-process.ts';
import { MASTER_KEY, ROOT_KEY } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const database = await copyTemplate();
after(database.drop);
const fixture = ['--import', './server/test/fixtures/throw-on-signal.ts'];
const command = serverCommand(...fixture);

const environment = {
  DATABASE_URL: database.url,
  TOOLGATE_ROOT_KEY: ROOT_KEY,
  TOOLGATE_MASTER_KEYS: MASTER_KEY,
};

for (const [what, signal] of [
  ['is thrown', 'SIGUSR2'],
  ['is a rejection', 'SIGURG'],
] as const) {
  test(`a bug that ${what} ends the process with one log line that contains no secret`, async () => {
    const PLANTED = makeToken('svc_live_');
    const server = await startProcess({ ...environment, PLANTED }, makeDataDir(), command);
    assert.deepEqual(await server.stop(signal), { code: 1, signal: null });
    assert.ok(!server.output().includes(PLANTED));
    const [line = '', ...more] = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"fatal"'));
    assert.deepEqual(more, []);
    const { level, err } = JSON.parse(line);
    assert.deepEqual([level, err.name, err.message], ['fatal', 'TypeError', 'headers: [secret]']);
    assert.ok(server.output().endsWith(`${line}\n`), 'nothing comes after it');
  });
}

test('an unhandled rejection caused by the database is logged and does not end the process', async () => {
  const server = await startProcess(environment, makeDataDir(), command);
  process.kill(server.pid, 'SIGWINCH');
  await waitUntil(async () => server.output().includes('unhandled rejection'), 60_000, 'it is logged');
  expectResponse(await server.api('GET', '/readyz'), 200);
  assert.deepEqual(await server.stop(), { code: 0, signal: null });
});
