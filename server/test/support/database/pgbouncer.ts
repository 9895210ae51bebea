// A real PgBouncer for tests, found on PATH, with no setting but where it listens and its pool_mode. Without one the tests that need it
// are skipped, with a warning; with REQUIRE_PGBOUNCER=1, as in .ci/run, they fail.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';

const program = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => spawnSync(name, ['--version']).status === 0);

/** For the `skip` option of a test. */
export const withoutPgBouncer = program === undefined && 'pgbouncer is not installed';
if (withoutPgBouncer) {
  if (process.env.REQUIRE_PGBOUNCER === '1') throw new Error(withoutPgBouncer);
  process.stderr.write(`\n!!! ${withoutPgBouncer}: the tests of poolers are SKIPPED (apt-get install pgbouncer)\n\n`);
}

/** PgBouncer refuses to run as root. */
const NOBODY = 65_534;
const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export type PgBouncer = {
  /** Of the database, through it. */
  url: string;
  child(): ChildProcess;
  /** With SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Kills it and removes its folder. */
  remove(): Promise<void>;
};

type PoolMode = 'transaction' | 'session';

/** Removed after the tests. */
export async function startPgBouncer(database_url: string, mode: PoolMode, settings?: string[]): Promise<PgBouncer> {
  const pooler = await openPgBouncer(database_url, mode, settings);
  after(pooler.remove);
  return pooler;
}

/** In front of the database of a URL with a host and a port. `settings` are lines of its configuration. */
export async function openPgBouncer(
  database_url: string,
  pool_mode: PoolMode,
  settings: string[] = [],
): Promise<PgBouncer> {
  const { hostname, port: target, username, password, pathname } = new URL(database_url);
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-pgbouncer-'));
  const port = await freePort();
  const secret = decodeURIComponent(password);
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${secret}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${pool_mode}
${settings.join('\n')}
`,
  );
  chmodSync(folder, 0o755);
  let child: ChildProcess;

  async function start(): Promise<void> {
    child = spawn(program as string, [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...account });
    await waitUntil(() => accepts(port), 10_000, 'PgBouncer accepts connections');
  }

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async function remove(): Promise<void> {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  }

  await start();
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
  return { url, child: () => child, kill, start, remove };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
