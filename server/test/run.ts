// npm test: one PostgreSQL for the whole run (the embedded one, or the server of DATABASE_URL), a migrated template that
// every test file copies, then node's test runner. `npm test -- server/test/contract` runs a part.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../src/database/embedded.ts';
import { migrate, readMigrations } from '../src/database/migrate.ts';

const CONCURRENCY = 2;

async function run(): Promise<number> {
  const server = await findServer();
  const template = `toolgate_template_${randomBytes(6).toString('hex')}`;
  try {
    await query(server.url, (client) => client.query(`create database ${template}`));
    await query(named(server.url, template), async (client) => migrate(client, await readMigrations()));
    return await runTests({ TEST_DATABASE_URL: server.url, TEST_TEMPLATE: template });
  } finally {
    await query(server.url, (client) => client.query(`drop database if exists ${template} with (force)`));
    await server.stop();
  }
}

async function findServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-test-'));
  chmodSync(folder, 0o755);
  const { connection, stop } = await startEmbedded({ data_dir: folder, log: () => {} });
  const { user, password = '', host, port, database } = connection;
  return {
    url: `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function runTests(environment: Record<string, string>): Promise<number> {
  const wanted = process.argv.slice(2);
  const files = (wanted.length > 0 ? wanted : ['server']).flatMap((path) =>
    statSync(path).isDirectory() ? globSync(`${path}/**/*.test.ts`, { exclude: ['**/node_modules/**'] }) : [path],
  );
  const args = ['--test', `--test-concurrency=${CONCURRENCY}`, '--test-reporter=spec', ...files.sort()];
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...inherited, ...environment } });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)));
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
