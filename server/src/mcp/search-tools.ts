// The two tools of a caller with a toolset that is searched: `search_tools` finds tools, `call_tool` calls one (contract 15).

import { createHash } from 'node:crypto';
import { searchToolNames } from '@toolgate/contract/toolsets/rules.ts';
import type { Problem } from '../engines/json-schema/problem.ts';
import { invalidArguments } from '../features/tools/calls/arguments.ts';
import type { FoundTool, Schema, ToolForModel } from '../features/tools/calls/tool-call.ts';
import { callResultText, type RequestMeta, textBlock } from './call-result.ts';
import { isObject } from './json-rpc.ts';
import { listedSchema } from './listed-schema.ts';

const [search, call] = searchToolNames;
export const SEARCH_TOOLS = search;
const CALL_TOOL = call;

const LONGEST_QUERY = 500;
const MOST_FOUND = 10;
const USUALLY_FOUND = 5;

const found: Schema = {
  type: 'object',
  properties: {
    tools: {
      type: 'array',
      description: 'The best matches, best first',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          title: { type: 'string' },
          description: { type: 'string' },
          inputSchema: { type: 'object', description: 'The JSON Schema of its arguments' },
        },
        required: ['name', 'inputSchema'],
      },
    },
  },
  required: ['tools'],
};

const definitions: Omit<ToolForModel, 'definition_hash'>[] = [
  {
    name: SEARCH_TOOLS,
    title: 'Search tools',
    description: `Finds tools that are not in this list. Describe the task in a few words, such as "refund an order". The result has the name, description and input schema of the best matches. Call one of them with ${CALL_TOOL}.`,
    input_schema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: LONGEST_QUERY,
          description: 'The task, in a few words',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_FOUND,
          default: USUALLY_FOUND,
          description: 'The maximum number of tools to return',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    output_schema: found,
    annotations: {
      title: 'Search tools',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
  {
    name: CALL_TOOL,
    title: 'Call a tool',
    description: `Calls a tool that ${SEARCH_TOOLS} found, with arguments that match its input schema. Returns the tool's result.`,
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `The tool's name, as ${SEARCH_TOOLS} returned it` },
        arguments: { type: 'object', description: "The tool's arguments" },
      },
      required: ['name'],
      additionalProperties: false,
    },
    output_schema: null,
    annotations: {
      title: 'Call a tool',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
];

/** In the list, before the tools of the project. */
export const searchTools: ToolForModel[] = definitions.map((definition) => ({
  ...definition,
  definition_hash: createHash('sha256').update(JSON.stringify(definition)).digest('hex'),
}));

export const isSearchTool = (name: string) => name === SEARCH_TOOLS || name === CALL_TOOL;

/** Throws a refusal that names everything that is wrong. */
export function readSearch(given: Record<string, unknown>): { query: string; limit: number } {
  const { query, limit = USUALLY_FOUND, ...others } = given;
  const problems = unknownFields(others);
  if (query === undefined) problems.push({ field: 'query', message: 'is required' });
  else if (typeof query !== 'string' || query.trim() === '' || query.length > LONGEST_QUERY)
    problems.push({ field: 'query', message: `must be text of 1 to ${LONGEST_QUERY} characters` });
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > MOST_FOUND)
    problems.push({ field: 'limit', message: `must be an integer from 1 to ${MOST_FOUND}` });
  if (problems.length > 0) throw invalidArguments(problems);
  return { query: query as string, limit: limit as number };
}

/** The call that the arguments of `call_tool` describe. */
export function readSearchedCall(given: Record<string, unknown>): {
  name: string;
  arguments: Record<string, unknown>;
} {
  const { name, arguments: inner = {}, ...others } = given;
  const problems = unknownFields(others);
  if (typeof name !== 'string')
    problems.push({ field: 'name', message: name === undefined ? 'is required' : 'must be a string' });
  if (!isObject(inner)) problems.push({ field: 'arguments', message: 'must be an object' });
  if (problems.length > 0) throw invalidArguments(problems);
  return { name: name as string, arguments: inner as Record<string, unknown> };
}

const unknownFields = (others: Record<string, unknown>): Problem[] =>
  Object.keys(others)
    .slice(0, 20)
    .map((field) => ({ field: field.slice(0, 100), message: 'is not a known field' }));

/** The result of a search: what a model needs to call one of the tools. */
export function foundText(tools: FoundTool[], request: RequestMeta): string {
  const structured = JSON.stringify({
    tools: tools.map(({ name, title, description, input_schema }) => ({
      name,
      title: title ?? undefined,
      description: description ?? undefined,
      inputSchema: listedSchema(input_schema ?? { type: 'object' }),
    })),
  });
  return callResultText({ content: [textBlock(structured)], structured, meta: [], request });
}
