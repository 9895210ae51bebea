// Headers that take arguments: which may be saved, and that no value of an argument becomes more than the value of its header.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileHeader, headerTemplateProblem } from '@toolgate/contract/custom-tools/header-template.ts';
import fc from 'fast-check';
import { useSeed } from '../../../../test/support/property-seed.ts';
import { expandHeaders, splitHeaders } from './expand-headers.ts';

useSeed();

type Problems = { field: string; message: string }[];

const expandedOr = (problems: Problems, headers: Record<string, string>, values: Record<string, unknown>) =>
  expandHeaders(
    Object.entries(headers).map(([name, value]) => compileHeader(name, value)),
    values,
    problems,
  );
const expanded = (headers: Record<string, string>, values: Record<string, unknown>) => {
  const problems: Problems = [];
  const result = expandedOr(problems, headers, values);
  assert.deepEqual(problems, []);
  return result;
};
const unfit = (headers: Record<string, string>, values: Record<string, unknown>, field: string, message: RegExp) => {
  const problems: Problems = [];
  expandedOr(problems, headers, values);
  assert.equal(problems.length, 1);
  assert.equal(problems[0]?.field, field);
  assert.match(`${problems[0]?.message}`, message);
};

test('a placeholder is a word in two braces that is no reserved variable; a cookie is one argument', () => {
  for (const [name, value] of [
    ['X-A', '{{a}}'],
    ['X-A', 'tenant={{a}}; {{b}}'],
    ['Cookie', 'a={{a}}'],
    ['cookie', 'a={{a}}; b-c={{b}}'],
  ] as const)
    assert.equal(headerTemplateProblem(name, value), null, value);
  for (const [name, value] of [
    ...['{{a b}}', '{{}}', '{{a', '{{{a}}}', '{{member_id}}', '{{Project_Id}}', '{{a}} ', 'é{{a}}', '{{a}}\n'].map(
      (value) => ['X-A', value] as const,
    ),
    ...['a=b; c={{c}}', '{{a}}', 'a={{a}}{{b}}', 'a={{a}};b={{b}}', 'a b={{a}}', 'a={{a}}; ', '={{a}}'].map(
      (value) => ['Cookie', value] as const,
    ),
    ['Content-Type', '{{a}}'],
    ['Accept', '{{a}}'],
    ['User-Agent', '{{a}}'],
  ] as const)
    assert.notEqual(headerTemplateProblem(name, value), null, `${name}: ${value}`);
});

test('a header or cookie is left out while its argument is not given, or null', () => {
  const headers = { 'X-A': '{{a}}', 'X-Pair': '{{a}}/{{b}}', Cookie: 'a={{a}}; b={{b}}' };
  assert.deepEqual(expanded(headers, {}), {});
  assert.deepEqual(expanded(headers, { a: null, b: 1 }), { cookie: 'b=1' });
  assert.deepEqual(expanded(headers, { a: true, b: 'x;y' }), {
    'x-a': 'true',
    'x-pair': 'true/x;y',
    cookie: 'a=true; b=x%3By',
  });
  assert.deepEqual(expanded({ 'X-T': '{{toString}}' }, {}), {});
});

test('a list is written with commas; an object, an empty text and text outside of ASCII are refused', () => {
  assert.deepEqual(expanded({ 'X-A': '{{a}}' }, { a: ['x', 2, false] }), { 'x-a': 'x,2,false' });
  unfit({ 'X-A': '{{a}}' }, { a: { b: 1 } }, 'a', /string, number or boolean, or a list/);
  unfit({ 'X-A': '{{a}}' }, { a: [[1]] }, 'a', /string, number or boolean, or a list/);
  unfit({ Cookie: 'a={{a}}' }, { a: ['x'] }, 'a', /string, number or boolean:/);
  for (const a of ['', ' x', 'é', 'a\r\nX-B: c', '\0']) unfit({ 'X-A': '{{a}}' }, { a }, 'a', /visible ASCII/);
});

test('every argument that cannot be part of a header is reported', () => {
  const problems: Problems = [];
  const values = { a: {}, b: 'fine', c: 'é', d: [] };
  expandedOr(problems, { 'X-A': '{{a}}/{{b}}', 'X-C': '{{c}}', Cookie: 'd={{d}}' }, values);
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['a', 'c', 'd'],
  );
});

test('one header has at most 4 KiB, and all together 16 KiB', () => {
  unfit({ 'X-A': '{{a}}' }, { a: 'x'.repeat(4_097) }, 'a', /at most 4096/);
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`X-${name}`, `{{${name}}}`]));
  const long = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'x'.repeat(4_096)]));
  unfit(many, long, 'e', /longer than 16384/);
});

test('a header that was saved with other braces than those of an argument stays fixed', () => {
  const headers = { 'X-Old': 'Hello {{name}}', 'X-Odd': '{{a b}}', 'X-A': '{{a}}' };
  const { fixed, templates } = splitHeaders(headers, { properties: { a: {} } });
  assert.deepEqual(fixed, { 'x-old': 'Hello {{name}}', 'x-odd': '{{a b}}' });
  assert.deepEqual(
    templates.map(({ name }) => name),
    ['x-a'],
  );
});

test('for any values a header is one line of visible ASCII, and a cookie header has the cookies of its template', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(';', '=', ' ', ',', '\r', '\n', '"', 'é', '%', 'a')).map((parts) => parts.join('')),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string()),
  );
  fc.assert(
    fc.property(value, value, (a, b) => {
      const problems: Problems = [];
      const headers = expandedOr(problems, { 'X-A': 'v {{a}}', Cookie: 'a={{a}}; b={{b}}' }, { a, b });
      if (problems.length > 0) return;
      for (const text of Object.values(headers)) assert.match(text, /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
      const names = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('=')[0]);
      const given = [...(a === null ? [] : ['a']), ...(b === null ? [] : ['b'])];
      assert.deepEqual(names.filter(Boolean), given);
    }),
    { numRuns: 1_000 },
  );
});
