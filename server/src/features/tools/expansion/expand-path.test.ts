import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTemplate, compileTemplate, type TemplateProblem } from '@toolgate/contract/custom-tools/path-template.ts';
import fc from 'fast-check';
import { expand } from './expand-path.ts';

const base = 'https://api.example.com';

type Problems = { field: string; message: string }[];

function filled(endpointPath: string, values: Record<string, unknown>): string {
  const problems: Problems = [];
  const { path, query } = expand(compileTemplate(endpointPath), values, problems);
  assert.deepEqual(problems, []);
  return query === '' ? path : `${path}?${query}`;
}

function unfit(endpointPath: string, values: Record<string, unknown>, ...fields: string[]): void {
  const problems: Problems = [];
  expand(compileTemplate(endpointPath), values, problems);
  const found = new Set(problems.map(({ field }) => field));
  assert.deepEqual([...found], fields.length === 0 ? ['x'] : fields);
}

test('usual paths are accepted, and their placeholders are found', () => {
  for (const path of [
    '/',
    '/v1/orders',
    '/v1/orders/{{order_id}}',
    '/a/{{_x}}.json',
    '/a/{{x}}-{{y2}}',
    '/a//b',
    '/...',
    '/.well-known/x',
  ])
    assert.equal(checkTemplate(path), null, path);
  for (const path of [
    '/search?type=order',
    '/search?type=order&q={{q}}',
    '/a?b=c?d/..',
    "/it's/(fine)/a%20b;v=1,2:@!$&*+=~",
  ])
    assert.equal(checkTemplate(path), null, path);
  assert.deepEqual(compileTemplate('/a/{{x}}/{{member_id}}?q={{z}}').names, ['x', 'member_id', 'z']);
});

test('a path that could reach another path or be parsed in two ways is refused', () => {
  const cases: [string, TemplateProblem][] = [
    ['', 'not_absolute'],
    ['v1/orders', 'not_absolute'],
    ['https://evil.example/', 'not_absolute'],
    ['\\v1', 'not_absolute'],
    ['//evil.example/x', 'character'],
    ['/orders/{id}', 'single_braces'],
    ['/orders?id={id}', 'single_braces'],
    ['/a\\b', 'character'],
    ['/a b', 'character'],
    ['/a\r\nHost: evil', 'character'],
    ['/a\tb', 'character'],
    ['/a\0', 'character'],
    ['/a#b', 'character'],
    ['/a?b#c', 'character'],
    ['/ä', 'character'],
    ['/a%2', 'character'],
    ['/a%zz', 'character'],
    ['/{id}', 'single_braces'],
    ["/a?b='c'", 'character'],
    ['/..', 'dot_segment'],
    ['/a/../b', 'dot_segment'],
    ['/a/./b', 'dot_segment'],
    ['/a/%2e%2E/b', 'dot_segment'],
    ['/a/.%2e', 'dot_segment'],
    ['/a/%2e?x', 'dot_segment'],
    ['/{{}}', 'placeholder'],
    ['/{{ x }}', 'placeholder'],
    ['/{{1x}}', 'placeholder'],
    ['/{{x.y}}', 'placeholder'],
    ['/{{x?}}', 'placeholder'],
    ['/{{x', 'placeholder'],
    ['/x}}', 'placeholder'],
    ['/{{a{{b}}', 'placeholder'],
    ['/{{a}}}}', 'placeholder'],
    ['/?a={{b', 'placeholder'],
    ['/{{Member_ID}}', 'placeholder'],
  ];
  for (const [path, problem] of cases) assert.equal(checkTemplate(path), problem, JSON.stringify(path));
});

test('values are percent-encoded', () => {
  assert.equal(filled('/v1/{{x}}/end', { x: 'a b/c?d#e' }), '/v1/a%20b%2Fc%3Fd%23e/end');
  assert.equal(filled('/{{x}}', { x: '%2e%2e' }), '/%252e%252e');
  assert.equal(filled('/{{x}}', { x: '\r\nHost: evil' }), '/%0D%0AHost%3A%20evil');
  assert.equal(filled('/{{x}}/{{y}}/{{z}}', { x: 7, y: true, z: 'ü' }), '/7/true/%C3%BC');
  assert.equal(filled('/a?q={{x}}&r=1', { x: 'a&r=2' }), '/a?q=a%26r%3D2&r=1');
  assert.equal(filled('/a?q={{x}}', { x: '' }), '/a?q=');
  assert.equal(filled('/{{x}}', { x: '...' }), '/...');
});

test('a value that cannot be part of a path is refused with its field', () => {
  for (const x of ['', '.', '..', '\ud800', null, undefined, {}, ['a'], Number.NaN, Infinity])
    unfit('/a/{{x}}/b', { x });
  for (const x of ['.', '..'])
    for (const path of ['/.{{x}}', '/%2e{{x}}/a', '/{{x}}{{x}}', '/a/{{x}}.']) unfit(path, { x });
  unfit('/{{toString}}', {}, 'toString');
  unfit('/a/{{x}}', {});
  unfit('/a?b={{x}}', { x: '\udfff' });
});

test('every value that cannot be part of a path is reported', () => {
  unfit('/{{x}}/{{y}}/{{z}}?q={{q}}', { x: '..', y: 'fine', z: {}, q: '\ud800' }, 'x', 'z', 'q');
});

test('for any values the path has the segments of the template, and a URL parser does not change it', () => {
  const text = fc.constantFrom('/', '.', '..', '%2e', 'a', '-', ':', '@', '', '/a', '%2F');
  const template = fc.array(fc.oneof(text, fc.constantFrom('{{x}}', '{{y}}'))).map((parts) => `/${parts.join('')}`);
  const dotty = fc
    .array(fc.constantFrom('.', '/', '\\', '%', '2e', '?', '#', '\n', ';', 'é', "'"))
    .map((parts) => parts.join(''));
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    dotty,
    fc.constantFrom('', '.', '..'),
    fc.integer(),
    fc.boolean(),
  );
  fc.assert(
    fc.property(template, value, value, (path, x, y) => {
      fc.pre(checkTemplate(path) === null);
      const problems: Problems = [];
      const result = expand(compileTemplate(path), { x, y }, problems);
      if (problems.length > 0) return;
      assert.equal(result.path.split('/').length, path.split('/').length);
      const url = new URL(base + result.path);
      assert.equal(url.pathname, result.path);
      assert.equal(url.href, base + result.path);
    }),
    { numRuns: 2_000 },
  );
});

test('a path stops growing at 64 KiB, also when it repeats a value', () => {
  const often = `/${'{{x}}'.repeat(409)}`;
  unfit(often, { x: '€'.repeat(87_000) });
  unfit(often, { x: '€'.repeat(100) });
  unfit('/{{x}}{{y}}', { x: 'a', y: 'b'.repeat(65_536) }, 'y');
  assert.equal(filled('/{{x}}', { x: 'a'.repeat(65_535) }).length, 65_536);
});
