// Documents as large as those of real APIs: how much is accepted, and that others are served meanwhile.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const MIB = 2 ** 20;
const OPERATIONS = 1_200;

/** As large as GitHub's description, with as many operations; most of it consists of the schemas of responses. */
function largeDocument(bytes: number): string {
  const paths = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, i) => [
      `/things_${i}/{id}`,
      {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        post: {
          operationId: `things_${i}`,
          tags: [i % 2 === 0 ? 'even' : 'odd'],
          description: 'What a model reads. '.repeat(10),
          requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/Thing${i}` } } } },
        },
      },
    ]),
  );
  const schemas = Object.fromEntries(
    Array.from({ length: OPERATIONS }, (_, i) => [
      `Thing${i}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 8 }, (_, j) => [
            `field_${i}_${j}`,
            { type: 'string', maxLength: 100 + j, description: 'A field.' },
          ]),
        ),
      },
    ]),
  );
  const document = { openapi: '3.0.3', servers: [{ url: 'https://api.example.com' }], paths, components: { schemas } };
  const response = {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'array', items: {} } },
    text: 'x'.repeat(900),
  };
  const missing = bytes - JSON.stringify(document).length;
  const responses = Array.from(
    { length: Math.max(0, Math.floor(missing / (JSON.stringify(response).length + 1))) },
    () => response,
  );
  return JSON.stringify({ ...document, 'x-answers': responses });
}

/** The most processor time that this thread used between two looks at the event loop. Not the time that passed: other processes may have used it. */
function watchThread(): () => number {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = used();
  let most_ms = 0;
  const timer = setInterval(() => {
    const now = used();
    most_ms = Math.max(most_ms, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return most_ms;
  };
}

test('a document of 19 MB with 1,200 operations becomes tools, and no other request waits for it', async () => {
  const { keys } = await makeTenant(server);
  const body = Buffer.from(`{"document":${largeDocument(19_000_000)}}`);
  const stop = watchThread();
  const response = await server.api('POST', '/custom-tools/import', { key: keys.write, body });
  const most_ms = stop();
  const { created, skipped } = expectResponse(response, 201);
  assert.deepEqual([created.length, skipped], [OPERATIONS, []]);
  assert.equal(created[7].name, 'things_7');
  // The promise is 50 ms, on a machine that does nothing else.
  assert.ok(most_ms < 100, `the event loop was blocked for ${Math.round(most_ms)} ms`);
});

test('a part of a large document, as the text in a form, makes only its tools', async () => {
  const { keys } = await makeTenant(server);
  const form = new FormData();
  form.append('document', new Blob([largeDocument(3 * MIB)]));
  form.append('include', '[{"path":"/things_11*"}]');
  form.append('exclude', '[{"tag":"even"}]');
  const response = await fetch(`${server.url}/api/v1/custom-tools/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.write}` },
    body: form,
  });
  const { created, not_selected } = (await response.json()) as any;
  assert.equal(response.status, 201);
  assert.equal(created.length, 56);
  assert.equal(not_selected, OPERATIONS - 56);
});

test('a body over 20 MiB is 413 and names the limit; other routes keep theirs of 1 MiB', async () => {
  const { keys } = await makeTenant(server);
  const limitOf = async (path: string, size: number) => {
    const body = Buffer.alloc(size, ' ');
    const response = await server.api('POST', path, { key: keys.write, body });
    return expectResponse(response, 413, 'Body is too large').error.details.limit_bytes;
  };
  assert.equal(await limitOf('/custom-tools/import', 20 * MIB + 1), 20 * MIB);
  assert.equal(await limitOf('/custom-tools', MIB + 1), MIB);
});

test('one large body of a quota group is received at a time; small ones are not held up by it', async () => {
  const { keys } = await makeTenant(server);
  const small = { document: { openapi: '3.1.0', paths: {} } };
  const send = (body: object | string) => server.api('POST', '/custom-tools/import', { key: keys.write, body });
  expectResponse(await send(small), 201);

  const headers = {
    authorization: `Bearer ${keys.write}`,
    'content-type': 'application/json',
    'content-length': 2 * MIB,
    expect: '100-continue',
  };
  const slow = request(`${server.url}/api/v1/custom-tools/import`, { method: 'POST', headers });
  slow.on('error', () => {});
  slow.flushHeaders();
  await once(slow, 'continue');
  const large = JSON.stringify({ ...small, padding: 'x'.repeat(2 * MIB) });
  const refused = await send(large);
  assert.equal(refused.headers.get('retry-after'), '5');
  expectResponse(refused, 503);
  expectResponse(await send(small), 201);

  slow.destroy();
  let status = 503;
  for (let attempt = 0; attempt < 200 && status === 503; attempt += 1) status = (await send(large)).status;
  assert.equal(status, 422, 'it is read, and has an unknown field');
});
