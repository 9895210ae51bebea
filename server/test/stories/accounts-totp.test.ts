// Two-factor authentication: enrolment, sign-in with a code, codes and recovery codes that work once.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { totpCode } from '../../src/features/identity/accounts/totp.ts';
import { expectResponse } from '../support/make/make.ts';
import { makeOwner, PASSWORD, type Person, reauthenticate, signIn } from '../support/make/make-accounts.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api, app } = server;
let owner: Person = await makeOwner(server);
const { email } = owner;

const currentStep = () => Math.floor(app.now() / 30_000);
const attempt = (more: object) => api('POST', '/account/sign-in', { body: { email, password: PASSWORD, ...more } });

/** Turns it on with a new secret. Returns the secret, and the recovery codes. */
async function enrol() {
  const me = await app.database.selectFrom('accounts').select('totp_enabled_at').executeTakeFirstOrThrow();
  const body = { password: PASSWORD };
  if (me.totp_enabled_at !== null) expectResponse(await owner.api('DELETE', '/account/totp', { body }), 204);
  const { secret } = expectResponse(await owner.api('POST', '/account/totp'), 201);
  const code = totpCode(secret, currentStep());
  const confirmed = expectResponse(await owner.api('POST', '/account/totp/confirm', { body: { code } }), 200);
  // The next code is a new one, and its step has just begun: no step ends in the middle of a test.
  server.advance(60_000 - (app.now() % 30_000));
  return { secret, recovery_codes: confirmed.recovery_codes as string[] };
}

// Neither failures nor codes of the test before count. The session of the owner goes on, with the password given again.
beforeEach(async () => {
  server.advance(2 * 3_600_000);
  owner = await reauthenticate(server, owner);
});

test('a new secret counts only once it is confirmed with its code', async () => {
  const pending = expectResponse(await owner.api('POST', '/account/totp'), 201);
  assert.match(pending.secret, /^[A-Z2-7]{32}$/);
  const url = new URL(pending.otpauth_url);
  assert.deepEqual(
    [url.protocol, url.host, decodeURIComponent(url.pathname), url.searchParams.get('secret')],
    ['otpauth:', 'totp', '/toolgate:olivia@example.com', pending.secret],
  );
  expectResponse(await attempt({}), 200);
  const wrong = await owner.api('POST', '/account/totp/confirm', {
    body: { code: totpCode(pending.secret, currentStep() + 9) },
  });
  const { details } = expectResponse(wrong, 422).error;
  assert.deepEqual([details.field, details.reason], ['code', 'totp_invalid']);

  const replaced = expectResponse(await owner.api('POST', '/account/totp'), 201);
  const old_code = totpCode(pending.secret, currentStep());
  expectResponse(await owner.api('POST', '/account/totp/confirm', { body: { code: old_code } }), 422);
  const code = totpCode(replaced.secret, currentStep());
  const { recovery_codes } = expectResponse(await owner.api('POST', '/account/totp/confirm', { body: { code } }), 200);
  assert.equal(new Set(recovery_codes).size, 10);
  const me = expectResponse(await owner.api('GET', '/account'), 200);
  assert.deepEqual([me.has_totp, me.recovery_codes_left], [true, 10]);
  expectResponse(await owner.api('POST', '/account/totp'), 409, 'Two-factor authentication is already on');
});

test('a sign-in needs the code after the right password, and says so only then', async () => {
  const { secret } = await enrol();
  const missing = expectResponse(await attempt({}), 401, 'Authentication code required');
  assert.deepEqual([missing.error.code, missing.error.details.reason], ['TOTP_REQUIRED', 'totp_required']);
  const wrong_password = await api('POST', '/account/sign-in', { body: { email, password: 'wrong password' } });
  assert.equal(expectResponse(wrong_password, 401).error.code, 'SIGN_IN_FAILED');
  await signIn(server, email, { code: totpCode(secret, currentStep()) });
});

