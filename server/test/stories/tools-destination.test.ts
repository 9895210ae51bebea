// A tool's secret is sent only where it was given for, even after a change of the tool in the database.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute, type MadeTool, makeTool, received } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
const thief = await startCustomer();
after(() => Promise.all([customer.close(), thief.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${customer.address},${thief.address}` });
const { app } = server;
const tenant = await makeTenant(server);

const SECRET = 'user:password-of-the-customer';
const token_url = `${customer.url}/token`;
const make = (auth_strategy: string, fields: object = {}) =>
  makeTool(server, tenant.keys.write, customer, { auth_strategy, encrypted_auth_secret: SECRET, ...fields });
const oauth = { auth_config: { token_url, client_id: 'me' } };
customer.respond('/token', { body: { access_token: 'bought', expires_in: 3600 } });

async function change(tool: MadeTool, set: RawBuilder<unknown>): Promise<void> {
  await sql`update custom_tools set ${set} where id = ${tool.id}`.execute(app.database);
  app.cache.invalidate(tenant.id);
}

const moves: [what: string, set: RawBuilder<unknown>][] = [
  ['base_url', sql`base_url = ${thief.url}`],
  [
    'auth_strategy',
    sql`auth_strategy = case auth_strategy when 'bearer_token' then 'basic' else 'bearer_token' end, auth_config = '{}'`,
  ],
];

for (const strategy of ['bearer_token', 'basic', 'api_key_header', 'hmac_signature', 'oauth2_client_credentials']) {
  for (const [what, set] of moves) {
    test(`a ${strategy} secret cannot be read once ${what} was changed in the database`, async () => {
      const tool = await make(strategy, strategy === 'oauth2_client_credentials' ? oauth : {});
      // Once as it should be, so that everything that is kept in memory is there.
      expectResponse(await execute(server, tenant.keys.read, tool.id), 200);
      const before = customer.requests.length;
      await change(tool, set);
      expectResponse(await execute(server, tenant.keys.read, tool.id), 500, 'Failed to decrypt auth secret');
      assert.deepEqual([thief.requests.length, customer.requests.length], [0, before]);
    });
  }
}

test('a client secret cannot be read once token_url was changed in the database', async () => {
  const tool = await make('oauth2_client_credentials', oauth);
  await change(tool, sql`auth_config = jsonb_set(auth_config::jsonb, '{token_url}', to_jsonb(${thief.url}::text))`);
  expectResponse(await execute(server, tenant.keys.read, tool.id), 500, 'Failed to decrypt auth secret');
  assert.equal(thief.requests.length, 0);
});

test('a signing secret and the previous one stay valid when the API changes the origin of the tool', async () => {
  const tool = await make('hmac_signature');
  const path = `/custom-tools/${tool.id}`;
  const patch = async (body: object) =>
    expectResponse(await server.api('PATCH', path, { key: tenant.keys.write, body }), 200);
  await patch({ encrypted_auth_secret: 'its-successor' });
  const both = await received(server, customer, tenant.keys.read, tool);
  const names = Object.keys(both.headers).filter((name) => name.startsWith('x-toolgate-signature'));
  await patch({ base_url: thief.url });
  const moved = await received(server, thief, tenant.keys.read, tool);
  assert.deepEqual(
    Object.keys(moved.headers).filter((name) => name.startsWith('x-toolgate-signature')),
    names,
  );
  assert.match(String(both.headers['x-toolgate-signature']), /^v1=.*v1=/);
  assert.match(String(moved.headers['x-toolgate-signature']), /^v1=.*v1=/);
  // The very secret that is kept, given again at the same time: nothing changes but the address.
  await patch({ base_url: customer.url, encrypted_auth_secret: 'its-successor' });
  await received(server, customer, tenant.keys.read, tool);
});

test('a secret that was sealed without a destination cannot be read', async () => {
  const tool = await make('bearer_token');
  const place = { table: 'custom_tools', column: 'auth_secret', row_id: tool.id };
  const blob = await app.secrets.seal(app.database, tenant.id, place, SECRET);
  await change(tool, sql`auth_secret = ${blob}`);
  expectResponse(await execute(server, tenant.keys.read, tool.id), 500, 'Failed to decrypt auth secret');
});
