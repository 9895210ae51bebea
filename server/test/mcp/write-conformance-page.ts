// npm run conformance-docs: writes docs/conformance.md from a run of the suite.

import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { conformancePage, pageFile } from './conformance-page.ts';
import { runAllRevisions, runAuthorization } from './conformance-runs.ts';
import { runThrough } from './conformance-through.ts';
import { runClientScenarios } from './conformance-upstream.ts';

const server = await runAllRevisions();
const through = await runThrough();
const client = await runClientScenarios();
const authorization = await runAuthorization();

test('docs/conformance.md is written', () =>
  writeFileSync(pageFile, conformancePage({ server, through, client, authorization })));
