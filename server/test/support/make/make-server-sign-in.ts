// An MCP server with `member_oauth` whose tool `echo` is approved, and members who connect accounts at its authorization server.

import assert from 'node:assert/strict';
import { openBrowser } from '../browser.ts';
import { type McpAuthorizationServer, protect } from '../peers/mcp-authorization-server.ts';
import { echoTool, type McpUpstream } from '../peers/mcp-upstream.ts';
import type { TestServer } from '../servers/start-server.ts';
import { expectResponse } from './make.ts';
import { mcpServersOf } from './make-mcp-server.ts';
import { makeMemberTenant, makeSession } from './make-members.ts';
import { execute } from './make-tools.ts';

export async function makeServerSignIn(
  server: TestServer,
  upstream: McpUpstream,
  authorization: McpAuthorizationServer,
  fields: object = {},
) {
  const { api } = server;
  upstream.set([echoTool('echo')]);
  protect(upstream, authorization);
  const tenant = await makeMemberTenant(server);
  const servers = mcpServersOf(server, { ...tenant, keys: { ...tenant.keys, write: tenant.keys.admin } });
  const made = await servers.ready(upstream, { slug: 'own', auth_strategy: 'member_oauth', ...fields });
  const provider_id = made.id.replace('mcs_', 'oap_');
  /** To the authorization server, with what the browser is sent there with. */
  async function begin(member_id: string) {
    const path = `/projects/${tenant.id}/oauth-connections/authorize`;
    const body = { member_id, provider_id };
    const { url } = expectResponse(await api('POST', path, { key: tenant.integrationKey.key, body }), 201);
    const browser = openBrowser(server);
    return { browser, sent: await browser.submit(await browser.visit(url), {}) };
  }
  return {
    tenant,
    servers,
    made,
    provider_id,
    session: () => makeSession(server, tenant),
    call: (token: string) => execute(server, token, 'own_echo', { text: 'hi' }),
    begin,
    async connect(member_id: string, user = 'alice', at = authorization) {
      at.state.user = user;
      const { browser, sent } = await begin(member_id);
      assert.ok(sent.location, sent.text);
      return browser.visit(await at.visit(sent.location));
    },
    read: () => servers.read(made.id),
    change: (body: object, key: string = tenant.keys.admin) =>
      api('PATCH', `${servers.path}/${made.id}`, { key, body }),
    approveIssuer: (body: object, key: string = tenant.keys.admin) =>
      api('POST', `${servers.path}/${made.id}/approve-issuer`, { key, body }),
    async connections(member_id: string) {
      const path = `/projects/${tenant.id}/members/${member_id}/connections`;
      return expectResponse(await api('GET', path, { key: tenant.keys.admin }), 200).data;
    },
  };
}

/** As it is pinned, found and approved. */
export const issuerOf = ({ issuer, authorization_endpoint, token_endpoint }: McpAuthorizationServer) => ({
  issuer,
  authorization_endpoint,
  token_endpoint,
});
