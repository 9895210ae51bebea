// What is kept for how long, and that nothing younger goes with it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import { makeWebhook } from '../support/make/make-webhook.ts';
import { startCustomer } from '../support/peers/fake-customer.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const DAY_MS = 86_400_000;

const receiver = await startCustomer();
after(() => receiver.close());
const server = await startServer({
  TOOLGATE_EGRESS_ALLOW: receiver.address,
  TOOLGATE_EVENT_DAYS: '20',
  TOOLGATE_DELIVERY_DAYS: '10',
  TOOLGATE_CALL_LOG_DAYS: '40',
  TOOLGATE_DELETED_PROJECT_DAYS: '30',
});
const { api, app } = server;

const countOf = async (path: string) => expectResponse(await api('GET', path, { key: ROOT_KEY }), 200).data.length;

async function pass(days: number): Promise<void> {
  server.advance(days * DAY_MS);
  await server.runJobs();
}

test('deliveries go after their days, events after theirs', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id);
  const deliveries = `/projects/${id}/webhooks/${webhook.id}/deliveries`;
  const events = `/projects/${id}/events`;
  await makeKey(server, id);
  await server.runJobs();
  await pass(9);
  assert.deepEqual([await countOf(deliveries), await countOf(events)], [1, 2]);
  await pass(2);
  assert.deepEqual([await countOf(deliveries), await countOf(events)], [0, 2]);
  await pass(10);
  assert.deepEqual([await countOf(deliveries), await countOf(events)], [0, 0]);
});

test('a recovery sends nothing again that arrived, though the log of that is gone', async () => {
  const { id } = await makeProject(server);
  const webhook = await makeWebhook(server, receiver, id, { events: ['api_key.*'] });
  const since = new Date(app.now() - DAY_MS).toISOString();
  await makeKey(server, id);
  await server.runJobs();
  await pass(11);
  const path = `/projects/${id}/webhooks/${webhook.id}`;
  assert.equal(await countOf(`${path}/deliveries`), 0);
  const response = await api('POST', `${path}/recover`, { key: ROOT_KEY, body: { since } });
  assert.equal(expectResponse(response, 200).recovered, 0);
  await server.runJobs();
  assert.equal(receiver.at(webhook.path).length, 1);
});

const callsOf = async (project_id: string) =>
  (await app.database.selectFrom('tool_calls').select('id').where('project_id', '=', project_id).execute()).length;

async function callTool(project_id: string): Promise<void> {
  const { key } = await makeKey(server, project_id);
  const body = { name: unique('tool'), base_url: receiver.url, endpoint_path: '/orders' };
  const tool = expectResponse(await api('POST', '/custom-tools', { key, body }), 201);
  expectResponse(await api('POST', `/custom-tools/${tool.id}/execute`, { key, body: { arguments: {} } }), 200);
  await server.runJobs();
}

test('the log of calls goes after its days, and with its project', async () => {
  const [kept, deleted] = [await makeProject(server), await makeProject(server)];
  await callTool(kept.id);
  await pass(39);
  assert.equal(await callsOf(kept.id), 1);
  await callTool(deleted.id);
  expectResponse(await api('DELETE', `/projects/${deleted.id}`, { key: ROOT_KEY }), 204);
  await pass(2);
  assert.deepEqual([await callsOf(kept.id), await callsOf(deleted.id)], [0, 1]);
  await pass(29);
  assert.equal(await callsOf(deleted.id), 0);
  const versions = app.database.selectFrom('custom_tool_versions').select('id').where('project_id', '=', deleted.id);
  assert.deepEqual(await versions.execute(), []);
});

test('a deleted project is refused at once, and purged with all its rows 30 days later', async () => {
  const { id } = await makeProject(server);
  await makeKey(server, id);
  await makeWebhook(server, receiver, id);
  expectResponse(await api('DELETE', `/projects/${id}`, { key: ROOT_KEY }), 204);
  const rows = async () => {
    const counts = await Promise.all(
      (['api_keys', 'webhooks', 'events', 'deliveries'] as const).map((table) =>
        app.database.selectFrom(table).select('id').where('project_id', '=', id).execute(),
      ),
    );
    const project = await app.database.selectFrom('projects').select('id').where('id', '=', id).execute();
    return project.length + counts.flat().length;
  };
  await pass(29);
  assert.ok((await rows()) > 0);
  await pass(2);
  assert.equal(await rows(), 0);
  const entries = await app.database.selectFrom('audit_entries').select('id').where('project_id', '=', id).execute();
  assert.ok(entries.length > 0, 'the audit log outlives the project');
});

test('kept answers of idempotent calls go when they are no longer given', async () => {
  const body = { name: 'x', plan: 'enterprise' };
  const headers = { 'idempotency-key': 'retention' };
  expectResponse(await api('POST', '/projects', { key: ROOT_KEY, body, headers }), 201);
  const kept = () => app.database.selectFrom('idempotency_keys').select('key').where('key', '=', 'retention').execute();
  await pass(0.9);
  assert.equal((await kept()).length, 1);
  await pass(0.2);
  assert.equal((await kept()).length, 0);
});

test('sessions and used assertion ids are deleted a day after they expired', async () => {
  const { id } = await makeProject(server);
  const at = (ms: number) => new Date(app.now() + ms).toISOString();
  await app.database.insertInto('members').values({ id: 'mem_retention', project_id: id, external_id: 'x' }).execute();
  await app.database
    .insertInto('member_sessions')
    .values({
      id: 'ses_retention',
      project_id: id,
      integration_id: 'int_x',
      member_id: 'mem_retention',
      api_key_id: 'key_x',
      hash: Buffer.alloc(32, 9),
      expires_at: at(900_000),
    })
    .execute();
  await app.database
    .insertInto('used_assertion_ids')
    .values({ project_id: id, jti: 'j', expires_at: at(60_000) })
    .execute();
  const left = async () => {
    const sessions = await app.database
      .selectFrom('member_sessions')
      .select('id')
      .where('project_id', '=', id)
      .execute();
    const ids = await app.database
      .selectFrom('used_assertion_ids')
      .select('jti')
      .where('project_id', '=', id)
      .execute();
    return [sessions.length, ids.length];
  };
  await pass(1);
  assert.deepEqual(await left(), [1, 1]);
  await pass(0.1);
  assert.deepEqual(await left(), [0, 0]);
});
