// Keywords that ajv is given in place of its own, because its own are wrong or too slow for some schemas, and the meter.

import { _, type Code, type CodeKeywordDefinition, type KeywordCxt, type Name, stringify } from 'ajv/dist/2020.js';
import { errorCount } from './ajv-internals.ts';
import type { Cost, Unevaluated } from './prepare.ts';

const meter: CodeKeywordDefinition = {
  keyword: '$work',
  code({ gen, data, schema }) {
    const { units, sized } = schema as Cost;
    if (sized) return void gen.code(_`runtime.spendSized(${units}, ${data})`);
    gen.if(_`(runtime.work.left -= ${units}) < 0`, () => gen.throw(_`runtime.workLimitReached`));
  },
};

const uniqueItems: CodeKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  code(cxt) {
    if (cxt.schema) cxt.pass(_`runtime.areUnique(${cxt.data})`);
  },
};

const multipleOf: CodeKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: { message: '', params: ({ schema }) => _`{multipleOf: ${schema}}` },
  code(cxt) {
    cxt.pass(_`runtime.isMultipleOf(${cxt.data}, ${cxt.schema})`);
  },
};

/** Ajv's own collects the errors of all items, and copies them with each further one. */
const contains: CodeKeywordDefinition = {
  keyword: 'contains',
  type: 'array',
  schemaType: ['object', 'boolean'],
  trackErrors: true,
  error: {
    message: '',
    params: ({ params: { min, max } }) =>
      max === undefined ? _`{minContains: ${min}}` : _`{minContains: ${min}, maxContains: ${max}}`,
  },
  code(cxt) {
    const { gen, data, parentSchema } = cxt;
    const { minContains: min = 1, maxContains: max } = parentSchema;
    cxt.setParams({ min, max });
    const count = gen.let('count', 0);
    gen.forRange('i', 0, _`${data}.length`, (i) => {
      const valid = isValid(cxt, { data: _`${data}[${i}]` });
      gen.if(valid, () => gen.code(_`${count}++`));
      gen.if(max === undefined ? _`${count} >= ${min}` : _`${count} > ${max}`, () => gen.break());
    });
    cxt.pass(max === undefined ? _`${count} >= ${min}` : _`${count} >= ${min} && ${count} <= ${max}`);
  },
};

/** Ajv's own leaves out the keywords after it when the list is shorter than `prefixItems`. */
const prefixItems: CodeKeywordDefinition = {
  keyword: 'prefixItems',
  type: 'array',
  schemaType: 'array',
  code(cxt) {
    const { gen, data, keyword, it } = cxt;
    const valid = gen.let('valid', true);
    for (let index = 0; index < cxt.schema.length; index++)
      gen.if(it.allErrors ? _`${data}.length > ${index}` : _`${valid} && ${data}.length > ${index}`, () => {
        const isItemValid = gen.name('_valid');
        cxt.subschema({ keyword, schemaProp: index, dataProp: index }, isItemValid);
        gen.assign(valid, _`${valid} && ${isItemValid}`);
      });
    cxt.ok(valid);
  },
};

const unevaluatedProperties: CodeKeywordDefinition = {
  keyword: 'unevaluatedProperties',
  type: 'object',
  schemaType: 'object',
  trackErrors: true,
  error: { message: '', params: ({ params }) => _`{unevaluatedProperty: ${params.part}}` },
  code(cxt) {
    const { gen, data } = cxt;
    const { sources, guards } = evaluatedBy(cxt);
    const valid = gen.let('valid', true);
    gen.forOf('name', _`runtime.unevaluatedNames(${data}, ${sources}, ${guards})`, (name) =>
      validatePart(cxt, valid, name),
    );
    cxt.ok(valid);
  },
};

const unevaluatedItems: CodeKeywordDefinition = {
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: 'object',
  trackErrors: true,
  error: { message: '', params: ({ params }) => _`{unevaluatedItem: ${params.part}}` },
  code(cxt) {
    const { gen, data, schema } = cxt;
    const { sources, guards } = evaluatedBy(cxt);
    const valid = gen.let('valid', true);
    const first = gen.const('first', _`runtime.firstUnevaluated(${data}, ${sources}, ${guards})`);
    const containing = (schema as Unevaluated).sources.flatMap(({ contained }, index) =>
      contained === undefined ? [] : [{ contained, index }],
    );
    // isValid() drops all errors of this keyword: it is called for every item before the first error. A constant in the first
    // loop instead of a list would not do: ajv removes it where it is used only in an expression that it moves.
    const others = gen.const('others', _`[]`);
    gen.forRange('i', first, _`${data}.length`, (i) => {
      const isEvaluated = gen.let('evaluated', false);
      for (const { contained, index } of containing)
        gen.if(_`!${isEvaluated} && runtime.doesCount(${sources}[${index}], ${data}, ${guards})`, () =>
          gen.assign(isEvaluated, isValid(cxt, { schemaProp: `contained${contained}`, data: _`${data}[${i}]` })),
        );
      gen.if(_`!${isEvaluated}`, () => gen.code(_`${others}.push(String(${i}))`));
    });
    gen.forOf('place', others, (place) => validatePart(cxt, valid, place));
    cxt.ok(valid);
  },
};

/** Validates with a schema inside of this keyword, without leaving errors behind: also not those that the keyword left before. */
function isValid(cxt: KeywordCxt, applied: { schemaProp?: string; data?: Code }): Name {
  const valid = cxt.gen.name('_valid');
  const quietly = { compositeRule: true, createErrors: false, allErrors: false } as const;
  cxt.subschema({ keyword: cxt.keyword, ...applied, ...quietly }, valid);
  cxt.reset();
  return valid;
}

function evaluatedBy(cxt: KeywordCxt): { sources: Name; guards: Name } {
  const { gen } = cxt;
  const { sources: ref, guards: count } = cxt.schema as Unevaluated;
  const sources = gen.scopeValue('obj', { ref, code: _`runtime.readySources(${stringify(ref)})` });
  const guards = gen.const('guards', _`[]`);
  for (let index = 0; index < count; index++)
    gen.code(_`${guards}.push(${isValid(cxt, { schemaProp: `guard${index}` })})`);
  return { sources, guards };
}

/** Inside a loop over what was not evaluated: ends it at the first that is not allowed, unless all errors are to be found. */
function validatePart(cxt: KeywordCxt, valid: Name, part: Name): void {
  const { gen, keyword, it } = cxt;
  const fail = () => {
    gen.assign(valid, false);
    if (!it.allErrors) gen.break();
  };
  if ((cxt.schema as Unevaluated).schema === false) {
    cxt.setParams({ part });
    cxt.error();
    fail();
    return;
  }
  const isAllowed = gen.name('_valid');
  cxt.subschema({ keyword, schemaProp: 'schema', dataProp: part }, isAllowed);
  gen.if(_`!${isAllowed}`, fail);
}

/** The errors of the branches come before the error of the keyword: it counts them, so that they are told from others. */
export const counting = (definition: CodeKeywordDefinition): CodeKeywordDefinition => ({
  ...definition,
  error: { message: '', params: ({ errsCount }) => _`{inside: ${errorCount} - ${errsCount as Name}}` },
});

export const replacedKeywords = [
  ...[uniqueItems, multipleOf, contains, prefixItems],
  ...[unevaluatedProperties, unevaluatedItems],
];
export { meter };
