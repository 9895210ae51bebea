// A route that is marked as deprecated says so in every response and in the API document. No route is marked today.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { responses } from '../../src/api/responses.ts';
import { sendJson } from '../../src/api/send-json.ts';
import { describeRoutes, openapiRoutes } from '../../src/http/openapi.ts';
import { createServer } from '../../src/http/server.ts';
import { makeTenant } from '../make.ts';
import { call, startServer } from '../start-server.ts';

const tools = await startServer();
const { keys } = await makeTenant(tools);
const deprecated = {
  since: '2026-01-01T00:00:00Z',
  sunset: '2027-01-01T00:00:00Z',
  link: 'https://example.com/upgrade#old',
};
const announcement = {
  deprecation: '@1767225600',
  sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  link: '<https://example.com/upgrade#old>; rel="deprecation"',
};

const server = createServer(tools.app);
await describeRoutes(server, '1.0.0');
openapiRoutes(server);
const route = (operationId: string) => ({
  operationId,
  summary: operationId,
  description: 'What it does.',
  tags: ['Projects'],
  response: responses({ 200: { description: 'Done' } }),
});
server.get('/api/v1/old', { config: { access: 'read', deprecated }, schema: route('getOld') }, async () => ({}));
server.get('/api/v1/old-fast', { config: { access: 'read', deprecated }, schema: route('getOldFast') }, (_, reply) =>
  sendJson(reply, '{}'),
);
server.get('/api/v1/new', { config: { access: 'read' }, schema: route('getNew') }, async () => ({}));
await server.listen({ host: '127.0.0.1', port: 0 });
after(() => server.close());
const url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`;

const headersOf = async (path: string, key?: string) => {
  const { headers } = await call(url, 'GET', path, { key });
  return Object.fromEntries(
    Object.keys(announcement).flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])),
  );
};

test('a deprecated route has Deprecation (RFC 9745), Sunset (RFC 8594) and a link, also in a refusal', async () => {
  assert.deepEqual(await headersOf('/old', keys.read), announcement);
  assert.deepEqual(await headersOf('/old-fast', keys.read), announcement);
  assert.deepEqual(await headersOf('/old'), announcement);
});

test('other routes have none of them', async () => {
  assert.deepEqual(await headersOf('/new', keys.read), {});
  assert.deepEqual(await headersOf('/nothing', keys.read), {});
});

test('the API document marks the operation, and says since when, until when and what to use instead', async () => {
  const { body } = await call(url, 'GET', '/openapi.json');
  const { get: old } = body.paths['/api/v1/old'];
  assert.equal(old.deprecated, true);
  assert.match(old.description, /^\*\*Deprecated\*\* since 2026-01-01, removed after 2027-01-01: .*upgrade#old/);
  assert.match(old.description, /What it does\./);
  assert.equal('deprecated' in body.paths['/api/v1/new'].get, false);
});

test('a mark that is not a time stops the start', () => {
  const wrong = createServer(tools.app);
  const config = { access: 'read', deprecated: { ...deprecated, sunset: 'soon' } } as const;
  assert.throws(
    () => wrong.get('/x', { config, schema: { hide: true } }, async () => ({})),
    /soon is not an RFC 3339 time/,
  );
});

test('no operation of this version is deprecated', async () => {
  const { body } = await tools.api('GET', '/openapi.json');
  const operations = Object.values<Record<string, { deprecated?: boolean }>>(body.paths).flatMap((path) =>
    Object.values(path),
  );
  assert.equal(operations.filter((operation) => operation.deprecated).length, 0);
});
