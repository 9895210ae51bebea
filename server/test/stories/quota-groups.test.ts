// Contract 4: a project and the siblings that its keys created share one plan, one request limit and one project limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeKey, makeProject, unique } from '../support/make/make.ts';
import type { ApiResponse } from '../support/requests/call-api.ts';
import { ROOT_KEY, startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;

const makeSibling = (key: string): Promise<ApiResponse> =>
  api('POST', '/projects', { key, body: { name: unique('sibling') } });
const read = async (id: string) => expectResponse(await api('GET', `/projects/${id}`, { key: ROOT_KEY }), 200);
const setPlan = async (id: string, body: object) =>
  expectResponse(await api('PATCH', `/projects/${id}`, { key: ROOT_KEY, body }), 200);

test('a project that the root key creates starts a quota group; siblings of siblings join it', async () => {
  const first = await makeProject(server, { plan: 'pro' });
  assert.equal(first.quota_group_id, first.id);
  const { key } = await makeKey(server, first.id, ['write']);
  const child = expectResponse(await makeSibling(key), 201);
  const grandchild = expectResponse(await makeSibling(child.api_key.key), 201);
  for (const { quota_group_id, plan } of [child, grandchild])
    assert.deepEqual({ quota_group_id, plan }, { quota_group_id: first.id, plan: 'pro' });
});

test('a project and its siblings share one request limit', async () => {
  const first = await makeProject(server, { plan: 'enterprise', requests_per_hour: 10 });
  const { key } = await makeKey(server, first.id, ['read', 'write']);
  const keys = [key];
  for (let i = 0; i < 3; i += 1) keys.push(expectResponse(await makeSibling(key), 201).api_key.key);
  const statuses: number[] = [];
  for (let i = 0; i < 12; i += 1) statuses.push((await api('GET', '/projects', { key: keys[i % 4] as string })).status);
  assert.equal(statuses.filter((status) => status === 200).length, 7);
  assert.equal(statuses.filter((status) => status === 429).length, 5);
});

test('the 101st project of a group is refused, also for concurrent requests; other groups are not affected', async () => {
  const first = await makeProject(server);
  const { key } = await makeKey(server, first.id, ['write']);
  const responses: ApiResponse[] = [];
  while (responses.length < 104)
    responses.push(...(await Promise.all(Array.from({ length: 8 }, () => makeSibling(key)))));
  assert.equal(responses.filter(({ status }) => status === 201).length, 99);
  for (const refused of responses.filter(({ status }) => status !== 201))
    expectResponse(refused, 403, 'Project limit reached');
  const other = await makeProject(server);
  expectResponse(await makeSibling((await makeKey(server, other.id, ['write'])).key), 201);

  const deleted = responses.find(({ status }) => status === 201)?.body;
  expectResponse(await api('DELETE', `/projects/${deleted.id}`, { key: ROOT_KEY }), 204);
  expectResponse(await makeSibling(key), 201);
});

test('a new plan of the first project applies to its siblings at once', async () => {
  const first = await makeProject(server, { plan: 'free' });
  const { key } = await makeKey(server, first.id, ['write']);
  const child = expectResponse(await makeSibling(key), 201);
  await setPlan(first.id, { plan: 'enterprise', requests_per_hour: 777 });
  const { plan, requests_per_hour, quota_group_id } = await read(child.id);
  assert.deepEqual(
    { plan, requests_per_hour, quota_group_id },
    { plan: 'enterprise', requests_per_hour: 777, quota_group_id: first.id },
  );
  const response = await makeSibling(child.api_key.key);
  assert.equal(response.headers.get('x-ratelimit-limit'), '777');
});

test('a sibling that the operator gives a plan becomes a group of its own', async () => {
  const first = await makeProject(server, { plan: 'enterprise', requests_per_hour: 4 });
  const { key } = await makeKey(server, first.id, ['read', 'write']);
  const child = expectResponse(await makeSibling(key), 201);
  const before = await api('GET', '/projects', { key: child.api_key.key });
  assert.equal(before.headers.get('x-ratelimit-remaining'), '2');

  const { quota_group_id } = await setPlan(child.id, { plan: 'pro' });
  assert.equal(quota_group_id, child.id);
  const after = await api('GET', '/projects', { key: child.api_key.key });
  assert.equal(after.headers.get('x-ratelimit-limit'), '1000');
  assert.equal(after.headers.get('x-ratelimit-remaining'), '999');
  assert.equal((await api('GET', '/projects', { key })).headers.get('x-ratelimit-remaining'), '1');
});
