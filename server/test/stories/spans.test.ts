// OpenTelemetry: the spans that a collector receives, their parents, and what is not in them.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { callTool, legacy, modern } from '../mcp/rpc.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { execute, makeTool, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startCollector } from '../support/peers/otlp-collector.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';

const SECRET = 'upstream-secret-0123456789';
const ARGUMENT = 'argument-0123456789';

const customer = await startCustomer();
const collector = await startCollector();
after(async () => {
  await customer.close();
  collector.close();
});
const environment = { TOOLGATE_EGRESS_ALLOW: customer.address };
const server = await startServer({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
const tenant = await makeTenant(server);
const auth = { auth_strategy: 'bearer_token', encrypted_auth_secret: SECRET };
const tool = await makeTool(server, tenant.keys.write, customer, { method: 'GET', ...auth });

const newTrace = (flags = '01') => {
  const [trace_id, parent_id] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { trace_id, parent_id, traceparent: `00-${trace_id}-${parent_id}-${flags}` };
};
const kinds = async (trace_id: string) => {
  const spans = await collector.spansOf(trace_id, 2);
  const [request, upstream] = ['server', 'client'].map((kind) => spans.find((span) => span.kind === kind));
  assert.ok(request && upstream && spans.length === 2, JSON.stringify(spans));
  return { request, upstream };
};

test('a REST call is a SERVER span with the caller as parent, and a CLIENT span that the customer is told of', async () => {
  const { trace_id, parent_id, traceparent } = newTrace();
  const { headers } = await received(server, customer, tenant.keys.read, tool, { q: ARGUMENT }, { traceparent });
  const { request, upstream } = await kinds(trace_id);
  assert.equal(request.parent_id, parent_id);
  assert.equal(upstream.parent_id, request.span_id);
  assert.equal(headers.traceparent, `00-${trace_id}-${upstream.span_id}-01`);
  const route = '/api/v1/custom-tools/:tool_id/execute';
  assert.equal(request.name, `POST ${route}`);
  const { 'toolgate.request_id': request_id, ...attributes } = request.attributes;
  assert.match(String(request_id), /^req_/);
  assert.deepEqual(attributes, {
    'http.request.method': 'POST',
    'http.route': route,
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'toolgate.project_id': tenant.id,
  });
  assert.equal(upstream.name, 'GET');
  assert.deepEqual(upstream.attributes, {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'server.address': new URL(customer.url).hostname,
    'server.port': Number(new URL(customer.url).port),
    'url.scheme': 'https',
    'gen_ai.tool.name': tool.name,
    'toolgate.tool_id': tool.id,
  });
});

test('over MCP the traceparent of the message is the parent, else that of the header', async () => {
  const [header, message] = [newTrace(), newTrace()];
  const headers = { traceparent: header.traceparent };
  const params = { name: tool.name, arguments: {}, _meta: { traceparent: message.traceparent } };
  expectResponse(await modern(server, tenant.keys.read, 'tools/call', params, { headers }), 200);
  assert.equal((await kinds(message.trace_id)).request.parent_id, message.parent_id);
  expectResponse(await callTool(legacy, server, tenant.keys.read, tool.name, {}, { headers }), 200);
  assert.equal((await kinds(header.trace_id)).request.parent_id, header.parent_id);
});

test('the messages of a batch stay in the traces that they name', async () => {
  const traces = [newTrace(), newTrace()];
  const batch = traces.map(({ traceparent }, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: tool.name, arguments: {}, _meta: { traceparent } },
  }));
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  expectResponse(await server.api('POST', '/mcp', { key: tenant.keys.read, body: batch, headers }), 200);
  for (const { trace_id } of traces)
    assert.ok((await collector.spansOf(trace_id, 1)).some(({ kind }) => kind === 'client'));
});

test('a trace that the caller does not sample is passed on unsampled and not exported', async () => {
  const [unsampled, sampled] = [newTrace('00'), newTrace()];
  const { headers } = await received(server, customer, tenant.keys.read, tool, {}, unsampled);
  assert.match(String(headers.traceparent), new RegExp(`^00-${unsampled.trace_id}-[0-9a-f]{16}-00$`));
  await execute(server, tenant.keys.read, tool.id, {}, sampled);
  await collector.spansOf(sampled.trace_id, 2);
  assert.ok(!collector.spans.some(({ trace_id }) => trace_id === unsampled.trace_id));
});

