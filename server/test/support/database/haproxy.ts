// HAProxy in front of servers of PostgreSQL, for tests. Without one the tests that need it are skipped, with a warning; with
// REQUIRE_HAPROXY=1, as in .ci/run, they fail.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { makeScratchFolder } from '../scratch-folder.ts';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

const haproxy = ['haproxy', '/usr/sbin/haproxy'].find((name) => spawnSync(name, ['-v']).status === 0);

/** For the `skip` option of a test. */
export const withoutHaproxy = haproxy === undefined && 'haproxy is not installed';
if (withoutHaproxy) {
  if (process.env.REQUIRE_HAPROXY === '1') throw new Error(withoutHaproxy);
  process.stderr.write(`\n!!! ${withoutHaproxy}: some tests of failover are SKIPPED (apt-get install haproxy)\n\n`);
}

/** As Patroni's documentation sets it up, except that open sessions are kept. Returns its port. Ends after the tests. */
export async function startHaproxy(servers: Server[], primary: () => Server | null): Promise<number> {
  const haproxy = await openHaproxy(servers, primary);
  after(haproxy.close);
  await waitUntil(() => connects(haproxy.port), 10_000, 'HAProxy leads to the primary');
  return haproxy.port;
}

async function connects(port: number): Promise<boolean> {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
  client.on('error', () => {});
  await client.connect();
  await client.end();
  return true;
}

type Server = { port: number };
type Haproxy = { port: number; close(): Promise<void> };

/** What `primary` returns decides which of the ports new connections lead to. */
export async function openHaproxy(servers: Server[], primary: () => Server | null): Promise<Haproxy> {
  const check = await freePort();
  const health = createServer((request, response) => {
    response.statusCode = request.url === `/${primary()?.port}` ? 200 : 503;
    response.end();
  }).listen(check, '127.0.0.1');
  await once(health, 'listening');
  // Each server is asked for by its own port.
  const backends = servers.map(
    ({ port }) => `backend b${port}
  option httpchk GET /${port}
  server s 127.0.0.1:${port} check port ${check} inter 100ms fall 1 rise 1`,
  );
  const uses = servers.map(({ port }) => `  use_backend b${port} if { nbsrv(b${port}) gt 0 }`);
  const { port, close } = await runHaproxy(`${uses.join('\n')}\n${backends.join('\n')}`);
  return {
    port,
    async close() {
      await close();
      health.close();
      health.closeAllConnections();
    },
  };
}

/** With a configuration that begins in a frontend that listens. */
export async function runHaproxy(configuration: string): Promise<Haproxy> {
  const port = await freePort();
  const folder = makeScratchFolder('toolgate-haproxy-');
  const file = join(folder, 'haproxy.cfg');
  appendFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout check 10s
  timeout client 1h
  timeout server 1h
frontend f
  bind 127.0.0.1:${port}
${configuration}
`,
  );
  const child: ChildProcess = spawn(haproxy as string, ['-f', file, '-db'], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL')); // also when the process fails
  return {
    port,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
