// /metrics: who may read it, what it counts, and that nothing in it is chosen by a customer. docs/operations.md and the Grafana
// dashboard name exactly these metrics.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { callTool, legacy } from '../mcp/rpc.ts';
import { expectResponse, makeKey, makeProject, makeTenant, unique } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { readMetrics, sumOf } from '../support/requests/read-metrics.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const TOKEN = 'metrics-token-0123456789';
const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address, TOOLGATE_METRICS_TOKEN: TOKEN });
const tenant = await makeTenant(server);
const scrape = () => readMetrics(server, TOKEN);

test('the metrics token and the root key read /metrics; no credential, a wrong one and a key of a project get 401', async () => {
  for (const key of [TOKEN, ROOT_KEY]) {
    const { status, headers } = await server.api('GET', '/metrics', { key });
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.equal(headers.get('ratelimit'), null);
  }
  for (const key of [undefined, `${TOKEN}0`, tenant.keys.admin])
    expectResponse(await server.api('GET', '/metrics', { key }), 401, 'Invalid or inactive API key');
});

test('without TOOLGATE_METRICS_TOKEN only the root key reads /metrics', async () => {
  const other = await startServer();
  assert.equal((await other.api('GET', '/metrics', { key: ROOT_KEY })).status, 200);
  assert.equal((await other.api('GET', '/metrics', { key: TOKEN })).status, 401);
  assert.equal((await other.api('GET', '/metrics', { key: 'null' })).status, 401);
});

test('an address that guesses tokens is refused with 429 like one that guesses keys', async () => {
  const other = await startServer();
  const guesses = Array.from({ length: 61 }, () => other.api('GET', '/metrics', { key: 'a-guess' }));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.includes(429)], [60, true]);
});

test('requests are counted by method, route template and status', async () => {
  const route = 'method="GET",route="/api/v1/projects/:project_id"';
  const before = await scrape();
  await server.api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read });
  await server.api('GET', `/projects/${tenant.id}`, { key: tenant.keys.read });
  await server.api('GET', `/projects/${tenant.id}`);
  const later = await scrape();
  const grown = (labels: string) =>
    sumOf(later, 'toolgate_http_requests_total', labels) - sumOf(before, 'toolgate_http_requests_total', labels);
  assert.deepEqual([grown(`${route},status="200"`), grown(`${route},status="401"`)], [2, 1]);
  const durations = 'toolgate_http_request_duration_seconds_count';
  // And the scrape before.
  assert.equal(sumOf(later, durations) - sumOf(before, durations), 4);
});

test('tool calls are counted by transport, outcome and error code, and measured with their stages', async () => {
  const [fine, broken] = [
    await makeTool(server, tenant.keys.write, customer),
    await makeTool(server, tenant.keys.write, customer),
  ];
  customer.respond(broken.endpoint_path, { status: 500 });
  const before = await scrape();
  await execute(server, tenant.keys.read, fine.id);
  await callTool(legacy, server, tenant.keys.read, fine.name);
  await callTool(legacy, server, tenant.keys.read, fine.name);
  await execute(server, tenant.keys.read, broken.id);
  await execute(server, tenant.keys.read, fine.id, { project_id: 'x' });
  const later = await scrape();
  const grown = (name: string, labels = '') => sumOf(later, name, labels) - sumOf(before, name, labels);
  const calls = 'toolgate_tool_calls_total';
  assert.equal(grown(calls, 'transport="rest",outcome="succeeded",code="none"'), 1);
  assert.equal(grown(calls, 'transport="mcp",outcome="succeeded",code="none"'), 2);
  assert.equal(grown(calls, 'transport="rest",outcome="failed",code="UPSTREAM_STATUS"'), 1);
  assert.equal(grown(calls, 'transport="rest",outcome="failed",code="RESERVED_VARIABLE"'), 1);
  assert.equal(grown('toolgate_tool_call_duration_seconds_count', 'outcome="succeeded"'), 3);
  assert.equal(grown('toolgate_tool_call_duration_seconds_count', 'outcome="failed"'), 2);
  // A call that was refused before it was sent has no stages.
  for (const stage of ['queue', 'connect', 'upstream'])
    assert.equal(grown('toolgate_tool_call_stage_seconds_count', `stage="${stage}"`), 4);
});

test('no number of projects, keys, tools, paths or methods adds a series, and no label names one of them', async () => {
  const use = async () => {
    const project = await makeProject(server);
    const { key } = await makeKey(server, project.id);
    const tool = await makeTool(server, key, customer);
    await execute(server, key, tool.id);
    await server.api('GET', `/${unique('nowhere')}`, { key });
    await server.api('PROPFIND', '/projects', { key });
    return [project.id, tool.id, tool.name];
  };
  // A table appears with its first buffered row, which may be written at any time; its name is ours.
  const seriesNames = async () => [...(await scrape()).keys()].filter((series) => !series.includes('{table='));
  await use();
  const before = await seriesNames();
  const made = [...(await use()), ...(await use()), ...(await use())];
  await server.api('LOCK', '/projects');
  const { text } = await server.api('GET', '/metrics', { key: TOKEN });
  assert.deepEqual(await seriesNames(), before);
  assert.deepEqual(
    made.filter((name) => text.includes(name)),
    [],
  );
  assert.doesNotMatch(text, /nowhere|PROPFIND|LOCK/);
});

