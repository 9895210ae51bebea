// npm run bench -- validation: how long the work meter lets a validation block the process, for the keywords and formats that cost
// most. Each is compared with parsing the same value, which nobody can avoid.

import { generateCode } from '../../server/src/engines/json-schema/generate-code.ts';
import { instantiate } from '../../server/src/engines/json-schema/instantiate.ts';
import type { SchemaObject } from '../../server/src/engines/json-schema/keywords.ts';
import {
  expensiveKeywords,
  formatAlternatives,
  formats,
  longTexts,
  shortTexts,
} from '../../server/test/fixtures/expensive-schemas.ts';
import { medianCpuMs } from '../measure.ts';

const ROUNDS = 5;

function measure(name: string, schema: SchemaObject, value: unknown) {
  const compiled = generateCode(schema);
  if (!('code' in compiled)) throw new Error(`${name}: ${JSON.stringify(compiled)}`);
  const validate = instantiate(compiled.code);
  const text = JSON.stringify(value);
  const milliseconds = medianCpuMs(ROUNDS, () => validate(value));
  return { name, milliseconds, parse_milliseconds: medianCpuMs(ROUNDS, () => JSON.parse(text)) };
}

const rows = [
  ...expensiveKeywords.map(({ name, schema, value }) => measure(name, schema, value)),
  ...formats.flatMap((format) =>
    [...longTexts.map((text) => [text]), ...shortTexts].map((texts) =>
      measure(`format ${format}, ${texts.length} texts`, formatAlternatives(format), texts),
    ),
  ),
].sort((a, b) => b.milliseconds - a.milliseconds);

console.log('| Most expensive validations | CPU, ms | parsing the value, ms |\n|---|---|---|');
for (const { name, milliseconds, parse_milliseconds } of rows.slice(0, 15))
  console.log(`| ${name} | ${milliseconds.toFixed(1)} | ${parse_milliseconds.toFixed(1)} |`);
