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
  'engines',
  'errors',
  'limits',
  'mcp-client',
  'metrics',
  'openid',
  'outbound',
  'pages',
  'queue',
  'redaction',
  'secrets',
  'shaping',
  'tracing',
];
const files = [
  'app-state.ts',
  'app.ts',
  'base62.ts',
  'config',
  'installation.ts',
  'jobs.ts',
  'log',
  'reload.ts',
  'retention.ts',
  'routes.ts',
  'stop.ts',
  'node-http.ts',
  'when-ready.ts',
];
const everything = ['dashboard', 'http', 'mcp', 'features', ...foundations, ...files];
const belowTransports = ['features', ...foundations, 'app.ts', 'installation.ts', 'node-http.ts', 'when-ready.ts'];
const mayImport: Record<string, readonly string[]> = {
  'main.ts': everything,
  'stop.ts': ['api', 'config'],
  'reload.ts': ['app.ts', 'config', 'outbound/egress.ts'],
  'routes.ts': everything,
  'jobs.ts': everything,
  'retention.ts': everything,
  commands: ['commands', ...everything],
  // Reads the built files of the dashboard's own folder; only http/ and main.ts know it.
  dashboard: ['dashboard', 'api/static-file.ts', 'installation.ts'],
  http: ['http', 'dashboard', ...belowTransports],
  mcp: ['mcp', ...belowTransports],
  features: belowTransports,
  'app-state.ts': [],
  'app.ts': [...foundations, 'app-state.ts', 'config', 'installation.ts'],
  // How some settings are written is known where they are used; those parsers touch nothing else.
  config: ['config', 'engines/split-hosts.ts', 'outbound/allow-list.ts', 'outbound/egress-proxy.ts'],
  log: ['log', 'config', 'redaction/secret-patterns.ts'],
  'base62.ts': [],
  'installation.ts': [],
  'node-http.ts': [],
  'when-ready.ts': [],
  access: ['access', 'errors'],
  // The words routes are written with: they know what a running server holds, and no feature.
  api: [
    'api',
    'access',
    'database',
    'engines',
    'errors',
    'limits/client-network.ts',
    'metrics',
    'outbound/free-memory.ts',
    'outbound/requester.ts',
    'redaction/secret-patterns.ts',
    'tracing',
    'app.ts',
  ],
  cache: ['cache', 'database', 'errors'],
  cluster: ['cluster', 'database', 'metrics', 'config'],
  database: ['database', 'access', 'engines', 'errors', 'base62.ts', 'installation.ts'],
  // They know nothing of the product.
  engines: ['engines'],
  errors: ['errors'],
  // Lookups of credentials wait for the database, as permits do.
  limits: ['limits', 'config', 'database', 'engines', 'errors'],
  // Speaks MCP to other servers. It knows nothing of who calls.
  'mcp-client': ['mcp-client', 'engines', 'outbound', 'installation.ts'],
  metrics: ['metrics'],
  // What oauth4webapi needs to speak to an OpenID provider. It knows nothing of who signs in.
  openid: ['openid', 'outbound', 'installation.ts'],
  outbound: ['outbound', 'errors'],
  pages: ['pages'],
  queue: ['queue', 'database', 'errors'],
  // What a credential looks like. It knows nothing of who has one.
  redaction: ['redaction'],
  secrets: ['secrets', 'cache', 'config', 'database', 'errors', 'base62.ts'],
  // What is left of a JSON text. It knows nothing of who asked for it.
  shaping: ['shaping', 'engines', 'redaction'],
  tracing: ['tracing'],
};

/** The families of features, lowest first: a family imports only families before it. */
const families = ['activity', 'policies', 'projects', 'members', 'identity', 'oauth', 'files', 'tools'];
/** Two of the above that do not know each other, although one stands before the other. */
const strangers = [
  ['members', 'projects'],
  ['oauth', 'identity'],
  ['tools', 'identity'],
  ['files', 'identity'],
];
const MOST_LEVELS = 12;

