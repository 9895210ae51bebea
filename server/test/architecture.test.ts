// The executable twin of ARCHITECTURE.md: who may import whom, and what may not exist.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');

/** Each folder or top-level file, and what it may import. Anything absent is forbidden. */
const foundations = [
  'access',
  'api',
  'cache',
  'cluster',
  'database',
  'json',
  'limits',
  'metrics',
  'outbound',
  'pages',
  'queue',
  'secrets',
  'settings',
  'tracing',
];
const files = [
  'app.ts',
  'base62.ts',
  'causes.ts',
  'config.ts',
  'error-reference.ts',
  'errors.ts',
  'event-catalogue.ts',
  'jobs.ts',
  'log.ts',
  'open-limits.ts',
  'pretty-line.ts',
  'remedies.ts',
  'routes.ts',
  'secret-patterns.ts',
  'stop.ts',
  'upgrade.ts',
  'version.ts',
];
const everything = ['dashboard', 'http', 'mcp', 'features', ...foundations, ...files];
const door = ['features', ...foundations, 'app.ts', 'errors.ts', 'remedies.ts', 'version.ts'];
const mayImport: Record<string, readonly string[]> = {
  'main.ts': everything,
  'stop.ts': ['api', 'config.ts'],
  'routes.ts': everything,
  'jobs.ts': everything,
  // Assembles what the features declare. Features get it as `app.event_catalogue`: an import would be a cycle.
  'event-catalogue.ts': ['api/event-kind.ts', 'features'],
  'upgrade.ts': everything,
  commands: ['commands', ...everything],
  // Reads the built files of the dashboard's own folder; only http/ and main.ts know it.
  dashboard: ['dashboard'],
  http: ['http', 'dashboard', 'error-reference.ts', 'event-catalogue.ts', ...door],
  mcp: ['mcp', ...door],
  features: [...door, 'secret-patterns.ts'],
  'app.ts': [...foundations, 'config.ts', 'open-limits.ts', 'version.ts'],
  'open-limits.ts': ['database', 'limits', 'config.ts'],
  'config.ts': ['settings'],
  'log.ts': ['config.ts', 'pretty-line.ts', 'secret-patterns.ts'],
  'pretty-line.ts': [],
  'base62.ts': [],
  'secret-patterns.ts': [],
  'errors.ts': ['remedies.ts'],
  'remedies.ts': [],
  'causes.ts': ['remedies.ts'],
  'error-reference.ts': ['causes.ts', 'errors.ts', 'remedies.ts'],
  'version.ts': [],
  access: ['access', 'errors.ts'],
  // The words routes are written with: they know what a running server holds, and no feature.
  api: ['api', 'access', 'database', 'json', 'tracing', 'app.ts', 'errors.ts', 'remedies.ts', 'secret-patterns.ts'],
  cache: ['cache', 'database', 'config.ts', 'errors.ts'],
  cluster: ['cluster', 'database', 'metrics', 'config.ts'],
  database: ['database', 'access', 'base62.ts', 'config.ts', 'errors.ts'],
  json: ['json', 'errors.ts'],
  limits: ['limits', 'config.ts', 'errors.ts', 'remedies.ts'],
  metrics: ['metrics'],
  outbound: ['outbound', 'config.ts', 'errors.ts'],
  pages: ['pages'],
  queue: ['queue', 'database', 'config.ts', 'errors.ts'],
  tracing: ['tracing'],
  secrets: ['secrets', 'cache', 'database', 'base62.ts', 'config.ts', 'errors.ts'],
  // How settings are written is known where they are used; those two parsers touch nothing else.
  settings: ['settings', 'outbound/address-guard.ts', 'secrets/master-keys.ts'],
};

const banned = /^(utils?|helpers?|common|shared|lib|core|managers?|services?|handlers?|impl|index)$/;
const LONGEST_FILE = 300;

const all = globSync('**/*.{ts,cjs,mjs,js}', { cwd: source });
const shipped = all.filter((file) => !file.endsWith('.test.ts'));
const partOf = (file: string) => file.split('/')[0] ?? file;
const featureOf = (file: string) => file.split('/')[1];
const read = (file: string) => readFileSync(join(source, file), 'utf8');

