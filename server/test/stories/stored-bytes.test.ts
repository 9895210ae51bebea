// What one project may store is limited: answers kept for idempotency keys, definitions of tools, their versions, and the number of other resources.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { expectResponse, makeTenant, unique } from '../support/make/make.ts';
import { execute, makeTool, toolFields } from '../support/make/make-tools.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { api, app } = server;
const MIB = 2 ** 20;
const NOT_KEPT = 'The request with this idempotency key succeeded, but its response was not kept';

const keptBytes = async (project_id: string) => {
  const row = await app.database
    .selectFrom('idempotency_bytes')
    .select((of) => of.fn.sum<string>('bytes').as('bytes'))
    .where('project_id', '=', project_id)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
};
const fillKeptBytes = (project_id: string) =>
  sql`insert into idempotency_bytes values (${project_id}, date_trunc('hour', now()) - interval '3 hours', ${64 * MIB - 100})`.execute(
    app.database,
  );
const versionsOf = async (tool_id: string) =>
  (
    await app.database
      .selectFrom('custom_tool_versions')
      .select('version')
      .where('tool_id', '=', tool_id)
      .orderBy('version')
      .execute()
  ).map(({ version }) => version);
const setBytesOfVersion = (tool_id: string, version: number, bytes: number) =>
  sql`update custom_tool_versions set definition = (definition::jsonb || jsonb_build_object('description', repeat('x', ${bytes}::integer)))::json
    where tool_id = ${tool_id} and version = ${version}`.execute(app.database);

test('a result above 256 KiB is not kept: a repeat is 409 with the id of the call, and nothing is called again', async () => {
  const tenant = await makeTenant(server);
  const tool = await makeTool(server, tenant.keys.write, customer);
  const sizes = { large: 256 * 1024, small: 250 * 1024 };
  for (const [name, size] of Object.entries(sizes)) {
    customer.respond(tool.endpoint_path, { body: { text: 'x'.repeat(size) } });
    const headers = { 'idempotency-key': name };
    const before = customer.at(tool.endpoint_path).length;
    const first = expectResponse(await execute(server, tenant.keys.read, tool.id, {}, headers), 200);
    const again = await execute(server, tenant.keys.read, tool.id, {}, headers);
    if (name === 'small') assert.equal(expectResponse(again, 200).call_id, first.call_id);
    else
      assert.partialDeepStrictEqual(expectResponse(again, 409, NOT_KEPT).error.details, {
        field: 'Idempotency-Key',
        call_id: first.call_id,
      });
    assert.equal(customer.at(tool.endpoint_path).length, before + 1);
  }
  const other = await execute(server, tenant.keys.read, tool.id, { other: 1 }, { 'idempotency-key': 'large' });
  expectResponse(other, 422, 'Idempotency key was used with another request');
});

test('beyond 64 MiB of kept answers in 24 hours only the fact is kept; a credential is kept, and other projects are not affected', async () => {
  const full = await makeTenant(server);
  const other = await makeTenant(server);
  await fillKeptBytes(full.id);
  for (const { keys, id } of [full, other]) {
    const tool = await makeTool(server, keys.write, customer);
    const headers = { 'idempotency-key': unique('call') };
    const first = expectResponse(await execute(server, keys.read, tool.id, {}, headers), 200);
    const again = await execute(server, keys.read, tool.id, {}, headers);
    if (id === full.id) assert.equal(expectResponse(again, 409, NOT_KEPT).error.details.call_id, first.call_id);
    else assert.equal(expectResponse(again, 200).call_id, first.call_id);
  }
  const makeKey = () =>
    api('POST', `/projects/${full.id}/api-keys`, {
      key: full.keys.admin,
      body: { name: 'k', permissions: ['read'] },
      headers: { 'idempotency-key': 'a-key' },
    });
  assert.equal(expectResponse(await makeKey(), 201).key, expectResponse(await makeKey(), 201).key);

  const body = toolFields(customer.url, { description: 'x'.repeat(8192) });
  const makeLarge = () =>
    api('POST', '/custom-tools', { key: full.keys.write, body, headers: { 'idempotency-key': 'a-large-tool' } });
  const { id } = expectResponse(await makeLarge(), 201);
  assert.partialDeepStrictEqual(expectResponse(await makeLarge(), 409, NOT_KEPT).error.details, {
    field: 'Idempotency-Key',
    id,
  });

  server.advance(24 * 3_600_000);
  const tool = await makeTool(server, full.keys.write, customer);
  const headers = { 'idempotency-key': unique('later') };
  for (const _ of [1, 2]) expectResponse(await execute(server, full.keys.read, tool.id, {}, headers), 200);
  server.advance(27 * 3_600_000);
  await server.runJobs();
  assert.equal(await keptBytes(full.id), 0);
});

