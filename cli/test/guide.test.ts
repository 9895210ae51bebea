// Every command of docs/guides/command-line.md runs, as it is written, in one shell beside a real server.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startCustomer } from '../../server/test/fake-customer.ts';
import { expectAnswer } from '../../server/test/make.ts';
import { makeDataDir, startProcess } from '../../server/test/start-process.ts';
import { writeAuthorityFile } from '../../server/test/write-authority-file.ts';
import { startToolgate } from './run-toolgate.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/command-line.md'), 'utf8');
const customer = await startCustomer();
after(() => customer.close());
const server = await startProcess({
  TOOLGATE_EGRESS_ALLOW: customer.address,
  NODE_EXTRA_CA_CERTS: writeAuthorityFile(),
});
const folder = makeDataDir();
const rootKey = readFileSync(join(server.data_dir, 'root.key'), 'utf8').trim();
const project = expectAnswer(
  await server.api('POST', '/projects', { key: rootKey, body: { name: 'Guide', plan: 'pro' } }),
  201,
);
const { key } = expectAnswer(
  await server.api('POST', `/projects/${project.id}/api-keys`, {
    key: rootKey,
    body: { name: 'Backend', permissions: ['admin'] },
  }),
  201,
);

/** The blocks in order, with the sample API and the folder of this test. One that goes on until Ctrl-C has its own test. */
const blocks = [...guide.matchAll(/^```sh(?: example)?\n(.*?)^```$/gms)]
  .map(([, text = '']) => text.replaceAll('https://127.0.0.1:8443', customer.url).replaceAll('/tmp/shop', folder))
  .filter((text) => !text.startsWith('npx toolgate webhooks listen'));

async function runInShell(script: string) {
  const { PATH = '', HOME = '' } = process.env;
  const variables = {
    REPO: root,
    API: `${server.url}/api/v1`,
    PROJECT: project.id,
    ROOT_KEY: rootKey,
    ADMIN_KEY: key,
    TOOLGATE_DATA_DIR: server.data_dir,
    PORT: new URL(server.url).port,
  };
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH, HOME, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      output[name] += part;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...output };
}

test('the commands of the guide run in order, in one shell, and do what it says', async () => {
  assert.ok(blocks.length >= 8, 'hardly any block was found: the pattern is broken');
  customer.answer('/v1/orders/A-1001', { body: { order_id: 'A-1001', status: 'shipped' } });
  const { code, stdout, stderr } = await runInShell(blocks.join('\n'));
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /"status":"shipped"/);
  assert.match(stdout, /^track_order\norder_status$/m, 'the enabled tools');
  assert.match(stdout, /^exit code 1$/m);
  assert.match(stderr, /Nothing to change/);
  assert.match(stdout, /^ok {4}service: toolgate is ready/m);
  assert.match(stderr, /The audit log is verified/);
});

test('the guide shows how to forward events to a receiver on this machine', async () => {
  const [, args = ''] = /^npx toolgate (webhooks listen --forward .*)$/m.exec(guide) ?? [];
  const environment = { TOOLGATE_URL: server.url, TOOLGATE_API_KEY: key };
  const listening = startToolgate(args.replaceAll("'", '').split(' '), environment);
  await listening.says('Waiting for events');
  assert.match(listening.output().stderr, /forwarded to http:\/\/localhost:4000\/hooks/);
  assert.equal((await listening.interrupt()).code, 0);
});

test('the guide names every command of the operator', () => {
  const operator = ['start', 'doctor', 'migrate', 'audit verify', 'master-key rotate', 'backup', 'restore'];
  const table = guide.slice(guide.indexOf('## For the operator'));
  for (const name of operator) assert.ok(table.includes(`\`${name}`), name);
});
