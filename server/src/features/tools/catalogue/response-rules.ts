// Checks the `response` of a tool before it is saved, and makes the schema of what it leaves: that is what models are shown, and what
// responses are validated by.

import type { CustomToolDefinition } from '@toolgate/contract/custom-tools/custom-tool.ts';
import { isDetector } from '@toolgate/contract/custom-tools/response-paths.ts';
import type { ToolResponse } from '@toolgate/contract/custom-tools/tool-response.ts';
import { isObject, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { invalidField } from '../../../errors/errors.ts';
import { projectOutput, toPath } from '../../../shaping/compile.ts';
import { isPathInSchema } from '../../../shaping/path-in-schema.ts';
import { NotProjectable } from '../../../shaping/project-schema.ts';
import { checkSchema } from './check-schema.ts';

export type WithOutput = Pick<CustomToolDefinition, 'output_schema' | 'response'>;

/** The schema of JSON results; null without a schema. */
export function listedOutputSchema({ output_schema, response }: WithOutput): SchemaObject | null {
  return output_schema === null || response === null ? output_schema : projectOutput(output_schema, response);
}

export function checkResponse(definition: CustomToolDefinition): void {
  const { response, output_schema } = definition;
  if (response === null) return;
  checkNextPage(definition, response);
  if (output_schema === null) return;
  for (const { field, path, type } of pathsOf(response))
    if (!isPathInSchema(output_schema, toPath(path), type))
      throw invalidField(`response.${field}`, 'is a path that output_schema excludes');
  const problem = projectionProblem({ output_schema, response });
  if (problem !== null) throw invalidField('response', `results in an output_schema that ${problem}`);
}

function projectionProblem(definition: WithOutput): string | null {
  try {
    const projected = listedOutputSchema(definition);
    const problem = projected && checkSchema(projected, 'output');
    return problem && `${[problem.field, problem.message].filter(Boolean).join(' ')}`;
  } catch (error) {
    if (error instanceof NotProjectable) return 'is too large: use fewer paths with **';
    throw error;
  }
}

type Named = { field: string; path: string; type?: 'array' };

function pathsOf({ select = [], drop = [], redact = [], max_items = {}, next_page }: ToolResponse): Named[] {
  const listed = Object.entries({ select, drop, redact }).flatMap(([name, list]) =>
    list.map((path, index) => ({ field: `${name}.${index}`, path })),
  );
  const lists = Object.keys(max_items).map((path) => ({ field: `max_items.${path}`, path, type: 'array' as const }));
  const cursors = next_page ? [{ field: 'next_page.cursor', path: next_page.cursor }] : [];
  return [...listed.filter(({ path }) => !isDetector(path)), ...lists, ...cursors];
}

/** The argument must be one that a model can give. */
function checkNextPage({ input_schema, fixed_arguments }: CustomToolDefinition, { next_page }: ToolResponse): void {
  if (!next_page) return;
  const field = 'response.next_page.argument';
  if (Object.hasOwn(fixed_arguments, next_page.argument)) throw invalidField(field, 'is a fixed argument');
  const { properties, ...others } = input_schema;
  const mayBeElsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties'].some((keyword) => keyword in others);
  const isKnown = isObject(properties) && Object.hasOwn(properties, next_page.argument);
  if (!isKnown && !mayBeElsewhere) throw invalidField(field, 'is not a property of input_schema');
}