test('a job that is due is counted with its age until it is done', async () => {
  const { id } = await makeProject(server);
  await makeWebhook(server, customer, id);
  await makeKey(server, id);
  server.advance(30_000);
  const queued = 'kind="delivery"';
  // The gauge compares with the database's clock, which the tests do not advance.
  assert.ok(sumOf(await scrape(), 'toolgate_queue_jobs', queued) >= 1);
  await server.runJobs();
  assert.equal(sumOf(await scrape(), 'toolgate_queue_jobs', queued), 0);
  assert.equal(sumOf(await scrape(), 'toolgate_queue_oldest_job_seconds', queued), 0);
});

test('a lookup that finds its entry in the cache is a hit, and one that has to load is a miss', async () => {
  const { key, project_id } = await makeKey(server, tenant.id, ['read']);
  const lookups = async (result: string) => sumOf(await scrape(), 'toolgate_cache_lookups_total', `result="${result}"`);
  const [hits, misses] = [await lookups('hit'), await lookups('miss')];
  await server.api('GET', `/projects/${project_id}`, { key });
  assert.ok((await lookups('miss')) > misses);
  await server.api('GET', `/projects/${project_id}`, { key });
  assert.ok((await lookups('hit')) > hits);
});

test('rows that could not be written are in /metrics and in /readyz', async () => {
  const { batch_writer } = server.app;
  batch_writer.add({ name: 'refused_rows', write: () => Promise.reject(new Error('refused')) }, {});
  await batch_writer.flush();
  assert.equal(sumOf(await scrape(), 'toolgate_dropped_rows_total', 'table="refused_rows"'), 1);
  assert.equal(expectResponse(await server.api('GET', '/readyz'), 200).dropped_rows, 1);
});

const docs = join(import.meta.dirname, '../../../docs');

test('docs/operations.md and the Grafana dashboard name exactly the metrics that /metrics has', async () => {
  const { text } = await server.api('GET', '/metrics', { key: TOKEN });
  const families = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  assert.ok(families.size > 20);
  // `…_bucket` is a series of a histogram.
  const familyOf = (name: string) => (families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));
  const named = (page: string) => {
    const names = [...page.matchAll(/\b(?:toolgate|process|nodejs)_[a-z0-9]+(?:_[a-z0-9]+)+\b/g)];
    return [...new Set(names.map(([name]) => familyOf(name)))].sort();
  };
  const table = readFileSync(join(docs, 'operations.md'), 'utf8');
  assert.deepEqual(named(table), [...families].sort());
  const dashboard = JSON.parse(readFileSync(join(docs, 'grafana-dashboard.json'), 'utf8'));
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr));
  assert.deepEqual(named(queries.join('\n')), [...families].sort());
});

test('decisions of hooks and of people are counted, and what waits for a person', async () => {
  const shop = await makeTenant(server);
  const decisions = ['allow', 'deny', 'maybe', 'confirm'];
  await makeHook(server, customer, shop.id, {}, () => ({ body: { decision: decisions.shift() ?? 'allow' } }));
  const tool = await makeTool(server, shop.keys.write, customer);
  const before = await scrape();
  const statuses: number[] = [];
  for (let i = 0; i < 4; i += 1) statuses.push((await execute(server, shop.keys.read, tool.id)).status);
  assert.deepEqual(statuses, [200, 403, 502, 409]);
  const waiting = await scrape();
  const grown = (after: typeof before, name: string, labels = '') =>
    sumOf(after, name, labels) - sumOf(before, name, labels);
  for (const decision of ['allow', 'deny', 'failed', 'confirm'])
    assert.equal(grown(waiting, 'toolgate_hook_decisions_total', `point="before",decision="${decision}"`), 1, decision);
  assert.equal(grown(waiting, 'toolgate_hook_duration_seconds_count', 'point="before"'), 4);
  assert.equal(grown(waiting, 'toolgate_approvals_pending'), 1);
  const [approval] = expectResponse(
    await server.api('GET', `/projects/${shop.id}/approvals`, { key: shop.keys.read }),
    200,
  ).data;
  const path = `/projects/${shop.id}/approvals/${approval.id}/decline`;
  expectResponse(await server.api('POST', path, { key: shop.keys.admin }), 200);
  const decided = await scrape();
  assert.equal(grown(decided, 'toolgate_approvals_pending'), 0);
  assert.equal(grown(decided, 'toolgate_approvals_decided_total', 'decision="declined",via="api"'), 1);
});
