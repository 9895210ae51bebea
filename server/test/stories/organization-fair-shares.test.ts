// The projects of one organization have one fair share of everything that tenants use together, however many there are. Projects
// that the operator made stand for customers: each quota group has its own.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { after, test } from 'node:test';
import pg from 'pg';
import { createOwner } from '../../src/features/identity/accounts/owner.ts';
import { createSend } from '../../src/outbound/send.ts';
import { untilLockWait } from '../support/database/until-lock-wait.ts';
import { expectResponse, makeKey, makeTenant, unique } from '../support/make/make.ts';
import { makeOwner, PASSWORD, type Person, signIn } from '../support/make/make-accounts.ts';
import { execute, makeTool } from '../support/make/make-tools.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const PROJECTS = 5;
const customers = [await startCustomer(), await startCustomer(), await startCustomer()] as const;
const [busy, other, prompt] = customers;
after(() => Promise.all(customers.map((customer) => customer.close())));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: customers.map(({ address }) => address).join() });
const { api, app } = server;
const operator = await makeOwner(server);

/** The owner of an organization of its own, with projects that were created in the dashboard. */
async function makeOrganization(): Promise<{ owner: Person; projects: { id: string; key: string }[] }> {
  const email = `${unique('owner')}@example.com`;
  await createOwner(app, { email, name: 'Ada', password: PASSWORD, organization: unique('organization') });
  const owner = await signIn(server, email);
  return { owner, projects: await makeProjects(owner) };
}

function makeProjects(owner: Person): Promise<{ id: string; key: string }[]> {
  return Promise.all(
    Array.from({ length: PROJECTS }, async () => {
      const { id } = expectResponse(await owner.api('POST', '/projects', { body: { name: unique('project') } }), 201);
      expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: { plan: 'enterprise' } }), 200);
      return { id, key: (await makeKey(server, id)).key };
    }),
  );
}

const keysOf = async (ids: string[]) =>
  (await app.database.selectFrom('projects').select('fairness_key').where('id', 'in', ids).execute()).map(
    ({ fairness_key }) => fairness_key,
  );

test('five busy projects of one organization hold four database permits, and another tenant reads meanwhile', async () => {
  const { projects } = await makeOrganization();
  const quiet = await makeTenant(server);
  const tools = await Promise.all(projects.map(({ key }) => makeTool(server, key, busy)));
  // Who holds these rows makes each change take its connection for as long as it may wait.
  const holder = new pg.Client(app.config.database_url ?? '');
  await holder.connect();
  await holder.query('begin');
  const ids = tools.map(({ id }) => id);
  await holder.query('select from custom_tools where id = any($1) for update', [ids]);
  const changes = projects.flatMap(({ key }, index) =>
    Array.from({ length: 20 }, () =>
      api('PATCH', `/custom-tools/${tools[index]?.id}`, { key, body: { description: unique('change') } }),
    ),
  );
  await untilLockWait(app.background, 4);
  const held: number[] = [];
  for (let read = 0; read < 20; read += 1) {
    expectResponse(await api('GET', '/custom-tools', { key: quiet.keys.read }), 200);
    const { rows } = await holder.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    held.push(rows.length);
  }
  assert.ok(Math.max(...held) <= 4, `${held}`);
  await holder.end();
  const statuses = new Set((await Promise.all(changes)).map(({ status }) => status));
  assert.ok(
    [...statuses].every((status) => status === 200 || status === 503),
    `${[...statuses]}`,
  );
});

test("five projects of one organization have 20 outgoing calls under way, and another tenant's call is sent", async () => {
  const { projects } = await makeOrganization();
  const quiet = await makeTenant(server);
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  const arrived = () => busy.at('/slow').length + other.at('/slow').length;
  for (const customer of [busy, other])
    customer.respond('/slow', () => {
      if (arrived() === 20) isFull();
      return { hold, body: {} };
    });
  const calls = [];
  for (const { key } of projects)
    for (const customer of [busy, other]) {
      const { id } = await makeTool(server, key, customer, { endpoint_path: '/slow', base_url: customer.url });
      calls.push(...Array.from({ length: 10 }, () => execute(server, key, id)));
    }
  await full;
  const tool = await makeTool(server, quiet.keys.write, prompt);
  expectResponse(await execute(server, quiet.keys.read, tool.id), 200);
  assert.equal(arrived(), 20);
  release();
  for (const call of await Promise.all(calls)) expectResponse(call, 200);
});

test('five projects of one organization have two DNS lookups under way, and another tenant has its own', async () => {
  const { projects } = await makeOrganization();
  const quiet = await makeTenant(server);
  let busyLookups = 0;
  let mostBusyLookups = 0;
  const { promise: response, resolve: respondToAll } = Promise.withResolvers<void>();
  const { promise: busyAsked, resolve: twoAreAsked } = Promise.withResolvers<void>();
  const { promise: quietAsked, resolve: isAsked } = Promise.withResolvers<void>();
  const { send } = app;
  app.send = createSend({
    allow: [],
    async lookup(name) {
      const isBusy = name !== 'quiet.example.com';
      if (!isBusy) isAsked();
      else mostBusyLookups = Math.max(mostBusyLookups, ++busyLookups);
      if (busyLookups === 2) twoAreAsked();
      await response;
      if (isBusy) busyLookups -= 1;
      throw new Error('no such name');
    },
  });
  const call = async (key: string, name: string) => {
    const { id } = await makeTool(server, key, { url: `https://${name}` });
    return () => execute(server, key, id);
  };
  const ready = await Promise.all(projects.map(({ key }, index) => call(key, `busy-${index}.example.com`)));
  const calls = ready.map((begin) => begin());
  const quietCall = (await call(quiet.keys.admin, 'quiet.example.com'))();
  await Promise.all([busyAsked, quietAsked]);
  respondToAll();
  await Promise.all([...calls, quietCall]);
  assert.equal(mostBusyLookups, 2);
  app.send = send;
});

