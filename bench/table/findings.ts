// What the figures of the run mean, as text.

import { availableParallelism } from 'node:os';
import { difference, differenceSpread, median, ratio, ratioSpread } from '../statistics.ts';
import { possibleRatio, SDK_BOUND } from './goals.ts';
import { type AnyRow, OURS } from './parts.ts';
import { isMeasured, markdown } from './print.ts';
import type { Row } from './rounds.ts';

type Find = (operation: string, name: string) => Row | undefined;

const finder =
  (rows: Row[]): Find =>
  (operation, name) =>
    rows.find((row) => row.operation === operation && row.name === name);

const us = (values: number[]) => `${median(values).toFixed(0)} µs`;
const percent = (part: number) => `${(part * 100).toFixed(0)} %`;

/** For docs/performance.md: what somebody who plans an installation wants to know. */
export function findings(all: AnyRow[]): string {
  const rows = all.filter(isMeasured);
  const find = finder(rows);
  return [inUse(rows), workers(find), limits(find)].filter((text) => text !== '').join('\n\n');
}

function inUse(rows: Row[]): string {
  const [few, ...others] = rows.filter(({ operation }) => operation === 'tools/call, scale');
  if (!few || others.length === 0) return '';
  const loads = (row: Row) => median(row.misses).toFixed(2);
  const lines = others.map((row) => {
    const { least, most } = ratioSpread(row.cpu_us, few.cpu_us);
    const times = `${ratio(row.cpu_us, few.cpu_us).toFixed(2)} × (${least.toFixed(2)} to ${most.toFixed(2)})`;
    return [row.name, times, loads(row)];
  });
  return `### Many tools, keys and projects

CPU per call, compared with ${few.name} (${loads(few)} cache loads per call). The range over the rounds is in brackets.

${markdown(['Stored and in use', 'CPU', 'Cache loads per call'], lines, 1)}

- Tools, keys and projects that nobody uses cost nothing per call.
- A definition that is in use stays in the cache until it changes, for at most 10 minutes; a decrypted secret stays for 20 to 30 s
  ([why](design/replicas.md)).
- These rows cycle through all values, which is the worst case for a cache. One prepared statement loads everything that is missing at the
  same time, at the same cost for any number of entries.
- Each project in use has its own connections to the upstream API.`;
}

/** What a machine with so few cores can show about two workers. */
function workers(find: Find): string {
  const operation = 'tools/call, stores';
  const one = find(operation, 'embedded PostgreSQL, 1 worker');
  if (!one) return '';
  const parts = [one.cpu_us, one.store_us, one.generator_us, one.customer_us];
  const [server, store, generator, customer] = parts.map(median) as [number, number, number, number];
  const total = server + store + generator + customer;
  const cores = availableParallelism();
  const most = possibleRatio(one, one, cores).toFixed(2);
  return `### Two workers

One \`tools/call\` takes ${total.toFixed(0)} µs of CPU on the whole machine: ${percent(server / total)} in the server, ${percent(store / total)} in PostgreSQL, ${percent(generator / total)} in the load
generator and ${percent(customer / total)} in the upstream API. All of them share ${cores} cores, so a second worker can raise the requests per second to at most ${most} ×,
even if it cost nothing itself. Compare the CPU per request instead.`;
}

function limits(find: Find): string {
  const operation = 'GET /projects/{id}, stores';
  const [without, redis] = ['embedded PostgreSQL, 1 worker', 'embedded PostgreSQL, 1 worker, Redis'].map((name) =>
    find(operation, name),
  );
  if (!without || !redis) return '';
  const { least, most } = differenceSpread(redis.cpu_us, without.cpu_us);
  return `### Limits in Redis

Requests that arrive together are counted with one Redis command. Compared with limits in memory, the server's CPU per read changes by
${difference(redis.cpu_us, without.cpu_us).toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)}), the stores use ${us(redis.store_us)}, and a single request waits ${(redis.alone_ms - without.alone_ms).toFixed(2)} ms longer.`;
}

/** For bench/README.md: what the bounds for the proxy and the SDK would need. */
export function boundFindings(all: AnyRow[]): string {
  const find = finder(all.filter(isMeasured));
  const [ours, bare] = [find('tools/call', OURS), find('tools/call', 'bare Node proxy')];
  const sdk = find('tools/call', 'official SDK v2 in our gateway');
  if (!ours || !bare || !sdk) return '';
  const needed = SDK_BOUND * median(sdk.cpu_us);
  const conclusion =
    needed < median(bare.cpu_us)
      ? 'less, so no gateway could have met the goal in this run'
      : 'more, so the goal stays possible';
  return `- **The SDK.** In the same gateway, the SDK v2 adds ${difference(sdk.cpu_us, ours.cpu_us).toFixed(0)} µs per call. The goal of ${SDK_BOUND} × allows ${needed.toFixed(0)} µs for a whole call. The bare proxy, which
  only forwards, needs ${us(bare.cpu_us)}. The goal allows ${conclusion}.
- **The bare proxy.** Everything that the gateway does besides forwarding costs ${difference(ours.cpu_us, bare.cpu_us).toFixed(0)} µs (${ratio(ours.cpu_us, bare.cpu_us).toFixed(2)} ×). The profile below shows where.
  [How we build](../docs/design/building.md#documented-apis-only) explains which optimizations are worth their complexity.`;
}
