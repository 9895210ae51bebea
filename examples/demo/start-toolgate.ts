// toolgate as its users run it: a process of its own, here with its data in a temporary folder and on a free port.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type RunningToolgate = { url: string; root_key: string; stop(): Promise<void> };

const root = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 50_000;
const ATTEMPTS = 3;

type Start = {
  data_dir: string;
  /** The shop, as `127.0.0.1:port`: toolgate connects to a private address only if it is allowed. */
  allowed_address: string;
  /** PEM file of the certificate authority of the shop. */
  authority_file: string;
  /** Who may sign in to the dashboard; null: it is not served. */
  owner: { email: string; password_file: string } | null;
};

/** Starts again on another port if somebody else took the first one meanwhile. */
export async function startToolgate(start: Start): Promise<RunningToolgate> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const { child, output, ended } = launch(start, port);
    const stop = async () => {
      child.kill('SIGINT'); // as Ctrl-C does: it does not wait long for requests in progress
      await ended;
    };
    const url = `http://127.0.0.1:${port}`;
    try {
      await waitUntilReady(url, child);
      return { url, root_key: readFileSync(join(start.data_dir, 'root.key'), 'utf8').trim(), stop };
    } catch (error) {
      await stop();
      const isTaken = output().includes('is already in use');
      if (!isTaken || attempt === ATTEMPTS) throw new Error(`${(error as Error).message}\n${output()}`.trim());
    }
  }
}

function launch({ data_dir, allowed_address, authority_file, owner }: Start, port: number) {
  const child = spawn(process.execPath, ['--require', './require-node-24.cjs', 'server/src/main.ts'], {
    cwd: root,
    env: {
      ...withoutSettings(process.env),
      PORT: String(port),
      TOOLGATE_DATA_DIR: data_dir,
      TOOLGATE_EGRESS_ALLOW: allowed_address,
      TOOLGATE_LOG_LEVEL: 'error',
      ...(owner
        ? { TOOLGATE_OWNER_EMAIL: owner.email, TOOLGATE_OWNER_PASSWORD_FILE: owner.password_file }
        : { TOOLGATE_DASHBOARD: 'off' }),
      NODE_EXTRA_CA_CERTS: authority_file,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C does not reach it: ended while it starts, it would leave its PostgreSQL. The demo stops it when it is ready.
    detached: true,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  return { child, output: () => errors, ended: once(child, 'close') };
}

/** Settings of the person's own toolgate do not apply to the demo. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSetting = /^(TOOLGATE_|OTEL_|PG)|^(HOST|PORT|DATABASE_URL|NODE_OPTIONS)$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSetting.test(name)));
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('toolgate did not start.');
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error(`toolgate was not ready within ${READY_WITHIN_MS / 1000} seconds.`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
