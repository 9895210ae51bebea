// How late the event loop of a server is, with the server on a processor of its own if there are two: what the bench, the
// customers and PostgreSQL need is not the server's work.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Delays } from './event-loop-watch.ts';
import { report } from './measure.ts';
import { type Child, postgresProcesses } from './processes.ts';
import { quantile } from './statistics.ts';

/** Flags of a server whose event loop is watched. It needs a channel. */
export const watchFlags = ['--import', join(import.meta.dirname, 'event-loop-watch.ts')];

const [SERVER, OTHERS] = [0, 1];

/** Everything that this process starts from now on runs beside the server. Returns false if the machine cannot do it. */
export function leaveCoreToServer(): boolean {
  return availableParallelism() > 1 && pin(process.pid, OTHERS);
}

export function giveCoreTo(server: Child): void {
  pin(server.pid, SERVER);
  for (const pid of postgresProcesses(server.pid)) pin(pid, OTHERS);
}

function pin(pid: number, core: number): boolean {
  const { status } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
  return status === 0;
}

/** Since the last call of this. */
export async function takeDelays({ process: child }: Child): Promise<Delays> {
  const responded = once(child, 'message');
  child.send('take');
  const [delays] = (await responded) as [Delays];
  return delays;
}

export function reportDelays(when: string, { late, of_process, of_main }: Delays, most_p99?: number): void {
  for (const [name, part] of Object.entries({ p50: 0.5, p99: 0.99, longest: 1 })) {
    const bound = name === 'p99' && most_p99 !== undefined ? [most_p99] : [];
    report(`${when}: delay of the event loop, ${name}`, quantile(late, part), ' ms');
    report(`${when}: … in which the server ran, ${name}`, quantile(of_process, part), ' ms', ...bound);
    report(`${when}: … in which its main thread ran, ${name}`, quantile(of_main, part), ' ms');
  }
}
