// The client and the OpenAPI document have the same operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOpenApiDocument } from '../../server/src/commands/openapi-document.ts';
import { AuthenticationError } from '../src/errors.ts';
import { fakeApi, type Step } from './fake-api.ts';

const document = (await makeOpenApiDocument()) as { paths: Record<string, Record<string, unknown>> };

/** For other callers than a customer's backend and the dashboard: probes, MCP clients, browsers that sign in, libraries for JWTs. */
const notInClient =
  /^\w+ \/(healthz|readyz|metrics|docs|\.well-known\/.*|mcp|api\/v1\/(openapi\.json|projects\/\{project_id\}\/(jwks\.json|\.well-known\/.*)|mcp(\/\{project_id\})?(\/toolsets\/\{slug\})?|oauth\/.*|account\/sso(\/callback\/.*)?))$/;
const operations: string[] = Object.entries(document.paths)
  .flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`))
  .filter((operation) => !notInClient.test(operation));

/** Arguments of any method: an id has a name that no path has. */
const ID = 'an-id';

/** Calls every method of every resource with ids for all arguments: a wrong one of them is harmless here. */
async function called(): Promise<string[]> {
  const steps: Step[] = [];
  const { toolgate, asked } = fakeApi(steps, { projectId: ID });
  const call = async (value: unknown): Promise<void> => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) await call(each);
    if (typeof value !== 'function') return;
    const before = asked.length;
    // These go on while the response says so.
    const isGenerator = value.name === 'stream' || value.name === 'watch';
    if (isGenerator || value === toolgate.tasks.result) {
      steps.push({ status: 401 });
      const response = isGenerator ? value(value.name === 'watch' ? ID : {}).next() : value(ID);
      await assert.rejects(response, AuthenticationError);
    } else await value(ID, ID, {});
    assert.equal(asked.length, before + 1, value.name);
  };
  await call(toolgate);
  return asked.map(({ method, url }) => `${method} ${url.pathname}`);
}

test('every operation of the API has a method, and every method an operation', async () => {
  const pattern = (operation: string) => new RegExp(`^${operation.replace(/\{\w+\}/g, `${ID}`)}$`);
  const calls = [...new Set(await called())];
  assert.ok(calls.length > 50);
  assert.deepEqual(
    operations.filter((each) => !calls.some((call) => pattern(each).test(call))),
    [],
  );
  assert.deepEqual(
    calls.filter((call) => !operations.some((each) => pattern(each).test(call))),
    [],
  );
});
