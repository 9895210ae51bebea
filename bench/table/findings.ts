// What was found, as text with the figures of the run.

import { availableParallelism } from 'node:os';
import { difference, differenceSpread, median, ratio, ratioSpread } from '../statistics.ts';
import { possibleRatio, SDK_BOUND } from './goals.ts';
import { type AnyRow, OURS } from './parts.ts';
import { isMeasured } from './print.ts';
import type { Row } from './rounds.ts';

export function findings(all: AnyRow[]): string {
  const rows = all.filter(isMeasured);
  const find = (operation: string, name: string) =>
    rows.find((row) => row.operation === operation && row.name === name);
  return [bounds(find), workers(find), inUse(rows), limits(find)].filter((text) => text !== '').join('\n');
}

type Find = (operation: string, name: string) => Row | undefined;
const us = (values: number[]) => `${median(values).toFixed(0)} µs`;

/** What the bounds beside the proxy and the SDK would need. */
function bounds(find: Find): string {
  const [ours, bare] = [find('tools/call', OURS), find('tools/call', 'bare Node proxy')];
  const sdk = find('tools/call', 'official SDK v2 in our gateway');
  if (!ours || !bare || !sdk) return '';
  const needed = SDK_BOUND * median(sdk.cpu_us);
  const conclusion =
    needed < median(bare.cpu_us)
      ? 'less than the bare proxy takes, so the bound cannot hold in this run'
      : 'more than the bare proxy takes, so this run does not exclude the bound';
  return `- **Beside the SDK.** The SDK v2 adds ${difference(sdk.cpu_us, ours.cpu_us).toFixed(0)} µs to the same gateway. ${SDK_BOUND} × of it is a whole call of ${needed.toFixed(0)} µs; the bare proxy, which
  only forwards, takes ${us(bare.cpu_us)}. That is ${conclusion}.
- **Beside the bare proxy.** Everything that the gateway does besides forwarding costs ${difference(ours.cpu_us, bare.cpu_us).toFixed(0)} µs (${ratio(ours.cpu_us, bare.cpu_us).toFixed(2)} ×). The profile below shows where.
  [How we build](design/building.md#documented-apis-only) says which changes are worth making.`;
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
  return `- **Two workers.** Of the CPU that one \`tools/call\` takes on the whole machine (${total.toFixed(0)} µs), the server has ${percent(server / total)}, PostgreSQL ${percent(store / total)}, the load
  generator ${percent(generator / total)} and the upstream API ${percent(customer / total)}. With ${cores} cores for all of them, a second worker can raise the requests a second by ${most} × at most, even if it cost nothing.
  Where that is less than the goal, the goal is not measurable here; the CPU per request beside one worker is what can be compared.`;
}

const percent = (part: number) => `${(part * 100).toFixed(0)} %`;

function inUse(rows: Row[]): string {
  const [few, ...others] = rows.filter(({ operation }) => operation === 'tools/call, scale');
  if (!few || others.length === 0) return '';
  const figures = others.map((row) => {
    const { least, most } = ratioSpread(row.cpu_us, few.cpu_us);
    return `${row.name} ${ratio(row.cpu_us, few.cpu_us).toFixed(2)} × (${least.toFixed(2)} to ${most.toFixed(2)}), ${median(row.misses).toFixed(2)} loads of the cache a call`;
  });
  return `- **Tools, keys and projects.** CPU beside ${few.name} (${median(few.misses).toFixed(2)} loads of the cache a call): ${figures.join('; ')}.
  What is only stored costs nothing. What is in use is cached until it changes, for 10 minutes at most; opened secrets for 20 to 30 s
  ([why](design/replicas.md)). The rows in use take the values in turn, which is the worst case. Those that are missing at the same time are read by
  one prepared statement, which costs the same however many there are. Each project in use also has connections of its own to the upstream API.`;
}

function limits(find: Find): string {
  const operation = 'GET /projects/{id}, stores';
  const [without, redis] = ['embedded PostgreSQL, 1 worker', 'embedded PostgreSQL, 1 worker, Redis'].map((name) =>
    find(operation, name),
  );
  if (!without || !redis) return '';
  const { least, most } = differenceSpread(redis.cpu_us, without.cpu_us);
  return `- **Limits in Redis.** Requests that arrive together are counted with one command. The CPU of a read differs by ${difference(redis.cpu_us, without.cpu_us).toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)}) from limits in memory; it
  takes ${us(redis.store_us)} in the stores. A request alone waits ${(redis.alone_ms - without.alone_ms).toFixed(2)} ms longer.`;
}
