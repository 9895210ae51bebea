// What is wrong with a value, in words a person or a model can act on.

import type { ErrorObject } from 'ajv';

/** `field` is dotted (`lines.0.sku`); empty when the value as a whole is to blame. */
export type Problem = { field: string; message: string };

/** The last error is the outermost (`anyOf`, `oneOf`); those before it say why its branches failed. */
export function describeErrors(errors: readonly ErrorObject[]): Problem[] {
  return errors.length === 0
    ? [{ field: '', message: 'is not valid' }]
    : describeGroup(errors, 0, errors.length - 1).map(describeError);
}

/** An error, after the first two of those inside of it. */
const describeGroup = (errors: readonly ErrorObject[], start: number, outermost: number) => [
  errors[outermost] as ErrorObject,
  ...errors.slice(start, Math.min(start + 2, outermost)),
];

/** `more` is how many errors were left out. */
export type Listed = { problems: Problem[]; more: number };

/** For a validator that does not stop at the first error. `inside` of an error is how many before it say why its branches failed. */
export function listErrors(errors: readonly ErrorObject[], max: number): Listed {
  const groups: { start: number; outermost: number }[] = [];
  for (let at = errors.length - 1; at >= 0; ) {
    const start = at - ((errors[at]?.params.inside as number | undefined) ?? 0);
    groups.push({ start, outermost: at });
    at = start - 1;
  }
  groups.reverse();
  const problems = new Map<string, Problem>();
  for (const [index, { start, outermost }] of groups.entries()) {
    if (problems.size >= max) return { problems: [...problems.values()], more: groups.length - index };
    for (const error of describeGroup(errors, start, outermost)) {
      // For a name that is not allowed: the error after it has the name.
      if (error.propertyName !== undefined && error.keyword !== 'propertyNames') continue;
      const problem = describeError(error);
      problems.set(JSON.stringify(problem), problem);
    }
  }
  return { problems: [...problems.values()], more: 0 };
}

function describeError({ instancePath, keyword, params }: ErrorObject): Problem {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  const name =
    params.missingProperty ??
    params.additionalProperty ??
    params.unevaluatedProperty ??
    params.unevaluatedItem ??
    params.propertyName;
  const message = messages[keyword]?.(params) ?? 'is not valid';
  return { field: cut((name === undefined ? path : [...path, name]).join('.')), message: cut(message) };
}

const isRequired = () => 'is required';
const isUnknown = () => 'is not a known field';
const isCompared = ({ comparison, limit }: ErrorObject['params']) => `must be ${comparison} ${limit}`;

const messages: Record<string, (params: ErrorObject['params']) => string> = {
  type: ({ type }) => `must be ${[type].flat().join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${listed(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${listed([allowedValue])}`,
  required: isRequired,
  dependentRequired: isRequired,
  dependencies: isRequired,
  additionalProperties: isUnknown,
  unevaluatedProperties: isUnknown,
  propertyNames: () => 'is not an allowed name',
  'false schema': () => 'is not allowed',
  minimum: isCompared,
  maximum: isCompared,
  exclusiveMinimum: isCompared,
  exclusiveMaximum: isCompared,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `must have at least ${limit} characters`,
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => `must have at least ${limit} items`,
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  items: ({ limit }) => `must have at most ${limit} items`,
  unevaluatedItems: () => 'is not an allowed item',
  minProperties: ({ limit }) => `must have at least ${limit} fields`,
  maxProperties: ({ limit }) => `must have at most ${limit} fields`,
  uniqueItems: () => 'must not have the same item twice',
  contains: ({ minContains, maxContains }) =>
    maxContains === undefined
      ? `must have at least ${minContains} items of the required kind`
      : `must have ${minContains} to ${maxContains} items of the required kind`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must be a valid ${format}`,
  anyOf: () => 'must match one of the allowed forms',
  oneOf: () => 'must match exactly one of the allowed forms',
  not: () => 'has a form that is not allowed',
  if: ({ failingKeyword }) => `must match the keyword "${failingKeyword}"`,
};

const unescapePointer = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** Ten values are a hint; the whole list is in the tool's schema. */
function listed(values: unknown[]): string {
  const shown = values.slice(0, 10).map((value) => cut(JSON.stringify(value)));
  return values.length > shown.length
    ? `${shown.join(', ')} or ${values.length - shown.length} more`
    : shown.join(', ');
}

export const cut = (text: string) => (text.length > 400 ? `${text.slice(0, 400)}…` : text);
