// The OpenAPI document: valid, and true: no response the server gives is missing from it. The generated pages of docs/ are up to date.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { makeDocs } from '../../src/commands/write-docs.ts';
import { makeTenant } from '../support/make/make.ts';
import type { CallOptions } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const docs = join(import.meta.dirname, '../../../docs');
const server = await startServer();

type Reference = { $ref: string };
type Media = { schema?: object; examples?: Record<string, Reference> };
type Response = { description: string; headers?: object; content?: Record<string, Media> };
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: object[];
  parameters?: ({ in: string; name: string; required?: boolean } | Reference)[];
  requestBody?: object;
  responses: Record<string, Response | Reference>;
};
type Document = {
  openapi: string;
  security: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
};

const document: Document = (await server.api('GET', '/openapi.json')).body;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

function resolve<T extends object>(given: T | Reference): T {
  if (!('$ref' in given)) return given;
  const steps = given.$ref.replace(/^#\//, '').split('/');
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  assert.ok(found, `${given.$ref} leads nowhere`);
  return found as T;
}

for (const [name, text] of Object.entries(makeDocs())) {
  test(`docs/${name} is what the code says; npm run docs writes it`, () => {
    // Not equal(): a difference of thousands of lines helps nobody.
    assert.ok(readFileSync(join(docs, name), 'utf8') === text, `docs/${name} is stale: run npm run docs`);
  });
}

test('redocly lint finds no error and no warning', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-openapi-'));
  after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    // An operation that only redirects has no answer with 2xx; the tests below know it.
    [cli, 'lint', join(folder, 'openapi.json'), '--format=json', '--skip-rule=operation-2xx-response'],
    { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );
  assert.equal(status, 0, stdout + stderr);
  const { totals, problems } = JSON.parse(stdout);
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], JSON.stringify(problems, null, 2));
});

test('it is OpenAPI 3.1, every reference in it leads somewhere, and every operation has its own name', () => {
  assert.match(document.openapi, /^3\.1\./);
  for (const [, $ref = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) resolve({ $ref });
  const names = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(names).size, names.length);
});

for (const { method, path, operation } of operations) {
  test(`${method} ${path} says what it does, needs and answers`, () => {
    assert.ok(operation.summary && !operation.summary.endsWith('.'));
    const known = document.tags.map(({ name }) => name);
    assert.ok(operation.tags.length === 1 && known.includes(operation.tags[0] as string), String(operation.tags));
    const declared = (operation.parameters ?? []).map((parameter) => resolve<{ in: string; name: string }>(parameter));
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      assert.ok(
        declared.some((parameter) => parameter.in === 'path' && parameter.name === name),
        `${name} is missing`,
      );
    }
    assert.ok(operation.security ?? document.security);
    assert.ok(Object.keys(operation.responses).some((status) => /^(2\d\d|303)$/.test(status)));
    for (const response of Object.values(operation.responses)) {
      const { description, headers = {} } = resolve(response);
      assert.ok(description && description !== 'Default Response');
      assert.ok('X-Request-Id' in headers);
    }
  });
}

/** An address may fail to authenticate 60 times a minute; these tests fail more often than that. */
const aMinuteLater = () => server.advance(61_000);

const isPublic = (operation: Operation) => operation.security?.length === 0;

for (const { method, path, operation } of operations.filter((entry) => !isPublic(entry.operation))) {
  test(`${method} ${path}: every refusal the server gives is in the document`, async () => {
    aMinuteLater();
    const tenant = await makeTenant(server);
    const url = path.replace('{project_id}', tenant.id).replaceAll(/\{\w+\}/g, 'absent');
    const big = `{"name":"${'x'.repeat(1_100_000)}"}`;
    const calls: Record<string, CallOptions> = {
      'without a credential': {},
      'with a wrong credential': { key: `svc_live_${'0'.repeat(36)}` },
      'with read': { key: tenant.keys.read },
      'with webhook': { key: tenant.keys.webhook },
      'of an absent project': { key: ROOT_KEY, project: 'prj_absent' },
      'without a project': { key: ROOT_KEY },
      'with a query that is wrong': { key: tenant.keys.admin },
      ...(method === 'GET'
        ? {}
        : {
            'with broken JSON': { key: tenant.keys.admin, body: '{"name":' },
            'with an unknown field': { key: tenant.keys.admin, body: { unknown_field: 1 } },
            'with a list': { key: tenant.keys.admin, body: [] },
            'with another type': { key: tenant.keys.admin, body: 'x', headers: { 'content-type': 'text/plain' } },
            'with too much': { key: tenant.keys.admin, body: big },
          }),
    };
    for (const [what, options] of Object.entries(calls)) {
      const target = what.includes('query') ? `${url}?limit=none&cursor=none` : url;
      const { status, body, text, headers } = await server.api(method, target, options);
      const documented = operation.responses[String(status)];
      assert.ok(documented, `${what}: ${status} ${text.slice(0, 200)} is not documented`);
      if (status < 400) continue;
      const { content = {}, headers: named = {} } = resolve(documented);
      const codes = Object.keys(content['application/json']?.examples ?? {});
      // JSON-RPC errors name no codes of ours; they are described with the protocol.
      if (!body.jsonrpc) assert.ok(codes.includes(body.error.code), `${what}: ${status} ${text} is not among ${codes}`);
      // Only the conflict with a request in progress ends by itself.
      const canWait = status !== 409 || body.error.code === 'IDEMPOTENCY_KEY_IN_USE';
      const expected = Object.keys(named).filter((name) => name !== 'Retry-After' || canWait);
      for (const name of expected) assert.ok(headers.has(name), `${what}: ${status} lacks ${name}`);
    }
  });
}

test('what anybody may call says so, and nothing else is open', async () => {
  const open = operations.filter(({ operation }) => isPublic(operation)).map(({ method, path }) => `${method} ${path}`);
  for (const { method, path } of operations) {
    aMinuteLater();
    const { status } = await server.api(method, path.replaceAll(/\{\w+\}/g, 'absent'));
    assert.equal(status === 401, !open.includes(`${method} ${path}`), `${method} ${path} answers ${status}`);
  }
});
