// The goals, each with what the run measured for it.

import { availableParallelism } from 'node:os';
import { difference, differenceSpread, median, ratio, ratioSpread } from '../statistics.ts';
import { bodyRows } from './bodies.ts';
import { mcpServerRows } from './mcp-servers.ts';
import { type AnyRow, BARE_FASTIFY, OURS, READY_MADE } from './parts.ts';
import { poolerRows } from './poolers.ts';
import { isMeasured } from './print.ts';
import type { Row } from './rounds.ts';
import { toolsetRows } from './toolsets.ts';

export type Goal = {
  what: string;
  bound: string;
  measured: string;
  /** Null: this machine cannot show it. */
  is_met: boolean | null;
};

/** A ratio of CPU of at most so much is flat: the rounds differ by a tenth themselves. */
const FLAT = 1.15;
export const SDK_BOUND = 0.33;

/** For the parts that were run. */
export function goalsFrom(all: AnyRow[], cores = availableParallelism()): Goal[] {
  const rows = all.filter(isMeasured);
  return [
    ...peerGoals(rows),
    ...deliveryGoals(rows),
    ...toolsetGoals(rows),
    ...mcpServerGoals(rows),
    ...bodyGoals(rows),
    ...scaleGoals(rows),
    ...redisGoals(rows),
    ...poolerGoals(rows),
    ...workerGoals(rows, cores),
  ];
}

type Find = (operation: string, name: string) => Row | undefined;

const finder =
  (rows: Row[]): Find =>
  (operation, name) =>
    rows.find((row) => row.operation === operation && row.name === name);

/** CPU per request, compared with another server. */
function versus(what: string, ours: Row | undefined, theirs: Row | undefined, most: number): Goal[] {
  if (!ours || !theirs) return [];
  const measured = ratio(ours.cpu_us, theirs.cpu_us);
  const { least, most: most_seen } = ratioSpread(ours.cpu_us, theirs.cpu_us);
  return [
    {
      what,
      bound: `≤ ${most} ×`,
      measured: `${measured.toFixed(2)} × (${least.toFixed(2)} to ${most_seen.toFixed(2)})`,
      is_met: measured <= most,
    },
  ];
}

function peerGoals(rows: Row[]): Goal[] {
  const find = finder(rows);
  const call = find('tools/call', OURS);
  const list = find('tools/list', `${OURS}, 100 tools`);
  const bare = find('tools/call', 'bare Node proxy');
  const exchange = find('session-token', OURS);
  const of = (name: string) => find('tools/call', `${OURS}, ${name}`);
  return [
    ...versus('CPU of `tools/call` vs. the bare Node proxy', call, bare, 1.5),
    ...versus('CPU of `tools/call` of 2025-11-25 vs. the bare Node proxy', of('revision 2025-11-25'), bare, 1.7),
    ...versus('CPU of REST `execute` vs. the bare Node proxy', of('REST execute'), bare, 1.4),
    ...versus(
      'CPU of `tools/call` vs. the official SDK v2',
      call,
      find('tools/call', 'official SDK v2 in our gateway'),
      SDK_BOUND,
    ),
    ...versus(
      'CPU of `tools/list` vs. the official SDK v2',
      list,
      find('tools/list', 'official SDK v2, 100 tools'),
      0.2,
    ),
    ...versus('CPU of `tools/list` vs. a bare Fastify route', list, find('tools/list', BARE_FASTIFY), 1.15),
    ...versus('CPU of `tools/list` vs. one prepared text', list, find('tools/list', READY_MADE), 1.2),
    ...(list ? [atMost('Memory after load with 100 tools', [list.memory_mb], 200, 'MB')] : []),
    ...versus(
      'CPU of `session-token` vs. `jose.jwtVerify` and one insert',
      exchange,
      find('session-token', 'bare Node: jose.jwtVerify and one insert'),
      1.5,
    ),
    ...(exchange ? [atMost('PostgreSQL for a `session-token`', exchange.store_us, 450, 'µs')] : []),
    ...versus(
      'CPU of `GET /projects/{id}` vs. a bare Fastify route',
      find('GET /projects/{id}', OURS),
      find('GET /projects/{id}', BARE_FASTIFY),
      1.6,
    ),
  ];
}

/** With its part of the change that it is about. */
function deliveryGoals(rows: Row[]): Goal[] {
  const delivery = finder(rows)('webhook fan-out', OURS);
  if (!delivery) return [];
  return [
    atMost('CPU of a webhook delivery', delivery.cpu_us, 450, 'µs'),
    atMost('PostgreSQL for a webhook delivery', delivery.store_us, 350, 'µs'),
  ];
}

/** The median against a bound that is not a ratio. */
export function atMost(what: string, values: number[], most: number, unit: string, digits = 0): Goal {
  const [middle, least, largest] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  const measured = `${middle} ${unit} (${least} to ${largest})`;
  return { what, bound: `≤ ${most} ${unit}`, measured, is_met: median(values) <= most };
}

