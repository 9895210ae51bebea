// From the start of the process until /readyz answers, with the embedded store, and the memory of an idle server: of the package,
// with its dashboard, and of a clone of the repository.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, report } from '../measure.ts';
import { main, residentMb, startChild } from '../processes.ts';
import { median } from '../statistics.ts';

const STARTS = 5;
const root = join(import.meta.dirname, '../..');
const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
let folders = 0;

async function startOn(script: string, folder: string): Promise<{ seconds: number; resident_mb: number }> {
  const began = performance.now();
  const dashboard = script === main ? 'off' : 'on';
  const server = await startChild(script, { TOOLGATE_DATA_DIR: folder, TOOLGATE_DASHBOARD: dashboard });
  const seconds = (performance.now() - began) / 1000;
  const resident_mb = residentMb(server.pid);
  await server.stop();
  return { seconds, resident_mb };
}

async function measure(what: string, script: string, goals: { again: number; empty: number; memory: number }) {
  await startOn(script, newFolder()); // fills the cache of compiled code
  const empty: number[] = [];
  const again: number[] = [];
  const memory: number[] = [];
  for (let i = 0; i < STARTS; i += 1) {
    const folder = newFolder();
    empty.push((await startOn(script, folder)).seconds);
    const { seconds, resident_mb } = await startOn(script, folder);
    again.push(seconds);
    memory.push(resident_mb);
  }
  report(`${what}: start to ready on an empty folder`, median(empty), ' s', goals.empty);
  report(`${what}: start to ready on an existing folder`, median(again), ' s', goals.again);
  report(`${what}: resident memory of an idle server`, median(memory), ' MB', goals.memory);
}

function newFolder(): string {
  folders += 1;
  return join(data, String(folders));
}

try {
  const { status } = spawnSync(process.execPath, [join(root, 'packaging/build.ts'), '--only', 'toolgate']);
  if (status !== 0) throw new Error('npm run build failed');
  await measure('package', join(root, 'build/toolgate/dist/server.js'), { again: 1.5, empty: 2.5, memory: 120 });
  await measure('clone', main, { again: 2.5, empty: 4, memory: 170 });
} finally {
  rmSync(data, { recursive: true, force: true });
}
finish();
