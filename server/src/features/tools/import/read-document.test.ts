// What reading a document may cost: bounded by what is counted, however often its parts refer to each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../errors/errors.ts';
import { definitionFrom, selectOperations, showOperation } from './read-document.ts';
import { NotATool, schemaCopier, startOperation, startReading } from './references.ts';

const base_url = 'https://api.example.com';
const list = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 422;

function read(paths: object, more: object = {}, nodes_read = 0) {
  const document = { openapi: '3.1.0', paths, ...more };
  const reading = { ...startReading(document), nodes_read };
  const found: string[] = [];
  const skipped: { operation: string; reason: string }[] = [];
  for (const given of selectOperations(document, { exclude: [] }).selected) {
    try {
      found.push(definitionFrom(reading, given, { base_url }).name);
    } catch (error) {
      if (!(error instanceof NotATool)) throw error;
      skipped.push({ operation: showOperation(given), reason: error.message });
    }
  }
  return { found, skipped, nodes_read: reading.nodes_read };
}
const post = (schema: object) => ({ post: { requestBody: { content: { 'application/json': { schema } } } } });

test('a name that another reference has already is passed over', () => {
  const document = { a: { s: true, s_2: true }, b: { s: true }, c: { s: true } };
  const reading = startReading(document);
  startOperation(reading);
  const copier = schemaCopier(reading);
  assert.deepEqual(copier.copy(['a/s_2', 'a/s', 'b/s', 'c/s'].map((path) => ({ $ref: `#/${path}` }))), [
    { $ref: '#/$defs/s_2' },
    { $ref: '#/$defs/s' },
    { $ref: '#/$defs/s_3' },
    { $ref: '#/$defs/s_4' },
  ]);
});

test('operations that share large schemas are refused together, after a bounded number of parts', () => {
  const shared = { type: 'object', properties: Object.fromEntries(list(1_000, (index) => [`p${index}`, { a: 1 }])) };
  const paths = Object.fromEntries(list(20, (index) => [`/a${index}`, post({ $ref: '#/components/shared' })]));
  const components = { shared };
  assert.equal(read(paths, { components }).found.length, 20);
  assert.throws(() => read(paths, { components }, 9_990_000), isRefusal);
});

test('a body whose parts repeat each other is skipped after a bounded number of parts', { timeout: 20_000 }, () => {
  const ref = (level: number) => ({ $ref: `#/components/l${level}` });
  const levels = list(10, (level) => [`l${level}`, level === 9 ? {} : { allOf: list(10, () => ref(level + 1)) }]);
  const { skipped, nodes_read } = read({ '/a': post(ref(0)) }, { components: Object.fromEntries(levels) });
  assert.match(skipped[0]?.reason ?? '', /too large/);
  assert.ok(nodes_read <= 20_001, `${nodes_read} parts`);
});

test('what is longer than any tool could use is skipped before it is searched', { timeout: 20_000 }, () => {
  const parameters = list(201, (index) => ({ name: `p${index}`, in: 'path', required: true }));
  const long = '_'.repeat(300_000);
  const { found, skipped } = read({
    '/a': { get: { parameters } },
    [`/${long}`]: { get: {} },
    '/b': { get: { servers: [{ url: `https://b.example.com/${'/'.repeat(300_000)}b` }] } },
    '/c': { get: { servers: [{ url: '{v}'.repeat(600), variables: { v: { default: long } } }] } },
    '/d': post({ $ref: `#/${long}` }),
    '/e': { get: { parameters: [long, long].map((name, index) => ({ name, in: index ? 'path' : 'query' })) } },
    '/f': { post: { parameters: [{ name: '\ud800', in: 'query', required: true }] } },
    '/g': { get: { operationId: `a${long}b` } },
  });
  assert.deepEqual(found, ['a']);
  assert.equal(skipped.length, 7);
  assert.ok(skipped.every(({ operation, reason }) => operation.length < 310 && reason.length <= 300));
});

test('the count is of the document, not of one operation', () => {
  const get = { '/a': { get: { parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }] } } };
  const { nodes_read } = read(get);
  assert.equal(read({ ...get, '/b': get['/a'] }).nodes_read, 2 * nodes_read);
});

test('operations of one name get numbers, the same whatever else is selected', () => {
  const paths = { '/a': { get: { operationId: 'list' } }, '/b': { get: { operationId: 'list' } } };
  const names = (include?: object[]) =>
    selectOperations({ openapi: '3.1.0', paths }, { exclude: [], ...(include ? { include } : {}) }).selected.map(
      ({ name }) => name,
    );
  assert.deepEqual(names(), ['list', 'list_2']);
  assert.deepEqual(names([{ path: '/b' }]), ['list_2']);
});