test('the definitions of a project have 8 MiB together: more is 409 and says what to delete; less and switching off always pass', async () => {
  const { id: projectId, keys } = await makeTenant(server);
  const tool = await makeTool(server, keys.write, customer, { description: 'short' });
  const filler = await makeTool(server, keys.write, customer);
  await sql`update custom_tools set title = repeat('x', ${8 * MIB - 3000}::integer) where id = ${filler.id}`.execute(
    app.database,
  );
  const change = (body: object) => api('PATCH', `/custom-tools/${tool.id}`, { key: keys.write, body });
  const long = 'y'.repeat(3000);
  const refused = expectResponse(await change({ description: long }), 409, 'Limit reached').error;
  assert.equal(refused.code, 'LIMIT_REACHED');
  assert.equal(refused.details.limit_bytes, 8 * MIB);
  assert.match(refused.details.remedy, /Delete tools/);
  const body = toolFields(customer.url, { description: long });
  expectResponse(await api('POST', '/custom-tools', { key: keys.write, body }), 409, 'Limit reached');
  const openapi = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    paths: { '/a': { get: { description: long } } },
  };
  const imported = { document: openapi, base_url: customer.url };
  expectResponse(await api('POST', '/custom-tools/import', { key: keys.write, body: imported }), 409, 'Limit reached');
  // A page of the list ends at 1 MiB, and the filler is larger than that.
  const stored = await app.database
    .selectFrom('custom_tools')
    .select(['id', 'description'])
    .where('project_id', '=', projectId)
    .execute();
  assert.equal(stored.length, 2, 'nothing of what was refused is there');
  assert.equal(stored.find(({ id }) => id === tool.id)?.description, 'short');

  await sql`update custom_tools set title = repeat('x', ${9 * MIB}::integer) where id = ${filler.id}`.execute(
    app.database,
  );
  expectResponse(await change({ description: 'less' }), 200);
  expectResponse(await change({ is_enabled: false }), 200);
  expectResponse(await api('DELETE', `/custom-tools/${filler.id}`, { key: keys.admin }), 204);
  expectResponse(await change({ description: long }), 200);
});

test('all versions of a project have 32 MiB together: the oldest are removed, never the current one of a tool', async () => {
  const { keys } = await makeTenant(server);
  const [old, busy] = [await makeTool(server, keys.write, customer), await makeTool(server, keys.write, customer)];
  const save = async (id: string, description: string) =>
    expectResponse(await api('PATCH', `/custom-tools/${id}`, { key: keys.write, body: { description } }), 200);
  await save(old.id, 'second');
  await setBytesOfVersion(old.id, 1, 10 * MIB);
  await setBytesOfVersion(old.id, 2, 10 * MIB);
  await save(busy.id, 'second');
  assert.deepEqual(await versionsOf(old.id), [1, 2]);
  await setBytesOfVersion(busy.id, 2, 30 * MIB);
  await save(busy.id, 'third');
  assert.deepEqual(await versionsOf(old.id), [2]);
  assert.deepEqual(await versionsOf(busy.id), [2, 3]);
});

test('the number of API keys, integrations and assertion keys of a project is limited', async () => {
  const { keys, id } = await makeTenant(server);
  const fill = {
    integrations: sql`insert into integrations (id, project_id, name, created_by)
      select 'int_' || ${id}::text || n, ${id}, 'n', 'test' from generate_series(1, 1000) n`,
    api_keys: sql`insert into api_keys (id, project_id, name, permissions, hash, prefix, last4, created_by)
      select 'key_' || ${id}::text || n, ${id}, 'n', '{read}', sha256((${id}::text || n)::bytea), 'svc_test_abc', 'abcd', 'test'
      from generate_series(1, 10000) n`,
    assertion_keys: sql`insert into assertion_keys (id, project_id, kid, algorithm, public_key, fingerprint, created_by)
      select 'akey_' || ${id}::text || n, ${id}, 'filled-' || n, 'Ed25519', '', '', 'test' from generate_series(1, 1000) n`,
  };
  const { publicKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ format: 'pem', type: 'spki' });
  const create = {
    integrations: () => api('POST', `/projects/${id}/integrations`, { key: keys.admin, body: { name: 'n' } }),
    api_keys: () =>
      api('POST', `/projects/${id}/api-keys`, { key: keys.admin, body: { name: 'n', permissions: ['read'] } }),
    assertion_keys: () =>
      api('POST', '/assertion-keys', {
        key: keys.admin,
        body: { kid: unique('kid'), algorithm: 'Ed25519', public_key },
      }),
  };
  for (const table of ['integrations', 'api_keys', 'assertion_keys'] as const) {
    expectResponse(await create[table](), 201);
    await fill[table].execute(app.database);
    assert.match(
      expectResponse(await create[table](), 409, 'Limit reached').error.details.remedy,
      /^Delete .* at most/,
    );
  }
});
