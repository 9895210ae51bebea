import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JsonProblem, type JsonProblemKind, parseStrict } from './parse-strict.ts';

const strict = (text: string | Buffer) => parseStrict(text, { max_depth: 32 });

function refused(text: string | Buffer, kind: JsonProblemKind, where: { offset?: number; member?: string } = {}): void {
  assert.throws(
    () => strict(text),
    (error) => {
      assert.ok(error instanceof JsonProblem, String(error));
      assert.equal(error.kind, kind);
      for (const [name, expected] of Object.entries(where)) assert.equal(error[name as 'offset'], expected);
      return true;
    },
  );
}

test('a JSON text gives the value JSON.parse gives', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      // Random objects may hold the one name that is refused.
      fc.pre(!text.includes('__proto__'));
      assert.deepEqual(strict(text), JSON.parse(text));
      assert.deepEqual(strict(Buffer.from(text)), JSON.parse(text));
    }),
  );
});

test('any bytes give a value or a JsonProblem, never another error', () => {
  const bytes = fc.oneof(
    fc.uint8Array().map((list) => Buffer.from(list)),
    fc
      .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', 'a', ' ', '\\u0061'))
      .map((list) => list.join('')),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      try {
        strict(input);
      } catch (error) {
        assert.ok(error instanceof JsonProblem, String(error));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a duplicate member name is refused at any level and in any escaping', () => {
  refused('{"a":1,"a":2}', 'duplicate', { member: 'a', offset: 7 });
  refused('{"a":1,"\\u0061":2}', 'duplicate', { member: 'a' });
  refused('[{"x":{"kid":"1" , "kid" : "2"}}]', 'duplicate', { member: 'kid' });
  refused('{"":1,"":2}', 'duplicate', { member: '' });
  refused('{"\\"":1,"\\u0022":2}', 'duplicate', { member: '"' });
  refused('{"a:\\\\":{"b":1},"c":[{"b":":"},{"b":2,"b":3}]}', 'duplicate', { member: 'b' });
});

test('a duplicate name is reported within the first 10,000 members, and refused without a name after them', () => {
  const members = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":1`).join();
  refused(`{${members(9_000)},"k0":2}`, 'duplicate', { member: 'k0' });
  assert.throws(
    () => strict(`{${members(10_000)},"k0":2}`),
    (error) => error instanceof JsonProblem && error.kind === 'duplicate' && error.member === undefined,
  );
});

test('similar names in different objects or strings are not refused', () => {
  assert.deepEqual(strict('{"a":{"a":1},"b":[{"a":2},{"a":3}]}'), { a: { a: 1 }, b: [{ a: 2 }, { a: 3 }] });
  assert.deepEqual(strict('{"a":"\\"a\\":1","A":":::"}'), { a: '"a":1', A: ':::' });
  assert.deepEqual(strict('{"1":1,"01":2,"\\\\":3,"\\\\\\\\":4}'), { '1': 1, '01': 2, '\\': 3, '\\\\': 4 });
});

test('a random duplicate name is refused in any position', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 3 }), fc.string(), fc.json({ maxDepth: 3 }), (first, name, second) => {
      fc.pre(!`${first}${second}${name}`.includes('__proto__') && name !== 'constructor');
      const member = JSON.stringify(name);
      refused(`[${first},{${member}:${first},${member} :${second}}]`, 'duplicate', { member: name });
    }),
  );
});

test('duplicate names are accepted only with allow_duplicates', () => {
  assert.deepEqual(parseStrict('{"a":1,"a":2}', { max_depth: 2, allow_duplicates: true }), { a: 2 });
});

test('depth is refused before the text is parsed', () => {
  assert.deepEqual(parseStrict('[[{}]]', { max_depth: 3 }), [[{}]]);
  refused('['.repeat(50_000), 'depth', { offset: 32 });
  refused('{"a":'.repeat(50_000), 'depth');
  refused(`${'['.repeat(33)}${']'.repeat(33)}`, 'depth', { offset: 32 });
  assert.equal(JSON.stringify(strict(`${'['.repeat(32)}${']'.repeat(32)}`)), '['.repeat(32) + ']'.repeat(32));
  assert.equal(strict(`"${'['.repeat(100)}"`), '['.repeat(100));
});

test('more members or values than allowed are refused before the text is parsed, wherever they are', () => {
  const list = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join();
  const members = (count: number) => list(count, (i) => `"k${i}":1`);
  const size = (text: string, limits = {}) =>
    Object.keys(parseStrict(text, { max_depth: 32, ...limits }) as object).length;
  assert.equal(size(`{${members(20_000)}}`), 20_000);
  assert.equal(size(`[${list(99_999, () => '1')}]`), 99_999);
  refused(`{${members(20_001)}}`, 'size');
  refused(`{"first":1,"second":{${members(100_000)}}}`, 'size', { member: 'second' });
  refused(`[${list(20_001, (i) => `{"k${i}":1}`)}]`, 'size');
  refused(`[${list(100_001, () => '1')}]`, 'size');
  refused(`[${list(60_000, () => '{}')}]`, 'size');
  refused(`{${'"a":'.repeat(100_000)}`, 'size'); // no JSON either
  assert.equal(size(`["${':,{['.repeat(100_000)}"]`), 1);
  assert.equal(size(`{${members(30_000)}}`, { max_members: 30_000 }), 30_000);
  assert.throws(() => size('[1,2,3]', { max_values: 2 }), JsonProblem);
});

test('a member that would pollute a prototype is refused in any escaping', () => {
  refused('{"__proto__":{}}', 'prototype', { member: '__proto__' });
  refused('{"a":[{"\\u005f_proto__":1}]}', 'prototype');
  refused('{"constructor":{"prototype":{}}}', 'prototype', { member: 'constructor' });
  assert.deepEqual(strict('{"constructor":"Ferrari","prototype":{}}'), { constructor: 'Ferrari', prototype: {} });
  assert.throws(() => parseStrict('{"__proto__":1}', { max_depth: 2, allow_duplicates: true }), JsonProblem);
});

test('bytes that are not UTF-8, and a byte order mark, are refused', () => {
  refused(Buffer.from([0x22, 0xff, 0x22]), 'utf8');
  refused(Buffer.from([0x22, 0xc0, 0x80, 0x22]), 'utf8');
  refused(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'utf8');
  refused(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), 'syntax');
  refused('\ufeff{}', 'syntax');
});

test('invalid JSON is refused without quoting the text', () => {
  for (const text of [
    '',
    ' ',
    '{',
    '{"a"}',
    "{'a':1}",
    '{"a":1,}',
    '[1,]',
    'NaN',
    '01',
    '"\n"',
    '{} {}',
    '"unfinished',
    '}{',
    ']',
  ])
    refused(text, 'syntax');
  assert.throws(
    () => strict('{"secret":"svc_live_x" oops}'),
    (error) => error instanceof JsonProblem && !error.message.includes('svc_') && error.offset === 23,
  );
});

test('excessive depth is reported with the outermost member', () => {
  const deep = (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`;
  const member = (text: string) => {
    try {
      parseStrict(text, { max_depth: 32 });
    } catch (error) {
      return (error as JsonProblem).member;
    }
    return 'accepted';
  };
  assert.equal(member(`{"first":{"x":"}{\\""},"sec\\u006fnd":${deep(400)}}`), 'second');
  assert.equal(member('['.repeat(50_000)), undefined);
  assert.equal(member(`[{"a":${deep(40)}}]`), undefined);
});
