// Where the CPU goes: the server under `node --cpu-prof`, and the self time of its functions grouped by the code that
// they belong to.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../load.ts';
import { startEmbeddedGateway } from './gateway.ts';
import { markdown } from './print.ts';
import { readProject, toolsCall, toolsList } from './requests.ts';
import type { Site } from './site.ts';

type CpuProfile = {
  /** Microseconds of the monotonic clock, which all processes share. */
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
};
/** Shares of the time in which the process worked. */
export type Profile = {
  operation: string;
  groups: [name: string, share: number][];
  functions: [name: string, share: number][];
};

/** Of `tools/call`, `tools/list` and of an authenticated read. */
export async function profileServer(site: Site): Promise<Profile[]> {
  const { id, keys: key, tools } = site.signed;
  return [
    await profile(site, 'tools/call', toolsCall({ key, tool: tools.map(({ name }) => name) })),
    await profile(site, 'tools/list', toolsList({ key: site.listed.keys })),
    await profile(site, 'GET /projects/{id}', readProject(id, { key })),
  ];
}

async function profile(
  { bench, seeded: from, ...site }: Site,
  operation: string,
  template: Template,
): Promise<Profile> {
  const to = `profiled-${Date.now()}`;
  const folder = join(site.folder, `${to}-result`);
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  bench.progress(`${operation} under the CPU profiler`);
  const server = await startEmbeddedGateway(site, { from, to, flags });
  bench.load.define('profile', template);
  const burst = { id: 'profile', url: server.url, connections: 16, count: 100_000 };
  await bench.load.send({ ...burst, max_ms: bench.plan.warm_up_ms });
  const from_us = monotonicUs();
  await bench.load.send({ ...burst, max_ms: bench.plan.round_ms * 12 });
  const until_us = monotonicUs();
  await server.stop();
  // Threads write profiles too; the one of the main thread has the most samples.
  const profiles = globSync(join(folder, '*.cpuprofile')).map(
    (file) => JSON.parse(readFileSync(file, 'utf8')) as CpuProfile,
  );
  const [largest] = profiles.sort((a, b) => b.samples.length - a.samples.length);
  if (!largest) throw new Error('the profiler wrote no profile');
  return { operation, ...summarize(largest, from_us, until_us) };
}

const monotonicUs = () => Number(process.hrtime.bigint() / 1000n);

function summarize(
  { startTime, nodes, samples, timeDeltas }: CpuProfile,
  from_us: number,
  until_us: number,
): Omit<Profile, 'operation'> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const [groups, functions] = [new Map<string, number>(), new Map<string, number>()];
  let total = 0;
  let now_us = startTime;
  for (const [i, id] of samples.entries()) {
    const time = timeDeltas[i] as number;
    now_us += time;
    if (now_us < from_us || now_us > until_us) continue;
    const { functionName, url } = frames.get(id) ?? { functionName: '(idle)', url: '' };
    if (functionName === '(idle)') continue;
    total += time;
    const group = groupOf(functionName, url);
    groups.set(group, (groups.get(group) ?? 0) + time);
    const name = `${functionName || '(anonymous)'} (${group})`;
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  const largest = (times: Map<string, number>) =>
    [...times].sort(([, a], [, b]) => b - a).map(([name, time]): [string, number] => [name, time / total]);
  return { groups: largest(groups).slice(0, 18), functions: largest(functions).slice(0, 12) };
}

/** A folder of the server, a package, a module of Node, or native code by the name of its function. */
function groupOf(functionName: string, url: string): string {
  const own = /\/server\/src\/((?:features\/)?[\w-]+)/.exec(url)?.[1];
  if (own) return `server/src/${own}`;
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (installed) return installed;
  if (url.startsWith('node:')) return url.replace(/^node:(internal\/)?/, 'node:').split('/')[0] as string;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)') return 'native code without a name';
  return 'native functions of Node';
}

export function profileOf({ operation, groups, functions }: Profile): string {
  const lines = (list: [string, number][]) => list.map(([name, share]) => [name, `${(share * 100).toFixed(1)} %`]);
  return [
    markdown([`Code, ${operation}`, 'self time'], lines(groups), 1),
    '',
    markdown([`Function, ${operation}`, 'self time'], lines(functions), 1),
  ].join('\n');
}
