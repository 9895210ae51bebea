// OAuth providers and clients, and the connections of members.

import assert from 'node:assert/strict';
import { makeKey, makeProject } from '../../support/make/make.ts';
import { makeIntegration, makeMemberTenant, makeSession } from '../../support/make/make-members.ts';
import { connect, makeProvider, providerFields } from '../../support/make/make-oauth.ts';
import { makeTool } from '../../support/make/make-tools.ts';
import type { OpenIdProvider } from '../../support/peers/openid-provider.ts';
import type { TestServer } from '../../support/servers/start-server.ts';
import type { Recorder } from '../recorder.ts';

export async function recordOAuth({ server, openid, record }: Recorder): Promise<void> {
  const { id: project_id } = await makeProject(server);
  const { key } = await makeKey(server, project_id);
  const options = { key, params: { project_id } };
  const { issuer, ...credentials } = providerFields(openid);
  const limits = { permissions: ['read'], allowed_origins: ['https://api.example.com'] };
  const body = { ...credentials, issuer, scopes: ['openid', 'email', 'offline_access'], ...limits };
  const { id: oauth_provider_id } = await record('createOAuthProvider', { ...options, body });
  const provider = { key, params: { project_id, oauth_provider_id } };
  await record('listOAuthProviders', options);
  await failSignIn(server, openid, { project_id, id: oauth_provider_id });
  await record('getOAuthProvider', provider);
  await record('updateOAuthProvider', { ...provider, body: { name: 'Staff login', permissions: [] } });
  await record('testOAuthProvider', provider);
  await record('debugIdJag', { ...provider, body: { assertion: 'eyJ0eXAiOiJvYXV0aC1pZC1qYWcrand0In0.e30.c2ln' } });
  await record('deleteOAuthProvider', provider);

  const { id: integration_id } = await makeIntegration(server, project_id);
  const app = { name: 'Web shop', redirect_uris: ['https://shop.example.com/callback'], integration_id };
  const { id: oauth_client_id } = await record('createOAuthClient', { ...options, body: app });
  const client = { key, params: { project_id, oauth_client_id } };
  await record('listOAuthClients', options);
  await record('getOAuthClient', client);
  const redirect_uris = [...app.redirect_uris, 'http://127.0.0.1/callback'];
  await record('updateOAuthClient', { ...client, body: { redirect_uris } });
  await record('rotateOAuthClientSecret', { ...client, body: { overlap_seconds: 86_400 } });
  await record('deleteOAuthClient', client);
}

/** So that the example of a provider shows its last error. */
async function failSignIn(server: TestServer, openid: OpenIdProvider, made: { project_id: string; id: string }) {
  openid.switches.token_error = 'invalid_client';
  await assert.rejects(connect(server, openid, made, 'nobody'));
  openid.reset();
  await server.app.batch_writer.flush();
}

export async function recordConnections({ server, customer, openid, record, recordError }: Recorder): Promise<void> {
  const tenant = await makeMemberTenant(server);
  const provider = await makeProvider(server, tenant.id, openid, { name: 'Staff login' });
  const { session_token, member } = await makeSession(server, tenant, 'user-4711');
  const strategy = { name: 'list_calendars', auth_strategy: 'member_oauth', require_member: true };
  const { id: tool_id } = await makeTool(server, tenant.keys.admin, customer, strategy);
  const call = { key: session_token, params: { tool_id }, body: { arguments: {} } };
  await recordError('executeCustomTool', 'MEMBER_SIGN_IN_REQUIRED', call);

  await record('authorizeConnection', {
    key: tenant.integrationKey.key,
    params: { project_id: tenant.id },
    body: { member_id: member.id, provider_id: provider.id },
  });
  const { connection } = await connect(server, openid, provider, member.id);
  const options = { key: tenant.keys.admin, params: { project_id: tenant.id, member_id: member.id } };
  await record('listMemberConnections', options);
  const params = { ...options.params, connection_id: connection.id };
  await record('revokeMemberConnection', { ...options, params });
}
