// The first owner: the link that a start prints, the settings, and toolgate owner and setup-link beside a running server.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectResponse } from '../../server/test/support/make/make.ts';
import { PASSWORD } from '../../server/test/support/make/make-accounts.ts';
import {
  copyDataDir,
  runProcess,
  type ServerProcess,
  startProcess,
} from '../../server/test/support/servers/start-process.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { runToolgate } from './run-toolgate.ts';

const LINK = /http:\/\/127\.0\.0\.1:\d+\/setup#token=([\w-]{43})/g;
const tokensIn = (output: string) => [...output.matchAll(LINK)].map(([, token]) => token as string);

const signIn = (server: ServerProcess, email: string, password = PASSWORD) =>
  server.api('POST', '/account/sign-in', { body: { email, password } });

/** Runs a command beside the server. */
const command = (server: ServerProcess, args: string[], input = '') =>
  runToolgate(args, { TOOLGATE_DATA_DIR: server.data_dir, PORT: new URL(server.url).port }, input);

test('each start without an owner prints a new link in a box; it creates the owner, and then none is printed', async () => {
  const settings = { TOOLGATE_DASHBOARD: 'on' };
  const first = await startProcess(settings);
  await waitUntil(async () => tokensIn(first.output()).length === 1, 60_000, 'it prints a link');
  assert.match(first.output(), /┌─+┐\n {2}│.*create the first account.*│\n/);
  await first.stop();
  const second = await startProcess(settings, first.data_dir);
  await waitUntil(async () => tokensIn(second.output()).length === 1, 60_000, 'it prints a link');
  const [token] = tokensIn(second.output());
  assert.notEqual(token, tokensIn(first.output())[0]);

  // Without PORT: the command finds the server in its folder.
  const made = await runToolgate(['setup-link'], { TOOLGATE_DATA_DIR: second.data_dir });
  assert.equal(made.code, 0, made.stderr);
  assert.ok(made.stdout.startsWith(`${second.url}/setup#token=`), made.stdout);
  const [other] = tokensIn(made.stdout);
  assert.ok(other);
  const body = { token: other, name: 'Olivia', email: 'olivia@example.com', password: PASSWORD, project_name: 'Shop' };
  expectResponse(await second.api('POST', '/account/setup', { body }), 201);
  assert.ok(!second.output().includes(other));
  const again = await command(second, ['setup-link']);
  assert.deepEqual([again.code, again.stdout], [1, '']);
  await second.stop();

  const third = await startProcess(settings, first.data_dir);
  await waitUntil(async () => third.output().includes('/api/v1/mcp\n'), 60_000, 'it prints the MCP URL');
  assert.deepEqual(tokensIn(third.output()), []);
  expectResponse(await signIn(third, 'olivia@example.com'), 200);
});

test('an owner is created and reset from the command line, while the server runs', async () => {
  const server = await startProcess();
  const created = await command(server, ['owner', 'create', '--email', 'Ada@example.com'], `${PASSWORD}\n`);
  assert.equal(created.code, 0, created.stderr);
  assert.equal(expectResponse(await server.api('GET', '/account/setup'), 404).error.code, 'NOT_FOUND');
  const response = await signIn(server, 'ada@example.com');
  assert.deepEqual([response.body.role, response.body.is_operator, response.body.name], ['owner', true, 'Ada']);

  const twice = await command(server, ['owner', 'create', '--email', 'ada@example.com'], `${PASSWORD}\n`);
  assert.deepEqual([twice.code, twice.stdout], [1, '']);
  assert.match(twice.stderr, /email: Email address already belongs to an account/);
  const common = await command(server, ['owner', 'reset', '--email', 'ada@example.com'], 'password123\n');
  assert.match(common.stderr, /is too easy to guess/);
  const unknown = await command(server, ['owner', 'reset', '--email', 'bob@example.com'], `${PASSWORD}\n`);
  assert.match(unknown.stderr, /there is no account with the email address bob@example\.com/);

  const reset = await command(server, ['owner', 'reset', '--email', 'ada@example.com'], 'a new passphrase of ada\n');
  assert.equal(reset.code, 0, reset.stderr);
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  expectResponse(await server.api('GET', '/account', { headers: { cookie } }), 401);
  expectResponse(await signIn(server, 'ada@example.com'), 401);
  expectResponse(await signIn(server, 'ada@example.com', 'a new passphrase of ada'), 200);
  assert.equal((await command(server, ['owner', 'delete'])).code, 2);
});

test('TOOLGATE_OWNER_EMAIL and TOOLGATE_OWNER_PASSWORD_FILE create the first owner, and nothing later', async () => {
  const data_dir = copyDataDir();
  const file = join(data_dir, 'owner-password');
  writeFileSync(file, `${PASSWORD}\n`, { mode: 0o600 });
  const settings = { TOOLGATE_OWNER_EMAIL: 'Owner@example.com', TOOLGATE_OWNER_PASSWORD_FILE: file };
  const first = await startProcess(settings, data_dir);
  expectResponse(await signIn(first, 'owner@example.com'), 200);
  await waitUntil(async () => first.output().includes('/api/v1/mcp\n'), 60_000, 'it prints the MCP URL');
  assert.deepEqual(tokensIn(first.output()), []);
  assert.ok(!first.output().includes(PASSWORD));
  await first.stop();
  writeFileSync(file, 'another passphrase\n');
  const second = await startProcess({ ...settings, TOOLGATE_OWNER_EMAIL: 'other@example.com' }, data_dir);
  expectResponse(await signIn(second, 'other@example.com', 'another passphrase'), 401);
  expectResponse(await signIn(second, 'owner@example.com'), 200);
});

test('a first owner that cannot be created prevents the start and says why', async () => {
  const data_dir = copyDataDir();
  const file = join(data_dir, 'owner-password');
  writeFileSync(file, 'short\n');
  const settings = { TOOLGATE_DATA_DIR: data_dir, TOOLGATE_OWNER_EMAIL: 'owner@example.com' };
  const alone = await runProcess(settings);
  assert.match(alone.output, /TOOLGATE_OWNER_EMAIL and TOOLGATE_OWNER_PASSWORD_FILE must be set together/);
  const weak = await runProcess({ ...settings, TOOLGATE_OWNER_PASSWORD_FILE: file });
  assert.equal(weak.code, 1);
  assert.match(weak.output, /cannot start: the password /);
  const missing = await runProcess({ ...settings, TOOLGATE_OWNER_PASSWORD_FILE: join(data_dir, 'none') });
  assert.match(missing.output, /cannot start: the password file cannot be read/);
});
