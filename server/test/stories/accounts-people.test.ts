// The people of an organization: invitations, roles, removal, and that another organization sees nothing of it.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import {
  cookieOf,
  makeOwner,
  makePerson,
  PASSWORD,
  type Person,
  signIn,
  withCookie,
} from '../support/make/make-accounts.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;
const server = await startServer();
const { api, app } = server;
const owner = await makeOwner(server);

beforeEach(() => server.advance(60_000));

const invite = (person: Person, role: string, email = `${unique('guest')}@example.com`) =>
  person.api('POST', '/organization/invitations', { body: { email, role } });
const tokenOf = ({ link }: { link: string }) => new URL(link).hash.slice('#token='.length);
const accept = (token: string, fields: object = {}) =>
  api('POST', '/account/invitations/accept', { body: { token, name: 'Grace', password: PASSWORD, ...fields } });

test('an invited person creates the account with the link, once, and has the role', async () => {
  const invitation = expectResponse(await invite(owner, 'developer', 'Grace@Example.com'), 201);
  assert.deepEqual(
    [invitation.object, invitation.email, invitation.role, invitation.status, invitation.created_by],
    ['invitation', 'grace@example.com', 'developer', 'pending', owner.account.id],
  );
  const token = tokenOf(invitation);
  assert.equal(new URL(invitation.link).pathname, '/invitation');
  const preview = expectResponse(await api('POST', '/account/invitations/inspect', { body: { token } }), 200);
  assert.deepEqual(
    [preview.organization_name, preview.email, preview.role],
    ['Default', 'grace@example.com', 'developer'],
  );

  const [one, two] = await Promise.all([accept(token), accept(token)]);
  assert.deepEqual([one.status, two.status].sort(), [201, 410]);
  const accepted = one.status === 201 ? one : two;
  assert.deepEqual([accepted.body.email, accepted.body.role], ['grace@example.com', 'developer']);
  const grace = withCookie(server, cookieOf(accepted) ?? '');
  expectResponse(await grace('GET', `/projects/${owner.project.id}`), 200);
  expectResponse(await api('POST', '/account/invitations/inspect', { body: { token } }), 410);
  const list = expectResponse(await owner.api('GET', '/organization/invitations'), 200);
  assert.deepEqual(list.data, []);
  const rows = await app.database.selectFrom('audit_entries').select(['action', 'actor_id']).execute();
  assert.ok(rows.some(({ action, actor_id }) => action === 'invitation.accepted' && actor_id === accepted.body.id));
});

test('only the hash of an invitation is stored, and the list never shows its link', async () => {
  const invitation = expectResponse(await invite(owner, 'viewer'), 201);
  const rows = await app.database.selectFrom('invitations').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(tokenOf(invitation)));
  const { text } = await owner.api('GET', '/organization/invitations');
  assert.ok(!text.includes('link'));
});

test('an invitation ends after 7 days, when it is deleted, and when it is sent again', async () => {
  const person = await signIn(server, owner.email);
  const expired = expectResponse(await invite(person, 'viewer'), 201);
  const deleted = expectResponse(await invite(person, 'viewer'), 201);
  const resent = expectResponse(await invite(person, 'viewer'), 201);
  expectResponse(await person.api('DELETE', `/organization/invitations/${deleted.id}`), 204);
  expectResponse(await person.api('DELETE', `/organization/invitations/${deleted.id}`), 404);
  const renewed = expectResponse(await person.api('POST', `/organization/invitations/${resent.id}/resend`), 200);
  assert.equal(renewed.id, resent.id);
  for (const old of [deleted, resent]) expectResponse(await accept(tokenOf(old)), 410);
  server.advance(7 * DAY_MS);
  expectResponse(await accept(tokenOf(expired)), 410, 'This invitation has expired or was already used');
  const again = await signIn(server, owner.email);
  const { data } = expectResponse(await again.api('GET', '/organization/invitations'), 200);
  assert.equal(data.find(({ id }: any) => id === expired.id).status, 'expired');
  const fresh = expectResponse(await again.api('POST', `/organization/invitations/${expired.id}/resend`), 200);
  expectResponse(await accept(tokenOf(fresh)), 201);
});

