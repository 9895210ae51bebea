// npm run conformance-docs: writes docs/conformance.md from a run of the suite.

import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { conformancePage, pageFile } from './conformance-page.ts';
import { runAllRevisions, runAuthorization } from './conformance-runs.ts';
import { runClientScenarios } from './conformance-upstream.ts';

const server = await runAllRevisions();
const client = await runClientScenarios();
const authorization = await runAuthorization();

test('docs/conformance.md is written', () =>
  writeFileSync(pageFile, conformancePage({ server, client, authorization })));
