// The page of errors: every error that the service sends leads to an entry with its cause and what to do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { reasonRows } from '@toolgate/contract/errors.ts';
import { refusals } from '../../src/errors/errors.ts';
import type { Answer } from '../call-api.ts';
import { startCustomer } from '../fake-customer.ts';
import { expectAnswer, makeTenant } from '../make.ts';
import { execute, makeTool } from '../make-tools.ts';
import { ROOT_KEY, startServer } from '../start-server.ts';

const PUBLIC_URL = 'https://tools.example.com';
const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_PUBLIC_URL: PUBLIC_URL, TOOLGATE_EGRESS_ALLOW: customer.address });
const { api } = server;
const page = await api('GET', '/docs/errors');
const entries = new Map(
  [...page.text.matchAll(/<article id="([a-z0-9_]+)".*?<\/article>/gs)].map(([entry, anchor = '']) => [anchor, entry]),
);

const unescapeHtml = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('the page explains every code with status, message, cause and remedy, and every reason', () => {
  assert.equal(page.status, 200, page.text);
  assert.deepEqual([...entries.keys()].sort(), Object.keys(reasonRows).sort());
  for (const [reason, { cause, remedy }] of Object.entries(reasonRows)) {
    const entry = unescapeHtml(entries.get(reason) ?? '');
    assert.ok(entry.includes(remedy), `${reason}: no remedy`);
    assert.ok(entry.includes(cause), `${reason}: no cause`);
  }
  for (const { status, code, message, reason } of refusals) {
    const entry = unescapeHtml(entries.get(reason) ?? '');
    assert.ok(entry.includes(`>${code}<`) && entry.includes(`${status} · ${message}`), code);
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

test('the page has no script, loads nothing but fonts, cannot be framed, and has one language, title and heading', () => {
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; /);
  assert.match(policy, /frame-ancestors 'none'; base-uri 'none'/);
  assert.doesNotMatch(policy, /unsafe|script-src/);
  assert.doesNotMatch(page.text, /<script|<img|<link|\b(?:style|src)="|\bhref="(?!#|\/docs[/"])|url\((?!"\/fonts\/)/);
  assert.match(page.text, /<html lang="en">/);
  assert.match(page.text, /color-scheme: light dark/);
  assert.equal(page.text.match(/<h1/g)?.length, 1);
  const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length, 'an id is used twice');
});

test('the page is cached, and a browser that has it gets 304', async () => {
  assert.equal(page.headers.get('cache-control'), 'public, max-age=3600');
  const etag = page.headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await api('GET', '/docs/errors', { headers: { 'if-none-match': tag } });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
  }
  const changed = await api('GET', '/docs/errors', { headers: { 'if-none-match': '"other"' } });
  assert.equal(changed.status, 200);
  const refused = await api('GET', '/projects');
  assert.equal(refused.headers.get('cache-control'), 'no-store');
});

/** The entry that the link of an error leads to. */
function followLink(docs_url: string): string {
  const { origin, pathname, hash } = new URL(docs_url);
  assert.deepEqual([origin, pathname], [PUBLIC_URL, '/docs/errors']);
  const entry = entries.get(hash.slice(1));
  assert.ok(entry, `${docs_url} leads nowhere`);
  return unescapeHtml(entry);
}

test('docs_url of an error over REST leads to the entry of its reason', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  const requests: [Answer, reason: string][] = [
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
    assert.ok(followLink(body.error.docs_url).includes(reasonRows[reason as keyof typeof reasonRows].remedy));
  }
});

test('docs_url does not tell a reason that the response hides', async () => {
  const { id, keys } = await makeTenant(server, { environment: 'production' });
  const tool = await makeTool(server, keys.write, customer);
  await server.app.pool.query(`update custom_tools set base_url = 'https://10.0.0.1' where id = $1`, [tool.id]);
  server.app.cache.invalidate(id);
  const blocked = expectAnswer(await execute(server, keys.write, tool.id), 502).error;
  assert.equal(blocked.docs_url, `${PUBLIC_URL}/docs/errors#upstream_connection`);
  const other = await makeTenant(server);
  const foreign = await api('GET', `/projects/${other.id}`, { key: keys.admin });
  assert.equal(expectAnswer(foreign, 401).error.docs_url, `${PUBLIC_URL}/docs/errors#invalid_api_key`);
});

test('MCP: refusals, protocol errors and failed calls have docs_url where their data is', async () => {
  const { keys } = await makeTenant(server, { plan: 'pro' });
  const tool = await makeTool(server, keys.write, customer, {
    input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
  const rpc = (method: string, params: object, key?: string) =>
    api('POST', '/mcp', { key, body: { jsonrpc: '2.0', id: 1, method, params } });
  const refused = await rpc('tools/list', {});
  assert.equal(expectAnswer(refused, 401).error.data.docs_url, `${PUBLIC_URL}/docs/errors#invalid_api_key`);
  const unknown = await rpc('tools/call', { name: 'nothing', arguments: {} }, keys.read);
  assert.equal(expectAnswer(unknown, 200).error.data.docs_url, `${PUBLIC_URL}/docs/errors#unknown_tool`);
  const failed = await rpc('tools/call', { name: tool.name, arguments: {} }, keys.read);
  const { docs_url } = expectAnswer(failed, 200).result._meta['toolgate/error'];
  assert.equal(docs_url, `${PUBLIC_URL}/docs/errors#invalid_arguments`);
  followLink(docs_url);
});

test('OAuth: error_uri leads to the entry, in a body and in a redirect', async () => {
  const body = { grant_type: 'password' };
  const { error, error_uri } = expectAnswer(await api('POST', '/oauth/token', { body }), 400);
  assert.equal(error, 'unsupported_grant_type');
  assert.ok(followLink(error_uri).includes('OAUTH_UNSUPPORTED_GRANT_TYPE'));
  const { id, keys } = await makeTenant(server, { plan: 'pro' });
  const redirect_uri = 'https://app.example.com/callback';
  const integration = await api('POST', `/projects/${id}/integrations`, { key: keys.admin, body: { name: 'app' } });
  const fields = { name: 'app', redirect_uris: [redirect_uri], integration_id: expectAnswer(integration, 201).id };
  const made = await api('POST', `/projects/${id}/oauth-clients`, { key: keys.admin, body: fields });
  const query = new URLSearchParams({
    client_id: expectAnswer(made, 201).client_id,
    redirect_uri,
    response_type: 'token',
  });
  const answer = await fetch(`${server.url}/api/v1/oauth/authorize?${query}`, { redirect: 'manual' });
  assert.equal(answer.status, 303);
  const sent = new URL(answer.headers.get('location') ?? '').searchParams;
  assert.equal(sent.get('error'), 'unsupported_response_type');
  assert.ok(followLink(sent.get('error_uri') ?? '').includes('OAUTH_UNSUPPORTED_RESPONSE_TYPE'));
});
