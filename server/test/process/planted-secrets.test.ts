// Secrets placed in every part of a request appear nowhere: not in the log, not in crash output, not on disk.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeToken } from '../../src/secrets/tokens.ts';
import { expectResponse } from '../support/make/make.ts';
import { killPostgres, startProcess } from '../support/servers/start-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const ROOT_KEY = `planted-${randomBytes(24).toString('hex')}`;

test('no planted secret is in the output or in a file of the data folder', async () => {
  const server = await startProcess({ TOOLGATE_ROOT_KEY: ROOT_KEY, TOOLGATE_LOG_LEVEL: 'debug' });
  const key = ROOT_KEY;
  const planted = new Set([ROOT_KEY]);
  const plant = (secret: string) => {
    planted.add(secret);
    return secret;
  };

  const project = expectResponse(await server.api('POST', '/projects', { key, body: { name: 'Shop' } }), 201);
  const keys = `/projects/${project.id}/api-keys`;
  const hooks = `/projects/${project.id}/webhooks`;
  for (let i = 0; i < 10; i += 1) {
    const headers = { 'idempotency-key': `once-${i}` };
    const body = { name: 'k', permissions: ['read', 'admin'] };
    const made = expectResponse(await server.api('POST', keys, { key, body, headers }), 201);
    plant(made.key);
    expectResponse(await server.api('GET', '/projects', { key: made.key }), 200);
    const next = expectResponse(await server.api('POST', `${keys}/${made.id}/rotate`, { key, body: {} }), 201);
    plant(next.key);
  }
  for (let i = 0; i < 10; i += 1) {
    const secret = plant(makeToken(i % 2 === 0 ? 'svc_live_' : 'svc_mst_'));
    const jwt = plant(
      `eyJhbGciOiJFUzI1NiJ9.${randomBytes(30).toString('base64url')}.${randomBytes(30).toString('base64url')}`,
    );
    const webhook = plant(`whsec_${randomBytes(24).toString('base64')}`);
    await server.api('GET', `/projects?key=${secret}&cursor=${jwt}`, { key });
    await server.api('GET', `/${secret}`, { key });
    await server.api('GET', `/projects/${secret}`, { key });
    await server.api('GET', '/projects', { key: secret });
    await server.api('GET', '/projects', { headers: { authorization: `Basic ${jwt}`, cookie: `session=${secret}` } });
    await server.api('POST', '/projects', {
      key,
      body: { name: 'x', [webhook]: secret, encrypted_auth_secret: webhook },
    });
    await server.api('POST', '/projects', { key, body: `{"name":"${secret}` });
    const url = 'https://hooks.example.com/in';
    const headers = { Authorization: plant(`Basic ${randomBytes(24).toString('base64')}`) };
    const hook = await server.api('POST', hooks, { key, body: { url, events: ['*'], headers } });
    assert.deepEqual(expectResponse(hook, 201).header_names, ['Authorization']);
    await server.api('POST', hooks, { key, body: { url, events: ['*'], headers: { host: secret } } });
    await server.api('POST', hooks, { key, body: { url, events: ['*'], headers: secret } });
    await server.api('POST', keys, {
      key,
      body: { name: 'x', permissions: [secret] },
      headers: { 'idempotency-key': jwt },
    });
  }
  // Errors of the database, and of a server that is killed.
  killPostgres(server.data_dir, 'SIGKILL');
  await waitUntil(
    async () => (await server.api('POST', '/projects', { key, body: { name: 'Afterwards' } })).status === 201,
    60_000,
    'the database is back',
  );
  await server.stop('SIGKILL');

  const output = server.output();
  assert.ok(output.includes('"msg":"request"'), 'the log is empty: nothing was tested');
  assert.ok(planted.size > 50);
  for (const secret of planted) assert.ok(!output.includes(secret), `the output holds ${secret}`);

  const files = readdirSync(server.data_dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  assert.ok(files.length > 100, 'the database was not found');
  for (const file of files) {
    const content = readFileSync(join(file.parentPath, file.name));
    for (const secret of planted) assert.ok(!content.includes(secret), `${file.name} holds ${secret}`);
  }
});
