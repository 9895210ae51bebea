// The request that a call would send.

import { z } from 'zod';

/** Stands in place of a credential. */
export const REDACTED = '[redacted]';

export const toolRequestPreview = z
  .strictObject({
    object: z.literal('tool_request_preview'),
    method: z.string().meta({ description: 'The HTTP method' }),
    url: z.string().nullable().meta({ description: 'The whole URL; null if the arguments do not allow to build it' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: `The headers, in lower case; a credential is \`${REDACTED}\`` }),
    body: z.string().nullable().meta({ description: 'The body as it would be sent; null without one' }),
    canonical_string: z
      .string()
      .nullable()
      .meta({ description: 'What is signed; null unless `auth_strategy` is `hmac_signature`' }),
    signature: z.string().nullable().meta({ description: 'The value of X-Toolgate-Signature; null without one' }),
    problems: z
      .array(
        z
          .strictObject({
            code: z.string().meta({ description: 'The code of the error that a call would get' }),
            field: z.string().meta({ description: 'The argument or field; empty for the call as a whole' }),
            message: z.string().meta({ description: 'What is wrong' }),
          })
          .meta({ id: 'ToolRequestProblem' }),
      )
      .meta({ description: 'Why a call would be refused before anything is sent; empty if it would be sent' }),
  })
  .meta({ id: 'ToolRequestPreview' });

export type ToolRequestPreview = z.infer<typeof toolRequestPreview>;
