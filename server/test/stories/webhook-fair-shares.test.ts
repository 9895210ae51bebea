// Whatever the receivers of one quota group do, the deliveries of another go out.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const PER_GROUP = 50;

const [hanging, prompt] = [await startCustomer(), await startCustomer()];
after(() => Promise.all([hanging.close(), prompt.close()]));
const server = await startServer({ TOOLGATE_EGRESS_ALLOW: `${hanging.address},${prompt.address}` });
const { api } = server;

const events = ['project.updated'];
const change = async (project_id: string) =>
  expectResponse(await api('PATCH', `/projects/${project_id}`, { key: ROOT_KEY, body: { name: unique('name') } }), 200);

test("200 receivers that hang, in four projects of one group, do not delay another group's delivery", {
  timeout: 120_000,
}, async () => {
  const first = await makeProject(server);
  const { key } = await makeKey(server, first.id, ['write']);
  const projects = [first];
  while (projects.length < 4)
    projects.push(expectResponse(await api('POST', '/projects', { key, body: { name: unique('sibling') } }), 201));
  const { promise: hold, resolve: release } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  hanging.respond('*', () => {
    if (hanging.requests.length === PER_GROUP) isFull();
    return { hold };
  });
  for (const { id } of projects) {
    for (let i = 0; i < 50; i += 1) await makeWebhook(server, hanging, id, { events });
    // Five each: as many as one webhook may have under way, and 1,000 in all.
    for (let i = 0; i < 5; i += 1) await change(id);
  }
  // Before the receivers hang: a delivery is given up some seconds later, and its place is free again.
  const other = await makeProject(server);
  const webhook = await makeWebhook(server, prompt, other.id, { events });
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  prompt.respond(webhook.path, () => {
    arrive();
    return {};
  });
  const hung = server.runJobs();
  await full;

  await change(other.id);
  const delivered = server.runJobs();
  await arrived;
  assert.equal(hanging.requests.length, PER_GROUP);

  await server.app.database.deleteFrom('jobs').where('state', '=', 'ready').execute(); // the other 950 prove nothing more
  release();
  await Promise.all([hung, delivered]);
  assert.equal(hanging.requests.length, PER_GROUP);
  assert.equal(prompt.at(webhook.path).length, 1);
});
