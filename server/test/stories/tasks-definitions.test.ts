// Which `polling` a tool may have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectResponse, makeTenant } from '../support/make/make.ts';
import { toolFields } from '../support/make/make-tools.ts';
import { startServer } from '../support/servers/start-server.ts';

const server = await startServer();
const { api } = server;
const { keys } = await makeTenant(server, { plan: 'enterprise' });
const input_schema = { type: 'object', properties: { account: { type: 'string' } } };
const create = (polling: unknown, fields: object = {}) =>
  api('POST', '/custom-tools', {
    key: keys.write,
    body: toolFields('https://api.example.com', { input_schema, polling, ...fields }),
  });

const valid = { job_id: 'id', status_path: '/jobs/{{job_id}}', status: 'state', done: ['done'] };

test('polling that cannot work is refused with its field', async () => {
  const cases: [polling: object, field: string][] = [
    [{ status_path: '/jobs/{{job_id}}' }, 'polling.status_path'],
    [{ result_path: '/jobs/{{job_id}}' }, 'polling.result_path'],
    [{ cancel: { method: 'POST', path: '/jobs/{{job_id}}' } }, 'polling.cancel.path'],
    [{ ...valid, status_path: 'jobs' }, 'polling.status_path'],
    [{ ...valid, status_path: '/jobs/{job_id}' }, 'polling.status_path'],
    [{ ...valid, status_path: '/jobs/{{other}}' }, 'polling.status_path'],
    [{ ...valid, status_path: '/jobs/{{member_id}}' }, 'polling.status_path'],
    [{ ...valid, status_path: '/jobs/../{{job_id}}' }, 'polling.status_path'],
    [{ ...valid, done: [] }, 'polling.done'],
    [{ done: ['done'] }, 'polling.done'],
    [{ failed: ['error'] }, 'polling.failed'],
    [{ error: 'reason' }, 'polling.error'],
    [{ ...valid, failed: ['bad', 'done'] }, 'polling.failed.1'],
    [{ ...valid, job_id: 'items[].id' }, 'polling.job_id'],
    [{ ...valid, done: [{}] }, 'polling.done.0'],
    [{ ...valid, interval_seconds: 0 }, 'polling.interval_seconds'],
    [{ ...valid, interval_seconds: 301 }, 'polling.interval_seconds'],
    [{ ...valid, timeout_seconds: 59 }, 'polling.timeout_seconds'],
    [{ ...valid, timeout_seconds: 86_401 }, 'polling.timeout_seconds'],
    [{ ...valid, cancel: { method: 'GET', path: '/x' } }, 'polling.cancel.method'],
    [{ ...valid, intervall: 5 }, 'polling.intervall'],
  ];
  for (const [polling, field] of cases) {
    const { error } = expectResponse(await create(polling), 422);
    assert.equal(error.details.field, field, JSON.stringify(polling));
  }
});

test('what is left out has its default, and any scalar may be a status', async () => {
  const done = ['done', 3, true, null];
  const { polling, definition_hash } = expectResponse(await create({ ...valid, done }), 201);
  assert.deepEqual(polling, {
    ...valid,
    done,
    failed: [],
    progress: null,
    result: null,
    result_path: null,
    error: null,
    interval_seconds: 5,
    timeout_seconds: 3_600,
    cancel: null,
  });
  assert.match(definition_hash, /^[0-9a-f]{64}$/);
  expectResponse(await create({ ...valid, status_path: '/{{account}}/jobs/{{job_id}}' }), 201);
  expectResponse(await create({}), 201);
});

test('no tool has the name get_task_result in a project with polling', async () => {
  const { keys } = await makeTenant(server, { plan: 'enterprise' });
  const make = (fields: object) =>
    api('POST', '/custom-tools', { key: keys.write, body: toolFields('https://api.example.com', fields) });
  const named = expectResponse(await make({ name: 'get_task_result' }), 201);
  const refused = expectResponse(await make({ polling: valid }), 409);
  assert.deepEqual([refused.error.details.field, refused.error.details.reason], ['polling', 'tool_has_task_name']);
  const rename = (name: string) => api('PATCH', `/custom-tools/${named.id}`, { key: keys.write, body: { name } });
  expectResponse(await rename('other'), 200);
  expectResponse(await make({ polling: valid }), 201);
  const back = expectResponse(await rename('get_task_result'), 409);
  assert.deepEqual([back.error.details.field, back.error.details.reason], ['name', 'name_reserved_for_tasks']);
});
