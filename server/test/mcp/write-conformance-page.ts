// npm run conformance-docs: writes docs/conformance.md from a run of the suite.

import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { conformancePage, pageFile } from './conformance-page.ts';
import { runAllRevisions } from './conformance-runs.ts';

const runs = await runAllRevisions();

test('docs/conformance.md is written', () => writeFileSync(pageFile, conformancePage(runs)));
