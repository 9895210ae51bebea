// A master and a replica of Redis with three Sentinels, which all have a password.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { Redis } from 'ioredis';
import { freePort } from '../servers/free-port.ts';
import { waitUntil } from '../wait-until.ts';
import { openRedis } from './redis-server.ts';

const [PASSWORD, SENTINEL_PASSWORD, NAME] = ['redis-secret', 'sentinel-secret', 'toolgate'];

/** Removed after the tests. */
export async function startSentinels() {
  const sentinels = await openSentinels();
  after(sentinels.remove);
  return sentinels;
}

export async function openSentinels() {
  // Without the delay a replica begins to copy its master immediately, not after five seconds.
  const auth = ['--requirepass', PASSWORD, '--masterauth', PASSWORD, '--repl-diskless-sync-delay', '0'];
  const first = await openRedis(auth);
  const second = await openRedis([...auth, '--replicaof', '127.0.0.1', String(first.port)]);
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-sentinel-'));
  const ports = [await freePort(), await freePort(), await freePort()];
  const children: ChildProcess[] = [];
  for (const port of ports) {
    const file = join(folder, `${port}.conf`);
    writeFileSync(
      file,
      `port ${port}
bind 127.0.0.1
dir ${folder}
requirepass ${SENTINEL_PASSWORD}
sentinel sentinel-pass ${SENTINEL_PASSWORD}
sentinel monitor ${NAME} 127.0.0.1 ${first.port} 2
sentinel auth-pass ${NAME} ${PASSWORD}
sentinel down-after-milliseconds ${NAME} 500
sentinel failover-timeout ${NAME} 3000
`,
    );
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    process.once('exit', () => child.kill('SIGKILL')); // also when the process fails
    children.push(child);
  }
  async function remove(): Promise<void> {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    for (const redis of [first, second]) await redis.remove();
    rmSync(folder, { recursive: true, force: true });
  }

  const ask = (port: number, ...command: [string, ...string[]]) => call(port, SENTINEL_PASSWORD, ...command);
  async function call(port: number, password: string, ...command: [string, ...string[]]): Promise<unknown> {
    const client = new Redis({ host: '127.0.0.1', port, password, retryStrategy: null });
    client.on('error', () => {});
    try {
      return await client.call(...command);
    } finally {
      client.disconnect();
    }
  }
  const masterPort = async (port: number) =>
    Number(((await ask(port, 'sentinel', 'get-master-addr-by-name', NAME)) as string[])[1]);

  /** Every Sentinel knows the others and the replica, which has copied its master. */
  const isComplete = async () => {
    if (((await call(second.port, PASSWORD, 'role')) as string[])[3] !== 'connected') return false;
    for (const port of ports) {
      const fields = (await ask(port, 'sentinel', 'master', NAME)) as string[] | Record<string, string>;
      const text = JSON.stringify(fields);
      if (!/"num-slaves"[,:]"1"/.test(text) || !/"num-other-sentinels"[,:]"2"/.test(text)) return false;
    }
    return true;
  };
  await waitUntil(isComplete, 20_000, 'the Sentinels know each other');

  return {
    url: `redis-sentinel://:${PASSWORD}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}?sentinel_password=${SENTINEL_PASSWORD}`,
    first,
    second,
    remove,
    /** Kills one of the Sentinels: the others go on. */
    killSentinel: () => void children[0]?.kill('SIGKILL'),
    /** What was counted is on the replica: a failover loses what is not, as the documentation says. */
    async failOver(master_port = first.port) {
      assert.equal(await call(master_port, PASSWORD, 'wait', '1', '10000'), 1);
      await ask(ports[1] as number, 'sentinel', 'failover', NAME);
    },
    /** The old master has become a replica: until then it counts for whoever is connected. */
    untilReplica: (port: number) =>
      waitUntil(
        async () => ((await call(port, PASSWORD, 'role')) as string[])[0] === 'slave',
        20_000,
        'the old master is a replica',
      ),
    /** Two Sentinels say that this is the master. */
    untilMaster: (port: number) =>
      waitUntil(
        async () => (await masterPort(ports[1] as number)) === port && (await masterPort(ports[2] as number)) === port,
        20_000,
        'the replica is the master',
      ),
  };
}