test('an invitation ends when the person who made it is removed or may no longer make it', async () => {
  const me = await signIn(server, owner.email);
  const [admin, demoted, second] = [
    await makePerson(server, me, 'admin'),
    await makePerson(server, me, 'admin'),
    await makePerson(server, me, 'owner'),
  ];
  const links = [
    expectResponse(await invite(admin, 'admin'), 201),
    expectResponse(await invite(demoted, 'viewer'), 201),
    expectResponse(await invite(second, 'owner'), 201),
  ];
  expectResponse(await me.api('DELETE', `/organization/accounts/${admin.account.id}`), 204);
  const change = (person: Person, role: string) =>
    me.api('PATCH', `/organization/accounts/${person.account.id}`, { body: { role } });
  expectResponse(await change(demoted, 'developer'), 200);
  expectResponse(await change(second, 'admin'), 200);
  for (const link of links) expectResponse(await accept(tokenOf(link)), 410);
});

test('an address is invited once, and not if it is in the organization', async () => {
  const me = await signIn(server, owner.email);
  expectResponse(await invite(me, 'viewer', owner.email), 409, 'Email address already belongs to an account');
  expectResponse(await invite(me, 'viewer', 'twice@example.com'), 201);
  expectResponse(await invite(me, 'admin', 'Twice@example.com'), 409, 'This email address has already been invited');
});

test('an admin manages people but no owners', async () => {
  const me = await signIn(server, owner.email);
  const [admin, viewer] = [await makePerson(server, me, 'admin'), await makePerson(server, me, 'viewer')];
  const refused = expectResponse(await invite(admin, 'owner'), 403);
  assert.equal(refused.error.details.reason, 'owner_only');
  const accounts = '/organization/accounts';
  for (const [id, role] of [
    [viewer.account.id, 'owner'],
    [me.account.id, 'viewer'],
  ]) {
    const response = await admin.api('PATCH', `${accounts}/${id}`, { body: { role } });
    assert.equal(expectResponse(response, 403).error.details.reason, 'owner_only');
  }
  expectResponse(await admin.api('DELETE', `${accounts}/${me.account.id}`), 403);
  const changed = await admin.api('PATCH', `${accounts}/${viewer.account.id}`, { body: { role: 'developer' } });
  assert.equal(expectResponse(changed, 200).role, 'developer');
  assert.deepEqual(expectResponse(await viewer.api('GET', '/account'), 200).permissions, ['read', 'write', 'webhook']);
  expectResponse(await admin.api('DELETE', `${accounts}/${viewer.account.id}`), 204);
  assert.equal(expectResponse(await viewer.api('GET', '/account'), 401).error.code, 'NOT_SIGNED_IN');
});

test('developers and viewers see people, and change nothing about them', async () => {
  const me = await signIn(server, owner.email);
  for (const role of ['developer', 'viewer']) {
    const person = await makePerson(server, me, role);
    const { data } = expectResponse(await person.api('GET', '/organization/accounts'), 200);
    assert.ok(data.length > 1);
    expectResponse(await person.api('GET', '/organization'), 200);
    expectResponse(await person.api('PATCH', '/organization', { body: { name: 'Mine' } }), 403);
    expectResponse(await person.api('GET', '/organization/invitations'), 403);
    expectResponse(await person.api('GET', '/organization/audit-log'), 403);
    expectResponse(await invite(person, 'viewer'), 403);
    const other = `/organization/accounts/${me.account.id}`;
    expectResponse(await person.api('PATCH', other, { body: { role: 'viewer' } }), 403);
    expectResponse(await person.api('DELETE', other), 403);
    const own = `/organization/accounts/${person.account.id}`;
    expectResponse(await person.api('PATCH', own, { body: { role: 'owner' } }), 403);
    expectResponse(await person.api('DELETE', own), 204);
    expectResponse(await person.api('GET', '/account'), 401);
  }
});

test('the last owner stays an owner, also when two owners leave at once', async () => {
  const me = await signIn(server, owner.email);
  const own = `/organization/accounts/${me.account.id}`;
  expectResponse(await me.api('DELETE', own), 409, 'An organization needs an owner');
  expectResponse(await me.api('PATCH', own, { body: { role: 'admin' } }), 409, 'An organization needs an owner');
  const second = await makePerson(server, me, 'owner');
  const theirs = `/organization/accounts/${second.account.id}`;
  const body = { role: 'admin' };
  const responses = await Promise.all([me.api('PATCH', own, { body }), second.api('PATCH', theirs, { body })]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 409]);
  const { data } = expectResponse(await me.api('GET', '/organization/accounts'), 200);
  assert.equal(data.filter(({ role }: any) => role === 'owner').length, 1);
  // The first owner is one again, for the tests after this one.
  await app.database.updateTable('accounts').set({ role: 'owner' }).where('id', '=', me.account.id).execute();
});

