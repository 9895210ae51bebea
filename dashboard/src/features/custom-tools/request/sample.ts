// Arguments that fit an input schema as well as can be guessed, to show a request before anybody calls the tool.

import { isReserved } from '@toolgate/contract/custom-tools/reserved-variables.ts';

type Schema = Record<string, unknown>;

const MAX_DEPTH = 5;
const formats: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'ada@example.com',
  uuid: '5b1f4a52-3c0e-4b7e-9d6a-2f1c8e7d9b30',
  uri: 'https://example.com/',
  binary: 'data:text/plain;base64,SGVsbG8=',
  file: 'data:text/plain;base64,SGVsbG8=',
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The example that the schema has, or a value for each property. Fixed arguments are not among them. */
export function sampleArguments(schema: Schema, fixed: object): Schema {
  const [example] = listOf(schema.examples);
  if (isSchema(example)) return example;
  const sample = sampleObject(schema, 0);
  return Object.fromEntries(
    Object.entries(sample).filter(([name]) => !isReserved(name) && !Object.hasOwn(fixed, name)),
  );
}

function sampleObject({ properties }: Schema, depth: number): Schema {
  const pairs = isSchema(properties) && depth < MAX_DEPTH ? Object.entries(properties) : [];
  return Object.fromEntries(pairs.map(([name, schema]) => [name, sampleOf(name, schema, depth + 1)]));
}

function sampleOf(name: string, given: unknown, depth: number): unknown {
  const schema = isSchema(given) ? given : {};
  const [first] = [schema.const, schema.default, ...listOf(schema.examples), ...listOf(schema.enum)].filter(
    (value) => value !== undefined,
  );
  if (first !== undefined) return first;
  const [choice] = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (choice !== undefined && depth < MAX_DEPTH) return sampleOf(name, choice, depth + 1);
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return depth < MAX_DEPTH ? [sampleOf(name, schema.items, depth + 1)] : [];
    case 'object':
      return sampleObject(schema, depth);
    default:
      return sampleText(name, schema);
  }
}

/** The first of several; what has properties is an object without saying so. */
function typeOf({ type, properties }: Schema): unknown {
  if (Array.isArray(type)) return type.find((each) => each !== 'null');
  return type ?? (properties === undefined ? 'string' : 'object');
}

/** Its own name, so that it is found again in the request. */
function sampleText(name: string, { format, minLength, maxLength }: Schema): string {
  const text = formats[String(format)] ?? name;
  const least = typeof minLength === 'number' ? Math.min(minLength, 1_000) : 0;
  const longest = typeof maxLength === 'number' ? maxLength : text.length + least;
  return text.padEnd(least, 'x').slice(0, longest);
}
