// Single sign-on of people: the settings, a test of them, and sign-ins that are refused.

import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { totpCode } from '../../src/features/identity/accounts/totp.ts';
import { expectResponse } from '../support/make/make.ts';
import { makePerson, PASSWORD, type Person, signIn } from '../support/make/make-accounts.ts';
import {
  cookiesOf,
  makeBreakGlass,
  ownPage,
  personAt,
  ssoFields,
  startSignIn,
  visitProvider,
} from '../support/make/make-sso.ts';
import type { TestUser } from '../support/peers/openid-provider.ts';
import type { Recorder } from './recorder.ts';

type Settings = ReturnType<typeof ssoFields>;

export async function recordSso(recorder: Recorder, me: Person): Promise<void> {
  const { server, openid, record, recordError } = recorder;
  const options = { headers: { cookie: me.cookie, origin: server.url } };
  const settings = ssoFields(openid, { role_map: { platform: 'admin', engineering: 'developer' } });
  const required = { ...options, body: { ...settings, is_required: true } };
  await recordError('setOrganizationSso', 'SSO_BREAK_GLASS_MISSING', required);
  const own = { ...options, params: { account_id: me.account.id } };
  await recordError('changeRole', 'BREAK_GLASS_NOT_ALLOWED', { ...own, body: { is_break_glass: true } });
  await record('setOrganizationSso', { ...options, body: settings });
  await record('getOrganizationSso', options);
  await recordTest(recorder, options, settings);
  await recordSignIns(recorder, me);
  await recordOtherOrganization(recorder, settings);

  const colleague = await makePerson(server, me, 'developer');
  const secret = await makeBreakGlass(server, me);
  expectResponse(await me.api('PUT', '/organization/sso', required), 200);
  await recordError('signIn', 'SSO_REQUIRED', { body: { email: colleague.email, password: PASSWORD } });
  expectResponse(await me.api('PUT', '/organization/sso', { body: settings }), 200);
  server.advance(60_000);
  const code = totpCode(secret, Math.floor(server.app.now() / 30_000));
  const again = await signIn(server, me.email, { code });
  await record('deleteOrganizationSso', { headers: { cookie: again.cookie, origin: server.url } });
}

async function recordTest({ server, openid, record }: Recorder, options: object, body: Settings): Promise<void> {
  const headers = { cookie: '', ...(options as { headers: Record<string, string> }).headers };
  const started = await server.api('POST', '/organization/sso/test', { headers, body });
  const { id, authorize_url } = expectResponse(started, 200);
  // Its state is another each time.
  const shorten = (test: object) => ({ ...test, authorize_url: 'https://login.example.com/authorize?client_id=…' });
  await record('testOrganizationSso', { ...options, body, shorten });
  const user = { sub: '00u1grace', email: 'grace@example.com', email_verified: true, groups: ['engineering'] };
  const path = await visitProvider(openid, authorize_url, user);
  const cookie = `toolgate_sso=${cookiesOf(started).get('toolgate_sso')}`;
  const { pathname, searchParams } = new URL(path, server.url);
  const organization_id = pathname.split('/').at(-1) as string;
  await record('ssoCallback', {
    params: { organization_id },
    query: Object.fromEntries(searchParams),
    headers: { cookie },
  });
  await record('getOrganizationSsoTest', { ...options, params: { sso_test_id: id } });
}

async function recordSignIns(recorder: Recorder, me: Person): Promise<void> {
  const { server, openid, record, recordError } = recorder;
  const grace = { sub: '00u1grace', email: 'grace@example.com', email_verified: true, groups: ['engineering'] };
  const person = await personAt(server, openid, grace);
  const headers = { cookie: person.cookie, origin: server.url };
  await recordError('reauthenticate', 'SSO_ACCOUNT', { headers, body: { password: PASSWORD } });
  await recordError('startSso', 'SSO_NOT_CONFIGURED', { query: { email: 'ada@example.net' }, headers: ownPage });

  const comeBack = async (user: Partial<TestUser>) => {
    const { cookie, location } = await startSignIn(server, 'grace@example.com');
    const { pathname, searchParams } = new URL(await visitProvider(openid, location, user), server.url);
    const organization_id = pathname.split('/').at(-1) as string;
    const query = Object.fromEntries(searchParams);
    return { params: { organization_id }, query, headers: { cookie: `toolgate_sso=${cookie}`, origin: server.url } };
  };
  await recordError('ssoCallback', 'SSO_EXPIRED', { ...(await comeBack(grace)), headers: {} });
  await recordError('ssoCallback', 'SSO_NO_ROLE', await comeBack({ ...grace, groups: [] }));
  await recordError('ssoCallback', 'SSO_EMAIL_REFUSED', await comeBack({ ...grace, email_verified: false }));
  await recordError('ssoCallback', 'SSO_EMAIL_TAKEN', await comeBack({ ...grace, sub: 'other' }));
  openid.switches.token_error = 'invalid_client';
  await recordError('ssoCallback', 'SSO_REFUSED', await comeBack(grace));
  openid.reset();
  const unfinished = await comeBack(grace);
  openid.switches.is_down = true;
  await recordError('ssoCallback', 'SSO_PROVIDER_UNAVAILABLE', unfinished);
  openid.reset();

  const colleague = await makePerson(server, me, 'developer');
  await server.app.database
    .updateTable('accounts')
    .set({ email: 'alan@example.com' })
    .where('id', '=', colleague.account.id)
    .execute();
  const known = await comeBack({ ...grace, sub: '00u2alan', email: 'alan@example.com' });
  await recordError('ssoCallback', 'SSO_LINK_REQUIRED', known);
  await record('linkSso', { headers: known.headers, body: { password: PASSWORD } });
}

async function recordOtherOrganization({ server, recordError }: Recorder, settings: Settings): Promise<void> {
  const email = 'joan@example.org';
  await createOwner(server.app, { email, name: 'Joan', password: PASSWORD, organization: 'Bletchley' });
  const { cookie } = await signIn(server, email);
  const { lookupText } = server.app;
  const { organization } = expectResponse(
    await server.api('GET', '/account', { headers: { cookie, origin: server.url } }),
    200,
  );
  server.app.lookupText = async () => [`toolgate-organization=${organization.id}`];
  await recordError('setOrganizationSso', 'SSO_DOMAIN_TAKEN', {
    headers: { cookie, origin: server.url },
    body: settings,
  });
  server.app.lookupText = lookupText;
}
