// The external id of a member is the customer's own name for a person, often an email address: for callers who may read members.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Permission } from '@toolgate/contract/permissions.ts';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeIntegration, makeIntegrationKey } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;

const NAME = 'ada.lovelace@example.com';

/** A member with a call in the log, a refused request, a webhook that an admin set up, and its delivery. */
async function makeShop() {
  const tenant = await makeTenant(server);
  const path = `/projects/${tenant.id}`;
  const hook = { url: `${customer.url}/hook`, events: ['*'] };
  const { id: webhook_id } = expectResponse(
    await api('POST', `${path}/webhooks`, { key: tenant.keys.admin, body: hook }),
    201,
  );
  const integration = await makeIntegration(server, tenant.id);
  const { key } = await makeIntegrationKey(server, tenant.id, integration.id);
  const body = { member_external_id: NAME };
  const { session_token, member } = expectResponse(await api('POST', '/api/v1/mcp/session-token', { key, body }), 200);
  const tool = await makeTool(server, tenant.keys.write, customer, { require_member: true });
  const call = await execute(server, session_token, tool.id);
  const { call_id } = expectResponse(call, 200);
  const refused = await execute(server, session_token, tool.id, { member_id: 'other' });
  await app.batch_writer.flush();
  const requests = [call, refused].map(({ headers }) => headers.get('x-request-id') as string);
  return { tenant, path, webhook_id, member, call_id, requests };
}

test('a caller without admin finds the external id of a member nowhere', async () => {
  const { tenant, path, webhook_id, member, call_id, requests } = await makeShop();
  const others: Permission[] = ['read', 'write', 'webhook'];
  const { key } = await makeKey(server, tenant.id, others);
  const deliveries = `${path}/webhooks/${webhook_id}/deliveries`;
  const { data } = expectResponse(await api('GET', deliveries, { key: ROOT_KEY }), 200);
  assert.ok(data.length > 0);
  const reads = [
    ...['minute', 'hour', 'day'].map((interval) => `${path}/analytics?group_by=member&interval=${interval}`),
    `${path}/tool-calls`,
    `${path}/tool-calls/${call_id}`,
    ...requests.map((id) => `${path}/requests/${id}`),
    `${path}/events`,
    deliveries,
    ...data.map(({ id }: { id: string }) => `${deliveries}/${id}`),
  ];
  for (const each of reads) {
    const { status, text } = await api('GET', each, { key, project: tenant.id });
    assert.equal(status, 200, each);
    assert.ok(!text.includes(NAME), `${each}: ${text}`);
  }
  for (const each of ['/members', `/members/${member.id}`, `${path}/audit-log`])
    assert.equal((await api('GET', each, { key, project: tenant.id })).status, 403);
});

test('analytics by member has the external id for admins, and the id of the member for others', async () => {
  const { tenant, path, member } = await makeShop();
  const names = async (key: string) => {
    const { data } = expectResponse(await api('GET', `${path}/analytics?group_by=member`, { key }), 200);
    return data.map(({ group, group_name }: { group: string; group_name: string }) => [group, group_name]);
  };
  assert.deepEqual(await names(tenant.keys.admin), [[member.id, NAME]]);
  assert.deepEqual(await names(ROOT_KEY), [[member.id, NAME]]);
  assert.deepEqual(await names(tenant.keys.read), [[member.id, member.id]]);
});
