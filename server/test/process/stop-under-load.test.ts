// Stopping many times under load. What is lost when a socket is closed in the wrong moment is seldom lost in one stop.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { freePort } from '../support/servers/free-port.ts';

/** A worker gets its connections one by one, so fewer clients are a crowd for it. */
const clientsFor = (workers: number) => (workers === 1 ? 200 : 60);
const DRAIN_MS = 500;
const STOPS = 5;
const SERVED_BEFORE_STOP = 100;

/** Resolves to false when the connection was refused, or reset while it was opened: nothing was sent. */
function send(port: number, agent: Agent | false): Promise<boolean> {
  return new Promise((done, fail) => {
    const request = get({ host: '127.0.0.1', port, agent }, (response) => {
      response
        .resume()
        .on('end', () => done(true))
        .on('error', fail);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall === 'connect') done(false);
      else fail(error);
    });
  });
}

/** Starts a server, stops it under load, and returns how many requests were served and the errors of the others. */
async function stopUnderLoad(workers: number) {
  const port = await freePort();
  const environment = { PORT: port, TOOLGATE_WORKERS: workers, TOOLGATE_DRAIN_MS: DRAIN_MS };
  const child = spawn(process.execPath, ['server/test/fixtures/stopping-server.ts'], {
    env: { ...process.env, ...Object.fromEntries(Object.entries(environment).map(([k, v]) => [k, String(v)])) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const kept = new Agent({ keepAlive: true });
  const load = { served: 0, errors: [] as unknown[] };
  const client = async (agent: Agent | false) => {
    while (await send(port, agent)) {
      load.served += 1;
      if (load.served === SERVED_BEFORE_STOP) child.kill('SIGTERM');
    }
  };
  const clients = Array.from({ length: clientsFor(workers) }, (_, i) =>
    client(i % 2 === 0 ? kept : false).catch((error: unknown) => load.errors.push(error)),
  );
  await Promise.all(clients);
  kept.destroy();
  assert.deepEqual(await ended, [0, null]);
  return load;
}

for (const workers of [1, 2]) {
  test(`SIGTERM under load: of many servers with ${workers} ${workers === 1 ? 'process' : 'workers'}, none loses a request that was sent`, async () => {
    for (let i = 0; i < STOPS; i += 1) {
      const { served, errors } = await stopUnderLoad(workers);
      assert.deepEqual(errors, []);
      assert.ok(served >= SERVED_BEFORE_STOP);
    }
  });
}
