// From the start of the process until /readyz answers, on an embedded store that exists, and the memory of an idle server.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, report } from '../measure.ts';
import { main, residentMb, startChild } from '../processes.ts';
import { median } from '../statistics.ts';

const STARTS = 5;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const environment = { TOOLGATE_DATA_DIR: join(data, 'data') };
try {
  await (await startChild(main, environment)).stop(); // creates the store
  const [times, memory]: [number[], number[]] = [[], []];
  for (let i = 0; i < STARTS; i += 1) {
    const began = performance.now();
    const server = await startChild(main, environment);
    times.push((performance.now() - began) / 1000);
    memory.push(residentMb(server.pid));
    await server.stop();
  }
  report('start to ready on an existing embedded store', median(times), ' s', 2);
  report('resident memory of an idle server', median(memory), ' MB', 150);
} finally {
  rmSync(data, { recursive: true, force: true });
}
finish();
