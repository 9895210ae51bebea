// The request that a call would send.

import { z } from 'zod';

/** Stands in place of a credential. */
export const REDACTED = '[redacted]';

export const toolRequestPreview = z
  .strictObject({
    object: z.literal('tool_request_preview'),
    method: z.string().meta({ description: 'The HTTP method' }),
    url: z.string().nullable().meta({ description: 'The complete URL; null if it cannot be built from the arguments' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: `The headers, in lowercase; credentials are \`${REDACTED}\`` }),
    body: z.string().nullable().meta({ description: 'The body as it would be sent; null without one' }),
    canonical_string: z
      .string()
      .nullable()
      .meta({ description: 'The signed string; null unless `auth_strategy` is `hmac_signature`' }),
    signature: z.string().nullable().meta({ description: 'The value of X-Toolgate-Signature; null without one' }),
    problems: z
      .array(
        z
          .strictObject({
            code: z.string().meta({ description: 'The error code that a call would return' }),
            field: z
              .string()
              .meta({ description: 'The argument or field; empty if the problem concerns the whole call' }),
            message: z.string().meta({ description: 'What is wrong' }),
          })
          .meta({ id: 'ToolRequestProblem' }),
      )
      .meta({ description: 'Why a call would be refused before anything is sent; empty if it would be sent' }),
  })
  .meta({ id: 'ToolRequestPreview' });

export type ToolRequestPreview = z.infer<typeof toolRequestPreview>;
