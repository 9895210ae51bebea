// A server that nobody uses yet: from the start of its process until it answers, its memory, and what its recurring work costs. Of the
// package, with its dashboard, and of a clone of the repository.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, cpuOf, main, postgresProcesses, residentMb, serverProcesses, startChild } from '../processes.ts';
import { atMost, type Goal } from './goals.ts';

const root = join(import.meta.dirname, '../..');

type Plan = { is_quick: boolean; progress(line: string): void };
type Bounds = { again: number; empty: number; memory: number };

export async function measureAtRest({ is_quick, progress }: Plan): Promise<Goal[]> {
  const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
  chmodSync(data, 0o755);
  try {
    const clone = () => measureStarts('clone', main, { again: 2.5, empty: 4, memory: 170 }, data, is_quick ? 1 : 5);
    if (is_quick) return await clone();
    progress('at rest: building the package');
    const { status } = spawnSync(process.execPath, [join(root, 'packaging/build.ts'), '--only', 'toolgate']);
    if (status !== 0) throw new Error('npm run build failed');
    const script = join(root, 'build/toolgate/dist/server.js');
    progress('at rest: starting the package and a clone again and again');
    return [
      ...(await measureStarts('package', script, { again: 1.5, empty: 2.5, memory: 120 }, data, 5)),
      ...(await clone()),
      await measureIdle(script, join(data, 'package 0'), progress),
    ];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function measureStarts(
  what: string,
  script: string,
  bounds: Bounds,
  data: string,
  starts: number,
): Promise<Goal[]> {
  const [empty, again, memory]: [number[], number[], number[]] = [[], [], []];
  await startOnce(script, join(data, `${what} 0`)); // fills the cache of compiled code
  for (let i = 1; i <= starts; i += 1) {
    const folder = join(data, `${what} ${i}`);
    empty.push((await startOnce(script, folder)).seconds);
    const { seconds, memory_mb } = await startOnce(script, folder);
    again.push(seconds);
    memory.push(memory_mb);
  }
  return [
    atMost(`Start of the ${what} on an empty folder`, empty, bounds.empty, 's', 2),
    atMost(`Start of the ${what} on an existing folder`, again, bounds.again, 's', 2),
    atMost(`Memory of the ${what} after the start`, memory, bounds.memory, 'MB'),
  ];
}

async function startOnce(script: string, folder: string): Promise<{ seconds: number; memory_mb: number }> {
  const began = performance.now();
  const server = await startOn(script, folder);
  const seconds = (performance.now() - began) / 1000;
  const memory_mb = residentMb(server.pid);
  await server.stop();
  return { seconds, memory_mb };
}

const startOn = (script: string, folder: string): Promise<Child> =>
  startChild(script, { TOOLGATE_DATA_DIR: folder, TOOLGATE_DASHBOARD: script === main ? 'off' : 'on' });

const IDLE_ROUNDS = 3;
const IDLE_ROUND_MS = 20_000;

/** For one core, with PostgreSQL. */
async function measureIdle(script: string, folder: string, progress: Plan['progress']): Promise<Goal> {
  progress(`at rest: an idle server, for ${((IDLE_ROUNDS + 1) * IDLE_ROUND_MS) / 1000} s`);
  const server = await startOn(script, folder);
  await sleep(IDLE_ROUND_MS); // the work after a start is done
  const shares: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round += 1) {
    const read = () => cpuOf([...serverProcesses(server.pid), ...postgresProcesses(server.pid)]);
    const before = read();
    await sleep(IDLE_ROUND_MS);
    shares.push(((read() - before) / IDLE_ROUND_MS) * 100);
  }
  await server.stop();
  return atMost('CPU of an idle server with its PostgreSQL', shares, 0.5, '% of a core', 2);
}