test('asking for the code is no failed sign-in', async () => {
  const { secret } = await enrol();
  for (let i = 0; i < 8; i += 1) expectResponse(await attempt({}), 401, 'Authentication code required');
  expectResponse(await attempt({ code: totpCode(secret, currentStep()) }), 200);
});

test('a code works once, also for two sign-ins at the same time', async () => {
  const { secret } = await enrol();
  const code = totpCode(secret, currentStep());
  const responses = await Promise.all([attempt({ code }), attempt({ code }), attempt({ code })]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401, 401]);
  const again = expectResponse(await attempt({ code }), 401, 'Authentication code is wrong or was already used');
  assert.equal(again.error.details.field, 'code');
});

test('codes of the step before and after are accepted, others are not, and none before one that was used', async () => {
  const { secret } = await enrol();
  for (const step of [-3, -2, 2]) expectResponse(await attempt({ code: totpCode(secret, currentStep() + step) }), 401);
  expectResponse(await attempt({ code: totpCode(secret, currentStep() - 1) }), 200);
  expectResponse(await attempt({ code: totpCode(secret, currentStep() + 1) }), 200);
  expectResponse(await attempt({ code: totpCode(secret, currentStep()) }), 401);
});

test('wrong codes are failed sign-ins: after five of them the person has to wait', async () => {
  const { secret } = await enrol();
  const wrong = totpCode(secret, currentStep() + 50);
  for (let i = 0; i < 5; i += 1) expectResponse(await attempt({ code: wrong }), 401);
  expectResponse(await attempt({ code: wrong }), 429, 'Too many failed sign-ins');
});

test('a recovery code works once instead of a code, however it is typed', async () => {
  const { recovery_codes } = await enrol();
  const [first = '', second = ''] = recovery_codes;
  const person = await signIn(server, email, { recovery_code: ` ${first.toUpperCase().replaceAll('-', ' ')} ` });
  assert.equal(person.account.recovery_codes_left, 9);
  const again = expectResponse(await attempt({ recovery_code: first }), 401);
  assert.deepEqual(
    [again.error.code, again.error.details.field, again.error.details.reason],
    ['TOTP_INVALID', 'recovery_code', 'recovery_code_invalid'],
  );
  const responses = await Promise.all([attempt({ recovery_code: second }), attempt({ recovery_code: second })]);
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401]);
});

test('new recovery codes need the password and replace the old ones', async () => {
  const { recovery_codes } = await enrol();
  const url = '/account/totp/recovery-codes';
  expectResponse(await owner.api('POST', url, { body: { password: 'wrong' } }), 403, 'Password is wrong');
  const renewed = expectResponse(await owner.api('POST', url, { body: { password: PASSWORD } }), 200);
  expectResponse(await attempt({ recovery_code: recovery_codes[0] }), 401);
  expectResponse(await attempt({ recovery_code: renewed.recovery_codes[0] }), 200);
});

test('turning it off needs the password, and guesses of it wait', async () => {
  await enrol();
  for (let i = 0; i < 5; i += 1)
    expectResponse(await owner.api('DELETE', '/account/totp', { body: { password: 'wrong' } }), 403);
  expectResponse(await owner.api('DELETE', '/account/totp', { body: { password: PASSWORD } }), 429);
  server.advance(4000);
  expectResponse(await owner.api('DELETE', '/account/totp', { body: { password: PASSWORD } }), 204);
  expectResponse(await owner.api('DELETE', '/account/totp', { body: { password: PASSWORD } }), 409);
  expectResponse(await attempt({}), 200);
});

test('neither the secret nor a recovery code is in the database', async () => {
  const { secret, recovery_codes } = await enrol();
  const dump = JSON.stringify([
    await app.database.selectFrom('accounts').selectAll().execute(),
    await app.database.selectFrom('audit_entries').selectAll().execute(),
  ]);
  for (const text of [secret, ...recovery_codes, PASSWORD]) assert.ok(!dump.includes(text));
});
