// Certificates on the command line and in a configuration file: PEM comes from files, a private key in a file from the environment only.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { makeTenant } from '../../server/test/support/make/make.ts';
import { clientFields, companyAuthority, mutualTls } from '../../server/test/support/make/make-certificate.ts';
import { startCustomer } from '../../server/test/support/peers/fake-customer.ts';
import { startServer } from '../../server/test/support/servers/start-server.ts';
import { createClient } from './run-toolgate.ts';

const host = await startCustomer({ tls: mutualTls() });
after(() => host.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: host.address });
const folder = mkdtempSync(join(tmpdir(), 'toolgate-cli-certificates-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
/** How a file names a secret. */
const reference = (name: string) => `\${${name}}`;
const ca = write('ca.pem', companyAuthority.certificate);

async function open(variables: Record<string, string> = {}) {
  const { keys } = await makeTenant(server);
  return createClient(server.url, keys.admin, variables);
}

test('a certificate is created from files, tested, replaced and deleted', async () => {
  const client = await open();
  const { client_certificate, client_key } = clientFields('alpha');
  const files = [
    '--client-certificate',
    write('a.pem', client_certificate),
    '--client-key',
    write('a.key', client_key),
  ];
  const made = await client.json(['certificates', 'create', 'Partner', '--ca', ca, ...files]);
  assert.deepEqual([made.name, made.has_client_key, made.client_certificate], ['Partner', true, client_certificate]);
  const tested = await client.json(['certificates', 'test', made.id, host.url]);
  assert.deepEqual([tested.is_successful, tested.problems], [true, []]);
  const changed = await client.json(['certificates', 'update', made.id, '--name', 'Gateway', '--set', 'ca=null']);
  assert.deepEqual([changed.name, changed.ca], ['Gateway', null]);
  const { stdout } = await client.run(['certificates', 'list']);
  assert.match(stdout, /Gateway/);
  await client.run(['certificates', 'delete', made.id]);
  assert.deepEqual(await client.json(['certificates', 'list']), []);
});

test('a file names certificates, and has the name of the variable with a private key, never the key', async () => {
  const { client_certificate, client_key } = clientFields('alpha');
  const certificate = { name: 'Partner', ca: companyAuthority.certificate, client_certificate };
  const tool = { name: 'find_order', base_url: host.url, endpoint_path: '/orders', certificate: 'Partner' };
  const content = (client_key?: string) =>
    stringify({ version: 1, certificates: [{ ...certificate, ...(client_key && { client_key }) }], tools: [tool] });
  const client = await open({ TOOLGATE_SECRET_CLIENT_KEY: client_key, OTHER: client_key });
  assert.match(await client.fails(['apply', write('none.yaml', content())], 1), /requires a secret/);
  assert.match(await client.fails(['apply', write('plain.yaml', content(client_key))], 1), /must be \$\{NAME\}/);
  assert.match(await client.fails(['apply', write('other.yaml', content(reference('OTHER')))], 1), /is not allowed/);
  const file = write('good.yaml', content(reference('TOOLGATE_SECRET_CLIENT_KEY')));
  const { changes } = await client.json(['apply', file]);
  assert.deepEqual(
    changes.map(({ name }: { name: string }) => name),
    ['certificates Partner', 'tools find_order'],
  );
  assert.deepEqual((await client.json(['apply', file])).changes, []);
  const call = await client.json(['tools', 'call', 'find_order']);
  assert.deepEqual(call.body, { ok: true });
  assert.equal(host.requests.at(-1)?.client, 'alpha');

  const exported = write('exported.yaml', '');
  await client.run(['export', exported]);
  const text = readFileSync(exported, 'utf8');
  const { certificates, tools } = parse(text);
  assert.deepEqual(certificates, [certificate]);
  assert.equal(tools[0].certificate, 'Partner');
  assert.doesNotMatch(text, /PRIVATE KEY|crt_/);
  assert.deepEqual((await client.json(['apply', exported])).changes, [], 'a key that is left out stays');
  assert.match(
    await client.fails(
      [
        'apply',
        write('unknown.yaml', stringify({ version: 1, tools: [{ ...tool, name: 'b', certificate: 'Nobody' }] })),
      ],
      1,
    ),
    /certificates has no entry with the name Nobody/,
  );
});

test('who may not read certificates exports and applies everything else', async () => {
  const tenant = await makeTenant(server);
  const admin = createClient(server.url, tenant.keys.admin);
  const made = await admin.json(['certificates', 'create', 'Partner', '--ca', ca]);
  const tool = [
    '--name',
    'find_order',
    '--base-url',
    host.url,
    '--path',
    '/orders',
    '--set',
    `certificate_id=${made.id}`,
  ];
  await admin.run(['tools', 'create', ...tool]);
  const reader = createClient(server.url, tenant.keys.read);
  const { stdout, stderr } = await reader.run(['export', '-']);
  assert.match(stderr, /certificates are left out/);
  assert.ok(!('certificates' in parse(stdout)));
  assert.equal(parse(stdout).tools[0].certificate, made.id);
});
