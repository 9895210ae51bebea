// People: the set-up, sign-ins, sessions, two-factor authentication, and the organization with its invitations.

import { createOwner } from '../../../src/features/identity/accounts/owner.ts';
import { totpCode } from '../../../src/features/identity/accounts/totp.ts';
import {
  cookieOf,
  PASSWORD,
  type Person,
  reauthenticate,
  setupToken,
  signIn,
} from '../../support/make/make-accounts.ts';
import type { Recorder } from '../recorder.ts';
import { recordSso } from '../sso.ts';

const CODE = '492039';
const TOKEN = 'wXb0nVz2kJ7Zt0m4e3cVbT1f9H6yQpRsWuXoLd8aGiM';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

const cookieHeaders = ({ server }: Recorder, { cookie }: Pick<Person, 'cookie'>) => ({
  headers: { cookie, origin: server.url, 'user-agent': BROWSER },
});

export async function recordAccounts(recorder: Recorder): Promise<void> {
  const { server, record, recordError } = recorder;
  await record('getSetup');
  const setup = { name: 'Ada Lovelace', email: 'ada@example.com', password: PASSWORD, project_name: 'Shop' };
  const headers = { 'user-agent': BROWSER };
  const shown = { headers, shown_body: { token: TOKEN, ...setup } };
  await recordError('setUp', 'SETUP_LINK_INVALID', { body: { token: TOKEN, ...setup } });
  await record('setUp', { ...shown, body: { token: await setupToken(server), ...setup } });
  const credentials = { email: setup.email, password: PASSWORD };
  await recordError('signIn', 'SIGN_IN_FAILED', { body: { ...credentials, password: 'wrong' } });
  await record('signIn', { headers, body: credentials });

  const me = await signIn(server, setup.email);
  const options = cookieHeaders(recorder, me);
  await record('getAccount', options);
  await record('updateAccount', { ...options, body: { name: 'Ada King' } });
  const wrong = { email: 'ada@example.org', current_password: 'wrong' };
  await recordError('updateAccount', 'PASSWORD_INCORRECT', { ...options, body: wrong });
  const { data } = await record('listAccountSessions', { ...options, query: { limit: '2' } });
  await record('endAccountSession', { ...options, params: { session_id: data[1].id } });
  await record('endOtherAccountSessions', options);
  await recordError('getAccount', 'NOT_SIGNED_IN');
  await recordError('updateAccount', 'ORIGIN_NOT_ALLOWED', { headers: { cookie: me.cookie }, body: {} });
  await recordTotp(recorder, me);
  await recordError('beginTotp', 'REAUTHENTICATION_REQUIRED', options);
  const other = await signIn(server, setup.email);
  await record('reauthenticate', { ...cookieHeaders(recorder, other), body: { password: PASSWORD } });
  const again = await reauthenticate(server, me);
  await recordOrganization(recorder, again);
  await recordSso(recorder, await signIn(server, setup.email));
  await record('signOut', cookieHeaders(recorder, again));
}

async function recordTotp(recorder: Recorder, me: Person): Promise<void> {
  const { server, record, recordError } = recorder;
  const options = cookieHeaders(recorder, me);
  const body = { password: PASSWORD };
  await recordError('confirmTotp', 'TOTP_NOT_PENDING', { ...options, body: { code: CODE } });
  await recordError('disableTotp', 'TOTP_NOT_ON', { ...options, body });
  await record('beginTotp', options);
  const pending = (await me.api('POST', '/account/totp')).body;
  const code = totpCode(pending.secret, Math.floor(server.app.now() / 30_000));
  await record('confirmTotp', { ...options, body: { code }, shown_body: { code: CODE } });
  await recordError('beginTotp', 'TOTP_ALREADY_ON', options);
  const credentials = { email: me.email, password: PASSWORD };
  await recordError('signIn', 'TOTP_REQUIRED', { body: credentials });
  await recordError('signIn', 'TOTP_INVALID', { body: { ...credentials, recovery_code: 'none' } });
  await record('renewRecoveryCodes', { ...options, body });
  await record('disableTotp', { ...options, body });
  for (let i = 0; i < 5; i += 1)
    await server.api('POST', '/account/sign-in', { body: { email: 'eve@example.com', password: 'guess' } });
  await recordError('signIn', 'SIGN_IN_DELAYED', { body: { email: 'eve@example.com', password: 'guess' } });
  server.advance(2 * 3_600_000);
}

async function recordOrganization(recorder: Recorder, me: Person): Promise<void> {
  const { record, recordError } = recorder;
  const options = cookieHeaders(recorder, me);
  await record('getOrganization', options);
  await record('updateOrganization', { ...options, body: { name: 'Example Ltd' } });
  const body = { email: 'grace@example.com', role: 'developer' };
  const { id: invitation_id } = await record('createInvitation', { ...options, body });
  await recordError('createInvitation', 'INVITATION_EXISTS', { ...options, body });
  await recordError('createInvitation', 'EMAIL_TAKEN', { ...options, body: { ...body, email: me.email } });
  await record('listInvitations', options);
  const one = { ...options, params: { invitation_id } };
  const token = new URL((await record('resendInvitation', one)).link).hash.slice('#token='.length);
  await record('inspectInvitation', { body: { token }, shown_body: { token: TOKEN } });
  const acceptance = { name: 'Grace Hopper', password: PASSWORD };
  const accepted = { body: { token, ...acceptance }, shown_body: { token: TOKEN, ...acceptance } };
  const { id: account_id } = await record('acceptInvitation', { ...accepted, headers: { 'user-agent': BROWSER } });
  await recordError('acceptInvitation', 'INVITATION_INVALID', { body: { token, ...acceptance } });
  const taken = { email: body.email, current_password: PASSWORD };
  for (let i = 0; i < 5; i += 1) await me.api('PATCH', '/account', { body: taken });
  await recordError('updateAccount', 'TOO_MANY_EMAIL_ADDRESSES', { ...options, body: taken });
  const invited = (await me.api('POST', '/organization/invitations', { body: { ...body, email: 'x@example.com' } }))
    .body;
  await record('deleteInvitation', { ...options, params: { invitation_id: invited.id } });

  const person = { ...options, params: { account_id } };
  await record('listAccounts', { ...options, query: { limit: '1' } });
  await record('getOrganizationAccount', person);
  await record('changeRole', { ...person, body: { role: 'admin' } });
  await record('removeAccount', person);
  const own = { ...options, params: { account_id: me.account.id } };
  await recordError('removeAccount', 'LAST_OWNER', own);
  await recordError('deleteOrganization', 'ORGANIZATION_IN_USE', { ...options, body: { password: PASSWORD } });
  await record('listOrganizationAuditLog', { ...options, query: { action: 'account.role_changed' } });
  await recordDeletion(recorder);
}

async function recordDeletion(recorder: Recorder): Promise<void> {
  const { server, record } = recorder;
  const email = 'charles@example.com';
  await createOwner(server.app, { email, name: 'Charles', password: PASSWORD, organization: 'Engines' });
  const response = await server.api('POST', '/account/sign-in', { body: { email, password: PASSWORD } });
  const cookie = cookieOf(response) ?? '';
  await record('deleteOrganization', { ...cookieHeaders(recorder, { cookie }), body: { password: PASSWORD } });
}
