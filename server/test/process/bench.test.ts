// `npm run bench` works: a short run, whose figures mean nothing, and what it says about goals.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compareCalls, comparisonChart, comparisonTable } from '../../../bench/table/comparison.ts';
import { goalsFrom } from '../../../bench/table/goals.ts';
import { withResults } from '../../../bench/table/page.ts';
import { poolerRows } from '../../../bench/table/poolers.ts';
import { goalsOf, tableOf } from '../../../bench/table/print.ts';
import type { Row } from '../../../bench/table/rounds.ts';
import { root } from '../support/markdown.ts';

const bench = (...flags: string[]) =>
  spawnSync(process.execPath, ['--require', './require-node-24.cjs', 'bench/run.ts', ...flags], {
    cwd: root,
    encoding: 'utf8',
    timeout: 180_000,
  });

test('a part of the bench prints one table with the server and its peers, and the goals of that part', () => {
  const { stdout, stderr, status } = bench('--quick', 'read');
  assert.equal(status, 0, stderr);
  const rows = stdout.split('\n').filter((line) => line.startsWith('| GET /projects/{id} |'));
  assert.equal(rows.length, 2, stdout);
  for (const row of rows) assert.match(row, /\| +\d+ µs \| +\d+\.\d\d \|/);
  assert.match(stdout, /CPU of `GET \/projects\/\{id\}` vs\. a bare Fastify route +\| ≤ 1\.6 ×/);
});

test('an unknown part is refused with the names of all, and a page is made of whole runs only', () => {
  assert.match(bench('tool/calls').stderr, /there is no tool\/calls; there are tools\/call, tools\/list/);
  assert.match(bench('--write-docs', 'read').stderr, /--write-docs needs a whole run/);
});

function makeRow(operation: string, name: string, figures: Partial<Row>): Row {
  const rounds = { cpu_us: [100, 100, 100], store_us: [0, 0, 0], generator_us: [50, 50, 50], customer_us: [0, 0, 0] };
  const latencies = { p50_ms: 1, p99_ms: 2, alone_ms: 0.5, memory_mb: 100 };
  return { operation, name, per_second: [1000, 1000, 1000], misses: [], ...rounds, ...latencies, ...figures };
}

const resultsOf = (rows: Row[]) => goalsFrom(rows).map(({ measured, is_met }) => [measured, is_met]);

test('what a pooler costs is compared for each operation with a direct connection', () => {
  const rows = poolerRows.operations.flatMap((operation, i) => [
    makeRow(operation, poolerRows.direct, {}),
    makeRow(operation, poolerRows.pooled, { cpu_us: [110 + i * 10, 110 + i * 10, 110 + i * 10] }),
  ]);
  assert.deepEqual(resultsOf(rows), [
    ['1.10 × (1.10 to 1.10)', true],
    ['1.20 × (1.20 to 1.20)', false],
    ['1.30 × (1.30 to 1.30)', false],
  ]);
});

test('a goal that is not reached is printed as not met, by the median of the ratios within each round', () => {
  const bare = makeRow('tools/call', 'bare Node proxy', { cpu_us: [100, 200, 400] });
  const slow = makeRow('tools/call', 'toolgate', { cpu_us: [170, 340, 400] });
  assert.deepEqual(resultsOf([slow, bare]), [['1.70 × (1.00 to 1.70)', false]]);
  assert.match(goalsOf(goalsFrom([slow, bare])), /\*\*not met\*\*/);
  assert.deepEqual(resultsOf([{ ...slow, cpu_us: [140, 300, 900] }, bare]), [['1.50 × (1.40 to 2.25)', true]]);
});

test('limits in Redis are compared with the same server without Redis', () => {
  const operation = 'tools/call, stores';
  const without = makeRow(operation, 'embedded PostgreSQL, 1 worker', {});
  const redis = makeRow(operation, 'embedded PostgreSQL, 1 worker, Redis', { cpu_us: [161, 161, 161], alone_ms: 1.4 });
  assert.deepEqual(resultsOf([without, redis]), [
    ['61 µs (61 to 61)', false],
    ['0.90 ms', true],
  ]);
});

