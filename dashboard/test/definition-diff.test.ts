// How two definitions are compared: whatever they are, the columns read as the definitions do, and nothing of a text gets lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { align } from '../src/features/mcp-servers/review/align.ts';
import { lineKey, partsOf } from '../src/features/mcp-servers/review/lines.ts';
import { spansOf } from '../src/features/mcp-servers/review/spans.ts';
import { htmlLines } from '../src/features/mcp-servers/review/view-lines.ts';

const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

test('the old side of aligned lists is the old list, the new side the new one, and what counts as the same is the same', () => {
  fc.assert(
    fc.property(words, words, (old, now) => {
      const pairs = align(old, now, (word) => word);
      assert.deepEqual(
        pairs.flatMap((pair) => pair.old ?? []),
        old,
      );
      assert.deepEqual(
        pairs.flatMap((pair) => pair.now ?? []),
        now,
      );
      for (const pair of pairs) assert.equal(pair.isSame, pair.old !== null && pair.old === pair.now);
    }),
  );
});

test('a line that was added in the middle is the only difference', () => {
  const pairs = align(['a', 'b', 'c'], ['a', 'x', 'b', 'c'], (line) => line);
  assert.deepEqual(
    pairs.filter(({ isSame }) => !isSame),
    [{ old: null, now: 'x', isSame: false }],
  );
});

test('the parts of a line are the line, whatever it is compared with', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, other) => {
      assert.equal(
        spansOf(text, other)
          .map((span) => span.text)
          .join(''),
        text,
      );
    }),
  );
});

test('invisible characters, and words that address the model, are parts of their own', () => {
  const looks = spansOf('Ignore it\u202E. Before using\u{E0041}', null).filter(({ look }) => look !== 'plain');
  assert.deepEqual(
    looks.map(({ text, look }) => [text, look]),
    [
      ['Ignore ', 'suspicious'],
      ['\u202E', 'invisible'],
      ['Before using', 'suspicious'],
      ['\u{E0041}', 'invisible'],
    ],
  );
});

test('words with look-alike letters are parts of their own, and emoji are not', () => {
  const looks = spansOf('Use pаypal 👩‍💻 ❤️', null).filter(({ look }) => look !== 'plain');
  assert.deepEqual(
    looks.map(({ text, look }) => [text, look]),
    [['pаypal', 'suspicious']],
  );
});

test('the lines of a definition are its JSON, each with its place', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 3, values: [fc.string(), fc.integer(), fc.boolean()] }), (schema) => {
      const inputSchema = JSON.parse(JSON.stringify(schema));
      const [part] = partsOf({ name: 'x', inputSchema }, null);
      const text = part?.now?.map((line) => lineKey(line).slice(String(line.indent).length) + (line.isLast ? '' : ','));
      assert.deepEqual(JSON.parse((text ?? []).join('\n')), inputSchema);
    }),
  );
  const [part] = partsOf({ inputSchema: { 'a/b': ['x', { 'c~': 1 }] } }, null);
  assert.deepEqual(
    part?.now?.map(({ path }) => path),
    [
      '/inputSchema',
      '/inputSchema/a~1b',
      '/inputSchema/a~1b/0',
      '/inputSchema/a~1b/1',
      '/inputSchema/a~1b/1/c~0',
      '',
      '',
      '',
    ],
  );
});

test('members that are named like those of every object are parts like others', () => {
  const definition = JSON.parse('{"name": "x", "constructor": 1, "__proto__": "text"}');
  assert.deepEqual(
    partsOf(definition, { toString: true }).map(({ label }) => label),
    ['constructor', '__proto__', 'toString'],
  );
});

test('the lines of a view have all of its text, and none is long, so that a bundled script can be compared', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', '\u{1F600}', '>', ';', '\n', 'word '.repeat(30)),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, (html) => {
      const lines = htmlLines(html).map((line) => line.text);
      assert.equal(lines.join(''), html.replaceAll('\n', ''));
      for (const line of lines) assert.ok([...line].length <= 400);
    }),
  );
});