test("five projects of one organization have 50 deliveries under way, and another tenant's delivery goes out", async () => {
  const { projects } = await makeOrganization();
  const events = ['project.updated'];
  const change = async (id: string) =>
    expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: { name: unique('name') } }), 200);
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  const hooks: string[] = [];
  const arrived = () => busy.requests.filter(({ path }) => hooks.includes(path)).length;
  for (const { id } of projects) {
    for (let made = 0; made < 12; made += 1) {
      const { path } = await makeWebhook(server, busy, id, { events });
      hooks.push(path);
      busy.respond(path, () => {
        if (arrived() === 50) isFull();
        return { hold };
      });
    }
    await change(id);
  }
  const hung = server.runJobs();
  await full;
  const quiet = await makeTenant(server);
  const webhook = await makeWebhook(server, prompt, quiet.id, { events });
  const { promise: delivered, resolve: isDelivered } = Promise.withResolvers<void>();
  prompt.respond(webhook.path, () => {
    isDelivered();
    return {};
  });
  await change(quiet.id);
  const second = server.runJobs();
  await delivered;
  assert.equal(arrived(), 50);
  release();
  await Promise.all([hung, second]);
});

test('while one project of an organization uploads a large document, its others are told to wait; another tenant is not', async () => {
  const { projects } = await makeOrganization();
  const quiet = await makeTenant(server);
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/things': { get: { operationId: unique('things') } } },
    'x-size': 'x'.repeat(2 ** 20),
  };
  const body = JSON.stringify({ document, dry_run: true });
  const [first, second] = projects;
  const importBy = (key: string) => api('POST', '/custom-tools/import', { key, body });
  const beginUpload = () => {
    const upload = request(`${server.url}/api/v1/custom-tools/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first?.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const written = new Promise<void>((resolve) => upload.write(body.slice(0, 1_000), () => resolve()));
    const state = { upload, written, response: once(upload, 'response'), is_refused: false };
    upload.once('response', () => {
      state.is_refused = true;
    });
    return state;
  };
  // The upload comes first: the server has answered others since it was written.
  const arrive = async () => {
    await begun.written;
    for (let i = 0; i < 3; i += 1)
      expectResponse(await api('GET', `/projects/${quiet.id}`, { key: quiet.keys.read }), 200);
  };
  // It has its slot as soon as another request of the same project is refused. When such a request was still being answered, the
  // upload is refused instead, and begins again.
  let begun = beginUpload();
  for (await arrive(); (await importBy(first?.key as string)).status === 200; await arrive()) {
    if (!begun.is_refused) continue;
    begun.upload.destroy();
    begun = beginUpload();
  }
  expectResponse(await importBy(second?.key as string), 503);
  expectResponse(await importBy(quiet.keys.write), 200);
  begun.upload.end(body.slice(1_000));
  const [response] = await begun.response;
  assert.equal(response.statusCode, 200);
  response.resume();
  await once(response, 'close');
  expectResponse(await importBy(second?.key as string), 200);
});

for (const { title, make, expected } of [
  {
    title: 'projects that people of an organization made share the key of the organization',
    make: async () => {
      const { owner, projects } = await makeOrganization();
      return { ids: projects.map(({ id }) => id), organization_id: owner.account.organization.id };
    },
    expected: ({ organization_id }: { organization_id: string }) => [organization_id],
  },
  {
    title: "so do those of the operator's people",
    make: async () => {
      const ids = [operator.project.id, ...(await makeProjects(operator)).map(({ id }) => id)];
      return { ids, organization_id: operator.account.organization.id };
    },
    expected: ({ organization_id }: { organization_id: string }) => [organization_id],
  },
  {
    title: 'a project that the root key made has its own, and a sibling that its key makes shares it',
    make: async () => {
      const tenant = await makeTenant(server);
      const made = await api('POST', '/projects', { key: tenant.keys.write, body: { name: 'sibling' } });
      return { ids: [tenant.id, expectResponse(made, 201).id], organization_id: '' };
    },
    expected: ({ ids }: { ids: string[] }) => ids.slice(0, 1),
  },
  {
    title: 'a sibling that a key of an organization makes stays in the share of the organization',
    make: async () => {
      const { owner, projects } = await makeOrganization();
      const made = await api('POST', '/projects', { key: projects[0]?.key, body: { name: 'sibling' } });
      const { id } = expectResponse(made, 201);
      expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body: { plan: 'pro' } }), 200);
      return { ids: [id], organization_id: owner.account.organization.id };
    },
    expected: ({ organization_id }: { organization_id: string }) => [organization_id],
  },
])
  test(title, async () => {
    const made = await make();
    assert.deepEqual([...new Set(await keysOf(made.ids))], expected(made));
    const { body } = await api('GET', `/projects/${made.ids[0]}`, { key: ROOT_KEY });
    assert.equal('fairness_key' in body, false);
  });

test('keys cannot make more projects in an organization of people than it may have; projects of the operator do not count', async () => {
  const limited = await startServer({ TOOLGATE_MAX_PROJECTS: '2' });
  const owner = await makeOwner(limited);
  const { key } = await makeKey(limited, owner.project.id);
  await makeTenant(limited);
  const byKey = () => limited.api('POST', '/projects', { key, body: { name: 'sibling' } });
  expectResponse(await byKey(), 201);
  assert.equal(expectResponse(await byKey(), 403).error.details.reason, 'organization_project_limit');
});
