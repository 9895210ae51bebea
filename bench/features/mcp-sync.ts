// npm run bench -- mcp-sync: what an MCP server that lists as much as it may costs everybody else: the longest turn of the event loop, the
// processor time and the memory of a sync, alone and five at the same time, and the latency of another project's calls beside them.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { post } from '../api.ts';
import { finish, report } from '../measure.ts';
import { type Child, cpuMs, residentMb, takePeakMb } from '../processes.ts';
import { sampleArguments, sampleTool } from '../sample-tool.ts';
import { quantile } from '../statistics.ts';
import { makeProject, withTwoCustomers } from '../two-customers.ts';

const AT_ONCE = 5;
/** Rules of the sync. */
const MAX_TURN_MS = 50;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-turns-'));
const TURN_FILE = join(folder, 'longest');

async function takeLongestTurn({ process }: Child): Promise<number> {
  rmSync(TURN_FILE, { force: true });
  process.kill('SIGUSR2');
  await waitUntil(
    async () => existsSync(TURN_FILE) && readFileSync(TURN_FILE, 'utf8') !== '',
    30_000,
    'the turn is written',
  );
  return Number(readFileSync(TURN_FILE, 'utf8'));
}

type Source = { key: string; path: string };

async function addSource(url: string, origin: string): Promise<Source> {
  const { id, key } = await makeProject(url);
  const path = `/projects/${id}/mcp-servers`;
  const server = await post(url, path, key, {
    slug: 'hostile',
    name: 'Hostile',
    url: `${origin}/mcp/hostile`,
    timeout_ms: 55_000,
  });
  return { key, path: `${path}/${server.id}` };
}

/** Returns whether it succeeded. */
const sync = (url: string, { key, path }: Source) =>
  post(url, `${path}/sync`, key, {}, 200).then(
    () => true,
    (error: Error) => {
      console.log(error.message);
      return false;
    },
  );

/** Calls one after the other until the work is done. Returns how long each took, and how many failed. */
async function callDuring(url: string, tool: Source, work: Promise<boolean[]>) {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const calls = { ms: [] as number[], failed: 0 };
  while (!isDone) {
    const began = performance.now();
    const response = await fetch(`${url}/api/v1${tool.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tool.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ arguments: sampleArguments }),
    });
    await response.text();
    calls.ms.push(performance.now() - began);
    if (response.status !== 200) calls.failed += 1;
  }
  return { ...calls, failed_syncs: (await done).filter((is_fine) => !is_fine).length };
}

async function measure(what: string, server: Child, tool: Source, sources: Source[]): Promise<void> {
  await takeLongestTurn(server);
  const [before, resident] = [cpuMs(server.pid), residentMb(server.pid)];
  takePeakMb(server.pid);
  const began = performance.now();
  const calls = await callDuring(server.url, tool, Promise.all(sources.map((source) => sync(server.url, source))));
  report(`${what}: longest turn of the event loop`, await takeLongestTurn(server), ' ms', MAX_TURN_MS);
  report(`${what}: processor time of all threads`, cpuMs(server.pid) - before, ' ms');
  report(`${what}: memory at most, beside before`, takePeakMb(server.pid) - resident, ' MB');
  report(`${what}: duration`, performance.now() - began, ' ms');
  report(`${what}: p99 of another project's calls`, quantile(calls.ms, 0.99), ' ms');
  report(`${what}: failed syncs`, calls.failed_syncs, '', 0);
  report(`${what}: failed calls of another project`, calls.failed, '', 0);
}

async function bench(server: Child, origin: string, hostile_origin: string): Promise<void> {
  const { key } = await makeProject(server.url);
  const { id } = await post(server.url, '/custom-tools', key, sampleTool(0, origin));
  const tool = { key, path: `/custom-tools/${id}/execute` };
  // The first sync starts what syncs need.
  const [first, ...others] = await Promise.all(
    Array.from({ length: AT_ONCE + 1 }, () => addSource(server.url, hostile_origin)),
  );
  await measure('the first', server, tool, [first as Source]);
  await measure('one', server, tool, [first as Source]);
  await measure(`${AT_ONCE} at the same time`, server, tool, others);
  await measure(`${AT_ONCE} again`, server, tool, others);
  const { path } = first as Source;
  await takeLongestTurn(server);
  const response = await fetch(`${server.url}/api/v1${path}/pending?limit=100`, {
    headers: { authorization: `Bearer ${(first as Source).key}` },
  });
  if (!response.ok) throw new Error(await response.text());
  report(`listing what is pending: longest turn of the event loop`, await takeLongestTurn(server), ' ms', MAX_TURN_MS);
}

const probe = join(import.meta.dirname, '../turn-probe.ts');
await withTwoCustomers(
  (server, customer, hostile) => bench(server, customer.origin, hostile.origin),
  { TURN_FILE, TOOLGATE_LOG_LEVEL: 'silent' },
  ['--import', probe],
);
rmSync(folder, { recursive: true, force: true });
finish();
