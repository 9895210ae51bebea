// A new email address of a person: whose addresses can be asked for and taken, and how often.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { expectResponse, unique } from '../support/make/make.ts';
import { makeOwner, makePerson, PASSWORD, type Person, signIn } from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';

const HOUR_MS = 3_600_000;
const server = await startServer();
const { api, app } = server;
const owner = await makeOwner(server);
await createOwner(app, { email: 'stranger@example.com', name: 'Sam', password: PASSWORD, organization: 'Other' });

beforeEach(() => server.advance(2 * HOUR_MS));

const newAddress = () => `${unique('person')}@example.com`;
const change = (person: Person, email: string) =>
  person.api('PATCH', '/account', { body: { email, current_password: PASSWORD } });

test('after five new addresses, taken or free, each further one has a longer wait', async () => {
  const stranger = await signIn(server, 'stranger@example.com');
  for (let i = 0; i < 4; i += 1)
    expectResponse(await change(stranger, owner.email), 409, 'Email address already belongs to an account');
  expectResponse(await change(stranger, 'moved@example.com'), 200);
  for (const seconds of [4, 8, 16]) {
    const refused = await change(stranger, owner.email);
    const { error } = expectResponse(refused, 429, 'Too many new email addresses');
    assert.deepEqual(
      [error.code, error.details.retry_after_seconds, refused.headers.get('retry-after')],
      ['TOO_MANY_EMAIL_ADDRESSES', seconds, String(seconds)],
    );
    expectResponse(await change(stranger, newAddress()), 429);
    server.advance(seconds * 1000);
    expectResponse(await change(stranger, owner.email), 409);
  }
  // Neither the address that one has nor a name is a question about others.
  expectResponse(await change(stranger, 'moved@example.com'), 200);
  expectResponse(await stranger.api('PATCH', '/account', { body: { name: 'Sam S.' } }), 200);
});

test('the people of one organization share twenty new addresses', async () => {
  const me = await signIn(server, owner.email);
  for (let i = 0; i < 5; i += 1) {
    const person = await makePerson(server, me, 'viewer');
    for (let j = 0; j < 4; j += 1) expectResponse(await change(person, 'moved@example.com'), 409);
  }
  const last = await makePerson(server, me, 'viewer');
  expectResponse(await change(last, newAddress()), 429, 'Too many new email addresses');
});

test('an address that is invited cannot be taken by anybody else, in any organization', async () => {
  const me = await signIn(server, owner.email);
  const email = newAddress();
  const invited = expectResponse(
    await me.api('POST', '/organization/invitations', { body: { email, role: 'viewer' } }),
    201,
  );
  const stranger = await signIn(server, 'moved@example.com');
  for (const person of [stranger, await makePerson(server, me, 'admin')])
    expectResponse(await change(person, email.toUpperCase()), 409, 'Email address already belongs to an account');
  const token = new URL(invited.link).hash.slice('#token='.length);
  const body = { token, name: 'Ines', password: PASSWORD };
  assert.equal(expectResponse(await api('POST', '/account/invitations/accept', { body }), 201).email, email);
});

test('the links of invitations tell about twenty addresses, then whoever follows them has to wait', async () => {
  const stranger = await signIn(server, 'moved@example.com');
  const ask = async () => {
    const invitation = { email: owner.email, role: 'viewer' };
    const { id, link } = expectResponse(
      await stranger.api('POST', '/organization/invitations', { body: invitation }),
      201,
    );
    const body = { token: new URL(link).hash.slice('#token='.length), name: 'Nobody', password: PASSWORD };
    const response = await api('POST', '/account/invitations/accept', { body });
    expectResponse(await stranger.api('DELETE', `/organization/invitations/${id}`), 204);
    return response;
  };
  for (let i = 0; i < 20; i += 1) expectResponse(await ask(), 409, 'Email address already belongs to an account');
  expectResponse(await ask(), 429, 'Too many new email addresses');
});

test('an address is free again when its invitation is deleted or has expired', async () => {
  const me = await signIn(server, owner.email);
  const [deleted, expired] = [newAddress(), newAddress()];
  const invite = async (email: string) =>
    expectResponse(await me.api('POST', '/organization/invitations', { body: { email, role: 'viewer' } }), 201);
  await invite(expired);
  const { id } = await invite(deleted);
  expectResponse(await me.api('DELETE', `/organization/invitations/${id}`), 204);
  expectResponse(await change(await makePerson(server, me, 'viewer'), deleted), 200);
  server.advance(7 * 24 * HOUR_MS);
  const later = await signIn(server, owner.email);
  expectResponse(await change(await makePerson(server, later, 'viewer'), expired), 200);
});
