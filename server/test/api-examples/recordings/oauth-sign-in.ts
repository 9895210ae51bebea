// A sign-in by OAuth: what clients discover, the tokens, and the grants of a member.

import assert from 'node:assert/strict';
import { openBrowser, signIn } from '../../support/browser.ts';
import { makeTenant } from '../../support/make/make.ts';
import { authorizeUrl, makeClient, makeProvider } from '../../support/make/make-oauth.ts';
import type { Recorder } from '../recorder.ts';

const REDIRECT_URI = 'https://shop.example.com/callback';

export async function recordSignIn({ server, openid, record, recordStatus }: Recorder): Promise<void> {
  const tenant = await makeTenant(server);
  const params = { project_id: tenant.id };
  await record('getAuthorizationServerMetadata');
  await record('getResourceMetadata');
  await record('getProjectResourceMetadata', { params });
  await record('getProjectKeySet', { params });
  await record('getProjectIssuer', { params });

  await makeProvider(server, tenant.id, openid);
  const made = await makeClient(server, tenant.id, { name: 'Web shop', redirect_uris: [REDIRECT_URI] });
  const { client_id, client_secret } = made;
  const url = authorizeUrl({ client_id, redirect_uri: REDIRECT_URI, scope: 'mcp' });
  openid.setUser({ sub: '4711' });
  const { location } = await signIn(openBrowser(server), openid, url);
  const code = new URL(location ?? 'missing:').searchParams.get('code') ?? assert.fail(String(location));
  const body = { code, client_id, client_secret };
  const shown_body = { ...body, code: 'SplxlOBeZQQYbYS6WxSbIA' };
  const tokens = await record('issueOAuthToken', { body, shown_body });
  await recordStatus('issueOAuthToken', 400, { body: { ...body, code: 'unknown' } });
  await recordStatus('issueOAuthToken', 401, { body: { ...body, client_secret: 'wrong' } });
  const token = { token: tokens.access_token, client_id, client_secret };
  await record('introspectOAuthToken', { body: token });

  const { data } = (await server.api('GET', '/members', { key: tenant.keys.admin })).body;
  const member = { key: tenant.keys.admin, params: { ...params, member_id: data[0].id } };
  const grants = await record('listMemberGrants', member);
  await record('revokeOAuthToken', { body: token });
  const grant = { ...member, params: { ...member.params, grant_id: grants.data[0].id } };
  await record('revokeMemberGrant', grant);
}