test('another organization sees nothing of this one, and the operator may set its plans only', async () => {
  const me = await signIn(server, owner.email);
  const email = 'stranger@example.com';
  const made = await createOwner(app, { email, name: 'Stranger', password: PASSWORD, organization: 'Acme' });
  const stranger = await signIn(server, email);
  assert.deepEqual([stranger.account.organization.name, stranger.account.is_operator], ['Acme', false]);
  expectResponse(await stranger.api('GET', `/projects/${owner.project.id}`), 404);
  expectResponse(await stranger.api('GET', '/custom-tools', { project: owner.project.id }), 404);
  expectResponse(await stranger.api('GET', `/organization/accounts/${me.account.id}`), 404);
  expectResponse(await stranger.api('DELETE', `/organization/accounts/${me.account.id}`), 404);
  assert.deepEqual(expectResponse(await stranger.api('GET', '/projects'), 200).data, []);
  const own = expectResponse(await stranger.api('POST', '/projects', { body: { name: 'Theirs' } }), 201);
  assert.equal(own.organization_id, stranger.account.organization.id);
  assert.equal(own.quota_group_id, own.id);
  expectResponse(await stranger.api('PATCH', `/projects/${own.id}`, { body: { plan: 'pro' } }), 403);
  expectResponse(await stranger.api('POST', '/projects', { body: { name: 'Big', plan: 'enterprise' } }), 403);

  expectResponse(await me.api('GET', `/projects/${own.id}/api-keys`), 404);
  expectResponse(await me.api('PATCH', `/projects/${own.id}`, { body: { name: 'Taken over' } }), 404);
  expectResponse(await me.api('DELETE', `/projects/${own.id}`), 404);
  const planned = await me.api('PATCH', `/projects/${own.id}`, { body: { plan: 'enterprise', requests_per_hour: 7 } });
  assert.deepEqual([planned.body.plan, planned.body.requests_per_hour], ['enterprise', 7]);
  const log = expectResponse(await stranger.api('GET', `/projects/${own.id}/audit-log`), 200);
  assert.deepEqual(log.data[0].actor, { kind: 'account', id: me.account.id });
  // An address of another organization is not told apart from a new one until it accepts.
  const invited = expectResponse(await invite(stranger, 'viewer', owner.email), 201);
  expectResponse(await accept(tokenOf(invited)), 409, 'Email address already belongs to an account');
  assert.equal(made.role, 'owner');
});

test('an organization is deleted by its owner with the password, once it has no projects', async () => {
  const email = 'leaver@example.com';
  await createOwner(app, { email, name: 'Leaver', password: PASSWORD, organization: 'Short' });
  const leaver = await signIn(server, email);
  const admin = await makePerson(server, leaver, 'admin');
  const { id } = expectResponse(await leaver.api('POST', '/projects', { body: { name: 'Theirs' } }), 201);
  const remove = (person: Person, password = PASSWORD) => person.api('DELETE', '/organization', { body: { password } });
  expectResponse(await remove(admin), 403);
  expectResponse(await remove(leaver, 'wrong'), 403, 'Password is wrong');
  expectResponse(await remove(leaver), 409, 'Organization still has projects');
  expectResponse(await leaver.api('DELETE', `/projects/${id}`), 204);
  expectResponse(await remove(leaver), 204);
  for (const person of [leaver, admin]) expectResponse(await person.api('GET', '/account'), 401);
  const me = await signIn(server, owner.email);
  const first = expectResponse(await remove(me), 409);
  assert.equal(first.error.details.reason, 'first_organization');
});

test('an organization has at most TOOLGATE_MAX_PROJECTS projects of people; the root key makes more', async () => {
  const limited = await startServer({ TOOLGATE_MAX_PROJECTS: '2' });
  const person = await makeOwner(limited);
  expectResponse(await person.api('POST', '/projects', { body: { name: 'second' } }), 201);
  const refused = await person.api('POST', '/projects', { body: { name: 'third' } });
  assert.equal(expectResponse(refused, 403, 'Project limit reached').error.details.limit, 2);
  await makeProject(limited);
});

test('keys and the root key are not people', async () => {
  const project = await makeProject(server);
  const { key } = await makeKey(server, project.id);
  for (const token of [key, ROOT_KEY]) {
    for (const path of [
      '/account',
      '/account/sessions',
      '/organization',
      '/organization/accounts',
      '/organization/audit-log',
    ]) {
      const response = await api('GET', path, { key: token });
      assert.equal(expectResponse(response, 403).error.details.reason, 'account_only', path);
    }
  }
  for (const path of ['/account', '/organization'])
    assert.equal(expectResponse(await api('GET', path), 401).error.code, 'NOT_SIGNED_IN');
  assert.equal(expectResponse(await api('GET', '/projects'), 401).error.code, 'INVALID_API_KEY');
});
