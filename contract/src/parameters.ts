// The parameters in the paths of routes: every kind of id, and a few others. A path cannot name one that is not here.

import { z } from 'zod';
import { limitedText } from './fields.ts';
import { exampleIds, idKinds } from './ids.ts';

/** Any text, unless it has a schema. */
export type Parameter = z.core.GlobalMeta & { schema?: z.ZodType; description: string };

const ofIds = Object.fromEntries(
  Object.entries(idKinds).map(([name, { of }]) => [name, { description: `Id of ${of}` }]),
) as { readonly [Name in keyof typeof idKinds]: { description: string } };

export const parameters = {
  ...ofIds,
  project_id: { ...ofIds.project_id, example: exampleIds.project_id },
  tool_id: { description: 'Id or name of the tool' },
  version: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a number')
      .transform(Number),
    description: 'Number of the version',
    override: { type: 'integer', minimum: 1 },
  },
  request_id: {
    schema: limitedText(64),
    description: '`X-Request-Id` of the response, or `request_id` of an error',
    example: 'req_7hGs2mXcVb9nQw4ZtR1yKd',
  },
} as const satisfies Record<string, Parameter>;
