// Calling a tool over REST with all features (authentication, limit, schema, signature, guard, log), compared with a bare proxy
// to the same HTTPS upstream; with 1 and with 10,000 tools; and during 1,000 calls that hang.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { openApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/config.ts';
import { eventCatalogue } from '../server/src/event-catalogue.ts';
import { createLog } from '../server/src/log.ts';
import { hundredTools } from './hundred-tools.ts';
import {
  type Child,
  compare,
  drive,
  finish,
  median,
  type Request,
  ratio,
  report,
  residentMb,
  startChild,
} from './measure.ts';
import { authority, startUpstream, type Upstream } from './upstream.ts';

const ROOT_KEY = 'root-key-of-the-bench-0123456789-abcdefghijk';
const main = join(import.meta.dirname, '../server/src/main.ts');
const MANY = 10_000;
const HANGING = 1_000;

const data = mkdtempSync(join(tmpdir(), 'toolgate-bench-'));
chmodSync(data, 0o755);
const authorityFile = join(data, 'authority.pem');
writeFileSync(authorityFile, authority.certificate);

const given = { customer: 'C-1024', status: 'paid', since: '2026-11-01', limit: 20 };
const body = JSON.stringify({ arguments: given });

async function post(url: string, path: string, key: string, fields: object): Promise<any> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function makeProject(url: string): Promise<{ id: string; key: string }> {
  const plan = { plan: 'enterprise', requests_per_hour: 1_000_000_000 };
  const { id } = await post(url, '/projects', ROOT_KEY, { name: 'bench', ...plan });
  const { key } = await post(url, `/projects/${id}/api-keys`, ROOT_KEY, { name: 'bench', permissions: ['admin'] });
  return { id, key };
}

async function makeTool(url: string, key: string, { origin }: Upstream, fields: object = {}): Promise<string> {
  const upstreamFields = { base_url: origin, endpoint_path: '/orders' };
  return (await post(url, '/custom-tools', key, { ...hundredTools[0], ...upstreamFields, ...fields })).id;
}

const execute = (key: string, tool: string): Request => ({
  path: `/api/v1/custom-tools/${tool}/execute`,
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body,
});

/** A server that refuses the request would look very fast. */
async function expectOrders(child: Child, { path, headers = {} }: Request): Promise<void> {
  const answer = await fetch(child.url + path, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200 || !text.includes('ord_1')) throw new Error(`${child.url}${path}: ${text.slice(0, 500)}`);
}

