// Integrations, assertion keys, members, OAuth providers and clients, for tests and screenshots.

import assert from 'node:assert/strict';
import { findProvider } from '../../server/src/features/oauth/providers/find.ts';
import { startSignIn } from '../../server/src/features/oauth/providers/sign-in.ts';
import { CALLBACK } from '../../server/test/support/make/make-oauth.ts';
import { makeSigner, signAssertion } from '../../server/test/support/make/sign-assertion.ts';
import type { Dashboard } from './open-browser.ts';

export const HOSTILE = '<b>"hostile" & \u202Eeman</b>';
const LONG = 'long-name'.repeat(12);
const signer = makeSigner('ES256', 'backend-2026');

export type AccessSamples = {
  integration: { id: string; name: string };
  /** A key of the integration. */
  key: string;
  member: { id: string; external_id: string };
};

/** A session of a new member by a signed assertion. */
export async function addMember({ server, project_id }: Dashboard, key: string, sub: string): Promise<any> {
  const member_assertion = signAssertion(signer, project_id, server.app.now(), { claims: { sub } });
  const response = await server.api('POST', '/api/v1/mcp/session-token', { key, body: { member_assertion } });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

export const goodAssertion = ({ server, project_id }: Dashboard) => signAssertion(signer, project_id, server.app.now());

async function addKeys({ api, project_id }: Dashboard): Promise<Pick<AccessSamples, 'integration' | 'key'>> {
  const path = `/projects/${project_id}/integrations`;
  await api('POST', path, { name: HOSTILE, description: LONG });
  await api('POST', path, { name: 'Support desk', description: 'Agents who answer tickets' });
  const integration = await api('POST', path, { name: 'Web app', description: 'The assistant in our web app' });
  const keys = `${path}/${integration.id}/api-keys`;
  const { key } = await api('POST', keys, { name: 'Backend of the web app', permissions: ['read', 'write'] });
  const { id } = await api('POST', keys, { name: 'Old backend', permissions: ['read'] });
  await api('POST', `/projects/${project_id}/api-keys/${id}/revoke`);
  const add = ({ kid, algorithm, pem }: typeof signer) =>
    api('POST', '/assertion-keys', { kid, algorithm, public_key: pem });
  const old = await add(makeSigner('RS256', `backend-2025-${LONG}`));
  await api('POST', `/assertion-keys/${old.id}/deactivate`);
  await add(signer);
  return { integration, key };
}

/** Its issuer does not exist, so a sign-in there fails. */
async function addBrokenProvider({ api, server: { app }, project_id }: Dashboard): Promise<void> {
  const body = { provider: 'oidc', issuer: 'https://login.invalid', client_id: 'staff', client_secret: 'secret' };
  const { id } = await api('POST', `/projects/${project_id}/oauth-providers`, { ...body, name: 'Staff login' });
  const provider = (await findProvider(app, project_id, id)) ?? assert.fail();
  const request = { state: 'state', nonce: 'nonce', code_verifier: 'v'.repeat(43), redirect_uri: CALLBACK };
  await assert.rejects(startSignIn(app, provider, request));
  await app.batch_writer.flush();
}

async function addOAuth({ api, project_id }: Dashboard, integration_id: string): Promise<void> {
  const path = `/projects/${project_id}`;
  const secrets = { client_id: '1234.apps.googleusercontent.com', client_secret: 'GOCSPX-1234' };
  await api('POST', `${path}/oauth-providers`, { provider: 'google', ...secrets });
  await api('POST', `${path}/oauth-providers`, { provider: 'github', ...secrets, name: HOSTILE, is_enabled: false });
  const redirect_uris = ['https://app.example.com/callback', `https://app.example.com/${LONG}`];
  await api('POST', `${path}/oauth-clients`, { name: 'Web shop', redirect_uris, integration_id });
  await api('POST', `${path}/oauth-clients`, { name: LONG, redirect_uris: ['http://127.0.0.1/cb'], is_public: true });
}

/** A call that fails: its host does not exist. */
async function addCall({ api, server }: Dashboard, session_token: string): Promise<void> {
  await api('POST', '/custom-tools', {
    name: 'find_order',
    description: 'Finds an order',
    base_url: 'https://shop.invalid',
    endpoint_path: '/orders',
    method: 'GET',
    input_schema: { type: 'object', properties: {} },
  });
  await server.api('POST', '/custom-tools/find_order/execute', { key: session_token, body: { arguments: {} } });
}

export async function addAccessSamples(dashboard: Dashboard): Promise<AccessSamples> {
  const { integration, key } = await addKeys(dashboard);
  await addBrokenProvider(dashboard);
  await addOAuth(dashboard, integration.id);
  for (const sub of ['user-17', 'dana@example.com', HOSTILE, LONG]) await addMember(dashboard, key, sub);
  const { session_token, member } = await addMember(dashboard, key, 'user-42');
  await addCall(dashboard, session_token);
  return { integration, key, member };
}
