// Calls of imported operations against a mock that others wrote (@stoplight/prism-cli), made from the same document: it validates
// parameters, bodies and credentials as OpenAPI says.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { invalidArguments, validArguments, validatedApi } from '../import-table/validated-api.ts';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { execute } from '../support/make/make-tools.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startServer } from '../support/servers/start-server.ts';
import { waitUntil } from '../support/wait-until.ts';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const document = validatedApi(url);
const folder = mkdtempSync(join(tmpdir(), 'toolgate-mock-'));
const file = join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(document));
const { resolve } = createRequire(import.meta.url);
const prism = join(dirname(resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');
const mock = spawn(process.execPath, [prism, 'mock', '--errors', '-h', '127.0.0.1', '-p', String(port), file], {
  stdio: 'ignore',
});
after(() => {
  mock.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const server = await startServer({ TOOLGATE_EGRESS_ALLOW: url });
const { keys } = await makeTenant(server);
await waitUntil(async () => (await fetch(`${url}/orders`)).status > 0, 60_000, 'the mock is ready');

const made = await server.api('POST', '/custom-tools/import', {
  key: keys.write,
  body: {
    document,
    auth_secrets: { token: 'a-token-of-the-api', key: 'a-key-of-the-api' },
    context_in: 'headers',
    is_enabled: true,
  },
});
const { created, skipped } = expectResponse(made, 201);

test('every operation of the document is a tool, with each body format', async () => {
  assert.deepEqual(skipped, []);
  const names = created.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.toSorted(), Object.keys(validArguments).toSorted());
  const formats = new Set<string>();
  for (const name of names)
    formats.add(expectResponse(await server.api('GET', `/custom-tools/${name}`, { key: keys.read }), 200).body_format);
  assert.deepEqual([...formats].toSorted(), ['form', 'json', 'multipart', 'raw']);
});

for (const [name, given] of Object.entries(validArguments))
  test(`${name} is sent as the document says`, async () => {
    const response = await execute(server, keys.read, name, given);
    expectResponse(response, 200);
  });

test('the mock refuses what breaks the rules of the document, of each kind', async () => {
  // Only it may refuse: the schemas of the tools take everything.
  for (const name of Object.keys(invalidArguments)) {
    const { input_schema } = expectResponse(await server.api('GET', `/custom-tools/${name}`, { key: keys.read }), 200);
    const properties = Object.fromEntries(
      Object.entries(input_schema.properties).map(([argument, { format }]: any) => [
        argument,
        format ? { type: 'string', format } : {},
      ]),
    );
    const body = { input_schema: { type: 'object', properties } };
    expectResponse(await server.api('PATCH', `/custom-tools/${name}`, { key: keys.write, body }), 200);
  }
  for (const [name, wrong] of Object.entries(invalidArguments)) {
    const response = await execute(server, keys.read, name, { ...validArguments[name], ...wrong });
    assert.equal(response.status, 502, `${name}: ${response.text}`);
    assert.match(response.text, /422|400/, name);
  }
});
