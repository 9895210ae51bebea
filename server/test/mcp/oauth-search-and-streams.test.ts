// People who signed in by OAuth: they search what they can be granted, and their streams end with the grant.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { changeToolset, grantsOf, makeOAuthShop, tokensOf } from '../support/make/make-oauth-toolsets.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startOpenIdProvider } from '../support/peers/openid-provider.ts';
import { callTool, messages, modern } from './rpc.ts';

const peer = await startOpenIdProvider();
const customer = await startCustomer();
after(() => Promise.all([peer.close(), customer.close()]));
const server = await startOAuthServer([peer, customer]);
const shop = await makeOAuthShop(server, peer, customer);
await changeToolset(server, shop, shop.toolsets.refunds.id, { exposure: 'search' });
const { access_token } = await tokensOf(server, peer, shop, 'mcp');

test('a tool that was not granted is found by a search, and call_tool asks for its scope', async () => {
  const { tools } = expectResponse(await modern(server, access_token, 'tools/list'), 200).result;
  const names = tools.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ['search_tools', 'call_tool', 'notes', 'orders']);
  const found = expectResponse(await callTool(modern, server, access_token, 'search_tools', { query: 'refund' }), 200);
  assert.equal(found.result.structuredContent.tools[0].name, 'refund');
  const refused = await callTool(modern, server, access_token, 'call_tool', { name: 'refund' });
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="[^"]*tools:refunds/);
});

test('a stream ends with its grant, and says so with the answer to its request', async () => {
  const params = { notifications: { toolsListChanged: true } };
  const { headers, body } = messages['2026-07-28']('sub-1', 'subscriptions/listen', params);
  const response = await fetch(`${server.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  const [grant] = await grantsOf(server, shop, shop.id);
  const path = `/projects/${shop.id}/members/${grant.member_id}/grants/${grant.id}`;
  expectResponse(await server.api('DELETE', path, { key: shop.keys.admin }), 204);
  const last = (await response.text()).trimEnd().split('\n').at(-1) ?? '';
  assert.equal(JSON.parse(last.replace('data: ', '')).result.resultType, 'complete');
});
