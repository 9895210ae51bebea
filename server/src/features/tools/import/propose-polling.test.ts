// The `polling` that an import proposes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposePolling } from './propose-polling.ts';
import { startOperation, startReading } from './references.ts';

const paths = { '/jobs/{id}': { get: { operationId: 'getJob' } }, '/a/{b}/{c}': { get: { operationId: 'getOther' } } };

function propose(accepted: unknown, status = '202') {
  const reading = startReading({ openapi: '3.1.0', paths, components: { jobs: { headers: { Location: {} } } } });
  startOperation(reading);
  return proposePolling(reading, { responses: { [status]: accepted } }, '/v1');
}

const link = (fields: object) => ({ links: { job: fields } });
const job = { job_id: 'job.id', status_path: '/v1/jobs/{{job_id}}' };

test('a 202 with a Location header, or with a link to a job, proposes polling; nothing else does', () => {
  const parameters = { id: '$response.body#/job/id' };
  const cases: [name: string, accepted: unknown, expected: object | null][] = [
    ['a Location', { headers: { location: {} } }, {}],
    ['a reference', { $ref: '#/components/jobs' }, {}],
    ['nothing', {}, null],
    ['another header', { headers: { 'Retry-After': {} } }, null],
    ['a link by id', link({ operationId: 'getJob', parameters }), job],
    ['a link by reference', link({ operationRef: '#/paths/~1jobs~1{id}/get', parameters }), job],
    ['the place of the parameter', link({ operationId: 'getJob', parameters: { 'path.id': parameters.id } }), job],
    ['a link and a Location', { ...link({ operationId: 'getJob', parameters }), headers: { Location: {} } }, job],
    ['an unknown operation', link({ operationId: 'nobody', parameters }), null],
    ['a parameter of the request', link({ operationId: 'getJob', parameters: { id: '$request.path.id' } }), null],
    ['two parameters', link({ operationId: 'getOther', parameters: { b: parameters.id, c: 'x' } }), null],
    ['a link without parameters', link({ operationId: 'getJob' }), null],
    ['a broken reference', { $ref: '#/components/nothing' }, null],
    ['a path that cannot be saved', link({ operationRef: '#/paths/~1..~1{id}/get', parameters }), null],
  ];
  for (const [name, accepted, expected] of cases) assert.deepEqual(propose(accepted), expected, name);
  assert.equal(propose({ headers: { Location: {} } }, '201'), null);
});
