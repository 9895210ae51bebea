// TOOLGATE_EGRESS_ALLOW: internal APIs by name, by range and over plain HTTP, for tools, webhooks, token endpoints and imports.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { verifyToolRequest } from '../../../sdk/src/index.ts';
import { parseAllowList } from '../../src/outbound/allow-list.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, makeTool, received, toolFields } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const secure = await startCustomer({ names: ['shop.localhost', 'localhost'] });
const plain = await startCustomer({ is_plain: true });
after(() => Promise.all([secure.close(), plain.close()]));
const LIST = `*.localhost:${secure.port},${plain.url},http://internal.localhost:${plain.port}`;
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: LIST });
const tenant = await makeTenant(server);
const { read, write } = tenant.keys;

test('a tool reaches a host that the list has by name, and TLS still checks the name', async () => {
  const tool = await makeTool(server, write, { url: `https://shop.localhost:${secure.port}` });
  assert.equal((await received(server, secure, read, tool)).server_name, 'shop.localhost');
  // The certificate has no such name.
  const other = await makeTool(server, write, { url: `https://other.localhost:${secure.port}` });
  expectResponse(await execute(server, read, other.id), 502, 'Upstream tool call failed - connection error');
});

test('the bare suffix, the address behind the name and other ports stay refused', async () => {
  for (const base_url of [
    `https://localhost:${secure.port}`,
    secure.url,
    `https://shop.localhost:${secure.port - 1}`,
    'https://shop.localhost',
  ]) {
    const refused = await server.api('POST', '/custom-tools', { key: write, body: toolFields(base_url) });
    assert.deepEqual([refused.status, refused.body.error.details.field], [422, 'base_url'], base_url);
  }
});

test('a signed tool call goes over plain HTTP to an allowed host and port, and its signature is valid', async () => {
  const secret = 'a signing secret of the customer';
  for (const url of [plain.url, `http://internal.localhost:${plain.port}`]) {
    const tool = await makeTool(
      server,
      write,
      { url },
      { auth_strategy: 'hmac_signature', encrypted_auth_secret: secret },
    );
    assert.equal(tool.base_url, url);
    const { method, path, query, headers, body } = await received(server, plain, read, tool, { a: 1 });
    assert.equal(headers.host, new URL(url).host);
    const request = { method, url: `${url}${path}${query ? `?${query}` : ''}`, headers, body };
    assert.equal((await verifyToolRequest({ secret, ...request })).projectId, tenant.id);
  }
});

test('plain HTTP to anything else is refused as the specification says', async () => {
  for (const base_url of [
    'http://api.example.com',
    `http://localhost:${plain.port}`,
    `http://127.0.0.1:${plain.port - 1}`,
    `http://shop.localhost:${secure.port}`,
    'http://10.0.0.5',
  ]) {
    const response = await server.api('POST', '/custom-tools', { key: write, body: toolFields(base_url) });
    expectResponse(response, 400, 'base_url must use HTTPS');
  }
  const path = await server.api('POST', '/custom-tools', { key: write, body: toolFields(`${plain.url}/v1`) });
  expectResponse(path, 400, 'base_url must be origin-only (no paths)');
});

test('a webhook is delivered over plain HTTP to an allowed host and port, signed like any other', async () => {
  const webhook = await makeWebhook(server, plain, tenant.id, { events: ['project.*'] });
  expectResponse(await server.api('PATCH', `/projects/${tenant.id}`, { key: write, body: { name: 'Renamed' } }), 200);
  await server.runJobs();
  const [delivery, ...more] = plain.at(webhook.path);
  assert.ok(delivery && more.length === 0);
  const signature = createHmac('sha256', webhook.secret).update(delivery.body).digest('hex');
  assert.equal(delivery.headers['x-webhook-signature'], signature);
  for (const url of [`http://localhost:${plain.port}/hook`, 'http://example.com/hook']) {
    const body = { url, events: ['*'] };
    const refused = await server.api('POST', `/projects/${tenant.id}/webhooks`, { key: ROOT_KEY, body });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /must use HTTPS/);
  }
});

test('a document and a token endpoint may be at an allowed host and port over plain HTTP', async () => {
  const paths = { '/orders': { get: { operationId: 'listOrders', responses: {} } } };
  plain.respond('/openapi.json', { body: { openapi: '3.1.0', info: {}, servers: [{ url: plain.url }], paths } });
  const body = { document_url: `${plain.url}/openapi.json` };
  const { created } = expectResponse(await server.api('POST', '/custom-tools/import', { key: write, body }), 201);
  assert.deepEqual([created[0].name, created[0].base_url], ['listOrders', plain.url]);

  plain.respond('/token', { body: { access_token: 'bought', expires_in: 3600 } });
  const tool = await makeTool(server, write, plain, {
    auth_strategy: 'oauth2_client_credentials',
    encrypted_auth_secret: 'secret',
    auth_config: { token_url: `${plain.url}/token`, client_id: 'me' },
  });
  assert.equal((await received(server, plain, read, tool)).headers.authorization, 'Bearer bought');
  for (const token_url of ['http://auth.example.com/token', `http://localhost:${plain.port}/token`]) {
    const config = {
      auth_strategy: 'oauth2_client_credentials',
      encrypted_auth_secret: 's',
      auth_config: { token_url, client_id: 'me' },
    };
    const refused = await server.api('POST', '/custom-tools', { key: write, body: toolFields(plain.url, config) });
    assert.deepEqual([refused.status, refused.body.error.details.field], [422, 'auth_config.token_url']);
  }
});

test('an issuer of people stays HTTPS, whatever is allowed', async () => {
  const body = { provider: 'oidc', issuer: plain.url, client_id: 'c', client_secret: 's' };
  const refused = await server.api('POST', `/projects/${tenant.id}/oauth-providers`, { key: ROOT_KEY, body });
  assert.deepEqual([refused.status, refused.body.error.details.field], [422, 'issuer']);
});

test('a shorter list holds for the next call, although its connection is still open', async () => {
  const own = await startServer({ TOOLGATE_EGRESS_ALLOW: `${LIST},${secure.address}` });
  const { keys } = await makeTenant(own);
  const by_name = await makeTool(own, keys.write, { url: `https://shop.localhost:${secure.port}` });
  const by_address = await makeTool(own, keys.write, secure);
  for (const tool of [by_name, by_address]) expectResponse(await execute(own, keys.read, tool.id), 200);
  const before = secure.counts.connections;
  own.app.egress.replace(parseAllowList(secure.address).allowed);
  expectResponse(await execute(own, keys.read, by_address.id), 200);
  assert.equal(secure.counts.connections, before + 1, 'a connection of before is not used again');
  // Its name is no longer on the list, but its address is.
  expectResponse(await execute(own, keys.read, by_name.id), 200);
  own.app.egress.replace([]);
  for (const tool of [by_name, by_address])
    expectResponse(await execute(own, keys.read, tool.id), 502, 'Upstream tool call failed - connection error');
  const refused = await own.api('POST', '/custom-tools', { key: keys.write, body: toolFields(secure.url) });
  assert.equal(refused.status, 422);
});

test('only the root key reads the list that is in effect', async () => {
  const response = await server.api('GET', '/readyz', { key: ROOT_KEY });
  assert.deepEqual(expectResponse(response, 200).egress_allow, LIST.split(','));
  for (const key of [undefined, write])
    assert.equal('egress_allow' in (await server.api('GET', '/readyz', { key })).body, false);
});