const banned = /^(utils?|helpers?|common|shared|lib|core|managers?|services?|handlers?|impl|index)$/;
const LONGEST_FILE = 300;

const all = globSync('**/*.{ts,cjs,mjs,js}', { cwd: source });
const shipped = all.filter((file) => !file.endsWith('.test.ts'));
const partOf = (file: string) => file.split('/')[0] ?? file;
const familyOf = (file: string) => (partOf(file) === 'features' ? file.split('/')[1] : undefined);
/** `tools/calls` of `features/tools/calls/call.ts`. */
const featureOf = (file: string) => (partOf(file) === 'features' ? file.split('/').slice(1, 3).join('/') : undefined);
/** What is drawn as one room: a family of features, another folder, or a file at the top. */
const roomOf = (file: string) => (partOf(file) === 'features' ? `features/${familyOf(file)}` : partOf(file));
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

test('an engine knows nothing of the product: it imports other engines and packages, not even the contract', () => {
  const engines = shipped.filter((file) => partOf(file) === 'engines');
  assert.ok(engines.length > 20, 'hardly any engine was found: the folder was renamed');
  assert.deepEqual(
    engines.filter((file) => read(file).includes('@toolgate/')),
    [],
  );
});

test('a family keeps its stores and its routes to itself', () => {
  const wrong = imports.filter(
    ({ from, to }) =>
      partOf(to) === 'features' &&
      /[/-](store|routes)\.ts$/.test(to) &&
      familyOf(from) !== familyOf(to) &&
      !(/[/-]routes\.ts$/.test(to) && from === 'routes.ts'),
  );
  assert.deepEqual(wrong, []);
});

test('a family imports only families below it', () => {
  const folders = new Set(shipped.map(familyOf).filter((family) => family !== undefined));
  assert.deepEqual([...folders].sort(), [...families].sort());
  const wrong = imports.filter(({ from, to }) => {
    const [family, imported] = [familyOf(from), familyOf(to)];
    if (family === undefined || imported === undefined || family === imported) return false;
    const are_strangers = strangers.some(([upper, lower]) => upper === family && lower === imported);
    return are_strangers || families.indexOf(imported) > families.indexOf(family);
  });
  assert.deepEqual(wrong, []);
});

/** The imports between what `groupOf` names. */
function graphOf(groupOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [group, imported] = [groupOf(from), groupOf(to)];
    if (group && imported && group !== imported) graph.set(group, (graph.get(group) ?? new Set()).add(imported));
  }
  return graph;
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

test('neither the features nor the folders of the server form an import cycle', () => {
  for (const graph of [graphOf(featureOf), graphOf(roomOf)]) {
    assert.ok(graph.size > 5, 'hardly any folder imports another: the graph is broken');
    const cycle = findCycle(graph);
    assert.equal(cycle, null, `import cycle: ${cycle?.join(' -> ')}`);
  }
});

