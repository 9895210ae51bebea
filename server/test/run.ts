// npm test: runs node's test runner over all test files, or over the files and folders named on the command line.
// `npm test -- server/test/contract/limits.test.ts -t "free"` runs the tests of one file whose names match.
// One PostgreSQL serves the whole run (the embedded one, or the server of DATABASE_URL): every test file copies a migrated
// template. It is started only if one of the files imports test-database.ts.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../src/database/embedded.ts';
import { migrate, readMigrations } from '../src/database/migrate.ts';

const CONCURRENCY = 2;
/** Every test file is a process that loads the whole server. Node keeps what it compiled, by the content of each file. */
const COMPILE_CACHE = resolve('node_modules/.cache/node-compile-cache');

const FAILED_TESTS_REPORTER = resolve('server/test/failed-tests-reporter.ts');

const databaseModule = resolve('server/test/test-database.ts');

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'test-name-pattern': { type: 'string', short: 't', multiple: true, default: [] } },
  });
  const patterns = values['test-name-pattern'];
  const files = findTestFiles(
    positionals.length > 0 ? positionals : ['server', 'sdk', 'cli', 'dashboard', 'examples', 'faults'],
  );
  if (!importsDatabase(files)) return runTests(files, patterns, {});

  const server = await findServer();
  const template = `toolgate_template_${randomBytes(6).toString('hex')}`;
  try {
    await query(server.url, (client) => client.query(`create database ${template}`));
    await query(named(server.url, template), async (client) => migrate(client, await readMigrations()));
    return await runTests(files, patterns, { TEST_DATABASE_URL: server.url, TEST_TEMPLATE: template });
  } finally {
    await query(server.url, (client) => client.query(`drop database if exists ${template} with (force)`));
    await server.stop();
  }
}

function findTestFiles(paths: string[]): string[] {
  return paths
    .flatMap((path) =>
      statSync(path).isDirectory() ? globSync(`${path}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }) : [path],
    )
    .sort();
}

/** Follows the relative imports of the files. */
function importsDatabase(files: string[]): boolean {
  const found = new Set(files.map((file) => resolve(file)));
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      if (path?.endsWith('.ts')) found.add(resolve(dirname(file), path));
  return found.has(databaseModule);
}

async function findServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-test-'));
  chmodSync(folder, 0o755);
  const { connection, stop } = await startEmbedded({ data_dir: folder, log: () => {} });
  const { user, password = '', host, port, database } = connection;
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
  await query(url, async (client) => {
    // It is deleted after the run. Waiting for the disk, on a busy machine for more than a second, would look like an outage.
    await client.query('alter system set fsync = off');
    await client.query('select pg_reload_conf()');
  });
  return {
    url,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function runTests(files: string[], patterns: string[], environment: Record<string, string>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-failed-tests-'));
  const failed = join(folder, 'list.txt');
  const args = ['--test', `--test-concurrency=${CONCURRENCY}`];
  args.push('--test-reporter=spec', '--test-reporter-destination=stdout');
  args.push(`--test-reporter=${FAILED_TESTS_REPORTER}`, `--test-reporter-destination=${failed}`);
  args.push(...patterns.map((pattern) => `--test-name-pattern=${pattern}`), ...files);
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...inherited, ...environment };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  const names = existsSync(failed) ? readFileSync(failed, 'utf8') : '';
  rmSync(folder, { recursive: true });
  if (names !== '') process.stdout.write(`\nFailed tests:\n${names}`);
  return code ?? 1;
}

function named(url: string, database: string): string {
  return url.replace(/(@[^/]*\/)[^?]*/, `$1${database}`);
}

async function query(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

process.exitCode = await run();
