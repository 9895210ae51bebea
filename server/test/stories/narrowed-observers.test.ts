// What sees all calls of a project is not for a credential that sees only some tools: hooks and log streams.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeTenant } from '../support/make/make.ts';
import { makeHook } from '../support/make/make-hook.ts';
import { makeLogStream } from '../support/make/make-log-stream.ts';
import { makeToolset } from '../support/make/make-toolset.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { startServer } from '../support/servers/start-server.ts';

const customer = await startCustomer();
after(() => customer.close());
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customer.address });
const { id: project_id, keys } = await makeTenant(server);
const { id: toolset_id } = await makeToolset(server, project_id);
const narrowed = await makeKey(server, project_id, ['admin'], { toolset_ids: [toolset_id] });

const endpoint = `${customer.url}/observer`;
const resources = [
  {
    path: `/projects/${project_id}/hooks`,
    make: () => makeHook(server, customer, project_id),
    created: { url: endpoint, points: ['before', 'after'] },
    changed: { url: endpoint },
  },
  {
    path: `/projects/${project_id}/log-streams`,
    make: () => makeLogStream(server, customer, project_id),
    created: { kind: 'https', source: 'tool_calls', endpoint },
    changed: { endpoint },
  },
];

for (const { path, make, created, changed } of resources)
  test(`a narrowed key with admin creates, changes and deletes nothing at ${path.split('/').at(-1)}, and reads it`, async () => {
    const { id } = await make();
    const requests = [
      ['POST', path, created],
      ['PATCH', `${path}/${id}`, changed],
      ['PATCH', `${path}/${id}`, { is_enabled: false }],
      ['POST', `${path}/${id}/rotate-secret`, {}],
      ['DELETE', `${path}/${id}`, undefined],
    ] as const;
    for (const [method, at, body] of requests) {
      const response = await server.api(method, at, { key: narrowed.key, ...(body && { body }) });
      assert.equal(expectResponse(response, 403).error.details.reason, 'credential_is_narrowed', `${method} ${at}`);
    }
    const { data } = expectResponse(await server.api('GET', path, { key: narrowed.key }), 200);
    assert.deepEqual(
      data.map((each: { id: string; is_enabled: boolean }) => [each.id, each.is_enabled]),
      [[id, true]],
    );
    for (const [method, at, body] of requests) {
      const response = await server.api(method, at, { key: keys.admin, ...(body && { body }) });
      assert.ok(response.status < 300, `${method} ${at}: ${response.text}`);
    }
  });