function toolsetGoals(rows: Row[]): Goal[] {
  const find = finder(rows);
  const { call, list } = toolsetRows;
  const [some, every] = [find(call.operation, call.some), find(call.operation, call.every)];
  const [many, one] = [find(list.operation, list.many), find(list.operation, list.one)];
  return [
    ...versus('CPU of `tools/call` with toolsets vs. keys without', some, every, 1.03),
    ...versus('CPU of `tools/list` with 64 effective sets in use vs. one', many, one, 1.1),
  ];
}

function mcpServerGoals(rows: Row[]): Goal[] {
  const find = finder(rows);
  const { call, list } = mcpServerRows;
  const https = find(call.operation, call.https);
  return [
    ...[call.modern, call.legacy].flatMap((name) =>
      versus(`CPU of a call: ${name} vs. a tool of an HTTPS API`, find(call.operation, name), https, 1.3),
    ),
    ...versus(
      'CPU of `tools/list` with 20 MCP servers vs. HTTPS APIs',
      find(list.operation, list.servers),
      find(list.operation, list.https),
      FLAT,
    ),
  ];
}

function bodyGoals(rows: Row[]): Goal[] {
  const find = finder(rows);
  const { operation, json, ...others } = bodyRows;
  return Object.values(others).flatMap((name) =>
    versus(`CPU of a call with the arguments as ${name} vs. JSON`, find(operation, name), find(operation, json), 1.1),
  );
}

function scaleGoals(rows: Row[]): Goal[] {
  const [few, ...others] = rows.filter(({ operation }) => operation === 'tools/call, scale');
  return others.flatMap((row) => versus(`CPU of a call is flat: ${row.name}`, row, few, FLAT));
}

function redisGoals(rows: Row[]): Goal[] {
  return ['tools/call, stores', 'GET /projects/{id}, stores'].flatMap((operation) => {
    const find = finder(rows);
    const without = find(operation, 'embedded PostgreSQL, 1 worker');
    const redis = find(operation, 'embedded PostgreSQL, 1 worker, Redis');
    if (!without || !redis) return [];
    const cpu_us = difference(redis.cpu_us, without.cpu_us);
    const { least, most } = differenceSpread(redis.cpu_us, without.cpu_us);
    const latency_ms = redis.alone_ms - without.alone_ms;
    const what = `limits in Redis add to \`${operation.split(',')[0]}\``;
    return [
      {
        what: `CPU that ${what}`,
        bound: '≤ 60 µs',
        measured: `${cpu_us.toFixed(0)} µs (${least.toFixed(0)} to ${most.toFixed(0)})`,
        is_met: cpu_us <= 60,
      },
      {
        what: `Latency that ${what}`,
        bound: '≤ 1 ms',
        measured: `${latency_ms.toFixed(2)} ms`,
        is_met: latency_ms <= 1,
      },
    ];
  });
}

function poolerGoals(rows: Row[]): Goal[] {
  const find = finder(rows);
  return poolerRows.operations.flatMap((operation) => {
    const what = `CPU of \`${operation.split(',')[0]}\` through PgBouncer vs. a direct connection`;
    return versus(what, find(operation, poolerRows.pooled), find(operation, poolerRows.direct), FLAT);
  });
}

/** Two workers against one on the same stores: what was reached, and what the cores of this machine allow at most. */
function workerGoals(rows: Row[], cores: number): Goal[] {
  return rows
    .filter(({ name }) => name.includes('2 workers'))
    .flatMap((two) => {
      const one = finder(rows)(two.operation, two.name.replace('2 workers', '1 worker'));
      if (!one) return [];
      const reached = ratio(two.per_second, one.per_second);
      const possible = possibleRatio(one, two, cores);
      const [operation, ...where] = [`\`${two.operation.split(',')[0]}\``, two.name.replace(/, 2 workers/, '')];
      const cpu = ratio(two.cpu_us, one.cpu_us);
      const measured = `${reached.toFixed(2)} ×; ${possible.toFixed(2)} × is the most the cores allow; CPU per request ${cpu.toFixed(2)} ×`;
      const is_met = reached >= 1.8 ? true : possible < 1.9 ? null : false;
      return [
        {
          what: `Requests per second of ${operation} with two workers, ${where.join(', ')}`,
          bound: '≥ 1.8 ×',
          measured,
          is_met,
        },
        ...versus(`CPU of ${operation} with two workers vs. one, ${where.join(', ')}`, two, one, 1.1),
      ];
    });
}

/**
 * The most that the cores allow, from CPU per request alone: one worker uses one core, two workers use two, and all processes of
 * the run share the cores: those of the server, its stores, the load generator and the upstream API.
 */
export function possibleRatio(one: Row, two: Row, cores: number): number {
  const most = (row: Row, workers: number) => {
    const all_us = [row.cpu_us, row.store_us, row.generator_us, row.customer_us].reduce(
      (sum, each) => sum + median(each),
      0,
    );
    return Math.min(workers / median(row.cpu_us), cores / all_us);
  };
  return most(two, 2) / most(one, 1);
}