test(`from main.ts down there are at most ${MOST_LEVELS} levels of imports between folders`, () => {
  const graph = graphOf(roomOf);
  const levels = new Map<string, number>();
  const levelOf = (room: string): number => {
    const level = levels.get(room) ?? 1 + Math.max(0, ...[...(graph.get(room) ?? [])].map(levelOf));
    levels.set(room, level);
    return level;
  };
  const deepest = Math.max(...[...graph.keys()].map(levelOf));
  const sheet = [...levels].sort(([, one], [, other]) => other - one).map(([room, level]) => `${level} ${room}`);
  assert.ok(deepest <= MOST_LEVELS, sheet.join('\n'));
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

test('OpenTelemetry, and the signer of S3, are loaded only by dynamic imports where they are used', () => {
  const streams = 'features/activity/log-streams';
  const entries = {
    'tracing/open-telemetry.ts': ['tracing/tracing.ts'],
    [`${streams}/otlp-request.ts`]: [`${streams}/send.ts`],
    [`${streams}/s3-request.ts`]: [`${streams}/send.ts`, 'features/files/files/s3-objects.ts'],
  };
  const users = shipped.filter((file) => /from '(?:@opentelemetry\/|aws4fetch)/.test(read(file)));
  assert.deepEqual(users.sort(), Object.keys(entries).sort());
  for (const [entry, importers] of Object.entries(entries)) {
    assert.deepEqual(new Set(imports.filter(({ to }) => to === entry).map(({ from }) => from)), new Set(importers));
    for (const importer of importers) {
      const name = entry.split('/').at(-1);
      assert.match(read(importer), new RegExp(`await import\\('\\.[^']*/${name}'\\)`));
      assert.doesNotMatch(read(importer), new RegExp(`from '[^']*/${name}'`));
    }
  }
});

/**
 * Where the machine's wall clock may be read: to compare it, the age of a file, the time of a log line, the difference for a library
 * that reads it, and the end of a certificate that TLS compares with it.
 */
const wallClock = [
  'commands/doctor-authorities.ts',
  'commands/doctor-store.ts',
  'database/clock.ts',
  'database/embedded-postmaster.ts',
  'log/log.ts',
  'openid/upstream.ts',
];

test('the client of Redis is loaded only by a dynamic import, when there is a Redis', () => {
  const loading = shipped.filter((file) => /^import (?!type ).*'ioredis'/m.test(read(file)));
  assert.deepEqual(loading, []);
  assert.match(read('limits/redis.ts'), /await import\('ioredis'\)/);
});

/** The documented entries of ajv, and a module that generated code itself requires. */
const ajvEntries = /^ajv(?:\/dist\/(?:2020|standalone\/index|runtime\/ucs2length)\.js)?$/;

test('every thread lets the main thread run first', () => {
  const threads = shipped.filter((file) => /\bparentPort\b/.test(read(file)));
  assert.ok(threads.length > 2, 'hardly any thread was found: the pattern is broken');
  for (const file of threads) assert.match(read(file), /^\s*yieldToMainThread\(\);$/m, file);
});

test('what ajv does not document is imported by one file only', () => {
  const users = shipped.filter((file) =>
    [...read(file).matchAll(/from '(ajv(?:\/[^']+)?)'/g)].some(([, from = '']) => !ajvEntries.test(from)),
  );
  assert.deepEqual(users, ['engines/json-schema/ajv-internals.ts']);
});

test('time comes from the database: nothing else reads the wall clock', () => {
  const reading = shipped.filter((file) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/.test(read(file)));
  assert.deepEqual(reading.sort(), wallClock);
});

/** Who needs the quota group: projects, and the count of their requests. */
const quotaGroup =
  /^(?:access\/|features\/projects\/projects\/|limits\/|database\/(?:columns|request-counts|request-log)\.ts$)/;

test('fair shares belong to the fairness key of a project: only the hourly limit looks at its quota group', () => {
  const reading = shipped.filter((file) => read(file).includes('quota_group_id') && !quotaGroup.test(file));
  assert.deepEqual(reading, []);
});

/** Module-level state that is right for a whole process, and why. */
const moduleState: Record<string, string> = {
  'base62.ts': 'random bytes, each of which is given out once',
  'database/connection.ts': 'how columns are read: set while it loads',
  'database/deadline.ts': 'the deadline of the current request: each has its own',
  'features/oauth/server/client-assertion.ts': 'imported keys of a registered set: belongs to that object',
  'features/tools/calls/mcp/mcp-result.ts': 'the content of a refusal: belongs to that object',
  'engines/json-schema/generate-code.ts': 'the meta-schema, compiled once',
  'mcp-client/exchange.ts': 'a number that is not used twice',
  'mcp/narrow-to-toolset.ts': 'belongs to the object of a caller',
  'mcp/parameter-headers.ts': 'derived from a schema: belongs to that object',
  'mcp/server-info.ts': 'derived from a project: belongs to that object',
  'outbound/': 'what runs in one turn of the event loop, which all apps of a process share; results of pure functions',
  'engines/json-schema/work-meter.ts': 'the work of one validation, which nothing interrupts',
  'redaction/credential-names.ts': 'the result of a pure function of a name',
  'shaping/normalize.ts': 'the result of a pure function of a text',
};

/** A thread has nothing but its module, and no app. */
const isThread = (file: string) => /(?:^|[/-])worker\.ts$/.test(file);

/** A constant of a module that nothing can change; anything else that is created with `new` or by a factory could be state. */
const UNCHANGING =
  /^new (?:RegExp|Error|\w+Error|URL|TextDecoder|TextEncoder|Intl\.\w+|(?:Set|Map)(?:<[^()]*>)?\(\s*[^\s)])/;
const CREATED = /^(?:new |(?:create(?!Hash|SecretKey)|open|start)[A-Z]\w*[(<]|\[\]|\{\}|Object\.create\()/;
const CHANGING = 'add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift';

/** The position of a regular expression is set before each use. */
const CHANGED = `(?:\\.(?:${CHANGING})\\(|(?:\\[[^\\]]*\\]|\\.(?!lastIndex)\\w+) (?:[-+?|&]{0,2}=) )`;

/** The names of what a module could keep between two requests. Code of a module is not indented, that of a function is. */
function stateIn(text: string): string[] {
  const declarations = text.matchAll(/^(?:export )?(let|var|const) (\w+)(:.*?)?(?: =\s*(?=(.*(?:\n.*)?))|;)/gm);
  return [...declarations].flatMap(([, keyword, name = '', type = '', value = '']) => {
    const isCreated = CREATED.test(value) && !UNCHANGING.test(value) && !/^: [Rr]eadonly/.test(type);
    const isChanged = new RegExp(`(?<![\\w.])${name}${CHANGED}`).test(text);
    return keyword !== 'const' || isCreated || isChanged ? [name] : [];
  });
}

test('what is kept in memory belongs to an app: modules have no state of their own', () => {
  const stateful = shipped.filter((file) => !isThread(file) && stateIn(read(file)).length > 0);
  const allowed = Object.keys(moduleState);
  const isAllowed = (file: string) => allowed.some((start) => file.startsWith(start));
  assert.deepEqual(
    stateful.filter((file) => !isAllowed(file)).map((file) => [file, ...stateIn(read(file))]),
    [],
  );
  const unneeded = allowed.filter((start) => !stateful.some((file) => file.startsWith(start)));
  assert.deepEqual(unneeded, []);
});

test('state of a module is found in each of its forms, and a constant is none', () => {
  const forms = [
    'let count = 0;',
    'export let thread: Thread | undefined;',
    'const kept = new LRUCache<string, Entry>({ max: 500 });',
    'const seen = new Set<string>();',
    'const slots = createFairSlots({',
    'const waiting: string[] = [];',
    "const known = new Map([['a', 1]]);\nknown.set('b', 2);",
    'const totals = { all: 0 };\nfunction count() {\n  totals.all += 1;\n}',
  ];
  assert.deepEqual(
    forms.filter((text) => stateIn(text).length === 0),
    [],
  );
  const constants = [
    "const codes = new Set(['a', 'b']);",
    'const NONE: readonly string[] = [];',
    'const createSeen = () => new Set<string>();',
    'const WORD = /a/y;\nfunction find() {\n  WORD.lastIndex = 2;\n}',
    'function count() {\n  let all = 0;\n  const seen = new Set();\n}',
  ];
  assert.deepEqual(
    constants.filter((text) => stateIn(text).length > 0),
    [],
  );
});

test('there is no default export', () => {
  const wrong = shipped.filter((file) => /^export (?:default\b|\{[^}]*\bas default\b)/m.test(read(file)));
  assert.deepEqual(wrong, []);
});

test(`no file has more than ${LONGEST_FILE} lines`, () => {
  const written = all.filter((file) => file !== 'database/columns.ts'); // it is generated
  const long = written.filter((file) => read(file).trimEnd().split('\n').length > LONGEST_FILE);
  assert.deepEqual(long, []);
});
