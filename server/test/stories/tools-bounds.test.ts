// What one project may cost the others by registering tools: connections, rows, answers, entries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectAnswer, makeTenant, unique } from '../make.ts';
import { toolFields } from '../make-tools.ts';
import { startServer } from '../start-server.ts';

const server = await startServer();
const origin = 'https://api.example.com';
const fields = (more: object = {}) => toolFields(origin, more);
const document = (paths: object, more: object = {}) => ({
  openapi: '3.1.0',
  servers: [{ url: origin }],
  paths,
  ...more,
});
const create = (key: string, body: object, headers = {}) => server.api('POST', '/custom-tools', { key, body, headers });
const importInto = (key: string, given: object, headers = {}) =>
  server.api('POST', '/custom-tools/import', { key, body: { document: given }, headers });

test('schemas are compiled before a connection is taken, with an Idempotency-Key too', async () => {
  const { keys } = await makeTenant(server);
  // Only the compiler finds this, so its answer means that the compiler has run.
  const input_schema = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } };
  const refused = async () => {
    const headers = { 'idempotency-key': unique('bounds') };
    const { error } = expectAnswer(await create(keys.write, fields({ input_schema }), headers), 422);
    assert.equal(error.details.field, 'input_schema.properties.a.pattern');
  };
  await refused(); // from now on the key is known without asking the database
  const { pool } = server.app;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    await refused();
  } finally {
    for (const client of held) client.release();
  }
});