/** Static, re-exporting, type-only and dynamic imports and `new URL('./x.ts', …)`, on one line or on many. */
const RELATIVE = /\b(?:from|import|URL|require(?:\.resolve)?)\s*\(?\s*['"`](\.[^'"`]+)['"`]/g;
const imports = shipped.flatMap((from) =>
  [...read(from).matchAll(RELATIVE)].map(([, path = '']) => ({ from, to: normalize(join(dirname(from), path)) })),
);

test('imports only point inwards', () => {
  assert.ok(imports.length > 100, 'hardly any import was found: the pattern is broken');
  const wrong = imports.filter(({ from, to }) => {
    const allowed = mayImport[partOf(from)] ?? [];
    return !to.startsWith('..') && !allowed.includes(partOf(to)) && !allowed.includes(to);
  });
  assert.deepEqual(wrong, []);
});

test('the server imports nothing outside of its own source', () => {
  const outside = imports.filter(({ to }) => to.startsWith('..'));
  assert.deepEqual(outside, []);
});

test('a feature keeps its store and its routes to itself', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      partOf(to) === 'features' &&
      /[/-](store|routes)\.ts$/.test(to) &&
      !(partOf(from) === 'features' && featureOf(from) === featureOf(to)) &&
      !(/[/-]routes\.ts$/.test(to) && from === 'routes.ts'),
  );
  assert.deepEqual(wrong, []);
});

/** Which feature folder imports which others. */
const featureGraph = new Map<string, Set<string>>();
for (const { from, to } of imports) {
  const [feature, imported] = [featureOf(from), featureOf(to)];
  if (partOf(from) !== 'features' || partOf(to) !== 'features' || !feature || !imported || feature === imported)
    continue;
  featureGraph.set(feature, (featureGraph.get(feature) ?? new Set()).add(imported));
}

/** A path of folders that ends where it begins, or null. */
function findCycle(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] | null {
  const checked = new Set<string>();
  const visit = (folder: string, path: string[]): string[] | null => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder];
    if (checked.has(folder)) return null;
    for (const imported of graph.get(folder) ?? []) {
      const cycle = visit(imported, [...path, folder]);
      if (cycle) return cycle;
    }
    checked.add(folder);
    return null;
  };
  for (const folder of graph.keys()) {
    const cycle = visit(folder, []);
    if (cycle) return cycle;
  }
  return null;
}

test('the folders of the features form no import cycle', () => {
  assert.ok(featureGraph.size > 5, 'hardly any feature imports another: the graph is broken');
  const cycle = findCycle(featureGraph);
  assert.equal(cycle, null, `import cycle between features: ${cycle?.join(' -> ')}`);
});

test('a cycle of folders is found, however long it is', () => {
  const graph = (edges: Record<string, string[]>) =>
    new Map(Object.entries(edges).map(([folder, imported]) => [folder, new Set(imported)]));
  assert.deepEqual(findCycle(graph({ a: ['b'], b: ['c'], c: ['d'], d: ['b'] })), ['b', 'c', 'd', 'b']);
  assert.equal(findCycle(graph({ a: ['b', 'c'], b: ['c'] })), null);
});

test('only files of outbound/ use the HTTP/1.1 client, through its entry, and it depends on nothing but messages.ts', () => {
  const client = 'outbound/http1/';
  const crossing = imports.filter(({ from, to }) => from.startsWith(client) !== to.startsWith(client));
  const wrong = crossing.filter(({ from, to }) =>
    from.startsWith(client)
      ? to !== 'outbound/messages.ts'
      : to !== `${client}client.ts` || dirname(from) !== 'outbound',
  );
  assert.ok(crossing.length > 0, 'nothing uses the client: the folder was renamed');
  assert.deepEqual(wrong, []);
});

test('every file and folder has a name that explains it', () => {
  const wrong = all.filter((file) => file.split('/').some((part) => banned.test(basename(part).split('.')[0] ?? part)));
  assert.deepEqual(wrong, []);
  const spelled = all.filter(
    (file) => !file.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(part)),
  );
  assert.deepEqual(spelled, []);
});

test('the OpenTelemetry SDK is loaded only by a dynamic import of one file', () => {
  const entry = 'tracing/open-telemetry.ts';
  const users = shipped.filter((file) => /from '@opentelemetry\//.test(read(file)));
  assert.deepEqual(users, [entry]);
  const importers = imports.filter(({ to }) => to === entry).map(({ from }) => from);
  assert.deepEqual(importers, ['tracing/tracing.ts']);
  assert.match(read('tracing/tracing.ts'), /await import\('\.\/open-telemetry\.ts'\)/);
});

/** Where the machine's wall clock may be read: to compare it, the age of a file, and the difference for a library that reads it. */
const wallClock = [
  'commands/doctor-store.ts',
  'database/clock.ts',
  'database/embedded-postmaster.ts',
  'features/oauth-providers/upstream.ts',
];

test('time comes from the database: nothing else reads the wall clock', () => {
  const reading = shipped.filter((file) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/.test(read(file)));
  assert.deepEqual(reading.sort(), wallClock);
});

test(`no file has more than ${LONGEST_FILE} lines`, () => {
  const long = all.filter((file) => read(file).trimEnd().split('\n').length > LONGEST_FILE);
  assert.deepEqual(long, []);
});
