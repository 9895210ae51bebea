// Listing projects with a key compared with a bare Fastify route with the same response; start-up, memory, and key look-up.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/config.ts';
import { eventCatalogue } from '../server/src/event-catalogue.ts';
import { loadKeyCaller } from '../server/src/features/api-keys/verify.ts';
import { createLog } from '../server/src/log.ts';
import { cpuPerRequest, drive, finish, median, report, residentMb, startChild } from './measure.ts';

const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';
const main = join(import.meta.dirname, '../server/src/main.ts');
const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const environment = { TOOLGATE_DATA_DIR: join(data, 'data'), TOOLGATE_ROOT_KEY: ROOT_KEY };

async function api(url: string, path: string, key: string, body?: object): Promise<any> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  return answer.json();
}

async function benchRequests(): Promise<void> {
  await (await startChild(main, environment)).stop(); // creates the store
  const ours = await startChild(main, environment);
  report('start to ready on an existing embedded store', ours.ready_ms / 1000, ' s', 2);

  const project = await api(ours.url, '/projects', ROOT_KEY, {
    name: 'bench',
    plan: 'enterprise',
    requests_per_hour: 1_000_000_000,
  });
  const { key } = await api(ours.url, `/projects/${project.id}/api-keys`, ROOT_KEY, {
    name: 'bench',
    permissions: ['read'],
  });
  const answer = await api(ours.url, '/projects', key);
  const bare = await startChild(join(import.meta.dirname, 'bare-fastify.ts'), { ANSWER: JSON.stringify(answer) });

  const request = () => ({ path: '/api/v1/projects', headers: { authorization: `Bearer ${key}` } });
  await drive(ours.url, 25_000, request); // warm-up for the compiler
  await drive(bare.url, 25_000, request);
  const costs = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < 5; round += 1) {
    costs.ours.push(await cpuPerRequest(ours, 10_000, () => drive(ours.url, 10_000, request)));
    costs.bare.push(await cpuPerRequest(bare, 10_000, () => drive(bare.url, 10_000, request)));
  }
  report('CPU of a bare Fastify route', median(costs.bare), ' µs');
  report('CPU of GET /projects', median(costs.ours), ' µs');
  report('GET /projects compared with the bare route', median(costs.ours) / median(costs.bare), ' x', 1.6);
  report('resident memory after 75,000 requests', residentMb(ours.pid), ' MB', 150);
  await ours.stop();
  await bare.stop();
}

/** The cost of a first request with a key, without the cache, with 10 and with 100,000 keys in the table. */
async function benchLookup(): Promise<void> {
  const config = readConfig({ ...environment, TOOLGATE_LOG_LEVEL: 'silent' });
  const { app, close } = await openApp(config, createLog('silent'), { event_catalogue: eventCatalogue });
  const project = await app.database.selectFrom('projects').select('id').executeTakeFirstOrThrow();
  const insertKeys = (from: number, to: number) =>
    app.pool.query(
      `insert into api_keys (id, project_id, name, permissions, hash, prefix, last4, created_by)
       select 'key_bench' || i, $1, 'bench', '{read}', sha256(('bench' || i)::bytea), 'svc_test_', '0000', 'root'
       from generate_series($2::int, $3::int) as i`,
      [project.id, from, to],
    );
  const lookUp = async (count: number, among: number) => {
    const began = performance.now();
    for (let i = 0; i < count; i += 1) {
      app.cache.setTrusted(true);
      if (!(await loadKeyCaller(app, `bench${i % among}`))) throw new Error('not found');
    }
    return ((performance.now() - began) * 1000) / count;
  };
  await insertKeys(0, 9);
  await lookUp(1000, 10);
  const few = await lookUp(3000, 10);
  await insertKeys(10, 99_999);
  await app.pool.query('analyze api_keys');
  await lookUp(1000, 100_000);
  const many = await lookUp(3000, 100_000);
  report('look-up of a key among 10', few, ' µs');
  report('look-up of a key among 100,000, compared with that', many / few, ' x', 1.5);
  await close();
}

try {
  await benchRequests();
  await benchLookup();
} finally {
  rmSync(data, { recursive: true, force: true });
}
finish();
