// Invariants of ARCHITECTURE.md about SQL, statuses, connections and settings, as far as the source shows them. Imports are checked in
// architecture.test.ts, and what happens in the database in contract/every-operation.test.ts.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '../src');
const files = globSync('**/*.ts', { cwd: source }).filter(
  (file) => !file.endsWith('.test.ts') && file !== 'database/columns.ts',
);
const read = (file: string) => readFileSync(join(source, file), 'utf8');

/** Every table, and whether it has `project_id`. */
const tables = new Map(
  [...read('database/columns.ts').matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\};/gm)].map(
    ([, name = '', columns = '']) => [name, columns.includes('    project_id:')],
  ),
);

const namedIn = (text: string, patterns: RegExp[]): string[] =>
  patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => tables.has(name));

const writes = [/\b(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g, /\b(?:insert into|update|delete from) (\w+)/g];
const readsAndChanges = [
  /\b(?:selectFrom|updateTable|deleteFrom)\(\s*\[?'(\w+)/g,
  /\b(?:from|update|delete from|join) (\w+)/g,
];

/** `tools` of `features/tools/calls/run.ts`, or the folder of a foundation. */
const familyOf = (file: string) => (file.startsWith('features/') ? file.split('/')[1] : file.split('/')[0]) as string;

const declarationsOf = (text: string) => text.split(/\n(?=(?:export )?(?:async )?(?:function|const|type) )/);
const withoutTypes = (text: string) => text.replace(/^import type [^;]*;$/gm, '');

test('a family writes only its own tables, with the exceptions that ARCHITECTURE.md lists', () => {
  const exceptions = new Set([
    // One statement creates a session and uses its grant.
    'features/members/member-sessions/mint-granted.ts: oauth_grants',
    // A deleted toolset leaves the rules of its project.
    'features/tools/toolsets/uses.ts: projects',
  ]);
  const writers = files.flatMap((file) =>
    [...new Set(namedIn(read(file), writes))].map((table) => ({ table, file, family: familyOf(file) })),
  );
  assert.ok(writers.length > 60, 'hardly any statement was found');
  const found = writers.filter(({ table, file }) => !exceptions.has(`${file}: ${table}`));
  const byTable = Map.groupBy(found, ({ table }) => table);
  const shared = [...byTable].filter(([, all]) => new Set(all.map(({ family }) => family)).size > 1);
  assert.deepEqual(shared, []);
  for (const exception of exceptions)
    assert.ok(
      writers.some(({ table, file }) => `${file}: ${table}` === exception),
      `no longer true: ${exception}`,
    );
});

test('a statement about a table with project_id names it, except where no single project is meant', () => {
  const exceptions = [
    // Background jobs and commands of the operator: for every project.
    'commands/rotate-master-key.ts',
    'features/activity/analytics/calls-in-order.ts',
    'features/activity/analytics/rate-limited-counts.ts',
    'features/activity/analytics/rebuild-rollups.ts',
    'features/activity/analytics/reset-transaction-ids.ts',
    'features/activity/analytics/rollup-store.ts',
    'features/activity/log-streams/store.ts',
    'features/activity/webhooks/store.ts',
    'features/tools/approvals/store.ts',
    'features/tools/tasks/store.ts',
    'retention.ts',
    'secrets/data-keys.ts',
    'secrets/master-keys.ts',
    // The audit log is one chain for each organization.
    'features/activity/audit/bind.ts',
    'features/activity/audit/store.ts',
    // The batch writer writes calls of all projects: each row has its own.
    'features/activity/analytics/store.ts',
    // A deleted member: by an id that no other project has.
    'features/activity/events/store.ts',
    'features/activity/webhooks/delivery-store.ts',
    // Found by the hash of a secret, which leads to the project.
    'features/files/uploads/store.ts',
    'features/members/member-sessions/live-session.ts',
    'features/oauth/server/request-store.ts',
    // Parts of statements that name the project.
    'features/files/files/store.ts',
    'features/tools/effective-tools/store.ts',
    'features/tools/toolsets/store.ts',
  ];
  let count = 0;
  const found = files.filter((file) =>
    declarationsOf(read(file)).some((declaration) => {
      const named = namedIn(declaration, readsAndChanges).filter((table) => tables.get(table));
      count += named.length;
      return named.length > 0 && !/project_id|projectId/.test(declaration);
    }),
  );
  assert.ok(count > 300, 'hardly any statement was found');
  assert.deepEqual(found.sort(), exceptions.sort());
});

test('only renderers of errors and pages set an error status', () => {
  const found = files.filter((file) => /\b(?:code|status|writeHead)\([45]\d\d\b|statusCode = [45]/.test(read(file)));
  // The 404 pages of the dashboard and the documentation, the page that says that they are being built, and the 401 of MCP.
  assert.deepEqual(found.sort(), [
    'http/dashboard.ts',
    'http/documentation.ts',
    'http/waiting-page.ts',
    'mcp/endpoint.ts',
  ]);
});

test('only outbound/ connects to other machines, except to what belongs to the operator', () => {
  const opens =
    /\bfrom 'node:(?:http|https|http2|dgram)'|\{[^}]*\bconnect\b[^}]*\} from 'node:(?:net|tls)'|from 'undici'/;
  const found = files.filter((file) => !file.startsWith('outbound/') && opens.test(withoutTypes(read(file))));
  assert.deepEqual(found.sort(), ['commands/doctor-redis.ts']);
});

test('only routes know Fastify, and what reads or writes a request itself', () => {
  const found = files.filter((file) => file.startsWith('features/') && read(file).includes("from 'fastify'"));
  assert.deepEqual(found.filter((file) => !/[/-]routes\.ts$/.test(file)).sort(), [
    // Bytes that are read and sent as they come.
    'features/files/files/receive-file.ts',
    'features/files/files/send-file.ts',
    // Pages with their forms and cookies.
    'features/identity/accounts/browser.ts',
    'features/oauth/server/page-scope.ts',
    // A call continues when its caller disconnects, and its response is sent as the customer wrote it.
    'features/tools/calls/execute.ts',
    'features/tools/calls/test-caller.ts',
    'features/tools/file-pages/visit.ts',
  ]);
});

test('settings come from config.ts: nothing else reads the environment', () => {
  const found = files.filter((file) => read(file).includes('process.env'));
  assert.deepEqual(found, ['config/config.ts']);
});
