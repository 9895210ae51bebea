// npm run docs:examples: records the examples of the API document from a real server.

import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { examplesFile } from '../../src/http/openapi-examples.ts';
import { recordAll } from './record-all.ts';

const examples = await recordAll();

test('api-examples.json is written', () => writeFileSync(examplesFile, examples));
