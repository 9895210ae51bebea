// Who builds a tool is told why its API could not be reached; everybody else gets one answer, whatever happened (rules 4.9).

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse } from '../support/make/make.ts';
import { makeMemberTenant, makeSession } from '../support/make/make-members.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';

const untrusted = await startCustomer({ trusted: false });
const misbehaving = await startCustomer();
after(() => Promise.all([untrusted.close(), misbehaving.close()]));
misbehaving.respond('*', { raw: 'this is not HTTP\r\n\r\n' });
const dead = await freePort();
const closed = await freePort();
const other = await freePort();
const server = await startServer({
  // No address in a response is the server's own.
  TOOLGATE_PUBLIC_URL: 'https://tools.example.com',
  TOOLGATE_EGRESS_ALLOW: [untrusted.address, misbehaving.address, `127.0.0.1:${dead}`, `127.0.0.1:${closed}`].join(','),
});
const development = await makeMemberTenant(server, { environment: 'development', plan: 'pro' });
const production = await makeMemberTenant(server, { environment: 'production', plan: 'pro' });
const CONNECTION = 'Upstream tool call failed - connection error';

const failures: [reason: string, url: string][] = [
  ['certificate_not_accepted', untrusted.url],
  ['connection_refused', `https://127.0.0.1:${dead}`],
  ['malformed_response', misbehaving.url],
  ['host_not_resolved', 'https://no-such-host.invalid'],
];

async function detailsOf(key: string, id: string) {
  const response = await execute(server, key, id);
  const { error } = expectResponse(response, 502, CONNECTION);
  assert.ok(!/127\.0\.0\.1|ECONN|ENOTFOUND|_CERT(?!S)|UNABLE_TO|query|SSL/.test(response.text), response.text);
  return error.details;
}

for (const [reason, url] of failures) {
  test(`${reason}: told to a write and an admin key of a development project, and to nobody else`, async () => {
    const tool = await makeTool(server, development.keys.write, { url }, { timeout_ms: 5000 });
    for (const key of [development.keys.write, development.keys.admin]) {
      const details = await detailsOf(key, tool.id);
      assert.equal(details.reason, reason);
      assert.match(details.remedy, /^[A-Z].*\.$/);
    }
    const session = await makeSession(server, development);
    for (const key of [development.keys.read, development.integrationKey.key, session.session_token])
      assert.equal((await detailsOf(key, tool.id)).reason, 'upstream_connection');
    const there = await makeTool(server, production.keys.write, { url }, { timeout_ms: 5000 });
    for (const key of Object.values(production.keys))
      assert.equal((await detailsOf(key, there.id)).reason, 'upstream_connection');
  });
}

test('circuit_open after several failures; in production the answer stays the same', async () => {
  const url = `https://127.0.0.1:${closed}`;
  for (const [{ keys }, last] of [
    [development, 'circuit_open'],
    [production, 'upstream_connection'],
  ] as const) {
    const tool = await makeTool(server, keys.write, { url }, { timeout_ms: 5000 });
    for (const _ of Array(5)) await detailsOf(keys.write, tool.id);
    assert.equal((await detailsOf(keys.write, tool.id)).reason, last);
  }
});

test('a name of a private address cannot be told from one that does not resolve, not even by its circuit', async () => {
  // The port is on the allow list with another address, so the name may be saved; localhost resolves to an address that is not.
  const blocking = await startServer({ TOOLGATE_EGRESS_ALLOW: `10.0.0.1:${other}` });
  const tenant = await makeMemberTenant(blocking, { environment: 'development', plan: 'pro' });
  const seen: string[][] = [];
  for (const name of ['internal.localhost', 'no-such-name.invalid']) {
    const tool = await makeTool(blocking, tenant.keys.write, { url: `https://${name}:${other}` }, { timeout_ms: 5000 });
    const reasons: string[] = [];
    for (const _ of Array(6)) {
      const { error } = expectResponse(await execute(blocking, tenant.keys.write, tool.id), 502, CONNECTION);
      if (error.details.reason === 'host_not_resolved') assert.match(error.details.remedy, /TOOLGATE_EGRESS_ALLOW/);
      reasons.push(error.details.reason);
    }
    seen.push(reasons);
  }
  assert.deepEqual(seen[0], seen[1]);
  assert.deepEqual(new Set(seen[0]), new Set(['host_not_resolved']));
});
