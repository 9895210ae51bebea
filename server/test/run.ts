// npm test: runs the test files, or the files and folders named on the command line; with `--all` the long ones too, with `--long` only those.
// `npm test -- server/test/contract/limits.test.ts -t "free"` runs the tests of one file whose names match.
// `--shard 2/4` runs the second quarter of them, for a machine that is one of four.
// `--database` leaves out the long files and those that do not use the database of the run, for a second run on another PostgreSQL.
// One PostgreSQL serves the whole run (the embedded one, or the server of DATABASE_URL): every test file copies a migrated
// template. It is started only if one of the files imports test-database.ts. The compiled package is made only if one imports
// compiled-package.ts.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../src/database/embedded.ts';
import { migrate, readMigrations } from '../src/database/migrate.ts';
import { runFiles } from './runner/run-files.ts';
import { shardOf } from './runner/shard.ts';
import { makeScratchFolder } from './support/scratch-folder.ts';

/** Every process of the tests loads the whole server. Node keeps what it compiled, by the content of each file. */
const COMPILE_CACHE = resolve('node_modules/.cache/node-compile-cache');

const databaseModule = 'server/test/support/database/test-database.ts';
/** For files that start the server or the command line as processes. */
const packageModule = 'server/test/support/servers/compiled-package.ts';
/** For those that start the server. */
const processModule = 'server/test/support/servers/start-process.ts';

const FOLDERS = ['contract', 'server', 'sdk', 'cli', 'dashboard', 'site', 'examples', 'faults', 'packaging'];
/**
 * Whole processes, real clients, guides, faults and races: only `npm run test:all` and `.ci/run` run them, unless they are named. The same
 * holds for tests in a browser that are not in JOURNEYS.
 */
const LONG = [
  'cli/test/operator-backup.test.ts',
  'cli/test/operator-commands.test.ts',
  'cli/test/operator-doctor.test.ts',
  'cli/test/operator-owner.test.ts',
  'cli/test/operator-postgres.test.ts',
  'cli/test/operator-signing-keys.test.ts',
  'cli/test/running-server.test.ts',
  'dashboard/test/guides.test.ts',
  'examples/',
  'faults/',
  'packaging/test/',
  'sdk/test/package.test.ts',
  'server/src/database/embedded',
  'server/test/mcp/clients.test.ts',
  'server/test/mcp/conformance.test.ts',
  'server/test/mcp/mcp-remote.test.ts',
  'server/test/mcp/real-servers.test.ts',
  'server/test/process/',
];
const browserModule = 'dashboard/test/open-browser.ts';
/** Tests in a browser that `npm test` runs: what a user would miss first. */
const JOURNEYS = [
  'first-steps',
  'api-keys',
  'try-it',
  'members',
  'consent',
  'approvals',
  'webhooks-screens',
  'logs-screens',
  'people',
].map((name) => `dashboard/test/${name}.test.ts`);
/** Half of the time a file waits: for PostgreSQL, for a browser, or for time that passes. */
const WORKERS_PER_CORE = 2;
const USAGE =
  'Usage: npm test [-- FILE_OR_FOLDER … [-t "part of a title"] [--all | --long] [--database] [--shard I/N] [--concurrency N]]';

type Given = { files: string[]; patterns: string[]; concurrency: number };

async function run(): Promise<number> {
  const given = readArguments();
  if (given === null) return 2;
  if (!importsAny(given.files, [packageModule])) return runWithDatabase(given, {});
  const { makeSharedFiles } = await import('./runner/shared-files.ts');
  const shared = await makeSharedFiles({ has_data: importsAny(given.files, [processModule]) });
  try {
    return await runWithDatabase(given, shared.environment);
  } finally {
    shared.remove();
  }
}

async function runWithDatabase(given: Given, environment: Record<string, string>): Promise<number> {
  if (!importsAny(given.files, [databaseModule])) return runTests(given, environment);
  const server = await findServer(given.concurrency);
  const template = `toolgate_template_${randomBytes(6).toString('hex')}`;
  try {
    await query(server.url, (client) => client.query(`create database ${template}`));
    await query(named(server.url, template), async (client) => migrate(client, await readMigrations()));
    return await runTests(given, { ...environment, TEST_DATABASE_URL: server.url, TEST_TEMPLATE: template });
  } finally {
    await query(server.url, (client) => client.query(`drop database if exists ${template} with (force)`));
    await server.stop();
  }
}

/** Null, and a sentence on the terminal, if something is wrong with them. */
function readArguments(): Given | null {
  const options = {
    'test-name-pattern': { type: 'string', short: 't', multiple: true, default: [] as string[] },
    all: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    database: { type: 'boolean', default: false },
    shard: { type: 'string', default: '1/1' },
    concurrency: { type: 'string', default: String(WORKERS_PER_CORE * availableParallelism()) },
  } as const;
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const missing = positionals.find((path) => !existsSync(path));
    if (missing !== undefined) throw new Error(`There is no file or folder ${missing}.`);
    const found = findTestFiles(positionals.length > 0 ? positionals : FOLDERS);
    const leaves_long = values.database || (positionals.length === 0 && !values.all && !values.long);
    const files = found.filter((file) => {
      if (isLong(file) ? leaves_long : values.long) return false;
      return !values.database || importsAny([file], [databaseModule]);
    });
    if (files.length === 0) throw new Error(`There is no test below ${positionals.join(', ')}.`);
    const concurrency = Number(values.concurrency);
    if (!(concurrency >= 1)) throw new Error(`--concurrency is a number of processes, not ${values.concurrency}.`);
    return { files: shardOf(files, values.shard), patterns: values['test-name-pattern'], concurrency };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return null;
  }
}

function isLong(file: string): boolean {
  if (LONG.some((path) => file.startsWith(path))) return true;
  return file.startsWith('dashboard/') && !JOURNEYS.includes(file) && importsAny([file], [browserModule]);
}

function findTestFiles(paths: string[]): string[] {
  return paths
    .flatMap((path) =>
      statSync(path).isDirectory() ? globSync(`${path}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }) : [path],
    )
    .sort();
}

/** Follows the relative imports of the files. */
function importsAny(files: string[], modules: string[]): boolean {
  const found = new Set(files.map((file) => resolve(file)));
  for (const file of found)
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g))
      if (path?.endsWith('.ts')) found.add(resolve(dirname(file), path));
  return modules.some((module) => found.has(resolve(module)));
}

async function findServer(concurrency: number): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = makeScratchFolder('toolgate-test-');
  chmodSync(folder, 0o755);
  const { connection, stop } = await startEmbedded({ data_dir: folder, log: () => {}, workers: concurrency });
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

async function runTests(given: Given, environment: Record<string, string>): Promise<number> {
  const { files, patterns, concurrency } = given;
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...inherited, ...environment };
  if (patterns.length > 0) return runMatching(given, env);
  return runFiles(files, { concurrency, environment: env });
}

/** Node's own runner, with a process for each file: it knows which tests have a name that matches before it starts them. */
async function runMatching({ files, patterns, concurrency }: Given, env: NodeJS.ProcessEnv): Promise<number> {
  const matching = patterns.map((pattern) => `--test-name-pattern=${pattern}`);
  // A browser is left open, for the next file of the process.
  const args = ['--test', '--test-force-exit', `--test-concurrency=${concurrency}`, ...matching, ...files];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
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