test('a call without or with an invalid traceparent begins a trace, which the customer is told of', async () => {
  for (const sent of [{}, { traceparent: '00-0-0-0' }]) {
    const { headers } = await received(server, customer, tenant.keys.read, tool, {}, sent);
    const [, trace_id = ''] = String(headers.traceparent).split('-');
    assert.equal((await kinds(trace_id)).request.parent_id, '');
  }
});

test('a refusal has its code; a 5xx and a call that failed are errors', async () => {
  const refused = newTrace();
  expectResponse(await server.api('GET', '/projects/nothing', { headers: refused }), 401);
  const [span] = await collector.spansOf(refused.trace_id, 1);
  assert.deepEqual([span?.attributes['toolgate.error_code'], span?.is_error], ['INVALID_API_KEY', false]);

  const broken = await makeTool(server, tenant.keys.write, customer);
  customer.respond(broken.endpoint_path, { status: 503 });
  const failed = newTrace();
  expectResponse(await execute(server, tenant.keys.read, broken.id, {}, failed), 502);
  const { request, upstream } = await kinds(failed.trace_id);
  assert.deepEqual([request.attributes['error.type'], request.is_error], ['UPSTREAM_STATUS', true]);
  assert.deepEqual([upstream.attributes['error.type'], upstream.is_error], ['503', true]);

  customer.respond(broken.endpoint_path, { reset: true });
  const reset = newTrace();
  await execute(server, tenant.keys.read, broken.id, {}, reset);
  assert.equal((await kinds(reset.trace_id)).upstream.attributes['error.type'], 'connection');
});

test('no credential, secret, argument or path is in what was exported', () => {
  assert.ok(collector.bodies.length > 0);
  const exported = Buffer.concat(collector.bodies).toString('latin1');
  for (const text of [...Object.values(tenant.keys), SECRET, ARGUMENT, 'nothing', tool.endpoint_path])
    assert.ok(!exported.includes(text), text);
});

test('while the collector is down, requests are answered as always', async () => {
  const port = await freePort();
  const other = await startServer({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const { keys } = await makeTenant(other);
  const own = await makeTool(other, keys.write, customer);
  const responses = await Promise.all(Array.from({ length: 40 }, () => execute(other, keys.read, own.id)));
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
});

test('hooks and confirmations have spans of their own, and a hook is told its span', async () => {
  const shop = await makeTenant(server);
  const hook = await makeHook(server, customer, shop.id);
  const asked = await makeTool(server, shop.keys.write, customer, { confirm: { by: 'approver' } });
  const [first, second] = [newTrace(), newTrace()];
  const call = (headers: Record<string, string>) => execute(server, shop.keys.read, asked.id, {}, headers);
  const { error } = expectResponse(await call({ traceparent: first.traceparent }), 409);
  const { id } = error.details.approval;
  const refused = (await collector.spansOf(first.trace_id, 3)).find(({ name }) => name === 'confirmation');
  assert.equal(refused?.attributes['error.type'], 'CONFIRMATION_REQUIRED');
  await server.app.pool.query(`update approvals set created_at = created_at - interval '1 minute' where id = $1`, [id]);
  expectResponse(
    await server.api('POST', `/projects/${shop.id}/approvals/${id}/approve`, { key: shop.keys.admin }),
    200,
  );
  expectResponse(await call({ traceparent: second.traceparent, 'x-toolgate-approval': id }), 200);
  const spans = await collector.spansOf(second.trace_id, 4);
  const confirmed = spans.find(({ name }) => name === 'confirmation');
  assert.ok(Number(confirmed?.attributes['toolgate.waiting_ms']) >= 60_000, JSON.stringify(confirmed));
  const policy = spans.find(({ attributes }) => attributes['toolgate.hook_id'] === hook.id);
  assert.deepEqual([policy?.kind, policy?.attributes['toolgate.hook_point']], ['client', 'before']);
  const request = spans.find(({ kind }) => kind === 'server');
  assert.deepEqual([policy?.parent_id, confirmed?.parent_id], [request?.span_id, request?.span_id]);
  const told = customer.at(hook.path).at(-1)?.headers.traceparent;
  assert.equal(told, `00-${second.trace_id}-${policy?.span_id}-01`);
});
