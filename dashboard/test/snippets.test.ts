// The code that pages offer to copy.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Not a name that the compiler follows: pages have the types of a browser, tests those of Node. */
const snippets: string = '../src/pages/custom-tool-snippets.ts';
const { verifySnippets } = await import(snippets);

const signatures = readFileSync(join(import.meta.dirname, '../../docs/signatures.md'), 'utf8');

test('the code that verifies a signature without the SDK is that of the documentation, which is run by tests', () => {
  for (const { name, code } of verifySnippets.slice(1)) assert.ok(signatures.includes(code), name);
});
