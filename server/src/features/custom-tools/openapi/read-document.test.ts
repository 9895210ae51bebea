// What reading a document may cost: bounded by what is counted, however often its parts refer to each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../errors.ts';
import { readDocument } from './read-document.ts';
import { type Reading, schemaCopier } from './references.ts';

const base_url = 'https://api.example.com';
const list = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const read = (paths: object, more: object = {}) => readDocument({ openapi: '3.1.0', paths, ...more }, base_url);
const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 422;
const post = (schema: object) => ({ post: { requestBody: { content: { 'application/json': { schema } } } } });

test('a name that another reference has already is passed over', () => {
  const document = { a: { s: true, s_2: true }, b: { s: true }, c: { s: true } };
  const copier = schemaCopier({ document, nodes_read: 0 });
  assert.deepEqual(copier.copy(['a/s_2', 'a/s', 'b/s', 'c/s'].map((path) => ({ $ref: `#/${path}` }))), [
    { $ref: '#/$defs/s_2' },
    { $ref: '#/$defs/s' },
    { $ref: '#/$defs/s_3' },
    { $ref: '#/$defs/s_4' },
  ]);
});

test('operations that share large schemas are refused together, after a bounded number of parts', async () => {
  const shared = { type: 'object', properties: Object.fromEntries(list(1_000, (index) => [`p${index}`, { a: 1 }])) };
  const paths = (count: number) =>
    Object.fromEntries(list(count, (index) => [`/a${index}`, post({ $ref: '#/components/shared' })]));
  const components = { shared };
  assert.equal((await read(paths(20), { components })).found.length, 20);
  await assert.rejects(read(paths(200), { components }), isRefusal);
});

test('a body whose parts repeat each other is refused, not expanded', { timeout: 20_000 }, async () => {
  const ref = (level: number) => ({ $ref: `#/components/l${level}` });
  const levels = list(10, (level) => [`l${level}`, level === 9 ? {} : { allOf: list(10, () => ref(level + 1)) }]);
  await assert.rejects(read({ '/a': post(ref(0)) }, { components: Object.fromEntries(levels) }), isRefusal);
});

test('others are served between two operations', async () => {
  let turns = 0;
  let isReading = true;
  const turn = () => {
    turns += 1;
    if (isReading) setImmediate(turn);
  };
  setImmediate(turn);
  await read(Object.fromEntries(list(100, (index) => [`/a${index}`, { get: {} }])));
  isReading = false;
  assert.ok(turns >= 99, `${turns} turns in 100 operations`);
});

test('what is longer than any tool could use is skipped before it is searched', { timeout: 20_000 }, async () => {
  const parameters = list(201, (index) => ({ name: `p${index}`, in: 'path', required: true }));
  const long = '_'.repeat(300_000);
  const { found, skipped } = await read({
    '/a': { get: { parameters } },
    [`/${long}`]: { get: {} },
    '/b': { get: { servers: [{ url: `https://b.example.com/${'/'.repeat(300_000)}b` }] } },
    '/c': { get: { servers: [{ url: '{v}'.repeat(600), variables: { v: { default: long } } }] } },
    '/d': post({ $ref: `#/${long}` }),
    '/e': { get: { parameters: [long, long].map((name, index) => ({ name, in: index ? 'path' : 'query' })) } },
    '/f': { post: { parameters: [{ name: '\ud800', in: 'query', required: true }] } },
    '/g': { get: { operationId: `a${long}b` } },
  });
  assert.deepEqual(
    found.map(({ definition }) => definition.name),
    ['a'],
  );
  assert.equal(skipped.length, 7);
  assert.ok(skipped.every(({ operation, reason }) => operation.length < 310 && reason.length <= 300));
});

test('the count is of the document, not of one operation', () => {
  const reading: Reading = { document: {}, nodes_read: 0 };
  schemaCopier(reading).copy({ a: 1 });
  schemaCopier(reading).copy({ a: 1 });
  assert.equal(reading.nodes_read, 4);
});