test('two workers are not judged where the cores do not allow the goal, whatever the server does', () => {
  const operation = 'tools/call, stores';
  const one = makeRow(operation, 'embedded PostgreSQL, 1 worker', {});
  const two = (per_second: number, generator_us: number) =>
    makeRow(operation, 'embedded PostgreSQL, 2 workers', { per_second: [per_second], generator_us: [generator_us] });
  const is_met = (row: Row) => goalsFrom([one, row], 2).map((goal) => goal.is_met);
  assert.deepEqual(is_met(two(1900, 1e9)), [true, true]);
  assert.deepEqual(is_met(two(1300, 1e9)), [null, true]);
  assert.deepEqual(is_met(two(1300, 1)), [false, true]);
});

test('what two workers cost for each request is judged on every machine', () => {
  const operation = 'tools/call, stores';
  const one = makeRow(operation, 'embedded PostgreSQL, 1 worker', {});
  const two = makeRow(operation, 'embedded PostgreSQL, 2 workers', { cpu_us: [120, 120, 120], generator_us: [1e9] });
  assert.deepEqual(resultsOf([one, two]).at(-1), ['1.20 × (1.20 to 1.20)', false]);
});

test('what is not installed has a row that says so', () => {
  const table = tableOf([
    { operation: 'tools/call', name: 'nginx as a proxy', absent: 'not installed: apt-get install nginx' },
  ]);
  assert.match(table, /\| nginx as a proxy \| not installed: apt-get install nginx \|/);
});

test('the comparison has toolgate first, leaves out what was not measured, and draws a bar in proportion to the CPU', () => {
  const servers = compareCalls([
    makeRow('tools/call', 'bare Node proxy', { cpu_us: [100, 100, 50] }),
    { operation: 'tools/call', name: 'nginx as a proxy', absent: 'not installed' },
    makeRow('tools/call', 'toolgate', { cpu_us: [200, 200, 200] }),
  ]);
  assert.deepEqual(
    servers.map(({ label, cpu_us, ratio }) => [label, cpu_us, ratio]),
    [
      ['toolgate', 200, 1],
      ['bare Node proxy', 100, 0.5],
    ],
  );
  assert.match(comparisonTable(servers), /\| bare Node proxy \|.*\| +100 µs \| +0\.50 × \|/);
  const widths = [...comparisonChart(servers).matchAll(/<rect x.* width="([\d.]+)"/g)].map(([, width]) =>
    Number(width),
  );
  assert.equal(widths.length, 2);
  assert.equal(widths[0], 2 * (widths[1] as number));
});

test('a run replaces only its own part of bench/README.md', () => {
  const readme = readFileSync(`${root}/bench/README.md`, 'utf8');
  const machine = { day: '2026-01-02', cores: 2, memory_gb: 1, system: 'linux', load: '0.00' };
  const goals = [{ what: 'A goal of the run', bound: '≤ 1', measured: '1', is_met: true }];
  const written = withResults(readme, { rows: [], goals, profiles: [], machine, seconds: 1 });
  const [before] = readme.split('<!-- `npm run bench');
  assert.ok(written.startsWith(`${before}<!--`));
  assert.match(written, /From the run of 2026-01-02.*\| A goal of the run/s);
  assert.equal(withResults(written, { rows: [], goals, profiles: [], machine, seconds: 1 }), written);
});

test('docs/performance.md is made from a run and has a row for each part', () => {
  const page = readFileSync(`${root}/docs/performance.md`, 'utf8');
  for (const text of [
    '| tools/call ',
    '| tools/list ',
    '| session-token ',
    '| GET /projects/{id} ',
    '| webhook fan-out ',
  ])
    assert.ok(page.includes(text), text);
  for (const text of [
    'nginx as a proxy',
    'bare Node proxy',
    'official SDK v1',
    'official SDK v2',
    '2 workers',
    'Redis',
  ])
    assert.ok(page.includes(text), text);
});
