// Importing from an address: the document is fetched through the address guard, and nothing else is.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { type CustomerResponse, startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const untrusted = await startCustomer({ trusted: false });
after(() => untrusted.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${untrusted.address}` });

const shop = {
  openapi: '3.1.0',
  servers: [{ url: 'https://shop.example.com' }],
  paths: { '/orders': { get: { operationId: 'listOrders' } } },
};
const yaml = `openapi: 3.1.0
servers: [{url: https://shop.example.com}]
x-list: &list {tags: [orders]}
paths:
  /orders: {get: {operationId: listOrders, <<: *list}}
`;

const importFrom = (key: string, document_url: unknown, options: object = {}, headers = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document_url, ...options }, headers });

/** Serves this at an address of its own. */
function served(response: CustomerResponse): string {
  const path = `/${unique('openapi')}`;
  customer.respond(path, response);
  return customer.url + path;
}

test('a document is fetched as JSON or YAML, also compressed, and imported with the options', async () => {
  for (const response of [
    { body: shop },
    { body: yaml, headers: { 'content-type': 'text/plain' } },
    { body: gzipSync(JSON.stringify(shop)), headers: { 'content-encoding': 'gzip' } },
  ]) {
    const { keys } = await makeTenant(server);
    const { created } = expectResponse(await importFrom(keys.write, served(response), { is_enabled: true }), 201);
    assert.deepEqual(
      created.map(({ name, is_enabled }: any) => [name, is_enabled]),
      [['listOrders', true]],
    );
  }
});

test('a rule of include finds what a merge key of YAML added', async () => {
  const { keys } = await makeTenant(server);
  const options = { include: [{ tag: 'orders' }], dry_run: true };
  const { created } = expectResponse(await importFrom(keys.write, served({ body: yaml }), options), 200);
  assert.equal(created.length, 1);
});

test('the address may be a field of a form', async () => {
  const { keys } = await makeTenant(server);
  const body = new FormData();
  body.append('document_url', served({ body: shop }));
  const headers = { authorization: `Bearer ${keys.write}` };
  const response = await fetch(`${server.url}/api/v1/custom-tools/import`, { method: 'POST', headers, body });
  assert.equal(response.status, 201);
});

test('no credential of the caller is sent to the address', async () => {
  const { keys } = await makeTenant(server);
  const url = served({ body: shop });
  expectResponse(await importFrom(keys.write, url, {}, { cookie: 'a=b', 'x-a': 'b' }), 201);
  const request = customer.requests.find(({ path }) => url.endsWith(path));
  assert.deepEqual(Object.keys(request?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ]);
});

const wrongResponses: [what: string, CustomerResponse, message: RegExp][] = [
  ['a redirect', { status: 302, headers: { location: 'https://shop.example.com/' } }, /redirects \(status 302\)/],
  ['a missing page', { status: 404, body: 'no' }, /status 404/],
  ['an empty answer', { status: 204 }, /status 204/],
  ['larger than 20 MiB', { repeat: { part: Buffer.alloc(2 ** 20, ' '), times: 21 } }, /larger than 20 MiB/],
  ['a broken connection', { reset: true }, /cannot be reached/],
  ['bytes that are no text', { body: Buffer.from([0x7b, 0xff, 0x7d]) }, /not valid UTF-8/],
];
for (const [what, given, message] of wrongResponses)
  test(`${what} is 422 with the field named, and makes nothing`, async () => {
    const { keys } = await makeTenant(server);
    const { error } = expectResponse(await importFrom(keys.write, served(given)), 422);
    assert.equal(error.details.field, 'document_url');
    assert.match(error.details.problems[0].message, message);
    assert.deepEqual(expectResponse(await server.api('GET', '/custom-tools', { key: keys.read }), 200).data, []);
  });

test('what is fetched and is no document is refused as one that was sent', async () => {
  const { keys } = await makeTenant(server);
  for (const body of ['<html></html>', '{', 'a: 1\na: 2', '[]'])
    assert.match(expectResponse(await importFrom(keys.write, served({ body })), 422).error.details.field, /^document/);
});

const wrongUrls = [
  ...['', 'openapi.json', 'ftp://a.example.com/x', 'http://shop.example.com/openapi.json', 'file:///etc/passwd'],
  ...['https://user:pw@shop.example.com/', 'https://shop.example.com/#a', 'https://169.254.169.254/latest/meta-data'],
  ...['https://localhost/x', 'https://[::1]/x', 'https://10.0.0.1/x', 'https://2130706433/x', 'https://a.internal/x'],
  ...['https://shop.example.com:22/x', `https://shop.example.com/${'x'.repeat(3_000)}`],
];
test('an address that is not HTTPS on the public internet is refused before anything is sent', async () => {
  const { keys } = await makeTenant(server);
  for (const url of wrongUrls)
    assert.equal(expectResponse(await importFrom(keys.write, url), 422).error.details.field, 'document_url', url);
  const certificate = expectResponse(await importFrom(keys.write, `${untrusted.url}/x`), 422).error.details;
  assert.match(certificate.problems[0].message, /cannot be reached/);
  assert.equal(untrusted.requests.length, 0);
});

test('a document and its address together, or neither, are refused', async () => {
  const { keys } = await makeTenant(server);
  for (const body of [{ document: shop, document_url: `${customer.url}/x` }, {}]) {
    const response = await server.api('POST', '/custom-tools/import', { key: keys.write, body });
    assert.equal(expectResponse(response, 422).error.details.field, 'document');
  }
  expectResponse(await importFrom(keys.read, served({ body: shop })), 403);
});

test('a retry with the same Idempotency-Key gets the first answer, also if the document has changed', async () => {
  const { keys } = await makeTenant(server);
  const headers = { 'idempotency-key': unique('import') };
  const path = `/${unique('openapi')}`;
  customer.respond(path, { body: shop });
  const first = expectResponse(await importFrom(keys.write, customer.url + path, {}, headers), 201);
  customer.respond(path, { body: { ...shop, paths: {} } });
  assert.deepEqual(expectResponse(await importFrom(keys.write, customer.url + path, {}, headers), 201), first);
});

test('one document of a quota group is fetched at a time, and a slow one holds up no small import', async () => {
  const { keys } = await makeTenant(server);
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const path = `/${unique('openapi')}`;
  customer.respond(path, () => {
    asked.resolve();
    return { hold, body: shop };
  });
  const slow = importFrom(keys.write, customer.url + path);
  await asked.promise;
  const second = await importFrom(keys.write, served({ body: shop }));
  assert.equal(second.headers.get('retry-after'), '5');
  expectResponse(second, 503);
  const document = { ...shop, paths: { '/x': { get: { operationId: 'other' } } } };
  expectResponse(await server.api('POST', '/custom-tools/import', { key: keys.write, body: { document } }), 201);
  release();
  expectResponse(await slow, 201);
});
