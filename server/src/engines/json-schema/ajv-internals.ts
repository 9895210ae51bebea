// What is used of ajv beyond its documentation, and why (docs/design/json-schema.md). conformance.test.ts and work-meter.test.ts fail if a
// version of ajv changes one of these.

import { _, type CodeKeywordDefinition, type Options } from 'ajv/dist/2020.js';
import core from 'ajv/dist/core.js';
import draft2020 from 'ajv/dist/vocabularies/draft2020.js';

/**
 * Draft 2020-12, without meta-schemas. Not an Ajv2020: that one tracks what was evaluated, and the code for it throws for some
 * schemas. Our keywords need none of it.
 */
export function createAjv(options: Options) {
  const ajv = new core.default(options);
  for (const vocabulary of draft2020.default) ajv.addVocabulary(vocabulary);
  return ajv;
}

/** Keywords run in the order of their groups, and those without a type are the third group: this one gets a group before all. */
export function addFirstKeyword(ajv: ReturnType<typeof createAjv>, definition: CodeKeywordDefinition): void {
  ajv.RULES.rules.unshift({ rules: [] });
  ajv.addKeyword(definition);
}

/** The variable of generated code that has the number of errors so far. */
export const errorCount = _`errors`;
