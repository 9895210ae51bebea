// An installation of the previous version is upgraded with its data, and not downgraded. The previous version is built from the
// newest tag; without a tag it is this version, and the upgrade is a migration that only the new package has.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { expectResponse, makeProject } from '../../server/test/support/make/make.ts';
import { makeMemberTenant, makeSession } from '../../server/test/support/make/make-members.ts';
import { execute, makeTool } from '../../server/test/support/make/make-tools.ts';
import { makeWebhook } from '../../server/test/support/make/make-webhook.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { writeAuthorityFile } from '../../server/test/support/peers/write-authority-file.ts';
import { type CallOptions, call } from '../../server/test/support/requests/call-api.ts';
import { ROOT_KEY, type TestServer } from '../../server/test/support/servers/start-server.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { buildPackages, builtPackages, makeFolder, pack, root, run } from './packages.ts';
import { makeUser, type Running } from './user.ts';

const NEW_MIGRATION = '9999_only_in_the_new_version.sql';
const customer = await startCustomer();
after(() => customer.close());
const environment = {
  TOOLGATE_EGRESS_ALLOW: customer.address,
  NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
  TOOLGATE_ROOT_KEY: ROOT_KEY,
};
const user = makeUser();
const output = makeFolder();
let previous = '';
let next = '';

before(() => {
  const current = join(builtPackages(), 'toolgate');
  mkdirSync(join(output, 'previous'));
  previous = pack(buildPrevious() ?? current, join(output, 'previous')).file;
  const changed = join(output, 'next');
  cpSync(current, changed, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(changed, 'package.json'), 'utf8'));
  writeFileSync(join(changed, 'package.json'), JSON.stringify({ ...manifest, version: '99.0.0' }));
  writeFileSync(
    join(changed, 'server/migrations', NEW_MIGRATION),
    '-- breaking\ncreate table only_new (id integer);\n',
  );
  next = pack(changed, output).file;
});

/** The packages of this clone, but the workspaces of the sources themselves. */
function linkPackages(sources: string): void {
  const [from, to] = [join(root, 'node_modules'), join(sources, 'node_modules')];
  mkdirSync(join(to, '@toolgate'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@toolgate') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, '@toolgate'))) {
    const workspace = relative(realpathSync(root), realpathSync(join(from, '@toolgate', name)));
    symlinkSync(join(sources, workspace), join(to, '@toolgate', name));
  }
}

/** The newest tag, with the packages of this clone. Null without a tag. */
function buildPrevious(): string | null {
  const [tag] = run('git', ['tag', '--list', 'v*', '--sort=-v:refname'], root).split('\n');
  if (!tag) return null;
  const sources = join(output, 'sources');
  mkdirSync(sources);
  run('git', ['archive', '--output', join(output, 'sources.tar'), tag], root);
  run('tar', ['-xf', join(output, 'sources.tar')], sources);
  linkPackages(sources);
  buildPackages(join(output, 'tagged'), sources);
  return join(output, 'tagged/toolgate');
}

/** As far as the makers of the tests use it. */
const toServer = ({ url }: Running) => {
  const api = (method: string, path: string, options?: CallOptions) => call(url, method, path, options);
  return { url, api, app: { now: () => new Date() } } as unknown as TestServer;
};

test('everything of the previous version works after an upgrade, and a downgrade is refused in one sentence', async () => {
  user.install(previous);
  const old = await user.start(environment);
  const before = toServer(old);
  const tenant = await makeMemberTenant(before);
  await makeProject(before, { name: 'another' });
  const { session_token } = await makeSession(before, tenant);
  const secret = 'kept-over-the-upgrade';
  const fields = { auth_strategy: 'bearer_token', encrypted_auth_secret: secret };
  const tool = await makeTool(before, tenant.keys.write, customer, fields);
  const hook = await makeWebhook(before, customer, tenant.id);
  expectResponse(await execute(before, tenant.keys.write, tool.name), 200);
  const options = { TOOLGATE_URL: old.url, TOOLGATE_API_KEY: tenant.keys.admin };
  const calls = (server: TestServer) =>
    server.api('GET', `/projects/${tenant.id}/tool-calls`, { key: tenant.keys.admin });
  await waitUntil(async () => (await calls(before)).body.data.length === 1, 60_000, 'the call is in the log');
  await user.succeeds(['export', 'before.yaml'], options);
  await old.interrupt();

  user.install(next);
  const upgraded = await user.start(environment);
  const now = toServer(upgraded);
  assert.equal((await now.api('GET', '/api/v1/openapi.json')).body.info.version, '99.0.0');
  // The file of the previous version describes the project as it is: fields that are new have their defaults.
  const plan = ['apply', 'before.yaml', '--dry-run', '--json'];
  const planned = await user.succeeds(plan, { ...options, TOOLGATE_URL: upgraded.url });
  assert.deepEqual(JSON.parse(planned.stdout).changes, []);
  // The key, the sealed secret, the session, the log and the webhook.
  expectResponse(await execute(now, tenant.keys.write, tool.name), 200);
  assert.deepEqual(
    customer.at(tool.endpoint_path).map(({ headers }) => headers.authorization),
    [`Bearer ${secret}`, `Bearer ${secret}`],
  );
  expectResponse(await now.api('GET', '/projects', { key: session_token }), 403);
  await waitUntil(async () => (await calls(now)).body.data.length === 2, 60_000, 'both calls are in the log');
  const delivered = customer.at(hook.path).length;
  expectResponse(
    await now.api('POST', `/projects/${tenant.id}/webhooks/${hook.id}/ping`, { key: tenant.keys.admin }),
    201,
  );
  await waitUntil(async () => customer.at(hook.path).length > delivered, 60_000, 'the webhook is delivered');
  await user.succeeds(['audit', 'verify'], { TOOLGATE_ROOT_KEY: ROOT_KEY });
  await upgraded.interrupt();

  user.install(previous);
  const { code, stderr } = await user.toolgate(['start'], environment);
  assert.equal(code, 1);
  const [sentence] = stderr.split('\n').filter((line) => line.startsWith('toolgate cannot start'));
  assert.equal(
    sentence,
    `toolgate cannot start: the database has run ${NEW_MIGRATION}, which this version does not know: start a newer toolgate`,
  );
});
