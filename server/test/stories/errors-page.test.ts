// The page of errors: every error that the service sends leads to an entry with its cause and what to do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { refusals } from '../../src/errors/errors.ts';
import { buildSite } from '../support/build-site.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const PUBLIC_URL = 'https://tools.example.com';
buildSite();
const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_PUBLIC_URL: PUBLIC_URL, TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const page = await api('GET', '/docs/errors');

/** Without its markup. */
function textOf(markup: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return markup.replace(/<[^>]+>/g, '').replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => names[name] ?? '');
}

const entries = new Map(
  [...page.text.matchAll(/<h3 id="([a-z0-9_]+)">.*?(?=<h[23] |<\/article>)/gs)].map(([entry, anchor = '']) => [
    anchor,
    textOf(entry),
  ]),
);

/** Code in a sentence is marked on the page. */
const withoutCode = (sentence: string) => sentence.replaceAll('`', '');

test('the page explains every code with status, message, cause and remedy, and every reason', () => {
  assert.equal(page.status, 200, page.text);
  assert.deepEqual([...entries.keys()].sort(), Object.keys(reasonRows).sort());
  for (const [reason, { cause, remedy }] of Object.entries(reasonRows)) {
    const entry = entries.get(reason) ?? '';
    assert.ok(entry.includes(withoutCode(remedy)), `${reason}: no remedy`);
    assert.ok(entry.includes(withoutCode(cause)), `${reason}: no cause`);
  }
  for (const { status, code, message, reason } of refusals) {
    const entry = entries.get(reason) ?? '';
    assert.ok(entry.startsWith(code) && entry.includes(withoutCode(`${status} · ${message}`)), code);
  }
});

test('a cause is one or more sentences and no copy of the remedy', () => {
  for (const [reason, { cause, remedy }] of Object.entries(reasonRows)) {
    assert.match(cause, /^[A-Za-z][^|\n]{8,260}\.$/, reason);
    assert.notEqual(cause, remedy);
  }
});

test('docs/reference/errors.md has the same anchors', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/reference/errors.md'), 'utf8');
  const headings = [...text.matchAll(/^### `(\w+)`$/gm)].map(([, name = '']) => name.toLowerCase());
  assert.deepEqual(headings.sort(), Object.keys(reasonRows).sort());
});

test('an error itself is not kept', async () => {
  const refused = await api('GET', '/projects');
  assert.equal(refused.headers.get('cache-control'), 'no-store');
});

/** The entry that the link of an error leads to. */
function followLink(docs_url: string): string {
  const { origin, pathname, hash } = new URL(docs_url);
  assert.deepEqual([origin, pathname], [PUBLIC_URL, '/docs/errors']);
  const entry = entries.get(hash.slice(1));
  assert.ok(entry, `${docs_url} leads nowhere`);
  return entry;
}

test('docs_url of an error over REST leads to the entry of its reason', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  const requests: [ApiResponse, reason: string][] = [
    [await api('GET', '/projects'), 'invalid_api_key'],
    [await api('GET', '/nothing-here', { key: ROOT_KEY }), 'not_found'],
    [await api('PUT', '/projects', { key: ROOT_KEY, body: {} }), 'method_not_allowed'],
    [await api('POST', '/projects', { key: ROOT_KEY, body: '{' }), 'json_syntax'],
    [await api('POST', '/projects', { key: ROOT_KEY, body: {} }), 'missing_field'],
    [await api('POST', '/projects', { key: keys.read, body: { name: 'x' } }), 'insufficient_permissions'],
    [await api('GET', '/projects/null', { key: keys.read }), 'not_a_project_id'],
  ];
  for (const [{ status, body }, reason] of requests) {
    assert.ok(status >= 400);
    assert.equal(body.error.docs_url, `${PUBLIC_URL}/docs/errors#${reason}`);
    assert.ok(
      followLink(body.error.docs_url).includes(withoutCode(reasonRows[reason as keyof typeof reasonRows].remedy)),
    );
  }
});

test('docs_url does not tell a reason that the response hides', async () => {
  const { id, keys } = await makeTenant(server, { environment: 'production' });
  const tool = await makeTool(server, keys.write, customer);
  await server.app.pool.query(`update custom_tools set base_url = 'https://10.0.0.1' where id = $1`, [tool.id]);
  server.app.cache.invalidate(id);
  const blocked = expectResponse(await execute(server, keys.write, tool.id), 502).error;
  assert.equal(blocked.docs_url, `${PUBLIC_URL}/docs/errors#upstream_connection`);
  const other = await makeTenant(server);
  const foreign = await api('GET', `/projects/${other.id}`, { key: keys.admin });
  assert.equal(expectResponse(foreign, 401).error.docs_url, `${PUBLIC_URL}/docs/errors#invalid_api_key`);
});

test('MCP: refusals, protocol errors and failed calls have docs_url where their data is', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  const tool = await makeTool(server, keys.write, customer, {
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
  const rpc = (method: string, params: object, key?: string) =>
    api('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method, params } });
  const refused = await rpc('tools/list', {});
  assert.equal(expectResponse(refused, 401).error.data.docs_url, `${PUBLIC_URL}/docs/errors#invalid_api_key`);
  const unknown = await rpc('tools/call', { name: 'nothing', arguments: {} }, keys.read);
  assert.equal(expectResponse(unknown, 200).error.data.docs_url, `${PUBLIC_URL}/docs/errors#unknown_tool`);
  const failed = await rpc('tools/call', { name: tool.name, arguments: {} }, keys.read);
  const { docs_url } = expectResponse(failed, 200).result._meta['toolgate/error'];
  assert.equal(docs_url, `${PUBLIC_URL}/docs/errors#invalid_arguments`);
  followLink(docs_url);
});

test('OAuth: error_uri leads to the entry, in a body and in a redirect', async () => {
  const body = { grant_type: 'password' };
  const { error, error_uri } = expectResponse(await api('POST', '/oauth/token', { body }), 400);
  assert.equal(error, 'unsupported_grant_type');
  assert.ok(followLink(error_uri).includes('OAUTH_UNSUPPORTED_GRANT_TYPE'));
  const { id, keys } = await makeTenant(server, { plan: 'pro' });
  const redirect_uri = 'https://app.example.com/callback';
  const integration = await api('POST', `/projects/${id}/integrations`, { key: keys.admin, body: { name: 'app' } });
  const fields = { name: 'app', redirect_uris: [redirect_uri], integration_id: expectResponse(integration, 201).id };
  const made = await api('POST', `/projects/${id}/oauth-clients`, { key: keys.admin, body: fields });
  const query = new URLSearchParams({
    client_id: expectResponse(made, 201).client_id,
    redirect_uri,
    response_type: 'token',
  });
  const response = await fetch(`${server.url}/api/v1/oauth/authorize?${query}`, { redirect: 'manual' });
  assert.equal(response.status, 303);
  const sent = new URL(response.headers.get('location') ?? '').searchParams;
  assert.equal(sent.get('error'), 'unsupported_response_type');
  assert.ok(followLink(sent.get('error_uri') ?? '').includes('OAUTH_UNSUPPORTED_RESPONSE_TYPE'));
});
