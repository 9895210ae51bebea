// The size of a prepared tool in the cache, and when it is prepared again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant, unique } from '../../../../test/support/make/make.ts';
import { makeTool } from '../../../../test/support/make/make-tools.ts';
import { startServer } from '../../../../test/support/servers/start-server.ts';
import { waitUntil } from '../../../../test/support/wait-until.ts';
import { CHANGES_CHANNEL } from '../../../database/watch.ts';
import { cachedTool, loadTool } from './tool-cache.ts';

const server = await startServer();
const tenant = await makeTenant(server);
const project = { id: tenant.id, fairness_key: tenant.id };
const make = (fields: object = {}) => makeTool(server, tenant.keys.write, { url: 'https://api.example.com' }, fields);

/** The notification of what was made just now removes it from the cache once more. They arrive in the order of the changes. */
async function untilNotified(): Promise<void> {
  const { cache, pool } = server.app;
  const marker = unique('prj');
  await cache.getOrLoad('tool', marker, async () => ({ project_id: marker, value: {}, bytes: 1 }));
  await pool.query('select pg_notify($1, $2)', [CHANGES_CHANNEL, marker]);
  await waitUntil(async () => cache.get('tool', marker) === undefined, 20_000, 'the notifications have arrived');
}

const wide = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`field_${i}`, { type: 'integer', minimum: i }]),
  ),
};

test('a prepared tool counts with both of its validators', async () => {
  const bytesOf = async (fields: object) => (await loadTool(server.app, project, (await make(fields)).name)).bytes;
  const small = await bytesOf({});
  const input = await bytesOf({ input_schema: wide });
  const both = await bytesOf({ input_schema: wide, output_schema: wide });
  const schema_bytes = JSON.stringify(wide).length;
  assert.ok(small > 4_000, String(small));
  assert.ok(input > small + 10 * schema_bytes, `${input}, with a schema of ${schema_bytes}`);
  assert.ok(both > input + 10 * schema_bytes, `${both} after ${input}`);
});

test('a change of one tool compiles no schema of another, and every tool is loaded again', async () => {
  const [kept, changed] = [await make({ input_schema: wide, output_schema: wide }), await make()];
  const find = (name: string) => loadTool(server.app, project, name);
  await untilNotified();
  const [keptBefore, changedBefore] = [await find(kept.name), await find(changed.name)];
  const body = { input_schema: wide };
  expectResponse(await server.api('PATCH', `/custom-tools/${changed.id}`, { key: tenant.keys.write, body }), 200);
  assert.equal(cachedTool(server.app, tenant.id, kept.name), undefined);
  const [keptAfter, changedAfter] = [await find(kept.name), await find(changed.name)];
  assert.notEqual(keptAfter, keptBefore);
  assert.equal(keptAfter.validate, keptBefore.validate);
  assert.notEqual(changedAfter.validate, changedBefore.validate);
  assert.deepEqual(changedAfter.input_schema, wide);
});

test('concurrent calls prepare a tool once, by its id and by its name', async () => {
  const { id, name } = await make();
  await untilNotified();
  for (const key of [id, name]) {
    const found = await Promise.all([1, 2, 3].map(() => loadTool(server.app, project, key)));
    assert.ok(found.every((tool) => tool === found[0] && tool.id === id));
  }
});

test('prepared tools take bounded memory: the least recently used are evicted, and prepared again when called', async () => {
  const pattern = { type: 'string', pattern: '^[a-z]{1,990}$' };
  const heavy = {
    type: 'object',
    properties: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, pattern])),
  };
  const names: string[] = [];
  for (let i = 0; i < 24; i += 1) names.push((await make({ input_schema: heavy, output_schema: heavy })).name);
  await untilNotified();
  for (const name of names) await loadTool(server.app, project, name);
  const kept = names.map((name) => cachedTool(server.app, tenant.id, name)).filter((tool) => tool !== undefined);
  const bytes = kept.reduce((sum, tool) => sum + tool.bytes, 0);
  assert.ok(
    kept.length < names.length && bytes > 80 * 2 ** 20 && bytes <= 96 * 2 ** 20,
    `${kept.length}: ${bytes} bytes`,
  );
  const [first = '', last = ''] = [names[0], names.at(-1)];
  assert.equal(cachedTool(server.app, tenant.id, first), undefined);
  assert.ok(cachedTool(server.app, tenant.id, last));
  assert.equal((await loadTool(server.app, project, first)).name, first);
});
