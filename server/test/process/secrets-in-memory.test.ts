// Opened secrets in the memory of the process: a heap snapshot contains every string that is still referenced. Nothing of a
// project is left after its deletion, and nothing of an unused project after the 30 s of the cache.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyTemplate } from '../support/database/test-database.ts';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { startCustomer, testAuthority } from '../support/peers/fake-customer.ts';
import { type ServerProcess, serverCommand, startProcess } from '../support/servers/start-process.ts';
import { ROOT_KEY, type TestServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

/** The age at which the cache has removed every entry. */
const CACHE_MS = 30_000;

const folder = mkdtempSync(join(tmpdir(), 'toolgate-heap-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const customer = await startCustomer();
after(() => customer.close());
const database = await copyTemplate();
after(database.drop);

const authority = join(folder, 'authority.pem');
writeFileSync(authority, testAuthority.certificate);
const snapshots = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`];
const running = await startProcess(
  {
    DATABASE_URL: database.url,
    TOOLGATE_ROOT_KEY: ROOT_KEY,
    TOOLGATE_MASTER_KEYS: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
    TOOLGATE_EGRESS_ALLOW: customer.address,
    NODE_EXTRA_CA_CERTS: authority,
  },
  undefined,
  serverCommand(...snapshots),
);
const server = running as ServerProcess & TestServer;

/** Returns which of the texts are in the heap of the server. */
async function inHeap(texts: Record<string, string>): Promise<string[]> {
  process.kill(running.pid, 'SIGUSR2');
  const find = () => readdirSync(folder).find((name) => name.endsWith('.heapsnapshot'));
  const isComplete = async () => {
    const name = find();
    return name !== undefined && readFileSync(join(folder, name)).subarray(-10).toString().trimEnd().endsWith(']}');
  };
  await waitUntil(isComplete, 60_000, 'the heap snapshot is complete');
  const path = join(folder, find() as string);
  const snapshot = readFileSync(path);
  rmSync(path);
  return Object.keys(texts).filter((name) => snapshot.includes(texts[name] as string));
}

/** A project with a tool of each strategy, each called once. */
async function callEveryStrategy() {
  const tenant = await makeTenant(server);
  const plant = (word: string) => `planted-${word}-${randomBytes(12).toString('hex')}`;
  const texts = {
    bearer: plant('bearer'),
    basic: Buffer.from(`user:${plant('basic')}`).toString('base64'),
    api_key: plant('api-key'),
    signing: plant('signing'),
    client_secret: plant('client'),
    access_token: plant('token'),
    service_key: tenant.keys.write,
  };
  const token_path = `/${unique('token')}`;
  customer.respond(token_path, { body: { access_token: texts.access_token, expires_in: 3600 } });
  const strategies = [
    ['bearer_token', texts.bearer, {}],
    ['basic', Buffer.from(texts.basic, 'base64').toString(), {}],
    ['api_key_header', texts.api_key, {}],
    ['hmac_signature', texts.signing, {}],
    ['oauth2_client_credentials', texts.client_secret, { token_url: customer.url + token_path, client_id: 'me' }],
  ] as const;
  const ids: string[] = [];
  for (const [auth_strategy, encrypted_auth_secret, auth_config] of strategies) {
    const fields = { auth_strategy, encrypted_auth_secret, auth_config };
    ids.push((await makeTool(server, tenant.keys.write, customer, fields)).id);
  }
  // After the last change of the project, so that everything is cached.
  for (const id of ids) expectResponse(await execute(server, tenant.keys.write, id), 200);
  return { tenant, texts };
}

const unused = await callEveryStrategy();
const unused_since = performance.now();

test('no secret, token or key of a project is in memory after the deletion of the project', async () => {
  const { tenant, texts } = await callEveryStrategy();
  const before = await inHeap(texts);
  for (const name of ['bearer', 'basic', 'api_key', 'client_secret', 'access_token'])
    assert.ok(before.includes(name), `${name} is not found: the snapshot or the search is wrong`);
  // Callers are cached by the hash of their key.
  assert.ok(!before.includes('service_key'));
  expectResponse(await server.api('DELETE', `/projects/${tenant.id}`, { key: ROOT_KEY }), 204);
  assert.deepEqual(await inHeap(texts), []);
});

test('no secret, token or key of an unused project is in memory after 30 seconds', async () => {
  await sleep(CACHE_MS - (performance.now() - unused_since));
  assert.deepEqual(await inHeap(unused.texts), []);
});
