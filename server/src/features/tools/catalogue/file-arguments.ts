// File arguments of a tool: where they may go, and the schemas in which they are more than text. Tools of MCP servers have none.

import { takesBody } from '@toolgate/contract/custom-tools/body-format.ts';
import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { fileArgumentsOf } from '@toolgate/contract/custom-tools/file-arguments.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { namesElsewhere } from './body-rules.ts';
import { withoutArguments } from './fixed-arguments.ts';

/** The body is the only place that has room for a file. */
export function checkFileArguments(definition: CustomToolDefinition): void {
  const names = fileArgumentsOf(definition.input_schema);
  if (names.length === 0) return;
  const { method, body_format, body_argument, fixed_arguments } = definition;
  const elsewhere = namesElsewhere(definition);
  for (const name of names) {
    const refuse = (message: string) => {
      throw invalidField(`input_schema.properties.${name}`, message);
    };
    if (elsewhere.has(name)) refuse('is a file, which cannot be part of the path or a header');
    if (!takesBody(method)) refuse(`is a file, which ${method} would send in the query`);
    if (body_format === 'raw' && name !== body_argument)
      refuse('is a file that is not body_argument, and would be sent in the query');
    if (Object.hasOwn(fixed_arguments, name))
      throw invalidField(`fixed_arguments.${name}`, 'is a file argument, which only callers can set');
  }
}

const FROM_CHAT: SchemaObject = {
  type: 'object',
  properties: {
    download_url: { type: 'string' },
    file_id: { type: 'string' },
    mime_type: { type: 'string' },
    file_name: { type: 'string' },
  },
  required: ['download_url', 'file_id'],
};

const WHAT_TO_GIVE = 'A file: give the id of an uploaded file (fil_…), or a data: URI of at most 64 KiB.';
const OR_NOTHING = 'If you have neither, leave the argument out: the user will be asked to upload the file.';

/** What callers may give: a file argument is an id, a data: URI or what ChatGPT sends, and never has to be there. */
export function withFileArguments(schema: SchemaObject, names: readonly string[]): SchemaObject {
  const { properties, required } = schema;
  if (names.length === 0 || !isObject(properties)) return schema;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const changed = names.map((name) => [name, fileSchema(properties[name] as SchemaObject, needed.includes(name))]);
  const others = needed.filter((name) => !names.includes(name as string));
  const { required: _, ...same } = schema;
  const rest = { ...same, properties: { ...properties, ...Object.fromEntries(changed) } };
  return others.length === 0 ? rest : { ...rest, required: others };
}

function fileSchema({ title, description }: SchemaObject, is_required: boolean): SchemaObject {
  const own = typeof description === 'string' && description.trim() !== '' ? [description.trim()] : [];
  const told = [...own, WHAT_TO_GIVE, ...(is_required ? [OR_NOTHING] : [])].join(' ');
  return {
    ...(title === undefined ? {} : { title }),
    description: told,
    anyOf: [{ type: 'string' }, FROM_CHAT],
  };
}

type Inputs = Pick<CustomToolDefinition, 'input_schema' | 'fixed_arguments'> & { source: unknown };

export const fileArgumentsOfTool = ({ input_schema, source }: Pick<Inputs, 'input_schema' | 'source'>): string[] =>
  source === null ? fileArgumentsOf(input_schema) : [];

/** As models see it: without what the tool sets itself. */
export const listedInputSchema = (tool: Inputs): SchemaObject =>
  withFileArguments(
    withoutArguments(tool.input_schema, new Set(Object.keys(tool.fixed_arguments))),
    fileArgumentsOfTool(tool),
  );
