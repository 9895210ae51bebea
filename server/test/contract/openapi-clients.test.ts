// Clients that others generate from the OpenAPI document: they are generated without a warning, are valid strict TypeScript, accept
// every example, and work against a real server.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makeOpenApiDocument } from '../../src/commands/openapi-document.ts';
import { readExamples } from '../../src/http/openapi-examples.ts';
import { makeTenant } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolgate-clients-'));
after(() => rmSync(folder, { recursive: true }));
const document = join(folder, 'openapi.json');
writeFileSync(document, JSON.stringify(await makeOpenApiDocument()));

const require = createRequire(import.meta.url);
const packageFolder = (name: string) => dirname(require.resolve(`${name}/package.json`));

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Checks all files of the folder, with the compiler of the project. */
function typeCheck(): void {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run(join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc'), '--project', folder);
}

test('openapi-typescript generates strict types that accept every recorded request and answer', () => {
  // By default it makes a property with a default required, also in a request.
  const options = ['--output', 'schema.ts', '--default-non-nullable', 'false'];
  const output = run(join(packageFolder('openapi-typescript'), 'bin/cli.js'), document, ...options);
  assert.doesNotMatch(output, /warn|⚠/i);
  const uses = Object.entries(readExamples().operations).flatMap(([id, { request, responses }]) => [
    ...Object.entries(request).map(
      ([type, body]) =>
        `use<NonNullable<operations['${id}']['requestBody']>['content']['${type}']>(${JSON.stringify(body)});`,
    ),
    ...Object.entries(responses).map(
      ([status, body]) =>
        `use<operations['${id}']['responses'][${status}]['content']['application/json']>(${JSON.stringify(body)});`,
    ),
  ]);
  assert.ok(uses.length > 80);
  const head = `import type { operations } from "./schema.ts";\nfunction use<T>(_value: T): void {}\n`;
  writeFileSync(join(folder, 'uses.ts'), head + uses.join('\n'));
  typeCheck();
});

test('@hey-api/openapi-ts generates a strict client that works against a real server', async () => {
  const output = run(join(import.meta.dirname, '../fixtures/generate-client.ts'), document, join(folder, 'client'));
  assert.doesNotMatch(output, /warn|⚠/i);
  typeCheck();
  const { client } = await import(join(folder, 'client/client.gen.ts'));
  const sdk = await import(join(folder, 'client/sdk.gen.ts'));
  const server = await startServer();
  const tenant = await makeTenant(server);
  client.setConfig({ baseUrl: server.url, auth: () => tenant.keys.admin });

  const body = { name: 'Backend', permissions: ['read'] };
  const made = await sdk.createApiKey({ path: { project_id: tenant.id }, body });
  assert.equal(made.response.status, 201);
  const { data } = await sdk.listApiKeys({ path: { project_id: tenant.id }, query: { limit: 1 } });
  assert.equal(data.data[0].id, made.data.id);
  const refused = await sdk.getApiKey({ path: { project_id: tenant.id, api_key_id: 'key_absent' } });
  assert.equal(refused.error.error.code, 'NOT_FOUND');
});
