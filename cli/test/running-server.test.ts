// Commands find the server of their folder, with one process and with several, and see when it is gone.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ServerProcess, startProcess } from '../../server/test/support/servers/start-process.ts';
import { runToolgate } from './run-toolgate.ts';

const rootKeyOf = ({ data_dir }: ServerProcess) => readFileSync(join(data_dir, 'root.key'), 'utf8').trim();
const fileOf = ({ data_dir }: ServerProcess) => join(data_dir, 'server.json');

for (const workers of ['1', '2'])
  test(`${workers} workers: commands of a client call the server of the folder, and its file is gone after SIGTERM`, async () => {
    const server = await startProcess({ TOOLGATE_WORKERS: workers });
    assert.equal(JSON.parse(readFileSync(fileOf(server), 'utf8')).pid, server.pid);
    const key = rootKeyOf(server);
    const environment = { TOOLGATE_DATA_DIR: server.data_dir, TOOLGATE_API_KEY: key };
    const { code, stderr } = await runToolgate(['projects', 'create', '--name', 'First'], environment);
    assert.equal(code, 0, stderr);
    // A URL that is given comes first.
    const elsewhere = await runToolgate(['projects', 'list'], { ...environment, TOOLGATE_URL: 'http://127.0.0.1:1' });
    assert.equal(elsewhere.code, 1);
    assert.ok(!readFileSync(fileOf(server), 'utf8').includes(key));
    await server.stop();
    assert.equal(existsSync(fileOf(server)), false);
  });

test('a server that was killed is not taken for one that runs', async () => {
  const server = await startProcess();
  await server.stop('SIGKILL');
  assert.ok(existsSync(fileOf(server)));
  const { stdout } = await runToolgate(['setup-link'], { TOOLGATE_DATA_DIR: server.data_dir });
  assert.match(stdout, /^http:\/\/127\.0\.0\.1:3000\/setup#token=/);
  const again = await startProcess({}, server.data_dir);
  assert.equal(JSON.parse(readFileSync(fileOf(again), 'utf8')).pid, again.pid);
});
