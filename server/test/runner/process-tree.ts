// The processor time of a process with its children, those that have ended included. From /proc, so on Linux only.

import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

type Process = { parent: number; cpu_s: number };

/** Null where the system does not tell. A child that has outlived its parent, as PostgreSQL can, is not counted. */
export function cpuSeconds(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? readProcess(name) : null;
    if (found) processes.set(Number(name), found);
  }
  const belongs = (id: number): boolean => id === pid || (id > 1 && belongs(processes.get(id)?.parent ?? 0));
  let total = 0;
  for (const [id, { cpu_s }] of processes) if (belongs(id)) total += cpu_s;
  return total;
}

function readProcess(pid: string): Process | null {
  try {
    // The name, in parentheses, may have spaces. Then: state, parent, …; utime, stime, cutime and cstime are fields 14 to 17.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpu_s: ticks / TICKS_PER_SECOND };
  } catch {
    return null; // it has ended meanwhile
  }
}