async function benchCost(ours: Child, bare: Child, upstream: Upstream): Promise<void> {
  const { key } = await makeProject(ours.url);
  const secret = { auth_strategy: 'hmac_signature', encrypted_auth_secret: 'a secret of the bench, 32 bytes or so' };
  const request = execute(key, await makeTool(ours.url, key, upstream, secret));
  const [ourCost = [], bareCost = []] = await compare(
    [
      { child: ours, make: () => request },
      {
        child: bare,
        make: () => ({ path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      },
    ],
    { check: expectOrders },
  );
  report('CPU of the bare proxy', median(bareCost), ' µs');
  report('CPU of POST /custom-tools/{id}/execute', median(ourCost), ' µs');
  report('execute compared with the bare proxy', ratio(ourCost, bareCost), ' x', 1.4);
}

type Many = { key: string; one: string; many_key: string };

/** Copies one tool in the database: creating 10,000 over HTTP would take longer than the bench itself. */
async function makeMany(environment: Record<string, string>, upstream: Upstream): Promise<Many> {
  const server = await startChild(main, environment);
  const [few, many] = [await makeProject(server.url), await makeProject(server.url)];
  const one = await makeTool(server.url, few.key, upstream);
  const copied = await makeTool(server.url, many.key, upstream);
  await server.stop();
  const { app, close } = await openApp(
    readConfig({ ...environment, TOOLGATE_LOG_LEVEL: 'silent' }),
    createLog('silent'),
    { event_catalogue: eventCatalogue },
  );
  // A generated column cannot be inserted.
  const { rows } = await app.pool.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = current_schema() and table_name = 'custom_tools' and is_generated = 'NEVER'
     and column_name not in ('id', 'name')`,
  );
  const columns = rows[0]?.columns;
  await app.pool.query(
    `insert into custom_tools (id, name, ${columns}) select 'tool_bench' || i, 'bench_' || i, ${columns}
     from custom_tools, generate_series(1, $2::int) as i where id = $1`,
    [copied, MANY],
  );
  await app.pool.query('analyze custom_tools');
  await close();
  return { key: few.key, one, many_key: many.key };
}

async function benchScale(ours: Child, { key, one, many_key }: Many): Promise<void> {
  const single = execute(key, one);
  const all = Array.from({ length: MANY }, (_, i) => execute(many_key, `bench_${i + 1}`));
  let next = 0;
  const [fewCost = [], manyCost = []] = await compare(
    [
      { child: ours, make: () => single },
      {
        child: ours,
        make() {
          next += 1;
          return all[next % MANY] as Request;
        },
      },
    ],
    { check: expectOrders },
  );
  report('CPU of a call, 1 tool in the project', median(fewCost), ' µs');
  report('10,000 tools in the project, all of them called, compared with that', ratio(manyCost, fewCost), ' x', 1.15);
}

/** Sequential calls for three seconds, long enough to average over the machine's other load. */
async function latencies(pool: Pool, { path, headers = {} }: Request): Promise<number[]> {
  const durations: number[] = [];
  for (const end = performance.now() + 3_000; performance.now() < end; ) {
    const began = performance.now();
    const answer = await pool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    durations.push(performance.now() - began);
  }
  return durations;
}

async function benchHanging(ours: Child, upstream: Upstream, stuck: Upstream): Promise<void> {
  const { key } = await makeProject(ours.url);
  const quick = execute(key, await makeTool(ours.url, key, upstream));
  const slow = execute(key, await makeTool(ours.url, key, stuck, { name: 'slow', timeout_ms: 10_000 }));
  const [pool, hangingPool] = [new Pool(ours.url, { connections: 1 }), new Pool(ours.url, { connections: HANGING })];
  await latencies(pool, quick); // warm-up for the compiler
  const alone = await latencies(pool, quick);
  const memory = residentMb(ours.pid);
  const hanging = Array.from({ length: HANGING }, async () => {
    const { path, headers = {} } = slow;
    const answer = await hangingPool.request({ path, method: 'POST', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  });
  await new Promise((done) => setTimeout(done, 1_000));
  const during = await latencies(pool, quick);
  report('resident memory while 1,000 calls hang', residentMb(ours.pid), ' MB');
  const statuses = new Set(await Promise.all(hanging));
  if (statuses.size !== 1 || !statuses.has(500))
    throw new Error(`hanging calls ended with ${[...statuses].join(', ')}`);
  await hangingPool.close();
  await drive(ours.url, 5_000, () => quick);
  alone.push(...(await latencies(pool, quick)));
  report("latency of another tool's call", median(alone), ' ms');
  report('the same while 1,000 calls hang, compared with that', median(during) / median(alone), ' x', 1.5);
  report('resident memory after them, compared with before', residentMb(ours.pid) / memory, ' x', 1.3);
  await pool.close();
}

const [upstream, stuck] = [await startUpstream(), await startUpstream({ hangs: true })];
try {
  const trust = { NODE_EXTRA_CA_CERTS: authorityFile, UPSTREAM: `${upstream.origin}/orders` };
  const environment = {
    ...trust,
    TOOLGATE_DATA_DIR: join(data, 'data'),
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_EGRESS_ALLOW: `${upstream.address},${stuck.address}`,
  };
  const many = await makeMany(environment, upstream);
  const ours = await startChild(main, environment);
  const bare = await startChild(join(import.meta.dirname, 'bare-proxy.ts'), trust);
  await benchCost(ours, bare, upstream);
  await bare.stop();
  await benchScale(ours, many);
  await benchHanging(ours, upstream, stuck);
  await ours.stop();
} finally {
  upstream.close();
  stuck.close();
  rmSync(data, { recursive: true, force: true });
}
finish();
