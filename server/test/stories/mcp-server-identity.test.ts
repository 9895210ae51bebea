// MCP servers that are told for whom they are called: a JWT about the member, or a token that it is exchanged for. And the preview of such a call.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { verifyMemberJwt } from '../../../sdk/src/verify-member-jwt.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { mcpServersOf } from '../support/make/make-mcp-server.ts';
import { makeMemberSessions } from '../support/make/make-members.ts';
import { startOAuthServer } from '../support/make/make-oauth.ts';
import { execute } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { echoTool, startMcpUpstream } from '../support/peers/mcp-upstream.ts';
import { expectRefusal } from '../support/requests/expect-refusal.ts';

const customer = await startCustomer();
const upstreams = {
  modern: await startMcpUpstream('modern', [echoTool('echo')]),
  legacy: await startMcpUpstream('legacy', [echoTool('echo')]),
};
const all = Object.values(upstreams);
const server = await startOAuthServer([customer, ...all]);
after(() => Promise.all([customer, ...all].map((each) => each.close())));
const { api, app } = server;
const tenant = await makeTenant(server);
const servers = mcpServersOf(server, tenant);
const issuer = `${app.config.public_url}/api/v1/projects/${tenant.id}`;
const audience = 'https://mcp.example.com';
const { session } = await makeMemberSessions(server, tenant.id);

for (const [era, upstream] of Object.entries(upstreams)) {
  test(`a ${era} server with member_jwt gets a JWT about the member with each request, and one about itself when it is synced`, async () => {
    const fields = { slug: `jwt-${era}`, auth_strategy: 'member_jwt', auth_config: { audience } };
    const made = await servers.ready(upstream, fields);
    const listing = upstream.requests.find(({ message }) => message?.method === 'tools/list');
    const listed = await verifyMemberJwt({ token: listing?.headers.authorization ?? '', issuer, audience });
    assert.deepEqual([listed.memberId, listed.caller], [null, { type: 'mcp_server', id: made.id }]);
    for (const member of ['alice', 'bob']) {
      upstream.requests.length = 0;
      expectResponse(await execute(server, await session(member), `jwt-${era}_echo`, { text: 'x' }), 200);
      assert.ok(upstream.calls().length === 1);
      for (const { headers } of upstream.requests) {
        const { memberId } = await verifyMemberJwt({ token: headers.authorization ?? '', issuer, audience });
        assert.equal(memberId, member);
      }
    }
  });

  test(`a ${era} server with token_exchange gets the token of each member`, async () => {
    const subjects: string[] = [];
    customer.respond('/exchange', ({ body }) => {
      const token = new URLSearchParams(body.toString()).get('subject_token') ?? '';
      const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      subjects.push(sub);
      return { body: { access_token: `token-of-${sub}`, expires_in: 600, token_type: 'Bearer' } };
    });
    const made = await servers.ready(upstream, {
      slug: `exchange-${era}`,
      auth_strategy: 'token_exchange',
      auth_config: { token_url: `${customer.url}/exchange`, client_id: 'toolgate' },
      encrypted_auth_secret: 'exchange-secret',
    });
    assert.deepEqual(subjects, [made.id]);
    for (const member of ['alice', 'bob', 'alice']) {
      upstream.requests.length = 0;
      expectResponse(await execute(server, await session(member), `exchange-${era}_echo`, { text: 'x' }), 200);
      for (const { headers } of upstream.requests) assert.equal(headers.authorization, `Bearer token-of-${member}`);
    }
    assert.deepEqual(subjects, [made.id, 'alice', 'bob']);
  });

  test(`the preview of a call shows the message to a ${era} server, without its credential`, async () => {
    const response = await api('POST', `/custom-tools/jwt-${era}_echo/preview`, {
      key: tenant.keys.write,
      body: { arguments: { text: 'x' } },
    });
    const preview = expectResponse(response, 200);
    assert.deepEqual([preview.method, preview.url, preview.problems], ['POST', upstream.url, []]);
    const { method, params } = JSON.parse(preview.body);
    assert.equal(method, 'tools/call');
    assert.deepEqual([params.name, params.arguments], ['echo', { text: 'x' }]);
    assert.equal(preview.headers.authorization, 'Bearer [redacted]');
    assert.equal(preview.headers['mcp-name'], era === 'modern' ? 'echo' : undefined);
  });
}

test('the preview says why a call would be refused', async () => {
  upstreams.modern.set([echoTool('echo', { inputSchema: { type: 'object', required: ['other'] } })]);
  const made = (await api('GET', servers.path, { key: tenant.keys.read })).body.data.find(
    ({ slug }: { slug: string }) => slug === 'jwt-modern',
  );
  await servers.sync(made.id);
  const body = { arguments: { text: 'x' } };
  const response = await api('POST', '/custom-tools/jwt-modern_echo/preview', { key: tenant.keys.write, body });
  const [problem] = expectResponse(response, 200).problems;
  assert.equal(problem.code, 'TOOL_CHANGED_UPSTREAM');
});

test('in production only an admin lets a server get JWTs about members, or changes where they go', async () => {
  const live = await makeTenant(server, { environment: 'production' });
  const path = `/projects/${live.id}/mcp-servers`;
  const fields = { slug: 'a', name: 'A', url: upstreams.modern.url };
  const about = { auth_strategy: 'member_jwt', auth_config: { audience } };
  const { write, admin } = live.keys;
  expectRefusal(await api('POST', path, { key: write, body: { ...fields, ...about } }), 403);
  const plain = expectResponse(await api('POST', path, { key: write, body: { ...fields, slug: 'b' } }), 201);
  expectRefusal(await api('PATCH', `${path}/${plain.id}`, { key: write, body: about }), 403);
  const made = expectResponse(await api('POST', path, { key: admin, body: { ...fields, ...about } }), 201);
  const other = { auth_config: { audience: 'https://else.example.com' } };
  expectRefusal(await api('PATCH', `${path}/${made.id}`, { key: write, body: other }), 403);
  expectResponse(await api('PATCH', `${path}/${made.id}`, { key: write, body: { name: 'B' } }), 200);
  expectRefusal(
    await api('POST', path, { key: admin, body: { ...fields, slug: 'c', auth_strategy: 'member_jwt' } }),
    422,
  );
});
