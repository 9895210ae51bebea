// What a document says of a file, as a file argument. Elsewhere than in the body it stays text.

import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { kindByHeaders } from '../calls/results/response-kind.ts';
import { lookUp, type Reading } from './references.ts';

/** Bytes, or any type. */
export const isFileType = (type: string) =>
  /^(?:application\/octet-stream|\*\/\*)/i.test(type) || kindByHeaders({ 'content-type': type }) === 'file';

/** OpenAPI 3.0 says `format: binary`, and 3.1 the type of the bytes, unless it says how text stands for them. */
function isFile({ type, format, contentMediaType, contentEncoding }: SchemaObject): boolean {
  const types = [type ?? 'string'].flat().filter((each) => each !== 'null');
  if (types.length !== 1 || types[0] !== 'string') return false;
  if (format === 'binary' || format === 'file') return true;
  return typeof contentMediaType === 'string' && contentEncoding === undefined && isFileType(contentMediaType);
}

/** Null: it is no file. A schema of a file has nothing that is checked. */
export function fileSchemaOf(reading: Reading, schema: unknown): SchemaObject | null {
  if (!isObject(schema)) return null;
  const found = lookUp(reading, schema);
  return isFile(found) ? fileArgument({ ...found, ...schema }) : null;
}

export const fileArgument = ({ title, description }: SchemaObject): SchemaObject => ({
  type: 'string',
  format: 'binary',
  ...(typeof title === 'string' ? { title } : {}),
  ...(typeof description === 'string' ? { description } : {}),
});

export function asText(schema: unknown): unknown {
  if (fileArgumentsOf({ properties: { schema } }).length === 0) return schema;
  const { format: _, ...text } = schema as SchemaObject;
  return text;
}
