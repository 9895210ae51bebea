// What the responses of an API say about a job.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolPolling } from '@toolgate/contract/tasks/polling.ts';
import { delayOf, type JobResponse, locationOf, readPoll, readStart } from './job-response.ts';

const at = { origin: 'https://api.example.com', path: '/v1/exports' };
const rule = (fields: object) => toolPolling.parse(fields);
const response = (status: number, value?: unknown, headers: JobResponse['headers'] = {}): JobResponse => ({
  status,
  headers,
  value,
});

const byId = rule({
  job_id: 'job.id',
  status_path: '/jobs/{{job_id}}',
  status: 'state',
  done: ['done', 3],
  failed: ['bad'],
});
const byLocation = rule({});
const location = '/jobs/7?x=1';

test('a task begins with 202, or with a status that is neither done nor failed; otherwise the call ends as always', () => {
  const cases: [name: string, polling: typeof byId, given: JobResponse, expected: object][] = [
    [
      '202 with a Location',
      byLocation,
      response(202, undefined, { location }),
      { kind: 'job', job_id: null, location },
    ],
    ['200 without a status path', byLocation, response(200, {}, { location }), { kind: 'response' }],
    ['201 without a status path', byLocation, response(201, {}, { location }), { kind: 'response' }],
    ['202 without a Location', byLocation, response(202), { kind: 'unknown', reason: 'location_not_usable' }],
    ['202 with an id', byId, response(202, { job: { id: 'a/b' } }), { kind: 'job', job_id: 'a/b', location: null }],
    [
      '201 with an id and no status',
      byId,
      response(201, { job: { id: 7 } }),
      { kind: 'job', job_id: '7', location: null },
    ],
    [
      '200 that is working',
      byId,
      response(200, { job: { id: 'j' }, state: 'new' }),
      { kind: 'job', job_id: 'j', location: null },
    ],
    ['200 that is done', byId, response(200, { job: { id: 'j' }, state: 'done' }), { kind: 'response' }],
    ['a number that means done', byId, response(200, { job: { id: 'j' }, state: 3 }), { kind: 'response' }],
    [
      'its text is another value',
      byId,
      response(200, { job: { id: 'j' }, state: '3' }),
      { kind: 'job', job_id: 'j', location: null },
    ],
    ['202 that is done already', byId, response(202, { job: { id: 'j' }, state: 'done' }), { kind: 'response' }],
    ['200 that failed', byId, response(200, { state: 'bad' }), { kind: 'failed' }],
    ['202 without the id', byId, response(202, {}), { kind: 'unknown', reason: 'job_id_not_found' }],
    ['working without the id', byId, response(200, { state: 'new' }), { kind: 'unknown', reason: 'job_id_not_found' }],
    ['200 that says nothing of a job', byId, response(200, { rows: [] }), { kind: 'response' }],
    ['a body that is no JSON', byId, response(200), { kind: 'response' }],
    [
      'an id that is a parent',
      byId,
      response(202, { job: { id: '..' } }),
      { kind: 'unknown', reason: 'job_id_not_found' },
    ],
    [
      'an id that is an object',
      byId,
      response(202, { job: { id: {} } }),
      { kind: 'unknown', reason: 'job_id_not_found' },
    ],
    ['an error', byId, response(500, { job: { id: 'j' } }), { kind: 'response' }],
    ['a redirect', byLocation, response(303, undefined, { location }), { kind: 'response' }],
  ];
  for (const [name, polling, given, expected] of cases) assert.deepEqual(readStart(polling, at, given), expected, name);
});

test('a poll goes on while the API says so, and with statuses that may pass; any other 4xx ends it', () => {
  const cases: [name: string, polling: typeof byId, given: JobResponse, expected: object][] = [
    ['202', byLocation, response(202), { kind: 'working' }],
    ['200', byLocation, response(200), { kind: 'done' }],
    ['204', byLocation, response(204), { kind: 'done' }],
    ['working', byId, response(200, { state: 'new' }), { kind: 'working' }],
    ['no status', byId, response(200, {}), { kind: 'working' }],
    ['done', byId, response(200, { state: 'done' }), { kind: 'done' }],
    ['failed', byId, response(200, { state: 'bad' }), { kind: 'failed' }],
    ['303 here', byId, response(303, undefined, { location }), { kind: 'redirect', location }],
    ['303 elsewhere', byId, response(303, undefined, { location: 'https://evil.example/x' }), { kind: 'elsewhere' }],
    ['302', byId, response(302, undefined, { location }), { kind: 'refused' }],
    ...[404, 408, 425, 429, 500, 502, 503].map(
      (status) =>
        [String(status), byId, response(status), { kind: 'retry' }] as [string, typeof byId, JobResponse, object],
    ),
    ...[400, 401, 403, 410, 422].map(
      (status) =>
        [String(status), byId, response(status), { kind: 'refused' }] as [string, typeof byId, JobResponse, object],
    ),
  ];
  for (const [name, polling, given, expected] of cases) assert.deepEqual(readPoll(polling, at, given), expected, name);
});

test('a Location counts only at the origin of the tool, whatever it looks like', () => {
  const cases: [location: string, expected: string | null][] = [
    ['/jobs/1', '/jobs/1'],
    ['jobs/1', '/v1/jobs/1'],
    ['?job=1', '/v1/exports?job=1'],
    ['https://api.example.com/jobs/1#part', '/jobs/1'],
    ['https://api.example.com:443/jobs/1', '/jobs/1'],
    ['//api.example.com/jobs/1', '/jobs/1'],
    ['http://api.example.com/jobs/1', null],
    ['https://api.example.com:444/jobs/1', null],
    ['https://api.example.com.evil.example/', null],
    ['//evil.example/jobs/1', null],
    ['\\\\evil.example\\jobs', null],
    ['https://user@api.example.com/jobs/1', null],
    ['javascript:alert(1)', null],
    ['https://', null],
    ['/'.repeat(9_000), null],
  ];
  for (const [given, expected] of cases)
    assert.equal(locationOf(at, response(202, undefined, { location: given })), expected, given.slice(0, 60));
  assert.equal(locationOf(at, response(202)), null);
});

test('Retry-After wins over the interval, in seconds or as a date, and no poll comes sooner than after a second', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  const polling = rule({ interval_seconds: 7 });
  const cases: [retry_after: string | undefined, expected: number][] = [
    [undefined, 7_000],
    ['', 7_000],
    ['soon', 7_000],
    ['30', 30_000],
    [' 2 ', 2_000],
    ['0', 1_000],
    ['Sun, 15 Nov 2026 12:01:00 GMT', 60_000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 1_000],
  ];
  for (const [given, expected] of cases) assert.equal(delayOf(polling, given, now), expected, String(given));
});
