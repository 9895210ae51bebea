// The code that pages offer to copy.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Not a name that the compiler follows: pages have the types of a browser, tests those of Node. */
const snippets: string = '../src/features/custom-tools/snippets.ts';
const { verifySnippets } = await import(snippets);
const assertionSnippets: string = '../src/features/assertion-keys/snippets.ts';
const { signSnippets } = await import(assertionSnippets);

const signatures = readFileSync(join(import.meta.dirname, '../../docs/signatures.md'), 'utf8');

test('the code that verifies a signature without the SDK is that of the documentation, which is run by tests', () => {
  for (const { name, code } of verifySnippets.slice(1)) assert.ok(signatures.includes(code), name);
});

const kids = [
  'backend-2026',
  `'); steal(process.env); ('`,
  `"); steal(); ("`,
  '#{`id`} #$0 $HOME',
  'a\\',
  '\\u0022); steal(); //',
  'line one\nline two\r\n\t\u2028',
  'turned \u202E around \u200B',
];

/** What stands before the kid in the code of each language, and how the literal after it is read. */
const literals: Record<string, [before: string, end: string, read: (literal: string) => string]> = {
  TypeScript: ['  kid: ', ',\n', evaluate],
  'Node.js': ["', kid: ", ' })\n', evaluate],
  Python: ['headers={"kid": ', '},\n', JSON.parse],
  Go: ['token.Header["kid"] = ', '\n', JSON.parse],
  Java: ['.keyId(', ').and()', JSON.parse],
  Ruby: ['{ kid: ', ' })', (literal) => JSON.parse(literal.replaceAll('\\#', '#'))],
  PHP: ["    'ES256',\n    ", ',\n);', (literal) => literal.slice(1, -1).replace(/\\([\\'])/g, '$1')],
};

function evaluate(literal: string): string {
  return new Function(`return ${literal}`)();
}

for (const kid of kids)
  test(`the kid ${JSON.stringify(kid)} stays one literal in the code that signs an assertion`, () => {
    const found = signSnippets({ projectId: 'prj_1', kid, algorithm: 'ES256' });
    assert.deepEqual(found.map(({ name }: { name: string }) => name).toSorted(), Object.keys(literals).toSorted());
    for (const { name, code } of found) {
      const [before, end, read] = literals[name] as (typeof literals)[string];
      const start = code.indexOf(before) + before.length;
      const literal = code.slice(start, code.indexOf(end, start));
      assert.equal(read(literal), kid, name);
      // Nothing but the quotes at its ends is a quote.
      const inside = literal.slice(1, -1).replace(/\\./gs, '');
      assert.ok(!inside.includes(literal[0]), name);
      if (name === 'Ruby') assert.ok(!/#[{$@]/.test(inside), name);
      if (name !== 'PHP') assert.ok(!/[\n\r\u202E\u200B\u2028]/.test(literal), name);
    }
  });
