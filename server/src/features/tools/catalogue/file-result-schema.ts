// The schema of results that models are shown: a response that is neither JSON nor text becomes a file, and a call that takes long a
// task, so that a tool with an output_schema returns what that describes, a file, or the task.

import { mapReferences, type SchemaObject } from '../../../engines/json-schema/keywords.ts';
import { listedOutputSchema, type WithOutput } from './response-rules.ts';

const text = { type: 'string' };

const FILE: SchemaObject = {
  type: 'object',
  properties: {
    file: {
      type: 'object',
      description: 'A response that is a file: download it from `url` until `url_expires_at`',
      properties: {
        id: text,
        name: text,
        content_type: text,
        size: { type: 'integer' },
        url: text,
        url_expires_at: text,
        expires_at: text,
      },
      required: ['id', 'name', 'content_type', 'size', 'url', 'url_expires_at', 'expires_at'],
    },
  },
  required: ['file'],
};

const TASK: SchemaObject = {
  type: 'object',
  properties: {
    task: {
      type: 'object',
      description: 'A call that is still working: its result comes later',
      properties: {
        id: text,
        status: text,
        message: { type: ['string', 'null'] },
        progress: { type: ['number', 'null'] },
      },
      required: ['id', 'status'],
    },
  },
  required: ['task'],
};

/** Null without an output_schema. `source`: tools of MCP servers return what the server does. */
export function outputSchemaForModels(
  definition: WithOutput & { source: unknown; polling: unknown },
): SchemaObject | null {
  const listed = listedOutputSchema(definition);
  const others = [...(keepsFilesBack(definition) ? [] : [FILE]), ...(definition.polling === null ? [] : [TASK])];
  if (listed === null || definition.source !== null || others.length === 0) return listed;
  const { $schema, $id: _ofRoot, ...schema } = mapReferences(listed, (pointer) => `#/anyOf/0${pointer.slice(1)}`);
  return { ...($schema === undefined ? {} : { $schema }), type: 'object', anyOf: [schema, ...others] };
}

/** Such a rule has to see what it leaves, so that the tool never returns a file. */
const keepsFilesBack = ({ response }: WithOutput): boolean =>
  [response?.select, response?.drop, response?.redact].some((list) => list !== undefined && list.length > 0);
