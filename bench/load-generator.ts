// The load generator: a process of its own that sends the requests its parent describes, over keep-alive connections. Each
// request is sent when the one before it on its connection is answered.

import { Pool } from 'undici';
import type { Burst, BurstResult, Template } from './load.ts';

/** On an overloaded machine a server refuses a few requests. Those that are refused cost less, so more would be a wrong figure. */
const MAX_FAILED = 0.01;

const pools = new Map<string, Pool>();

function poolFor(url: string, connections: number): Pool {
  const id = `${connections} ${url}`;
  const pool = pools.get(id) ?? new Pool(url, { connections });
  pools.set(id, pool);
  return pool;
}

/** Replaces each `{{name}}` by the next value of its list. */
function fill(text: string, values: Record<string, string[]>, i: number): string {
  let filled = text;
  for (const [name, list] of Object.entries(values))
    filled = filled.replaceAll(`{{${name}}}`, list[i % list.length] ?? '');
  return filled;
}

function requestOf({ method, path, headers, body, values }: Template, i: number) {
  const filled = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fill(text, values, i)]));
  const head = { method, path: fill(path, values, i), headers: filled };
  return body === undefined ? head : { ...head, body: fill(body, values, i) };
}

/** Where the next burst of a template goes on, so that long lists of values are used up in turn. */
const positions = new Map<string, number>();

async function send({ id, url, connections, count, max_ms }: Burst, template: Template): Promise<BurstResult> {
  const pool = poolFor(url, connections);
  const began = performance.now();
  const cpu = process.cpuUsage();
  const latencies: number[] = [];
  let next = positions.get(id) ?? 0;
  const end = next + count;
  let failed = 0;
  let first_failure: string | undefined;
  const connection = async () => {
    while (next < end && performance.now() - began < max_ms) {
      const request = requestOf(template, next);
      next += 1;
      const sent = performance.now();
      const { statusCode, body } = await pool.request(request);
      const text = await body.text();
      latencies.push(performance.now() - sent);
      if (statusCode === 200 && text.includes(template.expected)) continue;
      failed += 1;
      first_failure ??= `${request.method} ${url}${request.path}: ${statusCode} ${text.slice(0, 300)}`;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  positions.set(id, next);
  if (failed > latencies.length * MAX_FAILED) throw new Error(`${failed} of ${latencies.length}: ${first_failure}`);
  const { user, system } = process.cpuUsage(cpu);
  return { latencies, elapsed_ms: performance.now() - began, generator_ms: (user + system) / 1000 };
}

const templates = new Map<string, Template>();

process.on('message', (message: Burst | { id: string; template: Template }) => {
  if (!('connections' in message)) {
    templates.set(message.id, message.template);
    positions.set(message.id, 0);
    return;
  }
  const template = templates.get(message.id) as Template;
  send(message, template).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
